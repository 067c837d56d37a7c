import { expect, it, vi } from 'vitest';
import { app } from '../../../src/worker/app.ts';

/** Work that a request starts for later is not awaited here. */
const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };
vi.stubGlobal('scheduler', { wait: () => new Promise(() => undefined) });

it.each([
  ['POST', '/analyze/live/start'],
  ['POST', '/analyze/live/a/chunk'],
  ['GET', '/analyze/live/a/events'],
  ['POST', '/analyze/live/a/control'],
])('answers 404 to %s %s when live capture is disabled, key or no key', async (method, path) => {
  const answer = await app.request(path, { method }, { ENABLE_LIVE_STREAMING: 'false' }, context);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({
    detail: 'Live capture is disabled on this deployment',
    code: 'LIVE_DISABLED',
  });
});
