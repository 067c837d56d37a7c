import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AnalysisResponse, AnalysisResponseSchema, ErrorBodySchema } from '../../src/contract/analysis.ts';
import { LIMITS } from '../../src/contract/limits.ts';
import { type SegmentResponse, SegmentResponseSchema } from '../../src/contract/segmentation.ts';
import { linesOf, write } from '../../support/fake-pipeline.ts';
import { clear, form, KEY, startService, type TestService } from '../../support/service-under-test.ts';
import { readEvents } from '../../support/stream-client.ts';
import { timelineEntry } from '../../support/timeline-entry.ts';
import { withheld } from '../../support/withheld.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const JSON_TYPE = { 'Content-Type': 'application/json' };
const post = (body: BodyInit, headers: Record<string, string> = JSON_TYPE) =>
  service.post('/segment/conversation', body, headers);
const bare = (i: number, text = `Sentence number ${i}.`) => ({
  utterance_id: `u${i}`,
  speaker: `Speaker_${i % 2}`,
  t_start: i,
  t_end: i + 0.5,
  text,
});
const many = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

async function refused(body: unknown): Promise<string> {
  const response = await post(typeof body === 'string' ? body : JSON.stringify(body));
  const { code, detail } = ErrorBodySchema.strict().parse(await response.json());
  expect([response.status, code]).toEqual([400, 'INVALID_REQUEST']);
  expect((await fetch(new URL('/health', service.url))).status).toBe(200);
  return detail;
}
async function segmented(body: unknown) {
  const response = await post(JSON.stringify(body));
  expect(response.status).toBe(200);
  const answer = (await response.json()) as SegmentResponse;
  expect(Object.keys(answer)).toEqual(['segmentation']);
  return { ...SegmentResponseSchema.parse(answer), notes: response.headers.get('Undertone-Notes') };
}

describe('a body that would not fit into memory', () => {
  it('of 24 MB of numbers is refused at the first, and the service survives', async () => {
    expect(await refused(`{"timeline":[${'1,'.repeat(12_000_000)}1]}`)).toMatch(/^timeline\.0: .*object/);
  });

  it.each([
    ['nests', `{"timeline":[{"text":${'['.repeat(900_000)}`, /^timeline\.0: is not JSON/],
    ['has a value without end', `{"timeline":[{"text":"${'x'.repeat(2_000_000)}`, /^timeline\.0: exceeds \d+ bytes$/],
    ['is too long as a whole', 'x'.repeat(70_000_000), /^The body exceeds \d+ bytes$/],
  ])('that %s is refused', async (_, body, detail) => {
    expect(await refused(body)).toMatch(detail);
  });

  it('in unread members is skipped', async () => {
    const junk = many(30_000, (i) => ({ [`key${i}`]: [[], {}] }));
    const { segmentation } = await segmented({ agent_results: junk, timeline: [{ ...bare(0), junk }] });
    expect(segmentation.total_phases).toBe(1);
  });

  it('of a name that no analysis has is refused before its value is read', async () => {
    expect(await refused(`{"contxt":[${'1,'.repeat(12_000_000)}`)).toBe(
      'Unknown field "contxt"; did you mean "context"?',
    );
    expect(await refused({ timeline: [bare(0)], junk: [] })).toMatch(/^Unknown field "junk"/);
  });
});

describe('a body with many faults is refused at the first', () => {
  it.each([
    ['25,000 empty entries', many(25_000, () => ({})), /^timeline\.0\.utterance_id: /],
    [
      '6,000 utterances whose words lack their confidence',
      many(6000, (i) => ({ ...bare(i), words: many(30, () => ({ word: 'yes', t_start: 0, t_end: 1 })) })),
      /^timeline\.0\.words\.0\.confidence: /,
    ],
    ['words that are none', [bare(0), { ...bare(1), words: many(LIMITS.words, () => 1) }], /^timeline\.1\.words\.0: /],
  ])('%s', async (_, timeline, detail) => {
    expect(await refused({ timeline })).toMatch(detail);
  });
});

