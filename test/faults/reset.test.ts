import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, pipelineProcess, type RestartableProcess } from '../../bench/processes.ts';
import { type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { callSpeech, Load, noise, UNHARMED } from './load.ts';
import { MOMENTS, note, TRIES } from './table.ts';

// Every object is evicted from memory, as by a deploy or an update of the runtime: those of the containers with all
// that passes through them, then those of the sessions. `npm run test:faults` uses the recogniser itself, the ordinary
// tests an echo.

const CONTAINERS = [0, 1];

let pipelines: RestartableProcess[] = [];
let stack: LiveStack;
let load: Load;

beforeAll(async () => {
  const ports = await Promise.all(CONTAINERS.map(freePort));
  pipelines = ports.map((port) =>
    TRIES > 1 ? pipelineProcess(port) : pipelineProcess(port, { PIECE_MS: '200' }, 'support/echo-pipeline.ts'),
  );
  await Promise.all(pipelines.map((pipeline) => pipeline.start()));
  stack = await startLiveStack({
    RUNTIME_URL: '',
    POOL_MAX: String(CONTAINERS.length),
    CONTAINERS: ports.map((port) => `http://127.0.0.1:${port}`).join(),
  });
  load = new Load(stack, TRIES > 1 ? callSpeech() : noise());
  expect(await load.undisturbed()).toEqual(UNHARMED);
}, 300_000);
afterAll(async () => {
  await stack?.stop();
  await Promise.all(pipelines.map((pipeline) => pipeline.kill()));
});

it.each(MOMENTS)('objects are reset under load, $nth', async ({ moment }) => {
  const outcome = await load.disturbed(async (sessions) => {
    await load.until(moment * 0.9);
    await Promise.all(CONTAINERS.map((instance) => stack.crashContainer(instance)));
    await load.until(0.1);
    await Promise.all(sessions.map((id) => stack.crash(id)));
  });
  note('objects reset (container, then sessions)', outcome);
  expect(outcome).toEqual(UNHARMED);
});
