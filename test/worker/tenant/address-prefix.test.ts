import { expect, it } from 'vitest';
import { prefixOf } from '../../../src/worker/tenant/access-log.ts';

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:7:4::1', '2001:db8:7::/48'],
  ['2001:DB8::1', '2001:db8:0::/48'],
  ['::1', ''],
  ['', ''],
  ['not an address', ''],
])('the network of %s is %s', (address, prefix) => {
  expect(prefixOf(address)).toBe(prefix);
});
