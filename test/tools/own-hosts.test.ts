import { hostname } from 'node:os';
import { expect, it } from 'vitest';
import { isOwnHost } from '../../tools/front-door/own-hosts.ts';

it('knows the names of this machine, with and without a port', () => {
  for (const header of ['localhost', 'Localhost:80', '127.0.0.1:8787', '[::1]', '[::1]:8787'])
    expect({ header, isOwn: isOwnHost(header, undefined) }).toEqual({ header, isOwn: true });
});

it('knows the address in HOST', () => {
  expect(isOwnHost('box.lan:80', 'box.lan')).toBe(true);
  expect(isOwnHost('[fd00::5]:80', 'fd00::5')).toBe(true);
  expect(isOwnHost('other.lan', 'box.lan')).toBe(false);
  expect(isOwnHost('box.lan', undefined)).toBe(false);
});

it('takes the wildcard for the addresses and the name of this machine, not for every name', () => {
  for (const wildcard of ['0.0.0.0', '::']) {
    expect(isOwnHost(`${hostname()}:80`, wildcard)).toBe(true);
    expect(isOwnHost('localhost', wildcard)).toBe(true);
    for (const foreign of ['attacker.example', '0.0.0.0', '203.0.113.7'])
      expect({ foreign, isOwn: isOwnHost(foreign, wildcard) }).toEqual({ foreign, isOwn: false });
  }
});
