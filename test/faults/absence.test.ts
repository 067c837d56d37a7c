import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EchoPipeline, startEchoPipeline } from '../../support/echo-pipeline.ts';
import { type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts';
import { Load, noise, UNHARMED } from './load.ts';
import { note, TRIES } from './table.ts';

// The only pipeline is away for three minutes and comes back without any state, while ten sessions and ten files wait
// for it. In the ordinary tests it is away for a few seconds. An echo replaces the recogniser.

const AWAY_MS = TRIES > 1 ? 180_000 : 3_000;
const TEN = { sessions: 10, files: 10 };

let echo: EchoPipeline;
let proxy: FaultyProxy;
let stack: LiveStack;
let load: Load;

beforeAll(async () => {
  echo = await startEchoPipeline({ pieceMs: 100 });
  proxy = await startFaultyProxy(echo.url);
  stack = await startLiveStack({ RUNTIME_URL: proxy.url });
  load = new Load(stack, noise(TEN));
  expect(await load.undisturbed()).toEqual(UNHARMED);
});
afterAll(async () => {
  await stack?.stop();
  await proxy?.close();
  await echo?.close();
});

it('work waits for a pipeline that was away', async () => {
  const outcome = await load.disturbed(async () => {
    await load.until(0.5);
    proxy.upstream = undefined;
    echo.die();
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
    proxy.upstream = echo.url;
  });
  note(`the pipeline away for ${AWAY_MS / 1000} s (ten at once)`, outcome);
  expect(outcome).toEqual(UNHARMED);
});
