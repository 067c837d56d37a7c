import * as z from 'zod';
import { textOf } from './limits.ts';
import {
  RULE_LIMITS,
  RULE_SENTIMENTS,
  type RuleCondition,
  type RulePlace,
  type RuleSentiment,
  type RuleSpeaker,
} from './rule-conditions.ts';

/** Rules of Amazon Transcribe Call Analytics, as documented under CreateCallAnalyticsCategory. */

/** The longest call, ms. */
const MAX_MS = 14_400_000;
const milliseconds = z.number().int().min(0).max(MAX_MS);
const percentage = z.number().int().min(0).max(100);

/** Whether a range has exactly one of its three documented forms. */
const isOneForm = (first: unknown, last: unknown, start: unknown, end: unknown): boolean => {
  const isBetween = start !== undefined && end !== undefined;
  const isHalf = (start === undefined) !== (end === undefined);
  return !isHalf && [first !== undefined, last !== undefined, isBetween].filter(Boolean).length === 1;
};

const AbsoluteTimeRangeSchema = z
  .strictObject({
    StartTime: milliseconds.optional(),
    EndTime: milliseconds.optional(),
    First: milliseconds.optional(),
    Last: milliseconds.optional(),
  })
  .refine(
    ({ First, Last, StartTime, EndTime }) => isOneForm(First, Last, StartTime, EndTime),
    'must have First, or Last, or StartTime and EndTime',
  )
  .refine(
    ({ StartTime, EndTime }) => StartTime === undefined || StartTime < EndTime!,
    'StartTime must be before EndTime',
  );
const RelativeTimeRangeSchema = z
  .strictObject({
    StartPercentage: percentage.optional(),
    EndPercentage: percentage.optional(),
    First: percentage.optional(),
    Last: percentage.optional(),
  })
  .refine(
    ({ First, Last, StartPercentage, EndPercentage }) => isOneForm(First, Last, StartPercentage, EndPercentage),
    'must have First, or Last, or StartPercentage and EndPercentage',
  )
  .refine(
    ({ StartPercentage, EndPercentage }) => StartPercentage === undefined || StartPercentage < EndPercentage!,
    'StartPercentage must be before EndPercentage',
  );

const ranges = {
  AbsoluteTimeRange: AbsoluteTimeRangeSchema.optional(),
  RelativeTimeRange: RelativeTimeRangeSchema.optional(),
};
const Negate = z.boolean().optional();
const ParticipantRole = z.enum(['AGENT', 'CUSTOMER']).optional();

const SENTIMENTS = ['POSITIVE', 'NEGATIVE', 'NEUTRAL', 'MIXED'] as const;

const FILTERS = {
  TranscriptFilter: z.strictObject({
    TranscriptFilterType: z.literal('EXACT'),
    Targets: z
      .array(textOf(RULE_LIMITS.phraseChars).regex(/[\p{L}\p{N}]/u, 'must contain a letter or digit'))
      .min(1)
      .max(RULE_LIMITS.phrases, `has more than ${RULE_LIMITS.phrases} entries`),
    ParticipantRole,
    Negate,
    ...ranges,
  }),
  InterruptionFilter: z.strictObject({ Threshold: milliseconds.optional(), ParticipantRole, Negate, ...ranges }),
  NonTalkTimeFilter: z.strictObject({ Threshold: milliseconds.optional(), Negate, ...ranges }),
  SentimentFilter: z
    .strictObject({ Sentiments: z.array(z.enum(SENTIMENTS)).min(1).max(4), ParticipantRole, Negate, ...ranges })
    .refine(
      ({ Sentiments, Negate: isNegated }) => !isNegated || new Set(Sentiments).size < SENTIMENTS.length,
      'leaves no sentiment that could match',
    ),
};
type Filters = { [Name in keyof typeof FILTERS]: z.infer<(typeof FILTERS)[Name]> };

