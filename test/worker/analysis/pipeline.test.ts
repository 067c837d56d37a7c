import { afterEach, beforeEach, expect, it } from 'vitest';
import type { PipelineLine } from '../../../src/contract/pipeline.ts';
import { type PipelineHost, type PipelineRequest, startAnalysis } from '../../../src/worker/analysis/pipeline.ts';
import { type Answer, type FakePipeline, linesOf, sayError, sayHalf, startFakePipeline } from '../fake-pipeline.ts';

let pipeline: FakePipeline;
beforeEach(async () => {
  pipeline = await startFakePipeline();
});
afterEach(() => pipeline.close());

const hostAt = (url: string): PipelineHost => ({
  fetch: (path, init) => fetch(new URL(path, url), { ...init, duplex: 'half' } as RequestInit),
});

let mediaAsked = 0;
const request = (signal = new AbortController().signal): PipelineRequest => ({
  conversationId: 'c',
  suffix: '.wav',
  speakers: undefined,
  media: async () => {
    mediaAsked++;
    return new Blob(['media']).stream();
  },
  headers: { 'X-Request-Id': 'r' },
  signal,
});

async function collect(lines: AsyncIterable<PipelineLine>): Promise<PipelineLine[]> {
  const all: PipelineLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const refuse: Answer = (response) => void response.writeHead(503, { 'Retry-After': '7' }).end();

it('gives the lines up to the end', async () => {
  const lines = await startAnalysis([hostAt(pipeline.url)], request());
  expect(await collect(lines)).toEqual(linesOf('c'));
  expect(pipeline.seen[0]).toMatchObject({ query: { conversation_id: 'c', suffix: '.wav' }, requestId: 'r', bytes: 5 });
});

it('asks the next pipeline when one is full, with the media from its first byte', async () => {
  const full = await startFakePipeline();
  full.answer = refuse;
  mediaAsked = 0;
  const lines = await startAnalysis([hostAt(full.url), hostAt(pipeline.url)], request());
  expect(await collect(lines)).toHaveLength(linesOf('c').length);
  expect(mediaAsked).toBe(2);
  full.close();
});

it('is overloaded when all are full', async () => {
  pipeline.answer = refuse;
  await expect(startAnalysis([hostAt(pipeline.url)], request())).rejects.toMatchObject({
    code: 'OVERLOADED',
    retryAfter: 7,
  });
});

it('fails when the pipeline cannot be reached', async () => {
  await expect(startAnalysis([hostAt('http://127.0.0.1:1')], request())).rejects.toMatchObject({
    code: 'ANALYSIS_FAILURE',
    detail: 'Analysis failed: the pipeline could not be reached',
  });
});

it('fails with the code of an error line', async () => {
  pipeline.answer = sayError('INVALID_MEDIA', 'not audio');
  const lines = await startAnalysis([hostAt(pipeline.url)], request());
  await expect(collect(lines)).rejects.toMatchObject({ code: 'INVALID_MEDIA', detail: 'not audio' });
});

it('fails with the code of a refusal', async () => {
  pipeline.answer = (response) =>
    void response.writeHead(400).end(JSON.stringify({ code: 'INVALID_MEDIA', detail: 'not audio' }));
  const lines = await startAnalysis([hostAt(pipeline.url)], request());
  await expect(collect(lines)).rejects.toMatchObject({ code: 'INVALID_MEDIA', detail: 'not audio' });
});

it('fails when the pipeline stops without an end', async () => {
  pipeline.answer = async (response, seen) => {
    await sayHalf(response, seen);
    response.end();
  };
  const lines = await startAnalysis([hostAt(pipeline.url)], request());
  await expect(collect(lines)).rejects.toMatchObject({
    detail: 'Analysis failed: the pipeline stopped before the end',
  });
});

it('closes the connection, which stops the work, when it is aborted', async () => {
  pipeline.answer = sayHalf;
  const stop = new AbortController();
  const lines = await startAnalysis([hostAt(pipeline.url)], request(stop.signal));
  await lines.next();
  stop.abort();
  await expect(collect(lines)).rejects.toMatchObject({ code: 'ANALYSIS_FAILURE' });
  while (!pipeline.seen[0]!.left) await new Promise((resolve) => setTimeout(resolve, 10));
});

it('closes the connection when its lines are left early', async () => {
  pipeline.answer = sayHalf;
  const lines = await startAnalysis([hostAt(pipeline.url)], request());
  await lines.next();
  await lines.return(undefined);
  while (!pipeline.seen[0]!.left) await new Promise((resolve) => setTimeout(resolve, 10));
});
