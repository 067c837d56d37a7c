import { expect, it } from 'vitest';
import { KeyCache } from '../../../src/worker/keys/key-cache.ts';

const TIMES = { yesMs: 30, noMs: 5 };

it('caches a key for the time given, and an unknown id for less', () => {
  const trust = new KeyCache<string>(10);
  trust.learn('a', 'key', TIMES, 100);
  trust.learn('b', null, TIMES, 100);
  expect([trust.get('a', 100), trust.get('b', 100), trust.get('c', 100)]).toEqual(['key', null, undefined]);
  expect([trust.get('a', 105), trust.get('b', 105)]).toEqual(['key', undefined]);
  expect(trust.get('a', 130)).toBeUndefined();
});

it('keeps the newer answer, whichever it is', () => {
  const trust = new KeyCache<string>(10);
  trust.learn('a', null, TIMES, 0);
  trust.learn('a', 'key', TIMES, 1);
  expect(trust.get('a', 2)).toBe('key');
  trust.learn('a', null, TIMES, 3);
  expect(trust.get('a', 4)).toBeNull();
  expect(trust.size).toBe(1);
});

it('is not filled by invented ids, and keeps valid keys through them', () => {
  const trust = new KeyCache<string>(100);
  trust.learn('mine', 'key', TIMES, 0);
  for (let i = 0; i < 10_000; i++) trust.learn(`guess-${i}`, null, TIMES, 0);
  expect(trust.size).toBeLessThanOrEqual(200);
  expect(trust.get('mine', 1)).toBe('key');
  expect(trust.get('guess-9999', 1)).toBeNull();
});

it('drops the oldest key when it has too many', () => {
  const trust = new KeyCache<string>(2);
  for (const id of ['a', 'b', 'a', 'c']) trust.learn(id, id, TIMES, 0);
  expect(['a', 'b', 'c'].map((id) => trust.get(id, 1))).toEqual(['a', undefined, 'c']);
});
