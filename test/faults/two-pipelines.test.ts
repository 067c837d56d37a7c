import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort, pipelineProcess, type RestartableProcess } from '../../bench/processes.ts';
import { type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { callSpeech, Load, noise, UNHARMED } from './load.ts';
import { MOMENTS, note, TRIES } from './table.ts';

// One of two pipelines is killed under load; its work continues with the other. `npm run test:faults` uses the
// recogniser itself, the ordinary tests an echo.

let pipelines: RestartableProcess[] = [];
let stack: LiveStack;
let load: Load;

beforeAll(async () => {
  const ports = [await freePort(), await freePort()];
  pipelines = ports.map((port) =>
    TRIES > 1 ? pipelineProcess(port) : pipelineProcess(port, { PIECE_MS: '200' }, 'support/echo-pipeline.ts'),
  );
  await Promise.all(pipelines.map((pipeline) => pipeline.start()));
  stack = await startLiveStack({ RUNTIME_URL: ports.map((port) => `http://127.0.0.1:${port}`).join() });
  load = new Load(stack, TRIES > 1 ? callSpeech() : noise());
  expect(await load.undisturbed()).toEqual(UNHARMED);
}, 300_000);
afterAll(async () => {
  await stack?.stop();
  await Promise.all(pipelines.map((pipeline) => pipeline.kill()));
});

it.each(MOMENTS)('one of two pipelines dies, $nth', async ({ nth, moment }) => {
  const dying = pipelines[nth % pipelines.length]!;
  const outcome = await load.disturbed(async () => {
    await load.until(moment);
    await dying.kill();
  });
  note('one of two pipelines killed', outcome);
  expect(outcome).toEqual(UNHARMED);
  await dying.start();
});
