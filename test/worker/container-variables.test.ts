import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONTAINER_VARIABLES, containerVariables } from '../../src/worker/pipeline/container-variables.ts';

it('passes on what is set, and nothing else', () => {
  const env = { MAX_LIVE_SESSIONS: '12', DRAIN_SECONDS: '0', SPEAKER_MODEL: ' ', API_KEYS: 'secret' };
  expect(containerVariables(env)).toEqual({ MAX_LIVE_SESSIONS: '12', DRAIN_SECONDS: '0' });
});

it('reaches the container, which reads every one of them', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  expect(read('src/worker/pipeline/pipeline-container.ts')).toContain('...containerVariables(this.env)');
  const reading = ['settings.ts', 'diarization/speaker-embedding.ts'].map((file) =>
    read(`containers/pipeline/${file}`),
  );
  for (const name of CONTAINER_VARIABLES) expect(reading.join('\n')).toMatch(new RegExp(`['.]${name}\\b`));
});
