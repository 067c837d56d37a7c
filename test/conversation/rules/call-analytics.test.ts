import { describe, expect, it } from 'vitest';
import { CallAnalyticsRuleSchema, categoryCondition } from '../../../src/contract/call-analytics.ts';
import { RuleWhenSchema } from '../../../src/contract/rule-conditions.ts';
import { RuleEvaluation } from '../../../src/conversation/rules/evaluation.ts';
import { conversationOf } from '../../../src/conversation/rules/facts.ts';
import { CALL } from './calls.ts';

const outcomeOf = (...rules: unknown[]): string => {
  const when = RuleWhenSchema.parse(categoryCondition(rules.map((rule) => CallAnalyticsRuleSchema.parse(rule))));
  return new RuleEvaluation(conversationOf(CALL)).evaluate(when).outcome;
};
const said = (Targets: string[], more: object = {}) => ({
  TranscriptFilter: { TranscriptFilterType: 'EXACT', Targets, ...more },
});
const interrupted = (more: object = {}) => ({ InterruptionFilter: more });
const silent = (more: object = {}) => ({ NonTalkTimeFilter: more });
const felt = (Sentiments: string[], more: object = {}) => ({ SentimentFilter: { Sentiments, ...more } });

/**
 * The conditions that Amazon documents for TranscriptFilter, InterruptionFilter, NonTalkTimeFilter, SentimentFilter,
 * AbsoluteTimeRange and RelativeTimeRange.
 */
