import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PipelineServer } from '../../containers/pipeline/server.ts';
import { encodeText } from '../../containers/pipeline/stages/encoding.ts';
import { readNdjson } from '../../src/contract/ndjson.ts';
import { type PipelineLine, PipelineLineSchema, type UtteranceLine } from '../../src/contract/pipeline.ts';
import { converted, fixtureBytes, inPieces } from './fixtures.ts';

let server: PipelineServer;
let url: string;
beforeAll(async () => {
  server = await PipelineServer.start();
  url = `http://127.0.0.1:${await server.listen(0, '127.0.0.1')}`;
});
afterAll(() => server.close());

const post = (body: unknown, query = 'conversation_id=c&suffix=.wav', init: RequestInit = {}) =>
  fetch(`${url}/analyses?${query}`, { method: 'POST', body, duplex: 'half', ...init } as RequestInit);

async function linesOf(response: Response): Promise<PipelineLine[]> {
  const lines: PipelineLine[] = [];
  const bytes = response.body as unknown as AsyncIterable<Uint8Array>;
  for await (const json of readNdjson(bytes, new TextDecoder())) lines.push(PipelineLineSchema.parse(json));
  return lines;
}

const utterancesOf = (lines: PipelineLine[]) =>
  lines.filter((line): line is UtteranceLine => line.type === 'utterance').map(({ entry }) => entry);
const health = async () => (await fetch(`${url}/healthz`)).json();
/** Waits until no analysis is at work. */
async function idle(): Promise<void> {
  while ((await health()).running > 0) await new Promise((resolve) => setTimeout(resolve, 50));
}

describe('an analysis', () => {
  it('gives the utterances of a two-person call in order, with its words, and ends', async () => {
    const lines = await linesOf(await post(fixtureBytes('call.wav')));
    const entries = utterancesOf(lines);
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
    const end = lines.at(-1)!;
    expect(end).toMatchObject({ type: 'end', utterances: entries.length, warnings: [], speakers: { count: 2 } });
    expect(end).toMatchObject({ media: { channels: 1, speaker_per_channel: false } });
  });

  it('sends the encoding of each utterance’s words with its line', async () => {
    const lines = await linesOf(await post(fixtureBytes('call.wav')));
    const utterances = lines.filter((line) => line.type === 'utterance');
    for (const { entry, encoding } of utterances) expect(encoding).toBe((await encodeText(entry.text))!.onWire);
  });

  it('tells progress that never falls', async () => {
    const lines = await linesOf(await post(fixtureBytes('call.wav')));
    const told = lines.filter((line) => line.type === 'progress').map(({ progress }) => progress);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
    expect(told.at(-1)).toBe(1);
  });

  it('gives the same utterances for the same bytes, however they come', async () => {
    const once = utterancesOf(await linesOf(await post(fixtureBytes('call.wav'))));
    const again = utterancesOf(await linesOf(await post(inPieces(fixtureBytes('call.wav'), 10_007))));
    expect(again).toEqual(once);
  });

  it('labels the people of a stereo call by channel', async () => {
    const lines = await linesOf(await post(fixtureBytes('call-stereo.wav')));
    expect(lines.at(-1)).toMatchObject({
      media: { speaker_per_channel: true, channels: 2 },
      speakers: { count: 2, source: 'channels' },
    });
    const labels = utterancesOf(lines).map(({ speaker }) => speaker);
    expect(labels).toEqual(labels.map((_, n) => `Speaker_${n % 2}`));
  });

  it('takes the same sound on both channels for one', async () => {
    const dual = converted('short.wav', ['-ac', '2', '-f', 'wav', '-c:a', 'pcm_s16le']);
    const lines = await linesOf(await post(dual));
    expect(lines.at(-1)).toMatchObject({ utterances: 1, media: { speaker_per_channel: false, channels: 2 } });
  });

  it('keeps to a number of speakers it is given', async () => {
    const lines = await linesOf(await post(fixtureBytes('call.wav'), 'conversation_id=c&suffix=.wav&speakers=1'));
    expect(new Set(utterancesOf(lines).map(({ speaker }) => speaker))).toEqual(new Set(['Speaker_0']));
  });

  it('ends without utterances where nobody speaks', async () => {
    const lines = await linesOf(await post(fixtureBytes('silence.wav')));
    expect(lines.at(-1)).toMatchObject({ type: 'end', utterances: 0, speakers: { count: 0 } });
  });
});

describe('what goes wrong', () => {
  it('is said in an error line when the media cannot be decoded', async () => {
    const lines = await linesOf(await post(Buffer.from('no sound at all')));
    expect(lines.at(-1)).toMatchObject({ type: 'error', code: 'INVALID_MEDIA' });
  });

  it('is a plain error before the analysis begins', async () => {
    expect((await post('x', 'suffix=.wav')).status).toBe(400);
    expect((await post('x', 'conversation_id=c&suffix=.exe')).status).toBe(400);
    expect((await fetch(`${url}/analyses`)).status).toBe(405);
    expect((await fetch(`${url}/elsewhere`)).status).toBe(404);
  });

  it('stops the work of a client who leaves, and serves the next', async () => {
    const gone = new AbortController();
    const endless = async function* () {
      yield fixtureBytes('call.wav');
      await new Promise(() => undefined);
    };
    const response = await post(endless(), undefined, { signal: gone.signal });
    expect(response.status).toBe(200);
    expect((await health()).running).toBe(1);
    gone.abort();
    await idle();
    expect(utterancesOf(await linesOf(await post(fixtureBytes('short.wav'))))).toHaveLength(1);
  });

  it('finishes many uploads at once', async () => {
    const all = await Promise.all(
      Array.from({ length: 10 }, async () => linesOf(await post(fixtureBytes('short.wav')))),
    );
    for (const lines of all) expect(lines.at(-1)).toMatchObject({ type: 'end', utterances: 1 });
  });

  it('refuses more than its row can hold, saying when to come again', async () => {
    const gone = new AbortController();
    const forever = () => ({
      async *[Symbol.asyncIterator]() {
        yield Buffer.alloc(1);
        await new Promise(() => undefined);
      },
    });
    const held = Array.from({ length: 32 }, () => post(forever(), undefined, { signal: gone.signal }));
    await Promise.all(held);
    const refused = await post(fixtureBytes('short.wav'));
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: 'OVERLOADED' });
    gone.abort();
    await idle();
  });
});