describe('limits by name', () => {
  const x = (chars: number) => 'x'.repeat(chars);
  const moment = { ...bare(0), category: 'objection', speaker_id: 'a', start_ms: 0, summary: 's', confidence: 1 };
  const long = many(50, (i) => bare(i, x(LIMITS.textChars)));
  const words = many(40, (i) => ({ ...bare(i), words: many(LIMITS.words, () => ({ word: 'a', confidence: 1 })) }));

  it.each([
    [
      'the text of an utterance',
      { timeline: [bare(0, x(20_001))] },
      'timeline.0.text: is longer than 20000 characters',
    ],
    [
      'all texts together',
      { timeline: [...long, bare(50, 'One.')] },
      'timeline.50.text: all texts together exceed 1000000 characters',
    ],
    ['utterances', { timeline: many(10_001, (i) => bare(i, 'a')) }, 'timeline: has more than 10000 entries'],
    ['a name', { timeline: [{ ...bare(0), speaker: x(129) }] }, 'timeline.0.speaker: is longer than 128 characters'],
    [
      'words of an utterance',
      { timeline: [{ ...bare(0), words: many(5001, () => ({ word: 'a', confidence: 1 })) }] },
      'timeline.0.words: has more than 5000 entries',
    ],
    [
      'all words',
      { timeline: [...words, { ...bare(40), words: [{ word: 'a', confidence: 1 }] }] },
      'timeline.40.words: all entries together have more than 200000 words',
    ],
    ['the context', { timeline: [bare(0)], context: x(4001) }, 'context: is longer than 4000 characters'],
    [
      'moments',
      { timeline: [bare(0)], moments: many(5001, () => ({ ...moment, utterance_ids: ['u0'] })) },
      'moments: has more than 5000 entries',
    ],
    [
      'what a moment says',
      { timeline: [bare(0)], moments: [{ ...moment, utterance_ids: ['u0'], summary: x(501) }] },
      'moments.0.summary: is longer than 500 characters',
    ],
    [
      'what a moment names',
      { timeline: [bare(0)], moments: [{ ...moment, utterance_ids: many(51, () => 'u0') }] },
      'moments.0.utterance_ids: has more than 50 entries',
    ],
  ])('%s', async (_, body, detail) => {
    expect(await refused(body)).toBe(detail);
  });

  it('accept a value of exactly the limit', async () => {
    expect((await segmented({ timeline: long, context: x(4000) })).notes).toBeNull();
  });

  it('hold for the goal of an upload and of a live session, and nothing is stored', async () => {
    const detail = 'goal: is longer than 4000 characters';
    const start = JSON.stringify({ goal: x(4001) });
    for (const response of [
      await service.post('/analyze', form('a.wav', 'media', { goal: x(4001) })),
      await service.post('/analyze/stream', form('a.wav', 'media', { goal: x(4001) })),
      await service.post('/analyze/live/start', start, JSON_TYPE),
    ]) {
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ code: 'INVALID_REQUEST', detail });
    }
    expect(await service.objects()).toEqual([]);
  });
});

describe('an analysis', () => {
  const TALK = [
    'Hello, thanks for calling, how can I help?',
    'Hi. The price of the new plan is too high for us, honestly.',
    'I understand. We could offer you a discount of ten percent.',
    'No, that is still too expensive for a company of our size.',
    'Shall we meet on Tuesday to look at it together?',
    'Yes, Tuesday works for me, let us do that.',
    'Anyway, how is the support team doing with the open tickets?',
    'They are slow. We waited for two weeks and nobody answered.',
    'I am sorry. I will send you the name of an engineer today.',
    'Okay, thank you, that would be great. Goodbye.',
  ];
  /** Changing affect, so that there are transitions. */
  const lines = (id: string) =>
    linesOf(id, [...TALK, ...TALK]).map((line) => {
      if (line.type !== 'utterance') return line;
      const n = Number(line.entry.utterance_id.split('_').at(-1));
      const valence = n % 10 < 5 ? 0.2 : 0.85;
      return { ...line, entry: { ...line.entry, pad_scores: { valence, arousal: valence, dominance: 0.5 } } };
    });

  it('whose affect was not measured is segmented as well, without affect', async () => {
    const timeline = many(12, (i) => withheld(timelineEntry('c', i, `Sentence number ${i} of the matter.`)));
    const { segmentation } = await segmented({ timeline });
    expect(segmentation.phases.length).toBeGreaterThan(0);
    expect(segmentation.phases.map(({ emotional_tone }) => emotional_tone)).toEqual(
      segmentation.phases.map(() => null),
    );
    const half = timeline.map((entry, i) => (i % 2 === 0 ? entry : timelineEntry('c', i, entry.text)));
    for (const { emotional_tone } of (await segmented({ timeline: half })).segmentation.phases)
      expect(emotional_tone).not.toBeNull();
  });

  it.each(['/analyze', '/analyze/stream'])('of %s is segmented again as it was', async (path) => {
    service.pipeline.answer = (response, { options }) => {
      write(response, lines(options.conversation_id));
      response.end();
    };
    const response = await service.post(path, form('a.wav', 'media', { goal: 'price' }));
    if (path === '/analyze') await response.json();
    else await readEvents(response);
    const [key = ''] = (await service.objects()).filter((name) => name.endsWith('result.json'));
    const analysis: AnalysisResponse = AnalysisResponseSchema.parse(JSON.parse(await service.text(key)));
    const { timeline, moments, transitions, segmentation, goal } = analysis;
    expect(moments.length * transitions.length).toBeGreaterThan(0);
    expect(await segmented({ timeline, moments, transitions, context: goal })).toEqual({ segmentation, notes: null });
    expect(await segmented({ ...analysis, context: goal })).toEqual({ segmentation, notes: null });
    // Transitions are found again; moments are reported only when they are sent.
    expect(await segmented({ timeline, moments, context: goal })).toEqual({ segmentation, notes: null });
    const without = await segmented({ timeline, context: goal });
    expect(without.segmentation.phases.flatMap((phase) => phase.key_moments)).not.toEqual(
      segmentation.phases.flatMap((phase) => phase.key_moments),
    );
  });
});

