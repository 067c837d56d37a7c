import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AnalysisOutput } from '../../../containers/pipeline/analysis-output.ts';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import type { ServiceEvent } from '../../../src/contract/events.ts';
import { type RuleCondition, RuleWhenSchema } from '../../../src/contract/rule-conditions.ts';
import { ENGLISH } from '../../../src/conversation/en/index.ts';
import { RuleEvaluation } from '../../../src/conversation/rules/evaluation.ts';
import { conversationOf, FactsBuilder, type RuleConversation } from '../../../src/conversation/rules/facts.ts';
import { type LiveHit, LiveRules } from '../../../src/conversation/rules/live-rules.ts';
import { wideningsOf } from '../../../src/conversation/rules/widenings.ts';
import { asks } from '../../../src/conversation/text/questions.ts';
import { OPTIONS } from '../../../support/pipeline-server.ts';
import { dialogues, timelineOf } from '../../../support/results.ts';

/** The events of a real analysis of a dialogue, and the result that it stores. */
interface Analysed {
  events: ServiceEvent[];
  result: AnalysisResponse;
}

function analysed(n: number): Analysed {
  const dialogue = DIALOGUES[n % DIALOGUES.length]!;
  const output = new AnalysisOutput({ ...OPTIONS, conversation_id: 'c', live: false });
  const lines = [...output.open()];
  const timeline = timelineOf('c', dialogue).map((entry) => ({
    ...entry,
    lexical_markers: { ...entry.lexical_markers, is_question: asks(entry.text, ENGLISH) },
  }));
  for (const entry of timeline) lines.push(...output.take({ type: 'utterance', entry, latency_ms: 1 }));
  const media = { duration_s: timeline.at(-1)!.t_end + 0.5, channels: 1, speaker_per_channel: false };
  const speakers = { count: 2, confidence: 0.8, source: 'estimated' } as const;
  lines.push(...output.take({ type: 'end', utterances: timeline.length, media, speakers, warnings: [] }));
  const document = output.documents!.find(({ name }) => name === 'result.json')!;
  return {
    events: lines.filter((line) => line.type === 'event') as ServiceEvent[],
    result: JSON.parse(Buffer.concat(document.parts.map((part) => part.bytes)).toString()),
  };
}
const DIALOGUES = dialogues().filter((_, i) => i % 41 === 0);

const PHRASES = [
  'the',
  'i',
  'you',
  'price',
  'offer',
  'is that',
  'thank',
  'yes',
  'no',
  'we can',
  'would',
  'agree',
  'want',
];
const place = fc.oneof(
  fc.constant(undefined),
  fc.record({ first_seconds: fc.integer({ min: 1, max: 40 }) }),
  fc.record({ last_share: fc.constantFrom(0.2, 0.5) }),
  fc.record({ in_question: fc.boolean() }),
  fc.record({ after: fc.record({ categories: fc.constant(['cta_offered', 'objection']) }) }),
);
const who = fc.constantFrom(undefined, { speaker: 'Speaker_0' }, { speaker: 'Speaker_1' }, { role: 'speaker_0' });
const placed = fc.oneof(
  fc.record({
    said: fc.record({
      phrases: fc.uniqueArray(fc.constantFrom(...PHRASES), { minLength: 1, maxLength: 3 }),
      words: fc.constantFrom('any_form', 'exact', 'loose'),
      who,
      where: place,
    }),
  }),
  fc.record({
    moment: fc.record({ categories: fc.constant(['cta_offered', 'cta_accepted', 'objection']), who, where: place }),
  }),
  fc.record({ silence: fc.record({ min_seconds: fc.constantFrom(0.4, 0.6), where: place }) }),
);
const { condition } = fc.letrec<{ condition: object }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    placed,
    fc.record({ length: fc.record({ min: fc.integer({ min: 1, max: 90 }) }) }),
    fc.record({ talk_share: fc.record({ who: fc.constant({ speaker: 'Speaker_1' }), min: fc.constant(0.5) }) }),
    fc.record({ all: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ any: fc.array(tie('condition'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie('condition') }),
    fc.tuple(placed, placed, fc.boolean(), fc.integer({ min: 1, max: 30 })).map(([first, second, isNot, seconds]) => ({
      within: { seconds, all: [first, isNot ? { not: second } : second] },
    })),
  ),
}));
const rule = condition.map((when) => RuleWhenSchema.parse(when) as RuleCondition);

/** The result of evaluating what the events of an analysis say, once it has ended. */
function afterEvents({ events, result }: Analysed, when: RuleCondition) {
  const builder = new FactsBuilder(result.language ?? null);
  for (const { event, data } of events)
    if (event === 'final_transcript') builder.add(data);
    else if (event === 'moment') builder.addMoment(data);
    else if (event === 'transition') builder.addTransition(data);
  return new RuleEvaluation(builder.close(result.media.duration_s)).evaluate(when);
}

