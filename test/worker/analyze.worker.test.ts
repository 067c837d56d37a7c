import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import { linesOf, type PipelineAnswer, sayError, sayHalf, write } from '../../support/fake-pipeline.ts';
import { clear, form, KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { readEvents } from '../../support/stream-client.ts';
import { longNumbers } from '../../support/wire-numbers.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const recording = () => form('call.wav', 'media', { goal: 'price' });

async function failure(path = '/analyze') {
  const response = await service.post(path, recording());
  return { response, body: ErrorBodySchema.parse(await response.json()) };
}

/** Waits for a condition, up to the test's own time limit. */
async function eventually(happened: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await happened())) await new Promise((resolve) => setTimeout(resolve, 50));
}

const breakOff: PipelineAnswer = async (response, seen) => {
  await sayHalf(response, seen);
  // The lines must be sent before the connection is closed.
  await new Promise((resolve) => setTimeout(resolve, 300));
  response.destroy();
};
const refuse: PipelineAnswer = (response) => void response.writeHead(503, { 'Retry-After': '7' }).end();

describe('artifacts', () => {
  it("are the upload, the result, the agent outputs and the events, under the key's own tenant", async () => {
    const response = await service.post('/analyze', recording());
    const body = AnalysisResponseSchema.parse(await response.json());
    const directory = body.artifact_dir;
    expect(directory).toMatch(new RegExp(`^[0-9a-f]{16}/${body.conversation_id}/$`));
    expect(await service.objects()).toEqual(
      ['agent_outputs.json', 'events.ndjson', 'levels.json', 'result.json', 'upload.wav'].map(
        (name) => directory + name,
      ),
    );
    expect(await service.text(body.upload_path)).toBe('media');
    expect(JSON.parse(await service.text(`${directory}result.json`))).toEqual(body);
    expect(longNumbers(body)).toEqual([]);
    expect(JSON.parse(await service.text(body.agent_outputs_path))).toEqual(body.agent_results);
  });

  it('have the events of a stream', async () => {
    const events = await readEvents(await service.post('/analyze/stream', recording()));
    const [key = ''] = (await service.objects()).filter((name) => name.endsWith('events.ndjson'));
    const stored = (await service.text(key))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(stored).toEqual(events.map(({ id, event, data }) => ({ id: Number(id), event, data })));
  });

  it('of two keys are separate', async () => {
    const one = await service.post('/analyze', recording());
    const two = await service.post('/analyze', recording(), { 'X-API-Key': 'test-key-two' });
    const tenant = async (response: Response) =>
      AnalysisResponseSchema.parse(await response.json()).artifact_dir.split('/')[0];
    expect(await tenant(one)).not.toBe(await tenant(two));
  });
});

describe('a failed analysis (for a machine fault see kept.worker.test.ts)', () => {
  it.each([
    [
      'undecodable media',
      sayError('INVALID_MEDIA', 'The file is not audio'),
      400,
      'INVALID_MEDIA',
      'The file is not audio',
    ],
    [
      'silence',
      sayError('NO_UTTERANCES', 'No utterances detected in uploaded media'),
      400,
      'NO_UTTERANCES',
      'No utterances detected in uploaded media',
    ],
  ])('reports %s and leaves nothing', async (_, answer, status, code, detail) => {
    service.pipeline.answer = answer;
    const { response, body } = await failure();
    expect(response.status).toBe(status);
    expect(body).toMatchObject({ code, detail, request_id: response.headers.get('X-Request-Id') });
    expect(await service.objects()).toEqual([]);
  });

  it('ends a stream with an error event', async () => {
    service.pipeline.answer = breakOff;
    const events = await readEvents(await service.post('/analyze/stream', recording()));
    expect(events.map(({ event }) => event)).toContain('final_transcript');
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'ANALYSIS_FAILURE' } });
    expect(events.filter(({ event }) => event === 'error' || event === 'done')).toHaveLength(1);
  });

  it('does not affect the next one', async () => {
    service.pipeline.answer = breakOff;
    await failure();
    await clear(service);
    expect((await service.post('/analyze', recording())).status).toBe(200);
  });
});