export const CallAnalyticsRuleSchema = z
  .strictObject({
    TranscriptFilter: FILTERS.TranscriptFilter.optional(),
    InterruptionFilter: FILTERS.InterruptionFilter.optional(),
    NonTalkTimeFilter: FILTERS.NonTalkTimeFilter.optional(),
    SentimentFilter: FILTERS.SentimentFilter.optional(),
  })
  .refine(
    (rule) => Object.values(rule).filter((filter) => filter !== undefined).length === 1,
    `must have exactly one of ${Object.keys(FILTERS).join(', ')}`,
  )
  .meta({
    id: 'CallAnalyticsRuleInput',
    description: 'A rule of Amazon Transcribe Call Analytics; times are in milliseconds.',
  });
export type CallAnalyticsRule = z.infer<typeof CallAnalyticsRuleSchema>;

/** The condition of a category: all of its rules hold. */
export const categoryCondition = (rules: readonly CallAnalyticsRule[]): RuleCondition => {
  const conditions = rules.map(conditionOf);
  return conditions.length === 1 ? conditions[0]! : { all: conditions };
};

/** Any silence, for a filter without a threshold, s. */
const SHORTEST_S = 0.001;

function conditionOf(rule: CallAnalyticsRule): RuleCondition {
  const { TranscriptFilter, InterruptionFilter, NonTalkTimeFilter, SentimentFilter } = rule;
  if (TranscriptFilter) {
    const said = { phrases: TranscriptFilter.Targets, words: 'exact' as const, ...aboutOf(TranscriptFilter) };
    return negated({ said }, TranscriptFilter);
  }
  if (InterruptionFilter) {
    const min_seconds = (InterruptionFilter.Threshold ?? 0) / 1000;
    return negated({ interruption: { min_seconds, min_count: 1, ...aboutOf(InterruptionFilter) } }, InterruptionFilter);
  }
  if (NonTalkTimeFilter) {
    const min_seconds = Math.max(SHORTEST_S, (NonTalkTimeFilter.Threshold ?? 0) / 1000);
    const where = placeOf(NonTalkTimeFilter);
    return negated({ silence: { min_seconds, ...(where && { where }) } }, NonTalkTimeFilter);
  }
  return { sentiment: { is: sentimentsOf(SentimentFilter!), ...aboutOf(SentimentFilter!) } };
}

const negated = (condition: RuleCondition, { Negate: isNegated }: { Negate?: boolean | undefined }): RuleCondition =>
  isNegated ? { not: condition } : condition;

/** The documentation of `Negate`: "flag the sentiments that you didn't include". */
function sentimentsOf({ Sentiments, Negate: isNegated }: Filters['SentimentFilter']): RuleSentiment[] {
  const listed = new Set<string>(Sentiments.map((one) => one.toLowerCase()));
  return RULE_SENTIMENTS.filter((one) => listed.has(one) !== (isNegated ?? false));
}

type Ranges = Pick<Filters['NonTalkTimeFilter'], 'AbsoluteTimeRange' | 'RelativeTimeRange'>;

function aboutOf({
  ParticipantRole: role,
  ...filter
}: Ranges & Pick<Filters['InterruptionFilter'], 'ParticipantRole'>): { who?: RuleSpeaker; where?: RulePlace } {
  const where = placeOf(filter);
  return { ...(role && { who: { role: role.toLowerCase() } }), ...(where && { where }) };
}

function placeOf({ AbsoluteTimeRange: absolute, RelativeTimeRange: relative }: Ranges): RulePlace | undefined {
  const place: RulePlace = {
    ...(absolute?.First !== undefined && { first_seconds: absolute.First / 1000 }),
    ...(absolute?.Last !== undefined && { last_seconds: absolute.Last / 1000 }),
    ...(absolute?.StartTime !== undefined && {
      between_seconds: [absolute.StartTime / 1000, absolute.EndTime! / 1000],
    }),
    ...(relative?.First !== undefined && { first_share: relative.First / 100 }),
    ...(relative?.Last !== undefined && { last_share: relative.Last / 100 }),
    ...(relative?.StartPercentage !== undefined && {
      between_share: [relative.StartPercentage / 100, relative.EndPercentage! / 100],
    }),
  };
  return Object.keys(place).length === 0 ? undefined : place;
}
