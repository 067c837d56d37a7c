import {
  NewRuleSchema,
  NewRuleTrialSchema,
  RuleFeedbackSchema,
  RuleHistorySchema,
  RuleListSchema,
  RuleMatchListSchema,
  RulePatchSchema,
  RuleSchema,
  RuleTrialSchema,
  RuleTryResultSchema,
} from '../../contract/rules.ts';
import { AT, ID, NEW_RULE, RULE, RULE_MATCH, RULE_TRY } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';

const tried = {
  200: { description: 'The outcome, newest conversation first.', content: json(RuleTryResultSchema, RULE_TRY) },
};

export const rules: Descriptions = {
  'POST /rules': {
    id: 'addRule',
    tag: 'rules',
    summary: 'Add a rule',
    description:
      'The body may also be a category of Amazon Transcribe Call Analytics (`CategoryName`, `Rules`). A tenant can have 50 rules. Try a rule before you enable it.',
    body: { content: json(NewRuleSchema, NEW_RULE) },
    answers: { 201: { description: 'The rule.', content: json(RuleSchema, { ...RULE, is_enabled: false }) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /rules': {
    id: 'listRules',
    tag: 'rules',
    summary: 'List rules',
    answers: { 200: { description: 'All rules, oldest first.', content: json(RuleListSchema, { rules: [RULE] }) } },
  },
  'POST /rules/try': {
    id: 'tryCondition',
    tag: 'rules',
    summary: 'Try a condition over everything stored, without storing it',
    body: { content: json(NewRuleTrialSchema, { when: RULE.when }) },
    answers: {
      200: {
        ...tried[200],
        content: json(RuleTryResultSchema, { ...RULE_TRY, version: null, precision: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /rules/:rule_id': {
    id: 'getRule',
    tag: 'rules',
    summary: 'Read a rule with its versions',
    answers: {
      200: {
        description: 'The rule.',
        content: json(RuleHistorySchema, { ...RULE, versions: [{ version: 1, when: RULE.when, created_at: AT }] }),
      },
    },
    errors: ['NOT_FOUND'],
  },
  'PATCH /rules/:rule_id': {
    id: 'changeRule',
    tag: 'rules',
    summary: 'Change a rule, or switch it on or off',
    description: 'A changed condition is a new version. An enabled rule is then applied to everything stored again.',
    body: { content: json(RulePatchSchema, { is_enabled: true }) },
    answers: { 200: { description: 'The rule.', content: json(RuleSchema, { ...RULE, pending: 244 }) } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'UPLOAD_STALLED'],
  },
  'DELETE /rules/:rule_id': {
    id: 'removeRule',
    tag: 'rules',
    summary: 'Remove a rule with its versions, matches and judgements',
    answers: { 204: { description: 'The rule is removed.' } },
    errors: ['NOT_FOUND'],
  },
  'POST /rules/:rule_id/try': {
    id: 'tryRule',
    tag: 'rules',
    summary: 'Try a rule over everything stored',
    description:
      'The conditions and phrases of the rule, times the utterances of all conversations in the period, must not exceed 20,000,000 steps.',
    body: { content: json(RuleTrialSchema, { created_after: AT }), isOptional: true },
    answers: tried,
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'UPLOAD_STALLED'],
  },
  'GET /rules/:rule_id/matches': {
    id: 'listRuleMatches',
    tag: 'rules',
    summary: 'List the conversations that an enabled rule matches',
    answers: {
      200: {
        description: 'A page of conversations.',
        content: json(RuleMatchListSchema, {
          version: 1,
          matched: 39,
          unknown: 6,
          matches: [RULE_MATCH],
          next_cursor: null,
        }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'POST /rules/:rule_id/feedback': {
    id: 'judgeRuleHit',
    tag: 'rules',
    summary: 'Say whether a hit is right',
    body: {
      content: json(RuleFeedbackSchema, { conversation_id: ID, utterance_id: `${ID}_utt_4`, thumb: 'up' }),
    },
    answers: { 204: { description: 'The judgement is stored. It replaces an earlier one.' } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'UPLOAD_STALLED'],
  },
};
