import * as z from 'zod';
import { CallAnalyticsRuleSchema, categoryCondition } from './call-analytics.ts';
import { CONVERSATION_FILTER } from './filters.ts';
import { LabelSchema, nameOf, textOf } from './limits.ts';
import { FOLLOWS_WITHIN_S, MomentTotalsSchema, SURE_FROM } from './patterns.ts';
import { RECORDED_AT } from './recorded-at.ts';
import { RULE_LIMITS, type RuleCondition, RuleConditionSchema, RuleWhenSchema } from './rule-conditions.ts';

const RuleNameSchema = nameOf(RULE_LIMITS.nameChars).trim().min(1, 'must not be empty');
const alert = z
  .boolean()
  .describe('Whether the webhook `rule.matched` and the live event `rule_match` report matches.');
const is_enabled = z.boolean().describe('Whether the rule applies to everything stored and to every new result.');

/** The condition of a rule, in the service's own form or as rules of Call Analytics. */
const CONDITION = {
  when: RuleWhenSchema.optional(),
  Rules: z
    .array(CallAnalyticsRuleSchema)
    .min(1)
    .max(20)
    .optional()
    .describe(
      'Instead of `when`: the rules of a category of Amazon Transcribe Call Analytics. All of them must match.',
    ),
};

/** Whether a body has one of two members. */
const eitherOf = (one: unknown, other: unknown): boolean => (one === undefined) !== (other === undefined);
const WHEN_OR_RULES = 'must have either when or Rules';

/** The condition of a body with `when` or `Rules`. */
export const conditionIn = ({ when, Rules }: z.infer<z.ZodObject<typeof CONDITION>>): RuleCondition | undefined =>
  when ?? (Rules && categoryCondition(Rules));

/** Body of POST /rules: a rule, or a category as CreateCallAnalyticsCategory accepts it. */
export const NewRuleSchema = z
  .strictObject({
    name: RuleNameSchema.optional(),
    CategoryName: RuleNameSchema.optional().describe('Instead of `name`.'),
    ...CONDITION,
    alert: alert.default(true),
    is_enabled: is_enabled.default(false),
    InputType: z
      .enum(['POST_CALL', 'REAL_TIME'])
      .optional()
      .describe('Ignored: rules apply to files and live sessions.'),
    Tags: z.array(z.unknown()).max(200).optional().describe('Ignored.'),
  })
  .refine(({ name, CategoryName }) => eitherOf(name, CategoryName), 'must have either name or CategoryName')
  .refine(({ when, Rules }) => eitherOf(when, Rules), WHEN_OR_RULES)
  .meta({ id: 'NewRuleRequest' });
export type NewRule = z.infer<typeof NewRuleSchema>;

/** Body of PATCH /rules/{id}. A changed condition is a new version. */
export const RulePatchSchema = z
  .strictObject({ name: RuleNameSchema, ...CONDITION, alert, is_enabled })
  .partial()
  .refine((patch) => Object.values(patch).some((value) => value !== undefined), 'must change something')
  .refine(({ when, Rules }) => when === undefined || Rules === undefined, WHEN_OR_RULES)
  .meta({ id: 'RulePatchRequest' });
export type RulePatch = z.infer<typeof RulePatchSchema>;

export const RuleSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.number().int().min(1).describe('Counted from 1; a changed condition is a new version.'),
    when: RuleConditionSchema,
    alert,
    is_enabled,
    pending: z
      .number()
      .int()
      .min(0)
      .describe('The number of stored conversations to which the rule has yet to be applied; 0 if it is not enabled.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Rule' });
export type RuleBody = z.infer<typeof RuleSchema>;

/** Response of GET /rules. */
export const RuleListSchema = z.object({ rules: z.array(RuleSchema) }).meta({ id: 'RuleList' });

/** Response of GET /rules/{id}. */
export const RuleHistorySchema = RuleSchema.extend({
  versions: z
    .array(z.object({ version: z.number().int().min(1), when: RuleConditionSchema, created_at: z.iso.datetime() }))
    .describe('Newest first; the last fifty are kept.'),
}).meta({ id: 'RuleHistory', description: 'A rule with its versions.' });
export type RuleHistory = z.infer<typeof RuleHistorySchema>;

const seconds = z.number().min(0).describe('Seconds from the start of the recording.');

