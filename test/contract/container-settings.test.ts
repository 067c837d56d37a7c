import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { containerVariables, recogniserHosts, usesTls } from '../../src/contract/container-settings.ts';

it('passes on the variables that are set, and no others', () => {
  const env = { MAX_LIVE_SESSIONS: '12', DRAIN_SECONDS: 0, SPEAKER_MODEL: ' ', API_KEYS: 'secret' };
  expect(containerVariables(env)).toEqual({ MAX_LIVE_SESSIONS: '12', DRAIN_SECONDS: '0' });
});

it('reaches the container', () => {
  const container = new URL('../../src/worker/pipeline/pipeline-container.ts', import.meta.url);
  expect(readFileSync(container, 'utf8')).toContain('...containerVariables(this.env)');
});

it('a container may reach only the host of its endpoint', () => {
  expect(recogniserHosts({})).toEqual([]);
  expect(recogniserHosts({ ASR_URL: 'http://ai.internal/v1' })).toEqual(['ai.internal']);
  expect(recogniserHosts({ ASR_URL: 'https://whisper.example:8443/v1?a=b' })).toEqual(['whisper.example']);
});

it('TLS is intercepted only if the endpoint uses it', () => {
  expect([{}, { ASR_URL: 'http://ai.internal/v1' }, { ASR_URL: 'https://whisper.example/v1' }].map(usesTls)).toEqual([
    false,
    false,
    true,
  ]);
});
