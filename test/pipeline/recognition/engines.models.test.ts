import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { loadRuntime } from '../../../containers/pipeline/models/runtime.ts';
import { BUILT_IN, engineOf, engines, LoadedRecognisers } from '../../../containers/pipeline/recognition/engines.ts';
import { pipelineSettings } from '../../../containers/pipeline/settings.ts';

it('lists each engine with a unique id, its languages and its longest segment', () => {
  expect(new Set(BUILT_IN.map(({ id }) => id)).size).toBe(BUILT_IN.length);
  for (const { id, name, languages, longestS } of BUILT_IN) {
    expect(id).toMatch(/^[a-z0-9-]+$/);
    expect(name).not.toBe('');
    expect(languages.length).toBeGreaterThan(0);
    for (const language of languages) expect(Intl.getCanonicalLocales(language)).toEqual([language]);
    expect(longestS).toBeGreaterThanOrEqual(10);
  }
});

it('is named in docs/reference/api.md with its languages', () => {
  const page = readFileSync(new URL('../../../docs/reference/api.md', import.meta.url), 'utf8');
  for (const { id, languages } of BUILT_IN) expect(page).toContain(`\`${id}\` (${languages.join(', ')})`);
});

it('uses the first where none is chosen, and names an unknown one in its refusal', () => {
  expect(engineOf()).toBe(BUILT_IN[0]);
  expect(engineOf(BUILT_IN[0].id)).toBe(BUILT_IN[0]);
  expect(() => engineOf('dictaphone')).toThrow(
    expect.objectContaining({
      code: 'INVALID_REQUEST',
      detail: expect.stringContaining('recogniser: "dictaphone" is unknown'),
    }),
  );
});

it('loads an engine at its first use, once', async () => {
  const recognisers = new LoadedRecognisers(await loadRuntime());
  const first = await recognisers.get();
  expect(await recognisers.get(BUILT_IN[0].id)).toBe(first);
  await expect(recognisers.get('dictaphone')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
});

it("lists the operator's endpoint, which may be the default", () => {
  expect(engines().map(({ id }) => id)).toEqual(BUILT_IN.map(({ id }) => id));
  const named = { ASR_URL: 'http://127.0.0.1:9/v1', ASR_LANGUAGES: 'en, pt' };
  const settings = pipelineSettings(named);
  expect(engines(settings).map(({ id }) => id)).toEqual([BUILT_IN[0].id, 'endpoint']);
  expect(engineOf('endpoint', settings).languages).toEqual(['en', 'pt']);
  const first = pipelineSettings({ ...named, RECOGNISER: 'endpoint' });
  expect(engineOf(undefined, first).id).toBe('endpoint');
  expect(() => pipelineSettings({ RECOGNISER: 'endpoint' })).toThrow('ASR_URL');
});

it('refuses to start where the operator chose an unknown one', () => {
  const other = pipelineSettings({ RECOGNISER: 'dictaphone' });
  expect(() => engines(other)).toThrow(/^RECOGNISER must be one of moonshine-tiny$/);
  const named = pipelineSettings({ ASR_URL: 'http://127.0.0.1:9/v1', RECOGNISER: 'Endpoint' });
  expect(() => engines(named)).toThrow(/^RECOGNISER must be one of moonshine-tiny, endpoint$/);
});