export const RuleHitSchema = z
  .object({
    utterance_ids: z.array(z.string()).describe('Empty for silence.'),
    speaker: z.string().nullable().describe('The speaker of the first utterance; null for silence.'),
    t_start: seconds,
    t_end: seconds,
    quote: z.string().describe('The first utterance, cut around what matched if it is long.'),
    spans: z
      .array(z.array(z.number().int().min(0)).length(2))
      .describe('Start and end in `quote` of each phrase that matched.'),
    is_unsure: z
      .boolean()
      .optional()
      .describe(`True if it rests on moments or transitions with a confidence below ${SURE_FROM}; absent if not.`),
    thumb: z.enum(['up', 'down']).optional().describe('The judgement that was given on this hit.'),
  })
  .meta({ id: 'RuleHit', description: 'A place where a rule matches.' });
export type RuleHit = z.infer<typeof RuleHitSchema>;

export const RuleOutcomeSchema = z
  .enum(['matched', 'unknown'])
  .describe('`unknown`: nobody can say, for example because affect was withheld or nobody is known to have the role.');

const hits = z.array(RuleHitSchema).describe('The first fifty, in order. Empty if only an absence or a total matches.');
const hitCount = z.number().int().min(0).describe('The number of all hits.');

export const ConversationRuleSchema = z
  .object({
    rule_id: z.string(),
    name: z.string(),
    version: z.number().int().min(1),
    outcome: RuleOutcomeSchema,
    hits,
    hit_count: hitCount,
  })
  .meta({ id: 'ConversationRule', description: 'An enabled rule that matches a conversation, or may match it.' });
export type ConversationRule = z.infer<typeof ConversationRuleSchema>;

export const RuleMatchSchema = z
  .object({
    conversation_id: z.string(),
    title: z.string(),
    created_at: z.iso.datetime(),
    ...RECORDED_AT,
    outcome: RuleOutcomeSchema,
    hits,
    hit_count: hitCount,
  })
  .meta({ id: 'RuleMatch', description: 'A conversation that a rule matches, or may match.' });
export type RuleMatch = z.infer<typeof RuleMatchSchema>;

const FollowedBySchema = MomentTotalsSchema.shape.outcomes.describe(
  `With \`followed_by=true\`, on the first page: what followed the hits within ${FOLLOWS_WITHIN_S} s, in all conversations that match the filters. The first fifty hits of each count.`,
);
export type FollowedBy = z.infer<typeof FollowedBySchema>;

/** Response of GET /rules/{id}/matches. */
export const RuleMatchListSchema = z
  .object({
    version: z.number().int().min(1),
    matched: z.number().int().min(0).describe('Number of conversations that match, under the filters.'),
    unknown: z.number().int().min(0).describe('Number of conversations whose outcome is unknown, under the filters.'),
    matches: z.array(RuleMatchSchema).describe('Newest conversation first.'),
    followed_by: FollowedBySchema.optional(),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'RuleMatchList' });
export type RuleMatchList = z.infer<typeof RuleMatchListSchema>;

const { rule: _, ...OF_CONVERSATIONS } = CONVERSATION_FILTER;
export const RuleMatchesQuerySchema = z
  .object({
    ...OF_CONVERSATIONS,
    cursor: LabelSchema.optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    outcome: RuleOutcomeSchema.optional(),
    followed_by: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Whether the first page says what followed the hits.'),
  })
  .meta({ id: 'RuleMatchesQueryInput' });
export type RuleMatchesQuery = z.infer<typeof RuleMatchesQuerySchema>;

const TRIED = {
  created_after: z.iso.datetime({ offset: true }).optional(),
  created_before: z.iso.datetime({ offset: true }).optional(),
  limit: z.number().int().min(1).max(500).default(100).describe('Number of conversations to show, newest first.'),
};
/** Body of POST /rules/{id}/try. */
export const RuleTrialSchema = z
  .strictObject({
    version: z.number().int().min(1).optional().describe('Default: the newest.'),
    ...TRIED,
  })
  .meta({ id: 'RuleTrialRequest' });
/** Body of POST /rules/try: a condition that is not stored. */
export const NewRuleTrialSchema = z
  .strictObject({ ...CONDITION, ...TRIED })
  .refine(({ when, Rules }) => eitherOf(when, Rules), WHEN_OR_RULES)
  .meta({ id: 'NewRuleTrialRequest' });

export const RulePrecisionSchema = z
  .object({
    right: z.number().int().min(0),
    judged: z.number().int().min(1),
    share: z.number().min(0).max(1),
    from: z.number().min(0).max(1),
    to: z.number().min(0).max(1),
  })
  .meta({
    id: 'RulePrecision',
    description: 'The share of judged hits that are right, with its interval of 95 % (Wilson 1927).',
  });