describe('an unordered timeline', () => {
  const timeline = many(12, (i) => timelineEntry('c', i, `We talk about topic ${i} now.`));

  it('is sorted, and the answer says so', async () => {
    const sorted = await segmented({ timeline });
    const { segmentation, notes } = await segmented({ timeline: timeline.toReversed() });
    expect(segmentation).toEqual(sorted.segmentation);
    expect(notes).toBe('The timeline was sorted by t_start: timeline.1 begins before the entry ahead of it.');
    expect(sorted.notes).toBeNull();
  });

  it('loses its entries without text, and the answer says so', async () => {
    const silent = [...timeline, ...many(7, (i) => timelineEntry('d', i + 12, i % 2 ? ' \n' : ''))];
    expect(await segmented({ timeline: silent })).toEqual({
      ...(await segmented({ timeline })),
      notes:
        'Entries without text were left out: timeline.12, timeline.13, timeline.14, timeline.15, timeline.16 and 2 more.',
    });
    expect(await refused({ timeline: [bare(0, ' ')] })).toBe('timeline: no entry contains text');
  });

  it('must not give two utterances the same id', async () => {
    expect(await refused({ timeline: [bare(0), bare(1), bare(0)] })).toBe(
      'timeline.2.utterance_id: repeats the id of an earlier entry',
    );
  });
});

it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
  'says what it expects instead of %s',
  async (type) => {
    const response = await post(JSON.stringify({ timeline: [bare(0)] }), { 'Content-Type': type });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ detail: 'Expected a body of Content-Type application/json' });
  },
);

it('answers others when clients leave while theirs are segmented, or wait for it', async () => {
  const timeline = many(5000, (i) => bare(i, `We talked about the price of plan ${i} and of what comes after it.`));
  const body = JSON.stringify({ timeline });
  const ask = (signal?: AbortSignal) =>
    fetch(new URL('/segment/conversation', service.url), {
      method: 'POST',
      body,
      headers: { ...JSON_TYPE, 'X-API-Key': KEY },
      signal,
    });
  for (let leftAfter = 0; leftAfter < 600; leftAfter += 40) {
    const leave = new AbortController();
    const [stays, ...leaving] = [ask(), ask(leave.signal), ask(leave.signal)];
    await new Promise((resolve) => setTimeout(resolve, leftAfter));
    leave.abort();
    await Promise.allSettled(leaving);
    expect((await stays!).status).toBe(200);
  }
  expect((await segmented({ timeline: many(3, (i) => bare(i)) })).segmentation.total_phases).toBe(1);
}, 120_000);

it('refuses a body that would not fit beside the memory of others, until their clients leave', async () => {
  const part = new TextEncoder().encode(`{"timeline":[${many(9900, (i) => JSON.stringify(bare(i))).join(',')},`);
  const url = new URL('/segment/conversation', service.url);
  const leave = new AbortController();
  const held: Promise<unknown>[] = [];
  const holdOneMore = (): void => {
    const body = new ReadableStream({ start: (to) => to.enqueue(part) });
    const headers = { 'X-API-Key': KEY, ...JSON_TYPE };
    const init = { method: 'POST', headers, body, duplex: 'half', signal: leave.signal } as RequestInit;
    held.push(fetch(url, init).catch(() => undefined));
  };
  const ask = () => post(JSON.stringify({ timeline: many(8000, (i) => bare(i)) }));
  let answer = await ask();
  // Concurrent requests may be refused when others are running. Those that remain add up.
  while (answer.status === 200 && held.length < 50) {
    holdOneMore();
    answer = await ask();
  }
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
  expect(await answer.json()).toMatchObject({ code: 'OVERLOADED' });
  leave.abort();
  await Promise.all(held);
  // Usually immediately, or after two minutes if the drop of a request was not noticed.
  while (answer.status !== 200) answer = await ask();
}, 200_000);
