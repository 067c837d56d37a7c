import { expect, it } from 'vitest';
import { storageKeys } from '../../scripts/check/storage-keys.ts';

/** Checks code in which `<name>` replaces an interpolation. */
const faultsOf = (code: string, path = 'src/worker/jobs/a.ts'): string[] =>
  storageKeys([{ path, text: code.replace(/<([\w.]+)>/g, (_, name: string) => `$${'{'}${name}}`) }]);

it.each([
  ['a tenant and a slash', 'store.get(`<c.var.tenant>/<run>/x`)'],
  ['a document of a run', 'store.get(`<prefix>/<run>/result.json`)'],
  ['a file of a directory', 'store.put(`<directory><name>`, body)'],
  ['a concatenation', "store.get(tenant + '/' + run)"],
  ['a marker', "store.list('pending/')"],
])('refuses a key that is built from %s', (_, code) => {
  expect(faultsOf(`const a = 1;\n${code}`)).toEqual([expect.stringMatching(/^src\/worker\/jobs\/a\.ts:2: .*runKeys/)]);
});

it('accepts keys of `runKeys`, routes, and the file that builds the keys', () => {
  expect(faultsOf("store.get(runKeys(tenant, run).documents['result.json'])")).toEqual([]);
  expect(faultsOf('const Location = `/conversations/<id>/media`;')).toEqual([]);
  expect(faultsOf('`<tenant>/<run>/`', 'src/worker/storage/keys.ts')).toEqual([]);
});
