import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnalysisResponse, AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import { LiveClient } from '../live/live-client.ts';
import { longNumbers } from '../wire-numbers.ts';
import { post, type ReceivedEvent, readEvents, recording } from './client.ts';
import { KEY, type Stack, startStack } from './stack.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const fixture = async (name: string) => new Uint8Array(await readFile(join(FIXTURES, name)));

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

const analyze = async (name: string, fields: Record<string, string> = {}): Promise<AnalysisResponse> => {
  const response = await post(stack.url, '/analyze', recording(await fixture(name), name, fields));
  expect(response.status).toBe(200);
  return AnalysisResponseSchema.parse(await response.json());
};

const replay = async (name: string, path: string): Promise<ReceivedEvent[]> => {
  const response = await post(stack.url, path, recording(await fixture(name), name));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  return readEvents(response);
};

/** The same text with the conversation's own id taken out, so that two analyses can be compared. */
const anonymous = (value: unknown, id: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(id, 'conversation'));

describe('a two-person call', () => {
  let batch: AnalysisResponse;
  beforeAll(async () => {
    batch = await analyze('call.wav', { goal: 'did they agree on a next step' });
  });

  it('has two speakers and words in order', () => {
    expect(new Set(batch.timeline.map((entry) => entry.speaker))).toEqual(new Set(['Speaker_0', 'Speaker_1']));
    for (const [i, entry] of batch.timeline.entries()) {
      expect(entry.utterance_id).toBe(`${batch.conversation_id}_utt_${i}`);
      expect(entry.t_end).toBeGreaterThan(entry.t_start);
      expect(entry.t_start).toBeGreaterThanOrEqual(batch.timeline[i - 1]?.t_start ?? 0);
      expect(entry.words.map(({ word }) => word).join(' ')).toBe(entry.text);
      const mass = Object.values(entry.emotions).reduce((sum, share) => sum + share, 0);
      expect(mass).toBeCloseTo(1, 6);
    }
  });

  it('echoes the goal and names its artifacts', () => {
    expect(batch.goal).toBe('did they agree on a next step');
    expect(batch.upload_path.startsWith(batch.artifact_dir)).toBe(true);
    expect(batch.agent_outputs_path.startsWith(batch.artifact_dir)).toBe(true);
    expect(batch.agent_results).toHaveLength(batch.timeline.length);
  });

  it('is told as a stream with the same findings, in the order of the specification', async () => {
    const events = await replay('call.wav', '/analyze/stream');
    const plain = await analyze('call.wav');
    const id = events.at(-1)?.data.conversation_id as string;
    const all = (name: string) => events.filter(({ event }) => event === name).map(({ data }) => data);

    expect(events[0]).toMatchObject({ event: 'status', data: { phase: 'starting', progress: 0 } });
    expect(events.slice(-3).map(({ event }) => event)).toEqual(['summary_update', 'status', 'done']);
    expect(events.at(-2)?.data).toEqual({ phase: 'completed', progress: 1 });
    expect(new Set(events.map((event) => event.id)).size).toBe(events.length);
    const progress = all('status').map((status) => status.progress);
    expect(progress).toEqual([...progress].sort((a, b) => a - b));

    const spoken = plain.timeline.map(({ utterance_id, speaker, t_start, t_end, text }) => ({
      utterance_id,
      speaker,
      t_start,
      t_end,
      text,
    }));
    expect(anonymous(all('final_transcript'), id)).toEqual(anonymous(spoken, plain.conversation_id));
    expect(anonymous(all('emotion'), id)).toEqual(
      anonymous(
        plain.timeline.map((entry) => entry.emotion),
        plain.conversation_id,
      ),
    );
    expect(anonymous(all('moment'), id)).toEqual(anonymous(plain.moments, plain.conversation_id));
    expect(anonymous(all('summary_update')[0], id)).toEqual(anonymous(plain.summary, plain.conversation_id));

    const order = events.map(({ event }) => event).filter((event) => event !== 'status');
    for (const [i, event] of order.entries()) {
      if (event === 'final_transcript') expect(order.slice(i + 1, i + 3)).toEqual(['emotion', 'cognitive']);
    }
  });

  it('streams from POST /analyze when asked to', async () => {
    const events = await replay('call.wav', '/analyze?stream=true');
    expect(events.at(-1)?.event).toBe('done');
  });

  it('is labelled by channel when each person has one', async () => {
    const stereo = await analyze('call-stereo.wav');
    expect(stereo.media.speaker_per_channel).toBe(true);
    expect(stereo.speakers).toMatchObject({ count: 2, source: 'channels' });
  });

  it('gives the same bytes twice, but for its id', async () => {
    const [first, second] = [await analyze('call.wav'), await analyze('call.wav')];
    const stable = ({
      agent_results: _,
      artifact_dir: _a,
      upload_path: _u,
      agent_outputs_path: _o,
      ...rest
    }: AnalysisResponse) => rest;
    expect(anonymous(stable(first), first.conversation_id)).toEqual(anonymous(stable(second), second.conversation_id));
  });

  it('has at most four decimals in every number, in every mode', async () => {
    expect(longNumbers(batch)).toEqual([]);
    expect(longNumbers(await replay('call.wav', '/analyze/stream'))).toEqual([]);

    const client = new LiveClient(stack.url, KEY);
    const session = await client.start({ suffix: '.wav' });
    const reader = await client.attach(session);
    const bytes = await fixture('call.wav');
    const half = bytes.length >> 1;
    await client.chunk(session, 0, bytes.slice(0, half));
    await client.chunk(session, 1, bytes.slice(half));
    await client.control(session, 'finalize');
    const live = await reader.end();
    expect(live.some(({ event }) => event === 'final_transcript')).toBe(true);
    expect(longNumbers(live)).toEqual([]);

    const metrics = await client.request('/metrics');
    expect(longNumbers(await metrics.json())).toEqual([]);
    const timeline = batch.timeline.map((entry) => ({
      ...entry,
      t_start: entry.t_start + 1e-6,
      t_end: entry.t_end + 1e-6,
    }));
    const segmented = await client.json('/segment/conversation', { timeline });
    expect(segmented.status).toBe(200);
    expect(longNumbers(await segmented.json())).toEqual([]);
  });

  it('tells one truth of its length and its overlaps', () => {
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

  it('is segmented again as it was, from what it rests on and from the whole of it', async () => {
    const { timeline, moments, transitions, goal, segmentation } = batch;
    expect(await segmentedAgain({ timeline, moments, transitions, context: goal })).toEqual({ segmentation });
    expect(await segmentedAgain({ ...batch, context: goal })).toEqual({ segmentation });
    expect(await segmentedAgain({ timeline, moments, context: goal })).toEqual({ segmentation });
  });
});

describe('media without a conversation', () => {
  it('answers 400 for silence', async () => {
    const response = await post(stack.url, '/analyze', recording(await fixture('silence.wav'), 'silence.wav'));
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json())).toMatchObject({
      code: 'NO_UTTERANCES',
      detail: 'No utterances detected in uploaded media',
    });
  });

  it('answers 400 for bytes that are no media, and serves the next request', async () => {
    const response = await post(
      stack.url,
      '/analyze',
      recording(new TextEncoder().encode('not audio at all'.repeat(100)), 'text.mp3'),
    );
    expect(response.status).toBe(400);
    expect(ErrorBodySchema.parse(await response.json()).code).toBe('INVALID_MEDIA');
    await analyze('call.wav');
  });

  it('ends a stream with an error event', async () => {
    const events = await replay('silence.wav', '/analyze/stream');
    expect(events.at(-1)).toMatchObject({ event: 'error', data: { code: 'NO_UTTERANCES' } });
  });
});

describe('a recogniser that nobody knows', () => {
  it('is a 400 that names the known ones, of a file as of a stream', async () => {
    for (const path of ['/analyze', '/analyze/stream']) {
      const form = recording(await fixture('short.wav'), 'short.wav', { recogniser: 'dictaphone' });
      const response = await post(stack.url, path, form);
      expect(response.status).toBe(400);
      const { code, detail } = ErrorBodySchema.parse(await response.json());
      expect([code, detail]).toEqual(['INVALID_REQUEST', expect.stringMatching(/"dictaphone".*moonshine-tiny/)]);
    }
  });

  it('ends a live session with an error event', async () => {
    const client = new LiveClient(stack.url, KEY);
    const session = await client.start({ suffix: '.wav', recogniser: 'dictaphone' });
    const reader = await client.attach(session);
    await client.chunk(session, 0, await fixture('short.wav'));
    const last = (await reader.end()).at(-1);
    expect(last).toMatchObject({ event: 'error', data: { code: 'INVALID_REQUEST' } });
    expect(last?.data.message).toMatch(/"dictaphone"/);
  });
});
