import { expect, it } from 'vitest';
import { pipelineSettings } from '../../containers/pipeline/settings.ts';
import { pipelineVariables } from '../../scripts/start/pipeline-process.ts';

const sessionsOf = (pipelines: number, cores: number, env = {}) => {
  const { recognitionWorkers, maxLiveSessions } = pipelineSettings({
    ...env,
    ...pipelineVariables(1, pipelines, env, cores),
  });
  return [recognitionWorkers, maxLiveSessions];
};

it('divides the cores between the pipelines of a machine, and with them the live sessions that it carries', () => {
  expect(sessionsOf(1, 2)).toEqual([2, 12]);
  expect(sessionsOf(2, 2)).toEqual([1, 6]);
  expect(sessionsOf(4, 2)).toEqual([1, 6]);
  expect(sessionsOf(2, 32)).toEqual([8, 48]);
  expect(sessionsOf(2, 2, { RECOGNITION_WORKERS: '3' })).toEqual([3, 18]);
  expect(sessionsOf(2, 2, { MAX_LIVE_SESSIONS: '4' })).toEqual([1, 4]);
});
