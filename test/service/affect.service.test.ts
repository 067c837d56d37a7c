import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnalysisResponse, AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import type { ServiceEvent } from '../../src/contract/events.ts';
import { LiveClient } from '../../support/live-client.ts';
import { converted } from '../../support/recordings.ts';
import { readEvents } from '../../support/stream-client.ts';
import { KEY, type Stack, startStack } from '../../support/whole-service.ts';
import { affectInAnswer, affectInEvents } from '../../support/withheld.ts';

/** The beginning of a call, with five utterances, an offer and an objection. */
const fixture = (name: string) => new Uint8Array(converted(name, ['-t', '20', '-f', 'wav', '-c:a', 'pcm_s16le']));
const WITHHELD = 'Speaker_0';
const OTHER = 'Speaker_1';
const AFFECT = { [WITHHELD]: 'none', '*': 'full' };

let stack: Stack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** Words are not the subject here, so the fast transcription of them is sufficient in every mode. */
const QUALITY = 'fast';

/** The form of an upload. */
function recording(bytes: Uint8Array<ArrayBuffer>, name: string, fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.set(field, value);
  form.set('file', new File([bytes], name));
  return form;
}
const post = (url: URL, path: string, body: FormData): Promise<Response> =>
  fetch(new URL(path, url), { method: 'POST', headers: { 'X-API-Key': KEY }, body });

const fieldsOf = (affect: unknown): Record<string, string> => ({
  quality: QUALITY,
  ...(affect !== undefined && { affect: typeof affect === 'string' ? affect : JSON.stringify(affect) }),
});

/** The default analysis of a recording, made once. */
const whole = (name: string): Promise<AnalysisResponse> => {
  const made = wholes.get(name) ?? batch(name);
  wholes.set(name, made);
  return made;
};
const wholes = new Map<string, Promise<AnalysisResponse>>();

async function batch(name: string, affect?: unknown): Promise<AnalysisResponse> {
  const response = await post(stack.url, '/analyze', recording(fixture(name), name, fieldsOf(affect)));
  expect(response.status).toBe(200);
  return AnalysisResponseSchema.parse(await response.json());
}

async function replay(name: string, affect: unknown): Promise<ServiceEvent[]> {
  const form = recording(fixture(name), name, fieldsOf(affect));
  return (await readEvents(await post(stack.url, '/analyze/stream', form))) as ServiceEvent[];
}

async function live(name: string, affect: unknown): Promise<ServiceEvent[]> {
  const client = new LiveClient(stack.url, KEY);
  const session = await client.start({ suffix: '.wav', affect, quality: QUALITY });
  const reader = await client.attach(session);
  const bytes = fixture(name);
  for (let seq = 0; seq * 65_536 < bytes.length; seq++)
    await client.chunk(session, seq, bytes.slice(seq * 65_536, (seq + 1) * 65_536));
  await client.control(session, 'finalize');
  return (await reader.end()) as ServiceEvent[];
}

/** A stored document of an analysis. */
async function stored(events: readonly ServiceEvent[], name: string): Promise<string> {
  const done = events.at(-1);
  if (done?.event !== 'done') throw new Error(`the stream ended with ${JSON.stringify(done)}`);
  return stack.artifact(done.data.conversation_id, name);
}
const resultOf = async (events: readonly ServiceEvent[]): Promise<AnalysisResponse> =>
  AnalysisResponseSchema.parse(JSON.parse(await stored(events, 'result.json')));
const eventsIn = (log: string): ServiceEvent[] =>
  log
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/**
 * A result without its ids, paths, durations and time of recording, which differ between runs, and without the ids of a
 * live session.
 */
function comparable(answer: AnalysisResponse): unknown {
  const { artifact_dir: _a, upload_path: _u, agent_outputs_path: _o, ...rest } = answer;
  return JSON.parse(
    JSON.stringify(rest)
      .replaceAll(answer.conversation_id, 'c')
      .replace(/"latency_ms":[\d.]+/g, '"latency_ms":0'),
    (name, value) => (name === 'heard_as' || name === 'recorded_at' ? undefined : value),
  );
}
const affectEventsOf = (events: readonly ServiceEvent[], speaker: string) =>
  events.filter(({ event, data }) => event === 'emotion' && 'speaker_id' in data && data.speaker_id === speaker);

