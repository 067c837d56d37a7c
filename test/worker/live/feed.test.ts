import { describe, expect, it } from 'vitest';
import {
  CHUNKS_UNDER_WAY,
  PIPELINE_PROTOCOL,
  PROTOCOL_HEADER,
  TRANSCRIPTIONS_PROTOCOL,
  WEIGHTS_HEADER,
} from '../../../src/contract/pipeline.ts';
import { WEIGHTS_ID } from '../../../src/conversation/weights-id.ts';
import { PipelineFeed } from '../../../src/worker/live/feed.ts';
import type { PipelineReader } from '../../../src/worker/pipeline/reader.ts';

const CHUNKS = 10;
/** Two of them are more than one request may carry. */
const CHUNK_BYTES = 600_000;
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));

/** Feeds the chunks to a pipeline that takes a while for each. @returns what it received */
async function fed(acceptedAt: number): Promise<{ mostAtOnce: number; seqs: number[] }> {
  const ended = Promise.withResolvers<void>();
  const seqs: number[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  const host = {
    async fetch(path: string): Promise<Response> {
      const headers = { [PROTOCOL_HEADER]: String(PIPELINE_PROTOCOL), [WEIGHTS_HEADER]: WEIGHTS_ID };
      const [, , , what, seq] = path.split(/[/?]/);
      if (what === 'chunks') {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        await turn();
        atOnce--;
        seqs.push(Number(seq));
      }
      if (what === 'finalize') ended.resolve();
      return new Response(JSON.stringify({ next_chunk_seq: 0 }), { headers });
    },
  };
  const feed = new PipelineFeed(
    { next: async () => host, other: async () => null, caughtUp: () => undefined, isGone: async () => false },
    { sessionId: 's' },
    {} as never,
    {
      chunk: (seq) => (seq < CHUNKS ? new Uint8Array(CHUNK_BYTES) : null),
      acceptedAt: (seq) => (seq < CHUNKS ? acceptedAt : null),
      isFinalized: () => true,
      transcriptionsAfter: () => null,
    },
  );
  await feed.run(() => ended.promise);
  return { mostAtOnce, seqs: seqs.sort((a, b) => a - b) };
}

it('knows the age of the oldest chunk that no pipeline has accepted', async () => {
  const feed = new PipelineFeed(
    { next: async () => null, other: async () => null, caughtUp: () => undefined, isGone: async () => false },
    { sessionId: 's' },
    {} as never,
    {
      chunk: () => null,
      acceptedAt: (seq) => (seq === 0 ? Date.now() - 5_000 : null),
      isFinalized: () => false,
      transcriptionsAfter: () => null,
    },
  );
  expect(feed.unsentSeconds).toBeCloseTo(5, 0);
});

const all = Array.from({ length: CHUNKS }, (_, seq) => seq);

it('keeps several requests in flight while the session keeps up', async () => {
  expect(await fed(Date.now())).toEqual({ mostAtOnce: CHUNKS_UNDER_WAY, seqs: all });
});

it.each([
  { when: 'at an unknown time', acceptedAt: () => 0 },
  { when: 'over a minute ago', acceptedAt: () => Date.now() - 61_000 },
])('has one request in flight while it sends chunks accepted $when', async ({ acceptedAt }) => {
  expect(await fed(acceptedAt())).toEqual({ mostAtOnce: 1, seqs: all });
});

describe('stored transcriptions', () => {
  const PAGES = [
    { lines: 'a\nb\n', last: 'b' },
    { lines: 'c\n', last: 'c' },
  ];

  /** Paths and bodies that reach a pipeline of this protocol, which has these chunks already. */
  async function sentTo(protocol: number, next_chunk_seq = 0): Promise<string[]> {
    const ended = Promise.withResolvers<void>();
    const sent: string[] = [];
    const host = {
      async fetch(path: string, init: RequestInit = {}): Promise<Response> {
        const what = path.split(/[/?]/)[3] ?? 'open';
        if (what !== 'lines') sent.push(what === 'transcriptions' ? String(init.body) : what);
        if (what === 'finalize') ended.resolve();
        const headers = { [PROTOCOL_HEADER]: String(protocol), [WEIGHTS_HEADER]: WEIGHTS_ID };
        return new Response(JSON.stringify({ next_chunk_seq }), { headers });
      },
    };
    const feed = new PipelineFeed(
      { next: async () => host, other: async () => null, caughtUp: () => undefined, isGone: async () => false },
      { sessionId: 's' },
      {} as never,
      {
        chunk: (seq) => (seq < 1 ? new Uint8Array(1) : null),
        acceptedAt: () => null,
        isFinalized: () => true,
        transcriptionsAfter: (key) => PAGES.find(({ last }) => last > key) ?? null,
      },
    );
    await feed.run(() => ended.promise);
    return sent;
  }

  it('go to a pipeline that begins the session, before the first chunk', async () => {
    expect(await sentTo(PIPELINE_PROTOCOL)).toEqual(['open', 'a\nb\n', 'c\n', 'chunks', 'finalize']);
  });

  it('go neither to a pipeline that has the session already, nor to one of the protocol before', async () => {
    expect(await sentTo(PIPELINE_PROTOCOL, 1)).toEqual(['open', 'finalize']);
    expect(await sentTo(TRANSCRIPTIONS_PROTOCOL - 1)).toEqual(['open', 'chunks', 'finalize']);
  });
});

describe('a pipeline that is about to end', () => {
  /** A pipeline that takes everything, and says every few milliseconds how far it is behind. */
  class Host {
    readonly seqs: number[] = [];
    readonly #name: string;
    readonly #log: string[];
    behindS = 0;

    constructor(name: string, log: string[]) {
      this.#name = name;
      this.#log = log;
    }

    async fetch(path: string, init: RequestInit = {}): Promise<Response> {
      const [, , , what = '', seq] = path.split(/[/?]/);
      const headers = { [PROTOCOL_HEADER]: String(PIPELINE_PROTOCOL), [WEIGHTS_HEADER]: WEIGHTS_ID };
      if (what !== 'chunks') this.#log.push(`${this.#name}: ${init.method} ${what}`.trim());
      if (what === 'chunks') {
        const count = (path.split('sizes=')[1] ?? '').split(',').length;
        this.seqs.push(...Array.from({ length: count }, (_, i) => Number(seq) + i));
        await turn();
      }
      if (what !== 'lines') return new Response(JSON.stringify({ next_chunk_seq: this.seqs.length }), { headers });
      const body = new ReadableStream<Uint8Array>({
        pull: async (controller) => {
          await turn();
          const line = JSON.stringify({ type: 'alive', behind_s: this.behindS });
          controller.enqueue(new TextEncoder().encode(`${line}\n`));
        },
      });
      return new Response(body, { headers });
    }
  }

  const log: string[] = [];
  let chunks = 0;
  let isFinalized = false;
  let hosts: { a: Host; b: Host };

  /** A session on `a` that should move to `b`. `onA` runs once it reads the lines of `a`. */
  async function moved(onA: (feed: PipelineFeed) => Promise<void>, hasOther = true): Promise<string[]> {
    log.length = 0;
    chunks = CHUNKS;
    isFinalized = false;
    hosts = { a: new Host('a', log), b: new Host('b', log) };
    let present = hosts.a;
    const place = {
      next: async (isLost: boolean) => {
        if (isLost) log.push('lost');
        return present;
      },
      other: async () => {
        if (!hasOther) return null;
        present = hosts.b;
        return hosts.b;
      },
      caughtUp: () => undefined,
      isGone: async () => false,
    };
    const feed = new PipelineFeed(place, { sessionId: 's' }, {} as never, {
      chunk: (seq) => (seq < chunks ? new Uint8Array(CHUNK_BYTES) : null),
      acceptedAt: (seq) => (seq < chunks ? Date.now() : null),
      isFinalized: () => isFinalized,
      transcriptionsAfter: () => null,
    });
    let read = 0;
    await feed.run(async (reader: PipelineReader) => {
      if (read++ > 0) return;
      const reading = (async () => {
        for await (const _ of reader.lines());
      })();
      await Promise.race([reading, onA(feed).then(() => new Promise(() => undefined))]);
    });
    return log;
  }

  it('goes on until another one has caught up, which then takes over', async () => {
    const said = await moved(async (feed) => {
      hosts.b.behindS = 60;
      feed.move();
      feed.move();
      await expect.poll(() => hosts.b.seqs).toEqual(all);
      chunks++;
      feed.wake();
      await expect.poll(() => [hosts.a.seqs.length, hosts.b.seqs.length]).toEqual([CHUNKS + 1, CHUNKS + 1]);
      expect(log).toEqual(['a: PUT', 'a: GET lines', 'b: PUT', 'b: GET lines']);
      hosts.b.behindS = 0.5;
    });
    expect(said.slice(4)).toEqual(['a: DELETE', 'b: PUT', 'b: GET lines']);
    expect(hosts.b.seqs).toEqual(hosts.a.seqs);
  });

  it('keeps a session that is finalized meanwhile, and concludes it', async () => {
    const said = await moved(async (feed) => {
      hosts.b.behindS = 60;
      feed.move();
      await expect.poll(() => hosts.b.seqs).toEqual(all);
      isFinalized = true;
      feed.wake();
      await expect.poll(() => log).toContain('b: DELETE');
      await expect.poll(() => log).toContain('a: POST finalize');
      await feed.stop();
    });
    expect(said.filter((line) => line.startsWith('b:'))).toEqual(['b: PUT', 'b: GET lines', 'b: DELETE']);
  });

  it('keeps a session for which there is no other place', async () => {
    const said = await moved(async (feed) => {
      feed.move();
      await turn();
      await feed.stop();
    }, false);
    expect(said).toEqual(['a: PUT', 'a: GET lines', 'a: DELETE']);
  });
});
