import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type JobBody, JobSchema, UnfinishedJobSchema } from '../../../src/contract/jobs.ts';
import { OperationsSchema } from '../../../src/contract/operations.ts';
import { TURN_HOLD_MS } from '../../../src/worker/pool/turn.ts';
import { type PipelineAnswer, sayEverything, sayHalf, sayRestAfter } from '../../../support/fake-pipeline.ts';
import { form, KEY, startService, type TestService } from '../../../support/service-under-test.ts';

const PATIENCE = 30_000;

let service: TestService;
beforeAll(async () => {
  service = await startService({ ANALYSES_PER_PIPELINE: '1' });
});
afterAll(() => service?.stop());

async function started(): Promise<string> {
  const response = await service.post('/analyze', form('call.wav', 'media'), { Prefer: 'respond-async' });
  return ((await response.json()) as JobBody).conversation_id;
}
const status = async (id: string): Promise<JobBody & { utterances?: number }> =>
  (await (
    await fetch(new URL(`/conversations/${id}`, service.url), { headers: { 'X-API-Key': KEY } })
  ).json()) as JobBody;

it('a waiting analysis knows its position and how long it is expected to wait', async () => {
  const go = Promise.withResolvers<void>();
  service.pipeline.answer = sayRestAfter(go.promise);
  const first = await started();
  await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1), PATIENCE);
  const second = await started();
  const waiting = await vi.waitFor(async () => {
    const job = UnfinishedJobSchema.parse(await status(second));
    expect(job).toMatchObject({ status: 'queued', queue: { position: 1 } });
    return job;
  }, PATIENCE);
  expect(waiting.queue?.eta_seconds).toBeGreaterThanOrEqual(0);
  expect(await status(first)).not.toHaveProperty('queue');
  const third = await started();
  // From then on, the workflows wait for an event.
  await pause(TURN_HOLD_MS + 1_000);
  expect(await status(second)).toMatchObject({ queue: { position: 1 } });
  expect(await status(third)).toMatchObject({ queue: { position: 2 } });
  const cancelled = await service.post(`/conversations/${third}/cancel`, '');
  expect(JobSchema.parse(await cancelled.json()).status).toBe('cancelled');
  go.resolve();
  await vi.waitFor(async () => {
    for (const id of [first, second]) expect((await status(id)).utterances).toBe(3);
  }, PATIENCE);
  expect(await status(third)).toMatchObject({ status: 'cancelled' });
  expect(service.pipeline.seen).toHaveLength(2);
});

it('a file that is lost three times is a dead letter, which the operator starts again', async () => {
  service.pipeline.seen.length = 0;
  const loseIt: PipelineAnswer = async (response, seen) => {
    await sayHalf(response, seen);
    setTimeout(() => response.destroy(), 100);
  };
  service.pipeline.answer = loseIt;
  const id = await started();
  const deadLetters = async () =>
    OperationsSchema.parse(await (await service.admin('GET', '/operations')).json()).dead_letters;
  const [letter] = await vi.waitFor(async () => {
    const letters = await deadLetters();
    expect(letters).toHaveLength(1);
    return letters!;
  }, PATIENCE);
  expect(letter).toMatchObject({
    conversation_id: id,
    code: 'ANALYSIS_FAILURE',
    reason: 'Analysis failed: the connection to the pipeline was lost in 3 attempts',
  });
  expect(service.pipeline.seen).toHaveLength(3);
  service.pipeline.answer = sayEverything;
  const again = await service.admin('POST', `/tenants/${letter!.tenant}/conversations/${id}/retry`);
  expect(JobSchema.parse(await again.json()).status).toBe('queued');
  await vi.waitFor(async () => expect((await status(id)).utterances).toBe(3), PATIENCE);
  expect(await deadLetters()).toEqual([]);
});