describe('a busy pipeline', () => {
  it.each(['/analyze', '/analyze/stream'])(
    'answers 503 at %s, says when to come back, and nothing is stored',
    async (path) => {
      service.pipeline.answer = refuse;
      const { response, body } = await failure(path);
      expect(response.status).toBe(503);
      expect(response.headers.get('Retry-After')).toBe('7');
      expect(body).toMatchObject({ code: 'OVERLOADED' });
      expect(await service.objects()).toEqual([]);
    },
  );
});

describe('a client that leaves', () => {
  it('a stream leaves no objects', async () => {
    service.pipeline.answer = sayHalf;
    const leave = new AbortController();
    const response = await fetch(new URL('/analyze/stream', service.url), {
      method: 'POST',
      headers: { 'X-API-Key': KEY },
      body: recording(),
      signal: leave.signal,
    });
    const reader = response.body!.getReader();
    await reader.read();
    await eventually(() => service.pipeline.seen.length === 1);
    leave.abort();
    await eventually(async () => (await service.objects()).length === 0);
  });
});

it('sends its own request id to the pipeline', async () => {
  const answer = await service.post('/analyze', recording(), { 'X-Request-Id': 'trace-me' });
  await answer.text();
  const id = answer.headers.get('X-Request-Id');
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(service.pipeline.seen[0]?.requestId).toBe(id);
});

it('writes comments while the pipeline is silent, so that the stream stays alive', async () => {
  const thought = Promise.withResolvers<void>();
  service.pipeline.answer = async (response, { options }) => {
    const [first, ...rest] = linesOf(options.conversation_id);
    write(response, [first!]);
    await thought.promise;
    write(response, rest);
    response.end();
  };
  const response = await service.post('/analyze/stream', recording());
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!/^: /m.test(text)) text += (await reader.read()).value;
  thought.resolve();
  while (!text.includes('event: done')) text += (await reader.read()).value;
  expect(text.startsWith('retry: ')).toBe(true);
});

it('sends an event at once', async () => {
  const responses: { end: () => void }[] = [];
  service.pipeline.answer = (response, { options }) => {
    write(response, linesOf(options.conversation_id).slice(0, 2));
    responses.push(response);
  };
  const response = await service.post('/analyze/stream', recording());
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes('event: final_transcript')) text += (await reader.read()).value;
  expect(text).not.toContain('event: error');
  for (const open of responses) open.end();
  await reader.cancel();
});

it('holds a few megabytes at most for a client that reads nothing, and gives it the rest from the store', async () => {
  const long = Array.from(
    { length: 1_500 },
    (_, n) => `Number ${n} ${'is a long sentence about the price '.repeat(160)}.`,
  );
  let id = '';
  service.pipeline.answer = (response, { options }) => {
    id = options.conversation_id;
    write(response, linesOf(id, long));
    response.end();
  };
  const response = await service.post('/analyze/stream', recording());
  await eventually(async () => (await service.objects()).some((key) => key.endsWith(`${id}/result.json`)));
  const [key = ''] = (await service.objects()).filter((name) => name.endsWith(`${id}/events.ndjson`));
  const stored = (await service.text(key)).trim().split('\n');
  expect(stored.join('').length).toBeGreaterThan(2 * 4 * 1024 * 1024);
  const events = await readEvents(response);
  const read = events.map(({ id, event, data }) => JSON.stringify({ id: Number(id), event, data }));
  expect(read.length).toBe(stored.length);
  expect(read.at(-1)).toBe(stored.at(-1));
  expect(events.map(({ id }) => Number(id))).toEqual(stored.map((_, n) => n));
  expect(events.flatMap(({ event, data }) => (event === 'final_transcript' ? [data.text] : []))).toEqual(long);
});