export type RulePrecision = z.infer<typeof RulePrecisionSchema>;

export const RulePhraseHitsSchema = z
  .object({
    path: z.string().describe('The phrase in the rule, such as `when.all.0.said.phrases.2`.'),
    phrase: z.string(),
    hit_count: z.number().int().min(0).describe('The number of hits of the rule in which it is said.'),
  })
  .meta({ id: 'RulePhraseHits', description: 'The number of hits in which a phrase of a rule is said.' });

export const RuleLeftOutSchema = z
  .object({
    path: z
      .string()
      .describe(
        'The path of the value that is wider, such as `when.all.0.moment.min_confidence`; a `who`, `where` or `not` is removed.',
      ),
    when: RuleConditionSchema.describe('The rule, wider by this one step.'),
    matched: z.number().int().min(1).describe('Number of conversations with something that the rule leaves out.'),
    hit_count: z.number().int().min(0).describe('The number of hits that the rule leaves out.'),
    matches: z
      .array(RuleMatchSchema)
      .describe(
        `The newest conversations, with ${RULE_LIMITS.leftOut} hits in all, none of which is a hit of the rule.`,
      ),
  })
  .meta({ id: 'RuleLeftOut', description: 'Hits that a rule misses by one step, and the wider rule that finds them.' });
export type RuleLeftOut = z.infer<typeof RuleLeftOutSchema>;

/** Response of POST /rules/{id}/try and of POST /rules/try. */
export const RuleTryResultSchema = z
  .object({
    version: z.number().int().min(1).nullable().describe('Null for a condition that is not stored.'),
    conversations: z.number().int().min(0).describe('Number of conversations that were read.'),
    matched: z.number().int().min(0),
    unknown: z.number().int().min(0),
    hit_count: z.number().int().min(0),
    unsure: z
      .number()
      .int()
      .min(0)
      .describe(`How many of the hits rest on moments or transitions with a confidence below ${SURE_FROM}.`),
    precision: RulePrecisionSchema.nullable().describe('By the judgements on these hits; null if there are none.'),
    cost: z
      .object({
        nodes: z.number().int().min(1),
        utterances: z.number().int().min(0),
        steps: z.number().int().min(0),
        limit: z.number().int().min(1),
      })
      .describe('Conditions and phrases, times utterances.'),
    matches: z.array(RuleMatchSchema),
    phrases: z.array(RulePhraseHitsSchema).describe('Every phrase of the rule, but for those in a `not`.'),
    left_out: z
      .array(RuleLeftOutSchema)
      .describe(
        `Hits that the rule misses by one step. A step widens one of its values: another form of the words, a lower confidence, a shorter silence, any speaker, any place, or one \`not\` less. The first ${RULE_LIMITS.widenings} values are tried; steps that add no hit are absent.`,
      ),
  })
  .meta({ id: 'RuleTryResult', description: 'The outcome of a rule over everything stored.' });
export type RuleTryResult = z.infer<typeof RuleTryResultSchema>;

/** Body of POST /rules/{id}/feedback. */
export const RuleFeedbackSchema = z
  .strictObject({
    utterance_id: LabelSchema.describe('The first utterance of the hit.'),
    conversation_id: LabelSchema,
    thumb: z.enum(['up', 'down']).nullable().describe('Null removes the judgement.'),
  })
  .meta({ id: 'RuleFeedbackRequest' });
export type RuleFeedback = z.infer<typeof RuleFeedbackSchema>;

export const RuleMatchEventSchema = z
  .object({
    rule_id: z.string(),
    name: z.string(),
    version: z.number().int().min(1),
    ...RuleHitSchema.omit({ thumb: true }).shape,
  })
  .meta({ id: 'RuleMatchEvent', description: 'A rule matches in a live session.' });
export type RuleMatchEvent = z.infer<typeof RuleMatchEventSchema>;

/** The rule in a message `rule.matched`. */
export const MatchedRuleSchema = z
  .object({
    id: z.string(),
    name: textOf(RULE_LIMITS.nameChars),
    version: z.number().int().min(1),
    hits: z.array(RuleHitSchema.omit({ thumb: true })).describe('The first three.'),
  })
  .meta({ id: 'MatchedRule' });
export type MatchedRule = z.infer<typeof MatchedRuleSchema>;
