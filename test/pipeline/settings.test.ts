import { expect, it } from 'vitest';
import { pipelineSettings } from '../../containers/pipeline/settings.ts';

it('has a worker for each core, two on two, within bounds', () => {
  const workers = [1, 2, 4, 64].map((cores) => pipelineSettings({}, cores).recognitionWorkers);
  expect(workers).toEqual([1, 2, 4, 8]);
  expect(pipelineSettings({ RECOGNITION_WORKERS: '12' }, 2).recognitionWorkers).toBe(12);
});

it('drains for 14 minutes by default', () => {
  expect(pipelineSettings({}, 2)).toMatchObject({ drainMs: 840_000, maxLiveSessions: 12 });
  expect(pipelineSettings({ DRAIN_SECONDS: '0', MAX_LIVE_SESSIONS: ' 12 ' }, 2)).toMatchObject({
    drainMs: 0,
    maxLiveSessions: 12,
  });
});

it('distinguishes speakers by the built-in method unless a model and its digest are named', () => {
  expect(pipelineSettings({}, 2).speakerModel).toBeNull();
  const sha256 = 'AB'.repeat(32);
  expect(pipelineSettings({ SPEAKER_MODEL: 'v.onnx', SPEAKER_MODEL_SHA256: sha256 }, 2).speakerModel).toEqual({
    path: 'v.onnx',
    sha256: sha256.toLowerCase(),
  });
});

it.each([
  { DRAIN_SECONDS: '-1' },
  { DRAIN_SECONDS: 'soon' },
  { MAX_LIVE_SESSIONS: '0' },
  { MAX_LIVE_SESSIONS: '1.5' },
  { RECOGNITION_WORKERS: '0' },
  { ONNX_RUNTIME: 'cuda' },
  { PORT: '65536' },
  { POOL_URL: 'service.example' },
  { ADVERTISE_URL: 'pipeline:8080' },
  { SPEAKER_MODEL: 'voices.onnx' },
  { SPEAKER_MODEL_SHA256: 'a'.repeat(64) },
  { SPEAKER_MODEL_SHA256: 'abc', SPEAKER_MODEL: 'voices.onnx' },
])('refuses %o, naming it', (env) => {
  expect(() => pipelineSettings(env, 2)).toThrow(new RegExp(`${Object.keys(env)[0]}.* must |^SPEAKER_MODEL must`));
});
