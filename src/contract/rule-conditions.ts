import * as z from 'zod';
import { AffectStateSchema, MomentCategorySchema } from './findings.ts';
import { LIMITS, textOf } from './limits.ts';

const unit = z.number().min(0).max(1);

/** Limits on rules. A 400 names the limit. */
export const RULE_LIMITS = {
  /** Rules of a tenant, and the versions that are kept of each. */
  rules: 50,
  versions: 50,
  nameChars: 100,
  /** A time in a condition, seconds. */
  seconds: 86_400,
  /** Conditions and phrases of a rule together, and the phrases of one condition. */
  nodes: 200,
  phrases: 100,
  phraseChars: 2_000,
  /** Conditions and phrases, times the utterances of all conversations that one request reads. */
  steps: 20_000_000,
  /** Hits that are kept for a conversation. */
  hits: 50,
  /** Ways to widen a rule that a trial evaluates, and the hits that it shows of each. */
  widenings: 12,
  leftOut: 10,
} as const;

const seconds = z.number().min(0).max(RULE_LIMITS.seconds);

export const RULE_SENTIMENTS = ['positive', 'negative', 'neutral', 'mixed'] as const;
export const RuleSentimentSchema = z.enum(RULE_SENTIMENTS).meta({
  id: 'RuleSentiment',
  description:
    'The sentiment with the largest share of an utterance; `mixed` if both the positive and the negative share are at least 0.25.',
});
export type RuleSentiment = z.infer<typeof RuleSentimentSchema>;

const nonEmpty = (value: object): boolean => Object.values(value).some((member) => member !== undefined);
const SOMETHING = 'must have at least one member';

export const RuleSpeakerSchema = z
  .strictObject({
    role: textOf(LIMITS.labelChars)
      .min(1)
      .optional()
      .describe(
        'The role of the speaker, in any case, such as `agent`: of the person who speaks, or the name that the speaker was given. In a conversation without that role, it is not known who has it.',
      ),
    speaker: textOf(LIMITS.labelChars)
      .min(1)
      .optional()
      .describe('The label (`Speaker_0`) or name of the speaker, in any case.'),
  })
  .refine(({ role, speaker }) => (role === undefined) !== (speaker === undefined), 'must have either role or speaker')
  .meta({ id: 'RuleSpeaker', description: 'The speaker that a condition is about.' });
export type RuleSpeaker = z.infer<typeof RuleSpeakerSchema>;

/** A pair of numbers of which the first is smaller. */
const between = <T extends z.ZodType<number>>(of: T) =>
  z
    .array(of)
    .length(2, 'must be a pair of numbers')
    .refine(([from = 0, to = 0]) => from < to, 'must begin before it ends');

export const RulePlaceSchema = z
  .strictObject({
    first_seconds: seconds.optional().describe('The beginning of the recording, in seconds.'),
    last_seconds: seconds.optional().describe('The end of the recording, in seconds.'),
    between_seconds: between(seconds).optional().describe('Start and end, in seconds from the start of the recording.'),
    first_share: unit.optional().describe('The first share of the recording, 0..1.'),
    last_share: unit.optional().describe('The last share of the recording, 0..1.'),
    between_share: between(unit).optional().describe('Start and end, as shares of the recording, 0..1.'),
    in_question: z.boolean().optional().describe('True: only utterances that ask; false: only others.'),
    after: z
      .strictObject({
        categories: z.array(MomentCategorySchema).min(1).max(MomentCategorySchema.options.length),
        within_seconds: seconds.default(60).describe('Time after the start of the moment, in seconds.'),
        min_confidence: unit.default(0),
      })
      .optional()
      .describe('Only after a moment of these categories.'),
  })
  .refine(nonEmpty, SOMETHING)
  .meta({
    id: 'RulePlaceInput',
    description:
      'The part of a conversation that a condition is about. An utterance is in it if it starts in it. All members must hold.',
  });
export type RulePlace = z.infer<typeof RulePlaceSchema>;

const who = RuleSpeakerSchema.optional();
const where = RulePlaceSchema.optional();

const SaidSchema = z.strictObject({
  phrases: z
    .array(
      textOf(RULE_LIMITS.phraseChars).refine(
        (phrase) => /[\p{L}\p{N}]/u.test(phrase),
        'must contain a letter or digit',
      ),
    )
    .min(1)
    .max(RULE_LIMITS.phrases, `has more than ${RULE_LIMITS.phrases} entries`)
    .describe('One of these must be said.'),
  words: z
    .enum(['any_form', 'exact', 'loose'])
    .default('any_form')
    .describe(
      '`any_form`: "cancel" also finds "cancelled" and "cancelling". `exact`: word for word, in any case. `loose`: any form, with up to two other words between two of a phrase: "too expensive" also finds "too bloody expensive".',
    ),
  who,
  where,
});
const MomentConditionSchema = z.strictObject({
  categories: z.array(MomentCategorySchema).min(1).max(MomentCategorySchema.options.length),
  min_confidence: unit.default(0),
  who,
  where,
});
const TransitionConditionSchema = z
  .strictObject({
    from: z.array(AffectStateSchema).min(1).max(AffectStateSchema.options.length).optional(),
    to: z.array(AffectStateSchema).min(1).max(AffectStateSchema.options.length).optional(),
    min_confidence: unit.optional(),
    who,
    where,
  })
  .describe('A lasting change of emotional state. `{}` finds any.');
