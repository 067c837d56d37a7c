import { expect, it } from 'vitest';
import { FNV_BASIS, fnv1a, joinHashes } from '../../src/contract/fnv1a.ts';

it.each([
  ['', 0x811c9dc5],
  ['a', 0xe40c292c],
  ['foobar', 0xbf9cf968],
])('hashes %j as the reference vectors of FNV-1a do', (text, hash) => {
  expect(fnv1a(text)).toBe(hash);
});

it('hashes a part of a text like that part alone, and continues from a hash', () => {
  expect(fnv1a('xfoobarx', FNV_BASIS, 1, 7)).toBe(0xbf9cf968);
  expect(fnv1a('bar', fnv1a('foo'))).toBe(0xbf9cf968);
});

it('joins two hashes in their order', () => {
  expect(joinHashes(1, 2)).not.toBe(joinHashes(2, 1));
  expect(joinHashes(0xffffffff, 0xffffffff)).toBeGreaterThanOrEqual(0);
});