describe.each(['call.wav', 'call-stereo.wav'])('%s with affect off for one speaker', (name) => {
  let open: AnalysisResponse;
  let closed: AnalysisResponse;
  beforeAll(async () => {
    open = await whole(name);
    closed = await batch(name, AFFECT);
  });

  it('has none of it in the result, unlike the default', () => {
    expect(affectInAnswer(open, WITHHELD).length).toBeGreaterThan(20);
    expect(affectInAnswer(closed, WITHHELD)).toEqual([]);
    expect(affectInAnswer(closed, OTHER).length).toBeGreaterThan(20);
    expect(closed.options).toMatchObject({ affect: AFFECT, recogniser: 'moonshine-tiny', goal: '', speakers: null });
    expect(open.options.affect).toBe('full');
  });

  it('has the same words, times, voices and moments, and all of the other speaker', () => {
    const said = ({ timeline, conversation_id: id }: AnalysisResponse) =>
      timeline.map(({ utterance_id, speaker, text, words, t_start, t_end, prosody_desc }) =>
        JSON.stringify([utterance_id, speaker, text, words, t_start, t_end, prosody_desc]).replaceAll(id, 'c'),
      );
    expect(said(closed)).toEqual(said(open));
    const ofOther = (answer: AnalysisResponse) =>
      JSON.parse(JSON.stringify(answer.timeline).replaceAll(answer.conversation_id, 'c')).filter(
        ({ speaker }: { speaker: string }) => speaker === OTHER,
      );
    expect(ofOther(closed)).toEqual(ofOther(open));
    const anonymous = (answer: AnalysisResponse, value: unknown) =>
      JSON.stringify(value).replaceAll(answer.conversation_id, 'c');
    expect(anonymous(closed, closed.moments)).toBe(anonymous(open, open.moments));
    expect(closed.insights.metrics).toEqual(open.insights.metrics);
  });

  it('neither sends it as a stream nor stores it', async () => {
    const events = await replay(name, AFFECT);
    expect(affectInEvents(events, WITHHELD)).toEqual([]);
    expect(affectEventsOf(events, OTHER).length).toBeGreaterThan(0);
    expect(affectInEvents(eventsIn(await stored(events, 'events.ndjson')), WITHHELD)).toEqual([]);
    const result = await resultOf(events);
    expect(comparable(result)).toEqual(comparable(closed));
    const outputs = JSON.parse(await stored(events, 'agent_outputs.json'));
    expect(outputs).toEqual(result.agent_results);
  });

  it('neither sends it live nor stores it', async () => {
    const events = await live(name, AFFECT);
    expect(affectInEvents(events, WITHHELD)).toEqual([]);
    expect(affectEventsOf(events, OTHER).length).toBeGreaterThan(0);
    expect(events.filter(({ event }) => event === 'final_transcript').length).toBeGreaterThan(3);
    expect(affectInEvents(eventsIn(await stored(events, 'events.ndjson')), WITHHELD)).toEqual([]);
    const result = await resultOf(events);
    expect(affectInAnswer(result, WITHHELD)).toEqual([]);
    expect(comparable(result)).toEqual(comparable(closed));
  });

  it('is segmented again with the same result', async () => {
    const client = new LiveClient(stack.url, KEY);
    const again = await client.json('/segment/conversation', closed);
    expect([again.status, await again.json()]).toEqual([200, { segmentation: closed.segmentation }]);
  });
});

it('affect is not measured when it is off, in a file and live', async () => {
  for (const answer of [await batch('call.wav', 'none'), await resultOf(await live('call.wav', 'none'))]) {
    for (const speaker of [WITHHELD, OTHER]) expect(affectInAnswer(answer, speaker)).toEqual([]);
    expect(answer.transitions).toEqual([]);
    expect(answer.insights.overall_sentiment).toBeNull();
    expect(answer.segmentation.phases.map(({ emotional_tone }) => emotional_tone)).toEqual(
      answer.segmentation.phases.map(() => null),
    );
  }
});

it('affect comes from the words alone on request, and the voice is still measured', async () => {
  const [full, words] = [await whole('call.wav'), await batch('call.wav', 'words')];
  for (const [i, entry] of words.timeline.entries()) {
    const { prosody, prosody_desc, text, sentiment, emotion } = full.timeline[i]!;
    expect(entry).toMatchObject({ prosody_desc, text, sentiment, delivery_style: 'not judged' });
    expect(entry.prosody).toEqual({ ...prosody, commitment_markers: null, passion_markers: null });
    expect(entry.emotion?.scores.arousal).not.toBe(emotion?.scores.arousal);
  }
});

