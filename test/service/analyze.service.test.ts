import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnalysisResponse, AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { type AnalyzeOptions, type StreamEvent, Undertone } from '../../src/sdk/index.ts';
import { fixtureBytes } from '../../support/recordings.ts';
import { allOf, payloadsOf } from '../../support/stream-events.ts';
import { KEY, type Stack, startStack } from '../../support/whole-service.ts';
import { longNumbers } from '../../support/wire-numbers.ts';

const fixture = (name: string) => new File([new Uint8Array(fixtureBytes(name))], name);

let stack: Stack;
let undertone: Undertone;
beforeAll(async () => {
  stack = await startStack();
  undertone = new Undertone({ url: stack.url, key: KEY });
});
afterAll(() => stack.stop());

const analyze = async (name: string, options: AnalyzeOptions = {}): Promise<AnalysisResponse> =>
  AnalysisResponseSchema.parse(await undertone.analyze(fixture(name), options));

/** For analyses whose words are not the subject, such as those that are compared with each other. */
const FAST = { quality: 'fast', recorded_at: '2026-11-25T10:00:00Z' } as const;

const replay = async (name: string): Promise<StreamEvent[]> => allOf(undertone.replay(fixture(name), FAST));

/** Sends a recording as a live session in one chunk. */
async function live(name: string): Promise<StreamEvent[]> {
  const capture = await undertone.live.start({ suffix: '.wav', ...FAST });
  const events = allOf(capture);
  await capture.send(fixture(name));
  await capture.finalize();
  return events;
}

/** The same text with the conversation's own id taken out, so that two analyses can be compared. */
const anonymous = (value: unknown, id: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(id, 'conversation'));

describe('a two-person call', () => {
  let batch: AnalysisResponse;
  /** The same without a goal, and as the other modes return it. */
  let plain: AnalysisResponse;
  let replayed: StreamEvent[];
  let captured: StreamEvent[];
  beforeAll(async () => {
    batch = await analyze('call.wav', { goal: 'did they agree on a next step' });
    plain = await analyze('call.wav', FAST);
    replayed = await replay('call.wav');
    captured = await live('call.wav');
  });

  it('has two speakers and words in order', () => {
    expect(new Set(batch.timeline.map((entry) => entry.speaker))).toEqual(new Set(['Speaker_0', 'Speaker_1']));
    for (const [i, entry] of batch.timeline.entries()) {
      expect(entry.utterance_id).toBe(`${batch.conversation_id}_utt_${i}`);
      expect(entry.t_end).toBeGreaterThan(entry.t_start);
      expect(entry.t_start).toBeGreaterThanOrEqual(batch.timeline[i - 1]?.t_start ?? 0);
      expect(entry.words.map(({ word }) => word).join(' ')).toBe(entry.text);
      const mass = Object.values(entry.emotions!).reduce((sum, share) => sum + share, 0);
      expect(mass).toBeCloseTo(1, 6);
    }
  });

  it('echoes the goal and names its artifacts', () => {
    expect(batch.goal).toBe('did they agree on a next step');
    expect(batch.upload_path.startsWith(batch.artifact_dir)).toBe(true);
    expect(batch.agent_outputs_path.startsWith(batch.artifact_dir)).toBe(true);
    expect(batch.agent_results).toHaveLength(batch.timeline.length);
  });

  it('is streamed with the same findings, in the order of the specification', () => {
    const events = replayed;
    const id = payloadsOf(events, 'done')[0]?.conversation_id ?? '';

    expect(events[0]).toMatchObject({ event: 'status', data: { phase: 'starting', progress: 0 } });
    expect(events.slice(-3).map(({ event }) => event)).toEqual(['summary_update', 'status', 'done']);
    expect(events.at(-2)?.data).toEqual({ phase: 'completed', progress: 1 });
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    const progress = payloadsOf(events, 'status').map((status) => status.progress);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));

    const spoken = plain.timeline.map(({ utterance_id, speaker, t_start, t_end, text }) => ({
      utterance_id,
      speaker,
      t_start,
      t_end,
      text,
    }));
    expect(anonymous(payloadsOf(events, 'final_transcript'), id)).toEqual(anonymous(spoken, plain.conversation_id));
    expect(anonymous(payloadsOf(events, 'emotion'), id)).toEqual(
      anonymous(
        plain.timeline.map((entry) => entry.emotion),
        plain.conversation_id,
      ),
    );
    expect(anonymous(payloadsOf(events, 'moment'), id)).toEqual(anonymous(plain.moments, plain.conversation_id));
    expect(anonymous(payloadsOf(events, 'summary_update')[0], id)).toEqual(
      anonymous(plain.summary, plain.conversation_id),
    );

    const order = events.map(({ event }) => event).filter((event) => event !== 'status');
    for (const [i, event] of order.entries()) {
      if (event === 'final_transcript') expect(order.slice(i + 1, i + 3)).toEqual(['emotion', 'cognitive']);
    }
  });

  it('streams from POST /analyze when asked to', async () => {
    const body = new FormData();
    body.set('file', fixture('short.wav'));
    const init = { method: 'POST', headers: { 'X-API-Key': KEY }, body };
    const response = await fetch(new URL('/analyze?stream=true', stack.url), init);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    expect(await response.text()).toMatch(/event: done\ndata: [^\n]+\n\n$/);
  });

  it('is labelled by channel when each person has one', async () => {
    const stereo = await analyze('call-stereo.wav', FAST);
    expect(stereo.media.speaker_per_channel).toBe(true);
    expect(stereo.speakers).toMatchObject({ count: 2, source: 'channels' });
  });

  it('gives the same bytes twice, except its id', async () => {
    const again = await analyze('call.wav', FAST);
    const stable = ({
      agent_results: _,
      artifact_dir: _a,
      upload_path: _u,
      agent_outputs_path: _o,
      ...rest
    }: AnalysisResponse) => rest;
    expect(anonymous(stable(again), again.conversation_id)).toEqual(anonymous(stable(plain), plain.conversation_id));
  });

  it('has at most four decimals in every number, in every mode', async () => {
    expect(longNumbers(batch)).toEqual([]);
    expect(longNumbers(replayed)).toEqual([]);
    expect(captured.some(({ event }) => event === 'final_transcript')).toBe(true);
    expect(longNumbers(captured)).toEqual([]);

    expect(longNumbers(await undertone.metrics())).toEqual([]);
    const timeline = batch.timeline.map((entry) => ({
      ...entry,
      t_start: entry.t_start + 1e-6,
      t_end: entry.t_end + 1e-6,
    }));
    expect(longNumbers(await undertone.segment({ timeline }))).toEqual([]);
  });

  it('has levels and a playable recording when it was live, as a file has', async () => {
    const [done] = payloadsOf(captured, 'done');
    const { conversations } = undertone;
    const id = done!.conversation_id;
    expect(await conversations.levels(id)).toEqual(await conversations.levels(batch.conversation_id));
    const [levels] = (await conversations.levels(id)).channels.map((text) => Buffer.from(text, 'base64'));
    expect(levels!.length / 20).toBeCloseTo(batch.media.duration_s, 0);
    expect(Math.max(...levels!)).toBeGreaterThan(100);
    // A live recording always has a rendition.
    const address = new URL(`/conversations/${id}/media?api_key=${KEY}`, stack.url);
    const media = await fetch(address);
    expect(media.headers.get('Content-Type')).toBe('audio/webm; codecs=opus');
    const bytes = Buffer.from(await media.arrayBuffer());
    const part = await fetch(address, { headers: { Range: 'bytes=1000-1999' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, bytes.subarray(1000, 2000)]);
    const probe = ['-v', 'error', '-show_entries', 'stream=codec_name:format=duration', '-of', 'csv=p=0', '-'];
    const told = execFileSync('ffprobe', probe, { input: bytes, encoding: 'utf8' });
    expect(told).toMatch(/^opus\n/);
    expect(Number(told.split('\n')[1])).toBeCloseTo(batch.media.duration_s, 0);
    expect(Buffer.from(await (await conversations.media(id, { original: true })).arrayBuffer())).toEqual(
      fixtureBytes('call.wav'),
    );
  });

  it('has the same length and overlaps everywhere', () => {
    for (const { t_start, t_end, prosody } of batch.timeline)
      expect((prosody as { duration: number }).duration).toBeCloseTo(t_end - t_start, 6);
    const shared = batch.timeline.map(({ t_start, t_end, overlap_ratio }) => overlap_ratio * (t_end - t_start));
    const { overlaps, overlap_time_s } = batch.insights.metrics;
    expect(shared).toEqual(shared.map(() => 0));
    expect([overlaps, overlap_time_s]).toEqual([0, 0]);
  });

  const segmentedAgain = async (body: object): Promise<unknown> => {
    const response = await fetch(new URL('/segment/conversation?api_key=stack-test-key', stack.url), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    return response.json();
  };

  it('is segmented again with the same result, from the needed fields and from the whole result', async () => {
    const { timeline, moments, transitions, goal, segmentation } = batch;
    expect(await segmentedAgain({ timeline, moments, transitions, context: goal })).toEqual({ segmentation });
    expect(await segmentedAgain({ ...batch, context: goal })).toEqual({ segmentation });
    expect(await segmentedAgain({ timeline, moments, context: goal })).toEqual({ segmentation });
  });
});

