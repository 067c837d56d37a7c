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
    { next: async () => host, isGone: async () => false },
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
    { next: async () => null, isGone: async () => false },
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
      { next: async () => host, isGone: async () => false },
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
