import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import { PipelineServer } from '../../containers/pipeline/server.ts';
import type { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { EVENT_SCHEMAS } from '../../src/contract/events.ts';
import {
  LEASE_HEADER,
  PIPELINE_PROTOCOL,
  type PipelineOptions,
  PipelineReportSchema,
  PROTOCOL_HEADER,
} from '../../src/contract/pipeline.ts';
import { OPTIONS, postMedia, readFileOutput, SPOKEN } from '../../support/pipeline-server.ts';
import { converted, fixtureBytes, inPieces } from '../../support/recordings.ts';

let server: PipelineServer;
let url: string;
beforeAll(async () => {
  server = await PipelineServer.start();
  url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
});
afterAll(() => server.close());

const post = (media: Uint8Array | AsyncIterable<Uint8Array>, options: Partial<PipelineOptions> = {}, init = {}) =>
  postMedia(url, media, options, init);
const told = async (...asked: Parameters<typeof post>) => readFileOutput(await post(...asked));
const analysed = async (...asked: Parameters<typeof post>) => (await told(...asked)).result;
const health = async () => (await fetch(`${url}/healthz`)).json();
async function ready(): Promise<[number, unknown]> {
  const answer = await fetch(`${url}/readyz`);
  return [answer.status, await answer.json()];
}
/** Waits until no analysis is running. */
async function idle(): Promise<void> {
  while ((await health()).running > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('an analysis', () => {
  let call: Awaited<ReturnType<typeof told>>;
  beforeAll(async () => {
    call = await told(fixtureBytes('call.wav'));
  });

  it('gives the utterances of a two-person call in order, with its words, and ends', () => {
    const { result } = call;
    const entries = result.timeline;
    expect(new Set(entries.map(({ speaker }) => speaker))).toEqual(new Set(['Speaker_0', 'Speaker_1']));
    expect(entries.map(({ utterance_id }) => utterance_id)).toEqual(entries.map((_, n) => `c_utt_${n}`));
    for (const [i, entry] of entries.entries()) {
      expect(entry.t_start).toBeGreaterThanOrEqual(entries[i - 1]?.t_start ?? 0);
      expect(entry.t_end).toBeGreaterThan(entry.t_start);
      expect(entry.words.map(({ word }) => word).join(' ')).toBe(entry.text);
      expect(entry.words[0]!.t_start).toBeGreaterThanOrEqual(entry.t_start);
      expect(entry.words.at(-1)!.t_end).toBeLessThanOrEqual(entry.t_end);
    }
    expect(entries.map(({ text }) => text).join(' ')).toMatch(/worried about the price.*send me the contract/is);
    expect(result).toMatchObject({ utterances: entries.length, warnings: [], speakers: { count: 2 } });
    expect(result).toMatchObject({ media: { channels: 1, speaker_per_channel: false } });
    AnalysisResponseSchema.parse(result);
  });

  it('sends events that match their schemas, the kept ones numbered', () => {
    const { lines } = call;
    const events = lines.filter((line) => line.type === 'event');
    for (const { event, data } of events) expect(() => EVENT_SCHEMAS[event].parse(data)).not.toThrow();
    const numbers = events.flatMap(({ n }) => (n === undefined ? [] : [n]));
    expect(numbers).toEqual(numbers.map((_, n) => n));
    expect(JSON.stringify(lines)).not.toContain('encoding');
  });

  it('reports progress that never falls', () => {
    const progress = call.lines.flatMap((l) => (l.type === 'event' && l.event === 'status' ? [l.data.progress] : []));
    expect(progress).toEqual(progress.toSorted((a, b) => a - b));
    expect(progress.at(-1)).toBe(0.99);
  });

  it('gives the same analysis for the same bytes in any pieces', async () => {
    const { agent_results: _, ...once } = call.result;
    const { agent_results: __, ...again } = await analysed(inPieces(fixtureBytes('call.wav'), 10_007));
    expect(again).toEqual(once);
  });

  it('labels the people of a stereo call by channel', async () => {
    const result = await analysed(fixtureBytes('call-stereo.wav'), { quality: 'fast' });
    expect(result).toMatchObject({
      media: { speaker_per_channel: true, channels: 2 },
      speakers: { count: 2, source: 'channels' },
    });
    const labels = result.timeline.map(({ speaker }) => speaker);
    expect(labels).toEqual(labels.map((_, n) => `Speaker_${n % 2}`));
  });

  it('treats the same sound on both channels as one', async () => {
    const dual = converted('short.wav', ['-ac', '2', '-f', 'wav', '-c:a', 'pcm_s16le']);
    expect(await analysed(dual)).toMatchObject({ utterances: 1, media: { speaker_per_channel: false, channels: 2 } });
  });

  it('keeps to a given number of speakers', async () => {
    const { timeline } = await analysed(fixtureBytes('call.wav'), { speakers: 1, quality: 'fast' });
    expect(new Set(timeline.map(({ speaker }) => speaker))).toEqual(new Set(['Speaker_0']));
  });

  it('reports a recording without speech', async () => {
    await expect(told(fixtureBytes('silence.wav'))).rejects.toMatchObject({ code: 'NO_UTTERANCES' });
  });
});

describe('a failure', () => {
  it('is an error line when the media cannot be decoded', async () => {
    await expect(told(Buffer.from('no sound at all'))).rejects.toMatchObject({ code: 'INVALID_MEDIA' });
  });

  it('is a plain error before the analysis begins', async () => {
    const media = Buffer.from('x');
    expect((await post(media, { conversation_id: '' })).status).toBe(400);
    expect(await (await post(media, { suffix: '.exe' as '.wav' })).json()).toMatchObject({
      detail: expect.stringMatching(/^suffix: /),
    });
    expect((await fetch(`${url}/analyses`, { headers: SPOKEN })).status).toBe(405);
    expect((await fetch(`${url}/elsewhere`, { headers: SPOKEN })).status).toBe(404);
  });

  it('is an unknown recogniser, for a file and for a session', async () => {
    const options = { recogniser: 'dictaphone' };
    const body = JSON.stringify({ ...OPTIONS, ...options });
    for (const refused of [
      await post(Buffer.from('x'), options),
      await fetch(`${url}/sessions/s`, { method: 'PUT', headers: SPOKEN, body }),
    ]) {
      expect(refused.status).toBe(400);
      const detail = expect.stringMatching(
        /^recogniser: "dictaphone" is unknown; the known recognisers are moonshine-tiny/,
      );
      expect(await refused.json()).toEqual({ code: 'INVALID_REQUEST', detail });
    }
    expect(await health()).toMatchObject({ live: 0 });
  });

  it('is a Worker with another protocol', async () => {
    const refused = await fetch(`${url}/analyses?conversation_id=c&suffix=.wav`, { method: 'POST', body: 'x' });
    expect(refused.status).toBe(500);
    expect((await refused.json()).detail).toBe(
      `The pipeline uses protocol ${PIPELINE_PROTOCOL} but the Worker uses an older one`,
    );
  });

  it('stops the work of a client that leaves, and serves the next', async () => {
    const gone = new AbortController();
    const endless = async function* () {
      yield fixtureBytes('call.wav');
      await new Promise(() => undefined);
    };
    const headers = { ...SPOKEN, [LEASE_HEADER]: 'a lease' };
    const response = await post(endless(), {}, { signal: gone.signal, headers });
    expect(response.status).toBe(200);
    expect((await health()).running).toBe(1);
    expect(PipelineReportSchema.parse(await health()).held).toEqual({ live: [], batch: ['a lease'] });
    gone.abort();
    await idle();
    expect(PipelineReportSchema.parse(await health()).held).toEqual({ live: [], batch: [] });
    expect((await analysed(fixtureBytes('short.wav'))).timeline).toHaveLength(1);
  });

  it('finishes many uploads at once', async () => {
    const all = await Promise.all(Array.from({ length: 10 }, () => analysed(fixtureBytes('short.wav'))));
    for (const result of all) expect(result).toMatchObject({ utterances: 1 });
  });

  it('refuses more than its queue can hold, with the time to retry', async () => {
    const gone = new AbortController();
    const forever = () => ({
      async *[Symbol.asyncIterator]() {
        yield Buffer.alloc(1);
        await new Promise(() => undefined);
      },
    });
    const held = Array.from({ length: 32 }, () => post(forever(), {}, { signal: gone.signal }));
    await Promise.all(held);
    const refused = await post(fixtureBytes('short.wav'));
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'OVERLOADED' });
    gone.abort();
    await idle();
  });
});

describe('a server with a token', () => {
  it('answers only a Worker that sends it, and a load balancer', async () => {
    const [pool, detector] = [{ close: async () => undefined } as WorkerPool, {} as SpeechDetector];
    const guarded = new PipelineServer(pool, detector, 'a-token-of-the-test');
    const base = `http://127.0.0.1:${await guarded.listen(0, '127.0.0.1')}`;
    const get = (path: string, Authorization = '') =>
      fetch(`${base}${path}`, { headers: { Authorization, ...SPOKEN } });
    for (const path of ['/healthz', '/analyses', '/sessions/s/lines'])
      for (const wrong of ['', 'Bearer', 'Bearer a-token', 'a-token-of-the-test', 'Bearer a-token-of-the-test2']) {
        const refused = await get(path, wrong);
        expect([path, refused.status, refused.headers.get(PROTOCOL_HEADER)]).toEqual([path, 401, null]);
      }
    expect((await get('/healthz', 'Bearer a-token-of-the-test')).status).toBe(200);
    expect((await get('/analyses', 'Bearer a-token-of-the-test')).status).toBe(405);
    expect((await get('/readyz')).status).toBe(200);
    await guarded.close();
  });
});

/** This is last because it ends the server. */
describe('a server that is asked to end', () => {
  it('refuses new work, says why, and finishes running work', async () => {
    const rest = Promise.withResolvers<void>();
    const media = fixtureBytes('call.wav');
    const slow = async function* () {
      yield media.subarray(0, 100_000);
      await rest.promise;
      yield media.subarray(100_000);
    };
    const underWay = told(slow(), { quality: 'fast' });
    while ((await health()).running === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(await health()).toMatchObject({ status: 'ok' });
    expect(await ready()).toEqual([200, { status: 'ready' }]);

    const drained = server.drain(60_000);
    expect(await health()).toMatchObject({ status: 'draining', running: 1 });
    expect(await ready()).toEqual([503, { status: 'draining' }]);
    const refused = await post(fixtureBytes('short.wav'));
    expect([refused.status, await refused.json()]).toMatchObject([503, { code: 'OVERLOADED' }]);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    const session = await fetch(`${url}/sessions/s`, { method: 'PUT', headers: SPOKEN, body: JSON.stringify(OPTIONS) });
    expect([session.status, Number(session.headers.get('Retry-After')) > 0]).toEqual([503, true]);

    rest.resolve();
    expect((await underWay).result.timeline.length).toBeGreaterThan(3);
    await drained;
    await expect(health()).rejects.toThrow();
  });
});
