import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { unwrapped } from '../../contract/result.ts';
import {
  conditionIn,
  NewRuleSchema,
  NewRuleTrialSchema,
  RuleFeedbackSchema,
  RuleMatchesQuerySchema,
  RulePatchSchema,
  RuleTrialSchema,
} from '../../contract/rules.ts';
import { tryRule } from '../conversations/rule-trial.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limit on a JSON body, bytes. */
const MAX_JSON_BYTES = 256 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Rules: what to look for in every conversation, stored, new and live. */
export const rules = new Hono<AppEnv>()
  .post('/rules', async (c) => {
    // The demo key is public, so anybody could read and change its tenant's rules.
    if (c.var.caller.kind === 'demo') throw new ServiceError('FORBIDDEN', 'The demo key cannot have rules');
    return c.json(unwrapped(await rulesOf(c).add(await jsonBody(c, NewRuleSchema, MAX_JSON_BYTES))), 201);
  })

  .get('/rules', async (c) => c.json({ rules: await rulesOf(c).list() }, 200, NO_STORE))

  .post('/rules/try', async (c) => {
    const trial = await jsonBody(c, NewRuleTrialSchema, MAX_JSON_BYTES);
    // The schema requires one of `when` and `Rules`.
    return c.json(await tryRule(c.env, c.var.tenant, { when: conditionIn(trial)!, ...triedIn(trial) }), 200, NO_STORE);
  })

  .get('/rules/:rule_id', async (c) => c.json(unwrapped(await rulesOf(c).read(idOf(c))), 200, NO_STORE))

  .patch('/rules/:rule_id', async (c) => {
    const patch = await jsonBody(c, RulePatchSchema, MAX_JSON_BYTES);
    return c.json(unwrapped(await rulesOf(c).patch(idOf(c), patch)), 200, NO_STORE);
  })

  .delete('/rules/:rule_id', async (c) => {
    unwrapped(await rulesOf(c).remove(idOf(c)));
    return c.body(null, 204);
  })

  .post('/rules/:rule_id/try', async (c) => {
    const trial = await jsonBody(c, RuleTrialSchema, MAX_JSON_BYTES);
    const { version, when } = unwrapped(await rulesOf(c).condition(idOf(c), trial.version));
    const rule = { id: idOf(c), version };
    return c.json(await tryRule(c.env, c.var.tenant, { when, rule, ...triedIn(trial) }), 200, NO_STORE);
  })

  .get('/rules/:rule_id/matches', zValidator('query', RuleMatchesQuerySchema, rejectInvalid), async (c) =>
    c.json(unwrapped(await rulesOf(c).matches(idOf(c), c.req.valid('query'))), 200, NO_STORE),
  )

  .post('/rules/:rule_id/feedback', async (c) => {
    unwrapped(await rulesOf(c).judge(idOf(c), await jsonBody(c, RuleFeedbackSchema, MAX_JSON_BYTES)));
    return c.body(null, 204);
  });

const rulesOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).rules;
const idOf = (c: Context<AppEnv>): string => c.req.param('rule_id') ?? '';

const triedIn = (trial: {
  created_after?: string | undefined;
  created_before?: string | undefined;
  limit: number;
}) => ({
  createdAfter: trial.created_after === undefined ? 0 : Date.parse(trial.created_after),
  createdBefore: trial.created_before === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(trial.created_before),
  limit: trial.limit,
});
