import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOnce } from '../../src/worker/targets/reach.ts';
import { createResolver } from '../../tools/front-door/resolver.ts';

const resolver = createResolver();
let dnsResolverUrl: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => resolver.listen(0, '127.0.0.1', resolve));
  dnsResolverUrl = `http://127.0.0.1:${(resolver.address() as AddressInfo).port}/`;
});
afterAll(() => new Promise((resolve) => resolver.close(resolve)));

const asked = async (name: string, type: string) =>
  (await fetch(`${dnsResolverUrl}?name=${encodeURIComponent(name)}&type=${type}`)).json();

it("answers what this machine's names resolve to", async () => {
  expect(await asked('localhost', 'A')).toMatchObject({ Answer: [{ type: 1, data: '127.0.0.1' }] });
  expect(await asked('nobody.invalid', 'A')).toEqual({ Status: 3, Answer: [] });
  expect(await asked('', 'AAAA')).toMatchObject({ Status: 0 });
});

it('keeps the service from names that resolve to this machine, and from those that do not resolve', async () => {
  const rules = { allowPrivateTargets: false, dnsResolverUrl };
  await expect(callOnce(new URL('http://localhost/'), {}, rules)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  await expect(callOnce(new URL('http://nobody.invalid/'), {}, rules)).rejects.toMatchObject({ code: 'SOURCE_FAILED' });
});
