import { expect, it } from 'vitest';
import { keyIdOf, newKeyId, newToken, placeOfId, placeOfToken, randomLetters } from '../../../src/worker/keys/token.ts';

const place = { tenant: 'acme-2', id: 'AbC012345678' };

it('a token contains its key’s tenant, and so does the id', () => {
  const token = newToken(place);
  expect(token).toMatch(/^ut_acme-2_AbC012345678_[0-9A-Za-z]{43}$/);
  expect(placeOfToken(token)).toEqual(place);
  expect(placeOfId(keyIdOf(place))).toEqual(place);
  expect(token.startsWith(`ut_${keyIdOf(place)}_`)).toBe(true);
});

it('no two are alike', () => {
  const made = Array.from({ length: 2000 }, () => [newKeyId(), newToken(place)]).flat();
  expect(new Set(made).size).toBe(made.length);
});

it('all letters are equally frequent', () => {
  const counts = new Map<string, number>();
  for (const letter of randomLetters(62_000)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // The mean is 1,000 and its deviation 31: eight of those never occur by chance.
  for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(250);
});

const token = newToken(place);
it.each([
  ['nothing', ''],
  ['another beginning', `uu${token.slice(2)}`],
  ['a beginning in capitals', `UT${token.slice(2)}`],
  ['a letter less', token.slice(0, -1)],
  ['a letter more', `${token}x`],
  ['white space around it', ` ${token}`],
  ['a line behind it', `${token}\n`],
  ['a sign', `${token.slice(0, -1)}-`],
  ['a letter that looks like one of ours', `${token.slice(0, -1)}а`],
  ['a tenant of one letter', token.replace('acme-2', 'a')],
  ['a tenant that is too long', token.replace('acme-2', 'a'.repeat(33))],
  ['a tenant in capitals', token.replace('acme-2', 'ACME')],
  ['a tenant that begins with a hyphen', token.replace('acme-2', '-acme')],
  ['a tenant that climbs', token.replace('acme-2', '../x')],
  ['a tenant that is a folder of the store', token.replace('acme-2', 'pending')],
  ['no tenant', token.replace('acme-2', '')],
  ['10,000 letters', token + 'a'.repeat(10_000)],
  ['10,000 letters of secret', `ut_acme_AbC012345678_${'a'.repeat(10_000)}`],
  ['a NUL', `${token.slice(0, -1)}\0`],
])('with %s it is no token', (_, text) => {
  expect(placeOfToken(text)).toBeNull();
});