it('a rule that is a step wider keeps every hit, and is accepted as a rule', () => {
  const calls = [0, 1, 2].map((n) => conversationOf(analysed(n).result));
  const beginningsOf = (call: RuleConversation, when: RuleCondition): number[] =>
    new RuleEvaluation(call).evaluate(when).hits.map(({ start }) => start);
  fc.assert(
    fc.property(fc.constantFrom(...calls), rule, (call, when) => {
      for (const wider of wideningsOf(when)) {
        expect(RuleWhenSchema.safeParse(wider.when).success).toBe(true);
        expect(beginningsOf(call, wider.when)).toEqual(expect.arrayContaining(beginningsOf(call, when)));
      }
    }),
  );
});

describe('LiveRules', () => {
  it('matches the same words alike in the result of a file, in its replay and at the end of a session', () => {
    fc.assert(
      fc.property(fc.nat(), rule, (n, when) => {
        const call = analysed(n);
        const stored = new RuleEvaluation(conversationOf(call.result)).evaluate(when);
        expect(afterEvents(call, when)).toEqual(stored);
        // The stored form survives being written and read.
        const { facts, texts } = conversationOf(call.result);
        const read = { facts: JSON.parse(JSON.stringify(facts)), texts, isOpen: false };
        expect(new RuleEvaluation(read).evaluate(when)).toEqual(stored);
      }),
      { numRuns: 300 },
    );
  });

  it('reports only hits that the end confirms', () => {
    let reported = 0;
    fc.assert(
      fc.property(fc.nat(), rule, (n, when) => {
        const { events, result } = analysed(n);
        const live = new LiveRules([{ id: 'r', when }], result.language ?? null);
        const hits = events.flatMap((event) => live.take(event));
        const end = new RuleEvaluation(conversationOf(result)).evaluate(when);
        reported += hits.length;
        if (hits.length > 0) expect(end.outcome).toBe('matched');
        const keyOf = (start: number, ids: readonly string[]) => `${start} ${ids.join()}`;
        const confirmed = new Set(
          end.hits.map((hit) =>
            keyOf(
              hit.start,
              hit.utterances.map((u) => `c_utt_${u}`),
            ),
          ),
        );
        expect(hits.filter((hit) => !confirmed.has(keyOf(hit.start, hit.utteranceIds)))).toEqual([]);
      }),
      { numRuns: 300 },
    );
    expect(reported).toBeGreaterThan(50);
  });

  const final = (n: number, speaker: string, text: string): ServiceEvent => ({
    event: 'final_transcript',
    data: { utterance_id: `u${n}`, speaker, t_start: n * 10, t_end: n * 10 + 5, text },
  });
  const take = (when: object, ...texts: string[]): LiveHit[][] => {
    const live = new LiveRules([{ id: 'r', when: RuleWhenSchema.parse(when) as RuleCondition }], null);
    return texts.map((text, n) => live.take(final(n, `Speaker_${n % 2}`, text)));
  };

  it('reports a hit with its event, once', () => {
    const told = take({ said: { phrases: ['price'] } }, 'Hello.', 'What is the price?', 'Well.', 'The price is ten.');
    expect(told.map((hits) => hits.map(({ utteranceIds }) => utteranceIds))).toEqual([[], [['u1']], [], [['u3']]]);
    expect(told[1]![0]).toMatchObject({ rule: 'r', speaker: 'Speaker_1', start: 10, quote: 'What is the price?' });
  });

  it('waits with "not followed by" until the time has passed', () => {
    const when = {
      within: { seconds: 15, all: [{ said: { phrases: ['price'] } }, { not: { said: { phrases: ['sorry'] } } }] },
    };
    expect(take(when, 'The price.', 'Ah.', 'Well.').map((hits) => hits.length)).toEqual([0, 1, 0]);
    expect(take(when, 'The price.', 'Sorry.', 'Well.').map((hits) => hits.length)).toEqual([0, 0, 0]);
  });

  it('does not report what only the end can tell', () => {
    const absent = { all: [{ said: { phrases: ['price'] } }, { not: { said: { phrases: ['sorry'] } } }] };
    expect(take(absent, 'The price.', 'Well.').flat()).toEqual([]);
    expect(take({ said: { phrases: ['price'], where: { last_seconds: 60 } } }, 'The price.').flat()).toEqual([]);
    const early = {
      all: [{ said: { phrases: ['price'] } }, { not: { said: { phrases: ['sorry'], where: { first_seconds: 12 } } } }],
    };
    expect(take(early, 'The price.', 'Well.').map((hits) => hits.length)).toEqual([0, 1]);
  });
});
