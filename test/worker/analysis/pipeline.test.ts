import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLIENT_GONE, type PipelineLine } from '../../../src/contract/pipeline.ts';
import type { PipelineHost } from '../../../src/worker/pipeline/hosts.ts';
import {
  ClientGone,
  type HostsOf,
  type PipelineRequest,
  requestPipeline,
  startAnalysis,
} from '../../../src/worker/pipeline/pipeline.ts';
import {
  type FakePipeline,
  type PipelineAnswer,
  sayError,
  sayHalf,
  startFakePipeline,
} from '../../../support/fake-pipeline.ts';
import { OPTIONS } from '../../../support/pipeline-server.ts';

let pipeline: FakePipeline;
beforeEach(async () => {
  pipeline = await startFakePipeline();
});
afterEach(() => pipeline.close());

const hostAt = (url: string): PipelineHost => ({
  fetch: (path, init) => fetch(new URL(path, url), { ...init, duplex: 'half' } as RequestInit),
});

/** The pool's answers: the next host first after each lost connection. */
function on(...hosts: PipelineHost[]): HostsOf {
  let lost = 0;
  return async () => {
    const at = lost++ % hosts.length;
    return [...hosts.slice(at), ...hosts.slice(0, at)];
  };
}

let mediaAsked = 0;
const request = (
  signal = new AbortController().signal,
  keep: PipelineRequest['keep'] = async () => undefined,
): PipelineRequest => ({
  options: OPTIONS,
  body: async (prefix) => {
    mediaAsked++;
    return new Blob([prefix as Uint8Array<ArrayBuffer>, 'media']).stream();
  },
  headers: { 'X-Request-Id': 'r' },
  signal,
  keep,
});

