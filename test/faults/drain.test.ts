import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { freePort, pipelineProcess, type RestartableProcess } from '../../bench/processes.ts';
import { type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { callSpeech, Load, noise, type Speech, UNHARMED } from './load.ts';
import { MOMENTS, note, TRIES } from './table.ts';

// SIGTERM under load, as a rollout sends it: files are finished or go elsewhere, and live sessions move. `npm run
// test:faults` uses the recogniser itself, and the ordinary tests an echo.

/** Longer than the current work takes, and shorter than a moved session is kept in case nobody accepts it. */
const DRAIN_SECONDS = '60';

let speech: Speech;
let stack: LiveStack | undefined;
let pipelines: RestartableProcess[] = [];
beforeAll(() => {
  speech = TRIES > 1 ? callSpeech() : noise();
});
afterEach(async () => {
  await stack?.stop();
  await Promise.all(pipelines.map((pipeline) => pipeline.kill()));
});

/** Two pipeline addresses, of which `running` are in use, and the load's run without faults. */
async function begin(running: number): Promise<Load> {
  const ports = [await freePort(), await freePort()];
  pipelines = ports.map((port) =>
    TRIES > 1
      ? pipelineProcess(port, { DRAIN_SECONDS })
      : pipelineProcess(port, { DRAIN_SECONDS, PIECE_MS: '200' }, 'support/echo-pipeline.ts'),
  );
  await Promise.all(pipelines.slice(0, running).map((pipeline) => pipeline.start()));
  stack = await startLiveStack({ RUNTIME_URL: ports.map((port) => `http://127.0.0.1:${port}`).join() });
  const load = new Load(stack, speech);
  expect(await load.undisturbed()).toEqual(UNHARMED);
  return load;
}

describe('SIGTERM of a pipeline under load', () => {
  it('with another one beside it', async () => {
    const load = await begin(2);
    for (const { nth, moment } of MOMENTS) {
      const ending = pipelines[nth % 2]!;
      let ended: Promise<void> | undefined;
      const outcome = await load.disturbed(async () => {
        await load.until(moment);
        ended = ending.end();
      });
      note('SIGTERM, another one there', outcome);
      expect(outcome).toEqual(UNHARMED);
      await ended;
      await ending.start();
    }
  });

  it.runIf(TRIES > 1)('that is replaced', async () => {
    const load = await begin(1);
    for (const { nth, moment } of MOMENTS) {
      const [ending, coming] = [pipelines[(nth + 1) % 2]!, pipelines[nth % 2]!];
      let ended: Promise<void> | undefined;
      const outcome = await load.disturbed(async () => {
        await load.until(moment);
        ended = ending.end();
        await coming.start();
      });
      note('SIGTERM, replaced', outcome);
      expect(outcome).toEqual(UNHARMED);
      await ended;
    }
  });
});
