import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { AnalysisResponseSchema, MetricsSchema } from '../../src/contract/analysis.ts';
import { SegmentResponseSchema } from '../../src/contract/segmentation.ts';
import { Undertone } from '../../src/sdk/index.ts';
import { SPOKEN, sayError, sayHalf } from '../../support/fake-pipeline.ts';
import { clear, KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { allOf, payloadsOf } from '../../support/stream-events.ts';

let service: TestService;
let undertone: Undertone;
beforeAll(async () => {
  service = await startService();
  undertone = new Undertone({ url: service.url, key: KEY });
});
afterAll(() => service.stop());
beforeEach(() => clear(service));

const call = () => new File(['a recording'], 'call.wav');

it('analyses a recording', async () => {
  const analysis = await undertone.analyze(call(), { goal: 'What is agreed?', speakers: 2 });
  AnalysisResponseSchema.parse(analysis);
  expect(analysis.timeline.map(({ text }) => text)).toEqual(SPOKEN);
  expect(service.pipeline.seen[0]).toMatchObject({
    bytes: 'a recording'.length,
    options: { goal: 'What is agreed?', speakers: 2, suffix: '.wav' },
  });
});

it('replays a recording as typed events', async () => {
  const events = await allOf(undertone.replay(call()));
  expect(payloadsOf(events, 'final_transcript').map(({ text }) => text)).toEqual(SPOKEN);
  expect(events.map(({ id }) => id)).toEqual(events.map((_, n) => n));
  expect(events.at(-1)?.event).toBe('done');
});

it('throws the errors of the service, from a response and from a stream', async () => {
  service.pipeline.answer = sayError('INVALID_MEDIA', 'No sound in it');
  await expect(undertone.analyze(call())).rejects.toMatchObject({
    code: 'INVALID_MEDIA',
    status: 400,
    message: 'No sound in it',
    requestId: expect.stringMatching(/\S/),
  });
  await expect(allOf(undertone.replay(call()))).rejects.toMatchObject({
    code: 'INVALID_MEDIA',
    message: 'No sound in it',
  });
  await expect(undertone.analyze(new File([''], 'notes.txt'))).rejects.toMatchObject({ code: 'UNSUPPORTED_MEDIA' });
});

it('leaving a replay stops the analysis', async () => {
  service.pipeline.answer = sayHalf;
  for await (const event of undertone.replay(call())) if (event.event === 'final_transcript') break;
  await expect.poll(() => service.objects(), { timeout: 30_000 }).toEqual([]);
});

it('a signal aborts an analysis and its work', async () => {
  const leave = new AbortController();
  service.pipeline.answer = async (response, seen) => {
    await sayHalf(response, seen);
    leave.abort();
  };
  await expect(undertone.analyze(call(), { signal: leave.signal })).rejects.toMatchObject({ name: 'AbortError' });
});

it('segments an analysis with the same result', async () => {
  const analysis = await undertone.analyze(call());
  const again = await undertone.segment(analysis);
  SegmentResponseSchema.parse(again);
  expect(again.segmentation).toEqual(analysis.segmentation);
  const stripped = analysis.timeline.map(({ utterance_id, speaker, t_start, t_end, text }) => ({
    ...{ utterance_id, speaker, t_start, t_end, text },
  }));
  expect((await undertone.segment({ timeline: stripped, context: 'prices' })).segmentation.phases).not.toEqual([]);
});

it('checks the health of the service', async () => {
  expect(await undertone.health()).toEqual({ status: 'ok' });
  MetricsSchema.parse(await undertone.metrics());
});
