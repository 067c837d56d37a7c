import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadRuntime } from '../../../containers/pipeline/models/runtime.ts';
import { ENGINES, engineOf, LoadedRecognisers } from '../../../containers/pipeline/recognition/engines.ts';

it('knows each engine by an id of its own, with what it understands and how much it hears at once', () => {
  expect(new Set(ENGINES.map(({ id }) => id)).size).toBe(ENGINES.length);
  for (const { id, name, languages, longestS } of ENGINES) {
    expect(id).toMatch(/^[a-z0-9-]+$/);
    expect(name).not.toBe('');
    expect(languages.length).toBeGreaterThan(0);
    for (const language of languages) expect(Intl.getCanonicalLocales(language)).toEqual([language]);
    expect(longestS).toBeGreaterThanOrEqual(10);
  }
});

it('is named in docs/api.md with its languages', () => {
  const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  for (const { id, languages } of ENGINES) expect(page).toContain(`\`${id}\` (${languages.join(', ')})`);
});

it('uses the first where none is chosen, and refuses an unknown one by its name', () => {
  expect(engineOf()).toBe(ENGINES[0]);
  expect(engineOf(ENGINES[0].id)).toBe(ENGINES[0]);
  expect(() => engineOf('dictaphone')).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining('recogniser: "dictaphone" is not known'),
    }),
  );
});

it('loads one when it is first asked for, and once', async () => {
  const recognisers = new LoadedRecognisers(await loadRuntime());
  const first = await recognisers.get();
  expect(await recognisers.get(ENGINES[0].id)).toBe(first);
  await expect(recognisers.get('dictaphone')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});
