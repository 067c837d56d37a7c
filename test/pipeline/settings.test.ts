import { expect, it } from 'vitest';
import { pipelineSettings } from '../../containers/pipeline/settings.ts';

it('has a worker for each core, two on two, within bounds', () => {
  const workers = [1, 2, 4, 64].map((cores) => pipelineSettings({}, cores).recognitionWorkers);
  expect(workers).toEqual([1, 2, 4, 8]);
  expect(pipelineSettings({ RECOGNITION_WORKERS: '12' }, 2).recognitionWorkers).toBe(12);
});

it('drains for 14 minutes unless told otherwise', () => {
  expect(pipelineSettings({}, 2)).toMatchObject({ drainMs: 840_000, maxLiveSessions: 64 });
  expect(pipelineSettings({ DRAIN_SECONDS: '0', MAX_LIVE_SESSIONS: ' 12 ' }, 2)).toMatchObject({
    drainMs: 0,
    maxLiveSessions: 12,
  });
});

it.each([
  { DRAIN_SECONDS: '-1' },
  { DRAIN_SECONDS: 'soon' },
  { MAX_LIVE_SESSIONS: '0' },
  { MAX_LIVE_SESSIONS: '1.5' },
  { RECOGNITION_WORKERS: '0' },
])('refuses %o, naming it', (env) => {
  expect(() => pipelineSettings(env, 2)).toThrow(Object.keys(env)[0]);
});