describe('media without a conversation', () => {
  it('answers 400 for silence', async () => {
    await expect(analyze('silence.wav')).rejects.toMatchObject({
      status: 400,
      code: 'NO_UTTERANCES',
      message: 'No utterances detected in uploaded media',
    });
  });

  it('answers 400 for bytes that are not media, and serves the next request', async () => {
    const text = new File(['not audio at all'.repeat(100)], 'text.mp3');
    await expect(undertone.analyze(text)).rejects.toMatchObject({ status: 400, code: 'INVALID_MEDIA' });
    await analyze('short.wav');
  });

  it('ends a stream with an error event', async () => {
    await expect(replay('silence.wav')).rejects.toMatchObject({ status: undefined, code: 'NO_UTTERANCES' });
  });
});

describe('an unknown recogniser', () => {
  it('is a 400 that names the known ones, for a file and for a stream', async () => {
    const short = fixture('short.wav');
    const refused = {
      status: 400,
      code: 'INVALID_REQUEST',
      message: expect.stringMatching(/"dictaphone".*moonshine-tiny/),
    };
    await expect(undertone.analyze(short, { recogniser: 'dictaphone' })).rejects.toMatchObject(refused);
    await expect(allOf(undertone.replay(short, { recogniser: 'dictaphone' }))).rejects.toMatchObject(refused);
  });

  it('ends a live session with an error event', async () => {
    const capture = await undertone.live.start({ suffix: '.wav', recogniser: 'dictaphone' });
    await capture.send(fixture('short.wav'));
    const refused = { code: 'INVALID_REQUEST', message: expect.stringMatching(/"dictaphone"/) };
    await expect(allOf(capture)).rejects.toMatchObject(refused);
  });
});