describe('an invalid option of affect', () => {
  const said = async (response: Response): Promise<string> => {
    const { code, detail } = ErrorBodySchema.parse(await response.json());
    expect([response.status, code]).toEqual([400, 'INVALID_REQUEST']);
    return detail;
  };

  it.each([
    [
      'off',
      /^affect: must be full, words or none, or an object with one of these for each speaker label, and \* for the others$/,
    ],
    [{ Speaker_0: 'off' }, /^affect: must be full, words or none for each speaker$/],
    [
      { Anna: 'none' },
      /^affect: "Anna" must be a speaker label such as Speaker_0, a role such as role:agent, or \* for the others$/,
    ],
    [{ Speaker_10: 'none' }, /^affect: "Speaker_10" must be a speaker label/],
    [{ Speaker_0: { deep: 'none' } }, /^affect: must be full, words or none for each speaker$/],
  ])('is a 400 with the reason: %j', async (affect, detail) => {
    const upload = recording(new TextEncoder().encode('RIFF'), 'a.wav', fieldsOf(affect));
    expect(await said(await post(stack.url, '/analyze', upload))).toMatch(detail);
    const client = new LiveClient(stack.url, KEY);
    expect(await said(await client.json('/analyze/live/start', { affect }))).toMatch(detail);
  });

  it('must be JSON in a form', async () => {
    const upload = recording(new TextEncoder().encode('RIFF'), 'a.wav', { affect: '{"Speaker_0": none}' });
    expect(await said(await post(stack.url, '/analyze', upload))).toBe('affect: must be a JSON object');
  });
});

describe('affect off for a role', () => {
  const ROLES = ['agent', 'customer'];
  const affect = { 'role:agent': 'none', '*': 'full' };
  const read = (result: Pick<AnalysisResponse, 'timeline'>): Record<string, boolean> =>
    Object.fromEntries(result.timeline.map(({ speaker, emotion }) => [speaker, emotion !== null]));
  const analysed = async (bytes: Uint8Array<ArrayBuffer>): Promise<AnalysisResponse> => {
    const fields = { ...fieldsOf(affect), roles: JSON.stringify(ROLES) };
    const response = await post(stack.url, '/analyze', recording(bytes, 'call.wav', fields));
    expect(response.status).toBe(200);
    return AnalysisResponseSchema.parse(await response.json());
  };

  it('follows the channels of a file and of a live session, which agree', async () => {
    const result = await analysed(fixture('call-stereo.wav'));
    const roles = result.roles ?? {};
    expect(Object.values(roles).sort()).toEqual(['agent', 'customer']);
    expect(read(result)).toEqual(
      Object.fromEntries(Object.entries(roles).map(([label, role]) => [label, role === 'customer'])),
    );
    const client = new LiveClient(stack.url, KEY);
    const session = await client.start({ suffix: '.wav', affect, roles: ROLES, quality: QUALITY });
    const reader = await client.attach(session);
    const bytes = fixture('call-stereo.wav');
    for (let seq = 0; seq * 65_536 < bytes.length; seq++)
      await client.chunk(session, seq, bytes.slice(seq * 65_536, (seq + 1) * 65_536));
    await client.control(session, 'finalize');
    const events = (await reader.end()) as ServiceEvent[];
    const concluded = AnalysisResponseSchema.parse(JSON.parse(await stored(events, 'result.json')));
    expect([concluded.roles, read(concluded)]).toEqual([roles, read(result)]);
  });

  it('applies to everybody where both channels have the same sound, who is not two people for that', async () => {
    const doubled = converted('call.wav', ['-t', '20', '-ac', '2', '-f', 'wav', '-c:a', 'pcm_s16le']);
    const result = await analysed(new Uint8Array(doubled));
    expect(result.media).toMatchObject({ channels: 2, speaker_per_channel: false });
    expect(result.roles).toBeUndefined();
    expect(Object.values(read(result))).not.toContain(true);
    expect(result.speakers.source).not.toBe('channels');
    expect(result.speakers.count).toBe((await whole('call.wav')).speakers.count);
  });
});
