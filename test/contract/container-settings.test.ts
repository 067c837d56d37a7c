import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { containerVariables } from '../../src/contract/container-settings.ts';

it('passes on what is set, and nothing else', () => {
  const env = { MAX_LIVE_SESSIONS: '12', DRAIN_SECONDS: 0, SPEAKER_MODEL: ' ', API_KEYS: 'secret' };
  expect(containerVariables(env)).toEqual({ MAX_LIVE_SESSIONS: '12', DRAIN_SECONDS: '0' });
});

it('reaches the container', () => {
  const container = new URL('../../src/worker/pipeline/pipeline-container.ts', import.meta.url);
  expect(readFileSync(container, 'utf8')).toContain('...containerVariables(this.env)');
});
