import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PIPELINE_PROTOCOL } from '../../src/contract/pipeline.ts';
import { type EchoPipeline, startEchoPipeline } from '../../support/echo-pipeline.ts';
import { KEY, type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { Load, noise, UNHARMED } from './load.ts';
import { MOMENTS, note, TRIES } from './table.ts';

// A rollout brings the Worker before its image, or the image before its Worker: for a while the versions differ. They
// refuse each other, and everything continues when they match. An echo replaces the recogniser.

const VERSIONS = {
  'an older Worker, a newer pipeline': PIPELINE_PROTOCOL + 1,
  'a newer Worker, a pipeline two protocols older': PIPELINE_PROTOCOL - 2,
};
const APART_MS = 2_000;

let echo: EchoPipeline;
let stack: LiveStack;
let load: Load;

beforeAll(async () => {
  echo = await startEchoPipeline({ pieceMs: 200 });
  stack = await startLiveStack({ RUNTIME_URL: echo.url });
  load = new Load(stack, noise());
  expect(await load.undisturbed()).toEqual(UNHARMED);
});
afterAll(async () => {
  await stack?.stop();
  await echo?.close();
});

describe.each(Object.entries(VERSIONS).slice(0, TRIES === 1 ? 1 : undefined))('%s', (name, protocol) => {
  it.each(MOMENTS)('wait for each other under load, $nth', async ({ moment }) => {
    const outcome = await load.disturbed(async () => {
      await load.until(moment);
      echo.protocol = protocol;
      // A rollout ends the previous processes.
      echo.die();
      await new Promise((resolve) => setTimeout(resolve, APART_MS));
      echo.protocol = PIPELINE_PROTOCOL;
    });
    note(name, outcome);
    expect(outcome).toEqual(UNHARMED);
  });

  it('are refused clearly, and the recording is kept', async () => {
    echo.protocol = protocol;
    try {
      const body = new FormData();
      body.set('file', new File(['media'], 'call.wav'));
      const init = { method: 'POST', headers: { 'X-API-Key': KEY }, body };
      const answer = await fetch(new URL('/analyze', stack.url), init);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({
        code: 'ANALYSIS_FAILURE',
        detail: expect.stringContaining('have different versions'),
        conversation_id: expect.any(String),
      });
    } finally {
      echo.protocol = PIPELINE_PROTOCOL;
    }
  });
});

it.each([
  ['of the protocol before', { protocol: PIPELINE_PROTOCOL - 1 }],
  ['with weights of another training', { weights: '000000000000' }],
])('works with a pipeline %s', async (_, change) => {
  const usual = { protocol: echo.protocol, weights: echo.weights };
  Object.assign(echo, change);
  try {
    const body = new FormData();
    body.set('file', new File(['media'], 'call.wav'));
    const answer = await fetch(new URL('/analyze', stack.url), {
      method: 'POST',
      headers: { 'X-API-Key': KEY },
      body,
    });
    expect(answer.status).toBe(200);
    expect(await load.undisturbed()).toEqual(UNHARMED);
  } finally {
    Object.assign(echo, usual);
  }
});