const CONDITIONS: [condition: string, rule: object, matches: boolean][] = [
  ['a phrase spoken by anybody', said(['speak to a manager']), true],
  ['a phrase in any case', said(['SPEAK TO A MANAGER']), true],
  ['one of several phrases', said(['supervisor', 'manager']), true],
  ['no similar phrase: only that exact phrase is flagged', said(['speak to the manager']), false],
  ['no other form of a word', said(['cancel']), false],
  ['whole words only', said(['wel']), false],
  ['a phrase spoken by the customer', said(['manager'], { ParticipantRole: 'CUSTOMER' }), true],
  ['a phrase spoken by the agent', said(['manager'], { ParticipantRole: 'AGENT' }), false],
  ['a phrase that is absent', said(['supervisor'], { Negate: true }), true],
  ['a phrase that is not absent', said(['manager'], { Negate: true }), false],
  ['a phrase not spoken by the agent', said(['manager'], { Negate: true, ParticipantRole: 'AGENT' }), true],
  ['a phrase in the first 10,000 ms', said(['welcome'], { AbsoluteTimeRange: { First: 10_000 } }), true],
  ['a phrase after the first 10,000 ms', said(['manager'], { AbsoluteTimeRange: { First: 10_000 } }), false],
  ['a phrase in the last 10,000 ms', said(['goodbye'], { AbsoluteTimeRange: { Last: 10_000 } }), true],
  ['a phrase before the last 10,000 ms', said(['great'], { AbsoluteTimeRange: { Last: 10_000 } }), false],
  [
    'a phrase between 10,000 and 15,000 ms',
    said(['manager'], { AbsoluteTimeRange: { StartTime: 10_000, EndTime: 15_000 } }),
    true,
  ],
  [
    'a phrase outside 20,000 to 30,000 ms',
    said(['manager'], { AbsoluteTimeRange: { StartTime: 20_000, EndTime: 30_000 } }),
    false,
  ],
  ['a phrase in the first 10 per cent', said(['welcome'], { RelativeTimeRange: { First: 10 } }), true],
  ['a phrase in the last 10 per cent', said(['welcome'], { RelativeTimeRange: { Last: 10 } }), false],
  [
    'a phrase from 50 to 75 per cent',
    said(['great'], { RelativeTimeRange: { StartPercentage: 50, EndPercentage: 75 } }),
    true,
  ],
  [
    'a welcome missing in the first 10 s',
    said(['welcome'], { Negate: true, AbsoluteTimeRange: { First: 10_000 } }),
    false,
  ],
  ['either participant interrupting the other', interrupted(), true],
  ['the agent interrupting the customer', interrupted({ ParticipantRole: 'AGENT' }), true],
  ['the customer interrupting the agent', interrupted({ ParticipantRole: 'CUSTOMER' }), false],
  ['a lack of interruptions', interrupted({ Negate: true }), false],
  ['a lack of interruptions by the customer', interrupted({ Negate: true, ParticipantRole: 'CUSTOMER' }), true],
  ['interruptions of 500 ms', interrupted({ Threshold: 500 }), true],
  ['interruptions of 10,000 ms', interrupted({ Threshold: 10_000 }), false],
  ['interruptions in the first 20 per cent', interrupted({ RelativeTimeRange: { First: 20 } }), false],
  ['silence', silent(), true],
  ['a silence of 25,000 ms', silent({ Threshold: 25_000 }), true],
  ['a silence of 30,000 ms', silent({ Threshold: 30_000 }), false],
  [
    'a silence of 10,000 ms in the first 30,000 ms',
    silent({ Threshold: 10_000, AbsoluteTimeRange: { First: 30_000 } }),
    false,
  ],
  [
    'the part of a silence in a range: 10,000 ms of it',
    silent({ Threshold: 10_000, AbsoluteTimeRange: { StartTime: 50_000, EndTime: 60_000 } }),
    true,
  ],
  [
    'speech in the first 30,000 ms',
    silent({ Threshold: 10_000, Negate: true, AbsoluteTimeRange: { First: 30_000 } }),
    true,
  ],
  ['a positive sentiment', felt(['POSITIVE']), true],
  ['a negative sentiment of the agent', felt(['NEGATIVE'], { ParticipantRole: 'AGENT' }), false],
  ['a negative sentiment of the customer', felt(['NEGATIVE'], { ParticipantRole: 'CUSTOMER' }), true],
  ['a mixed sentiment', felt(['MIXED']), true],
  ['a neutral sentiment of the customer', felt(['NEUTRAL'], { ParticipantRole: 'CUSTOMER' }), false],
  [
    'a positive customer at the end',
    felt(['POSITIVE'], { ParticipantRole: 'CUSTOMER', RelativeTimeRange: { Last: 50 } }),
    true,
  ],
  [
    'a negative customer at the end',
    felt(['NEGATIVE'], { ParticipantRole: 'CUSTOMER', RelativeTimeRange: { Last: 50 } }),
    false,
  ],
  ['the sentiments that are not included', felt(['NEUTRAL'], { Negate: true, ParticipantRole: 'AGENT' }), true],
  [
    'no sentiment that is not included',
    felt(['POSITIVE'], { Negate: true, ParticipantRole: 'CUSTOMER', RelativeTimeRange: { Last: 50 } }),
    false,
  ],
];

describe('Rules of Amazon Transcribe Call Analytics', () => {
  it.each(CONDITIONS)('find %s', (_, rule, matches) => {
    expect(outcomeOf(rule)).toBe(matches ? 'matched' : 'not_matched');
  });

  it('match a category only if all of its rules match', () => {
    expect(outcomeOf(said(['manager']), felt(['POSITIVE']))).toBe('matched');
    expect(outcomeOf(said(['manager']), said(['supervisor']))).toBe('not_matched');
  });

  it.each([
    ['a range with a start and no end', said(['a'], { AbsoluteTimeRange: { StartTime: 1 } })],
    ['a range with two forms', said(['a'], { RelativeTimeRange: { First: 1, Last: 1 } })],
    ['a range that ends before it begins', said(['a'], { AbsoluteTimeRange: { StartTime: 2, EndTime: 1 } })],
    ['another type than EXACT', { TranscriptFilter: { TranscriptFilterType: 'SEMANTIC', Targets: ['a'] } }],
    ['two filters in one rule', { ...silent(), ...interrupted() }],
    ['no filter', {}],
    ['negated sentiments that leave none', felt(['POSITIVE', 'NEGATIVE', 'NEUTRAL', 'MIXED'], { Negate: true })],
  ])('refuse %s', (_, rule) => {
    expect(CallAnalyticsRuleSchema.safeParse(rule).success).toBe(false);
  });
});
