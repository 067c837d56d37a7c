import { createHash } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import { SPOKEN, sayError, sayHalf } from './fake-pipeline.ts';
import { clear, form, startService, type TestService } from './service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(() => clear(service));
afterAll(() => service.stop());

it('answers the whole analysis', async () => {
  const response = await service.post('/analyze', form('call.wav', 'media', { goal: 'price', speakers: '2' }));
  expect(response.status).toBe(200);
  const body = AnalysisResponseSchema.parse(await response.json());
  expect(body).toMatchObject({ utterances: 3, goal: 'price', speakers: { count: 2 }, warnings: [] });
  expect(body.timeline.map(({ text }) => text)).toEqual(SPOKEN);
  expect(body.agent_results.map(({ latency_ms }) => latency_ms)).toEqual([10, 20, 30]);
  expect(service.pipeline.seen[0]?.query).toEqual({
    conversation_id: body.conversation_id,
    suffix: '.wav',
    speakers: '2',
  });
});
it('hands the pipeline every byte of an upload of several parts', async () => {
  const bytes = new Uint8Array(11_000_003);
  for (let i = 0; i < bytes.length; i++) bytes[i] = (i * 31 + (i >> 8)) & 255;
  const response = await service.post('/analyze', form('call.mp4', bytes));
  expect(response.status).toBe(200);
  expect(service.pipeline.seen[0]).toMatchObject({
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  });
});