async function collect(lines: AsyncIterable<PipelineLine>): Promise<PipelineLine[]> {
  const all: PipelineLine[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

const refuse: PipelineAnswer = (response) => void response.writeHead(503, { 'Retry-After': '7' }).end();
/** A response with a fixed body. */
const raw =
  (status: number, body: string): PipelineAnswer =>
  (response) =>
    void response.writeHead(status).end(body);

it('yields the lines up to the result', async () => {
  const lines = await startAnalysis(on(hostAt(pipeline.url)), request());
  const told = await collect(lines);
  expect(told.at(-1)).toMatchObject({ type: 'result' });
  const lasting = told.flatMap((line) => (line.type === 'event' && line.n !== undefined ? [line.n] : []));
  expect(lasting).toEqual(lasting.map((_, n) => n));
  expect(pipeline.seen[0]).toMatchObject({ options: OPTIONS, requestId: 'r', bytes: 5 });
});

it('writes the documents after the lines, with replaced parts', async () => {
  const read = async (refined = {}) => {
    const texts: Record<string, string> = {};
    const keep: PipelineRequest['keep'] = async ({ documents }, reader) => {
      for (const document of documents) {
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const text = new Response(readable).text();
        await reader.write(document, writable.getWriter(), refined);
        texts[document.name] = await text;
      }
    };
    await collect(await startAnalysis(on(hostAt(pipeline.url)), request(undefined, keep)));
    return texts;
  };
  const plain = await read();
  const better = await read({ summary: '{"overview":"Größer"}', segmentation: '{"phases":[]}' });
  const [result, refined] = [plain, better].map((texts) => JSON.parse(texts['result.json']!));
  expect(refined).toEqual({ ...result, summary: { overview: 'Größer' }, segmentation: { phases: [] } });
  expect(JSON.parse(plain['agent_outputs.json']!)).toEqual(result.agent_results);
  expect(better['events.ndjson']).toContain('"event":"summary_update","data":{"overview":"Größer"}}\n');
  const ids = plain['events.ndjson']!.trim()
    .split('\n')
    .map((line) => JSON.parse(line).id);
  expect(ids).toEqual(ids.map((_, n) => n));
});

it('tries the next pipeline when one is full, with the media from the first byte', async () => {
  const full = await startFakePipeline();
  full.answer = refuse;
  mediaAsked = 0;
  const lines = await startAnalysis(on(hostAt(full.url), hostAt(pipeline.url)), request());
  expect((await collect(lines)).at(-1)).toMatchObject({ type: 'result' });
  expect(mediaAsked).toBe(2);
  full.close();
});

it('is overloaded when all are full', async () => {
  pipeline.answer = refuse;
  await expect(startAnalysis(on(hostAt(pipeline.url)), request())).rejects.toMatchObject({
    code: 'OVERLOADED',
    retryAfter: 7,
  });
});

it('fails when the pipeline cannot be reached', async () => {
  await expect(startAnalysis(on(hostAt('http://127.0.0.1:1')), request())).rejects.toMatchObject({
    code: 'ANALYSIS_FAILURE',
    detail: 'Analysis failed: the pipeline could not be reached',
  });
});

it('rejects a response that is not from a pipeline of its version', async () => {
  const saying = (headers: HeadersInit): PipelineHost => ({ fetch: async () => new Response('{}', { headers }) });
  await expect(requestPipeline(saying({}), '/analyses')).rejects.toThrow('does not come from the pipeline');
  await expect(requestPipeline(saying({ 'X-Undertone-Protocol': '1' }), '/analyses')).rejects.toThrow('has protocol 1');
});

it('waits no longer than its limit for a response, and aborts the request', async () => {
  let asked: AbortSignal | null | undefined;
  const silent: PipelineHost = {
    fetch: (_, init) => {
      asked = init?.signal;
      return new Promise(() => undefined);
    },
  };
  await expect(requestPipeline(silent, '/analyses', {}, 20)).rejects.toThrow('did not respond within 20 ms');
  expect(asked?.aborted).toBe(true);
});

it('reports different versions when they are why no pipeline accepts the analysis', async () => {
  const older: PipelineHost = {
    fetch: async () => new Response('{}', { headers: { 'X-Undertone-Protocol': '1' }, status: 500 }),
  };
  await expect(startAnalysis(on(older), request())).rejects.toMatchObject({
    code: 'ANALYSIS_FAILURE',
    detail: 'Analysis failed: the service and its pipeline have different versions',
    cause: expect.objectContaining({ message: expect.stringContaining('has protocol 1') }),
  });
});

describe('a machine that fails', () => {
  const answering = (status: number, body: string): PipelineHost => ({
    fetch: async () => new Response(body, { status }),
  });
  const older: PipelineHost = {
    fetch: async () => new Response('{"type":"progress"}\n', { headers: { 'X-Undertone-Protocol': '1' } }),
  };
  const away: PipelineHost = { fetch: () => Promise.reject(new Error('Network connection lost.')) };
  it.each([
    ['a container that cannot be started', answering(500, 'Failed to start container: no image')],
    ['a container that was lost', answering(500, 'Container suddenly disconnected, try again')],
    ['a full container platform', answering(503, 'There is no Container instance available at this time.')],
    ['a proxy', answering(502, '<html>')],
    ['a host that cannot be reached', away],
    ['a container of another version', older],
  ])('is skipped: %s', async (_, failing) => {
    const lines = await startAnalysis(on(failing, hostAt(pipeline.url)), request());
    expect((await collect(lines)).at(-1)).toMatchObject({ type: 'result' });
  });

  it('is tried again when it is the only one', async () => {
    let asked = 0;
    const once: PipelineHost = {
      fetch: (path, init) => (asked++ === 0 ? away.fetch(path) : hostAt(pipeline.url).fetch(path, init)),
    };
    expect((await collect(await startAnalysis(on(once), request()))).at(-1)).toMatchObject({ type: 'result' });
  });

  it('is not tried again when a proxy reports that the client has gone', async () => {
    let asked = 0;
    const gone: PipelineHost = {
      fetch: async () => {
        asked++;
        return new Response('', { status: CLIENT_GONE });
      },
    };
    await expect(startAnalysis(on(gone, hostAt(pipeline.url)), request())).rejects.toThrow(ClientGone);
    expect(asked).toBe(1);
    expect(pipeline.seen).toEqual([]);
  });

  it('half-way is replaced, and no event comes twice', async () => {
    const breaking = await startFakePipeline();
    breaking.answer = async (response, seen) => {
      await sayHalf(response, seen);
      setTimeout(() => response.destroy(), 100);
    };
    const whole = await collect(await startAnalysis(on(hostAt(pipeline.url)), request()));
    const mended = await collect(await startAnalysis(on(hostAt(breaking.url), hostAt(pipeline.url)), request()));
    expect(mended).toEqual(whole);
    breaking.close();
  });

  it('during the documents is restarted, and complete documents are stored', async () => {
    let kept = 0;
    const keep: PipelineRequest['keep'] = async () => {
      if (kept++ === 0) throw new Error('the pipeline stopped in the middle of a document');
    };
    const lines = await collect(await startAnalysis(on(hostAt(pipeline.url)), request(undefined, keep)));
    expect(lines.filter(({ type }) => type === 'result')).toHaveLength(1);
    expect(kept).toBe(2);
  });
});

it('fails with the code of an error line', async () => {
  pipeline.answer = sayError('INVALID_MEDIA', 'not audio');
  const lines = await startAnalysis(on(hostAt(pipeline.url)), request());
  await expect(collect(lines)).rejects.toMatchObject({ code: 'INVALID_MEDIA', detail: 'not audio' });
});

it('fails with the code of a refusal', async () => {
  pipeline.answer = raw(400, JSON.stringify({ code: 'INVALID_MEDIA', detail: 'not audio' }));
  await expect(startAnalysis(on(hostAt(pipeline.url)), request())).rejects.toMatchObject({
    code: 'INVALID_MEDIA',
    detail: 'not audio',
  });
});

it('fails when the pipeline stops before the end', async () => {
  pipeline.answer = async (response, seen) => {
    await sayHalf(response, seen);
    response.end();
  };
  const lines = await startAnalysis(on(hostAt(pipeline.url)), request());
  await expect(collect(lines)).rejects.toMatchObject({
    detail: 'Analysis failed: the connection to the pipeline was lost in 3 attempts',
  });
});

it.each([
  ['a line that is not JSON', '<html>\n'],
  ['a line of an unknown type', '{"type":"?"}\n'],
  ['an unknown event', '{"type":"event","event":"?","data":{}}\n'],
])('fails at %s', async (_, body) => {
  pipeline.answer = raw(200, body);
  const lines = await startAnalysis(on(hostAt(pipeline.url)), request());
  await expect(collect(lines)).rejects.toMatchObject({
    detail: 'Analysis failed: the pipeline returned an invalid response',
  });
});

it('closes the connection when it is aborted, which stops the work', async () => {
  pipeline.answer = sayHalf;
  const stop = new AbortController();
  const lines = await startAnalysis(on(hostAt(pipeline.url)), request(stop.signal));
  await lines.next();
  stop.abort();
  await expect(collect(lines)).rejects.toMatchObject({ code: 'ANALYSIS_FAILURE' });
  while (!pipeline.seen[0]!.left) await new Promise((resolve) => setTimeout(resolve, 10));
});

it('closes the connection when its lines are left early', async () => {
  pipeline.answer = sayHalf;
  const lines = await startAnalysis(on(hostAt(pipeline.url)), request());
  await lines.next();
  await lines.return(undefined);
  while (!pipeline.seen[0]!.left) await new Promise((resolve) => setTimeout(resolve, 10));
});