const SentimentConditionSchema = z.strictObject({
  is: z.array(RuleSentimentSchema).min(1).max(RULE_SENTIMENTS.length),
  who,
  where,
});
const SilenceConditionSchema = z.strictObject({
  min_seconds: seconds.gt(0).describe('Nobody speaks for this long, in seconds.'),
  where,
});
const InterruptionConditionSchema = z
  .strictObject({
    min_seconds: seconds.default(0).describe('Total overlap of the interruptions, in seconds.'),
    min_count: z.number().int().min(1).max(1_000).default(1),
    who: who.describe('The speaker who interrupts.'),
    where,
  })
  .describe('`{}` finds any interruption.');
const atLeastOne = (bounds: { min?: number | undefined; max?: number | undefined }): boolean =>
  bounds.min !== undefined || bounds.max !== undefined;
const TalkShareConditionSchema = z
  .strictObject({
    who: RuleSpeakerSchema,
    min: unit.optional(),
    max: unit.optional(),
  })
  .refine(atLeastOne, 'must have min or max')
  .describe("The speaker's share of all speech, 0..1.");
const LengthConditionSchema = z
  .strictObject({ min: seconds.optional(), max: seconds.optional() })
  .refine(atLeastOne, 'must have min or max')
  .describe('Length of the recording, in seconds.');
const LanguageConditionSchema = z.strictObject({
  is: z.array(textOf(LIMITS.labelChars).min(1)).min(1).max(50).describe('Languages (BCP 47); `en` also finds `en-GB`.'),
});

/** The members of a condition that stand for something heard or measured. */
const LEAVES = {
  said: SaidSchema.optional(),
  moment: MomentConditionSchema.optional(),
  transition: TransitionConditionSchema.optional(),
  sentiment: SentimentConditionSchema.optional(),
  silence: SilenceConditionSchema.optional(),
  interruption: InterruptionConditionSchema.optional(),
  talk_share: TalkShareConditionSchema.optional(),
  length: LengthConditionSchema.optional(),
  language: LanguageConditionSchema.optional(),
};
/** The members of a condition that combine others. */
const COMBINATIONS = ['all', 'any', 'not', 'within'] as const;
const NAMES = [...COMBINATIONS, ...Object.keys(LEAVES)];

/** Conditions with a place in the conversation, which `within` can compare. */
const PLACED = ['said', 'moment', 'transition', 'sentiment', 'silence', 'interruption'] as const;

/** A condition of a rule: one of its members. */
export interface RuleCondition {
  all?: RuleCondition[] | undefined;
  any?: RuleCondition[] | undefined;
  not?: RuleCondition | undefined;
  within?: { seconds: number; all: RuleCondition[] } | undefined;
  said?: z.infer<typeof SaidSchema> | undefined;
  moment?: z.infer<typeof MomentConditionSchema> | undefined;
  transition?: z.infer<typeof TransitionConditionSchema> | undefined;
  sentiment?: z.infer<typeof SentimentConditionSchema> | undefined;
  silence?: z.infer<typeof SilenceConditionSchema> | undefined;
  interruption?: z.infer<typeof InterruptionConditionSchema> | undefined;
  talk_share?: z.infer<typeof TalkShareConditionSchema> | undefined;
  length?: z.infer<typeof LengthConditionSchema> | undefined;
  language?: z.infer<typeof LanguageConditionSchema> | undefined;
}

/** Whether a condition has a place in the conversation. */
const isPlaced = (condition: RuleCondition): boolean =>
  condition.any ? condition.any.every(isPlaced) : PLACED.some((name) => condition[name] !== undefined);

const conditions = () =>
  z.array(RuleConditionSchema).min(1).max(RULE_LIMITS.nodes, `has more than ${RULE_LIMITS.nodes} entries`);

export const RuleConditionSchema: z.ZodType<RuleCondition> = z
  .strictObject({
    get all() {
      return conditions().optional().describe('Every condition holds.');
    },
    get any() {
      return conditions().optional().describe('At least one condition holds.');
    },
    get not() {
      return RuleConditionSchema.optional().describe('The condition does not hold.');
    },
    get within() {
      return z
        .strictObject({
          seconds: seconds.gt(0),
          all: conditions().describe(
            'Conditions with a place in the conversation, or `not` with one. The first condition is not a `not`.',
          ),
        })
        .refine(
          ({ all: [first, ...rest] }) =>
            first !== undefined && isPlaced(first) && rest.every((one) => isPlaced(one.not ?? one)),
          'may only have conditions with a place in the conversation (said, moment, transition, sentiment, silence, interruption, any of them), or `not` with one after the first',
        )
        .optional()
        .describe(
          'All conditions hold within this time, in seconds from the start of the first of them; those in `not` do not.',
        );
    },
    ...LEAVES,
  })
  .refine(
    (condition) => Object.values(condition).filter((member) => member !== undefined).length === 1,
    `must have exactly one of ${NAMES.join(', ')}`,
  )
  .meta({ id: 'RuleConditionInput', description: 'A condition of a rule, which has exactly one member.' });

/** The number of conditions and phrases in a condition, itself included. */
export function nodesOf(condition: RuleCondition): number {
  const inner = [...(condition.all ?? []), ...(condition.any ?? []), ...(condition.within?.all ?? [])];
  if (condition.not) inner.push(condition.not);
  return inner.reduce((sum, one) => sum + nodesOf(one), 1 + (condition.said?.phrases.length ?? 0));
}

/** The condition of a rule, with the limit on its size. */
export const RuleWhenSchema = RuleConditionSchema.refine(
  (condition) => nodesOf(condition) <= RULE_LIMITS.nodes,
  `has more than ${RULE_LIMITS.nodes} conditions and phrases`,
);
