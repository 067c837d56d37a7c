import { expect, it } from 'vitest';
import * as z from 'zod';
import { nearestName, unknownMembers, unknownName } from '../../src/contract/unknown-names.ts';

const KNOWN = ['goal', 'affect', 'speakers', 'ttl_seconds', 'q'];

it.each([
  ['afect', 'affect'],
  ['speaker', 'speakers'],
  ['ttlSeconds', 'ttl_seconds'],
  ['TTL-SECONDS', 'ttl_seconds'],
  ['gola', 'goal'],
  ['qq', 'q'],
  ['x', undefined],
  ['gulp', undefined],
  ['language', undefined],
  ['', undefined],
  ['a'.repeat(100_000), undefined],
])('the name nearest to %s is %s', (name, near) => {
  expect(nearestName(name, KNOWN)).toBe(near);
});

it('names the first unknown name, what was meant, or else what is known', () => {
  expect(unknownName('field', ['goal', 'afect', 'x'], KNOWN)).toBe('Unknown field "afect"; did you mean "affect"?');
  expect(unknownName('argument', ['zzz'], ['from', 'to'])).toBe('Unknown argument "zzz"; known: from, to');
  expect(unknownName('query parameter', ['zzz'], ['a'.repeat(500)])).toBe('Unknown query parameter "zzz"');
  expect(unknownName('field', ['goal'], KNOWN)).toBeUndefined();
});

it('is the message of a strict object at any depth', () => {
  const schema = z.strictObject({ for: z.strictObject({ session: z.string().optional() }) });
  const { error } = schema.safeParse({ for: { sesion: 'x' } }, { error: unknownMembers('field') });
  expect(error?.issues).toMatchObject([{ path: ['for'], message: 'Unknown field "sesion"; did you mean "session"?' }]);
});
