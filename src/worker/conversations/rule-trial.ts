import { ServiceError } from '../../contract/errors.ts';
import { nodesOf, RULE_LIMITS, type RuleCondition } from '../../contract/rule-conditions.ts';
import type { RuleHit, RuleLeftOut, RuleMatch, RulePrecision, RuleTryResult } from '../../contract/rules.ts';
import { RuleEvaluation, type RuleTried } from '../../conversation/rules/evaluation.ts';
import { phraseConditions, wideningsOf } from '../../conversation/rules/widenings.ts';
import type { Env } from '../identity/env.ts';
import { hitsOf } from '../tenant/rules/hits.ts';
import { spokenOf, type Tried } from '../tenant/rules/rule-results.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** A condition to try, and the conversations to try it on. */
export interface RuleTrial {
  when: RuleCondition;
  /** The rule whose condition it is; undefined if it is not stored. */
  rule?: { id: string; version: number };
  /** Unix time, ms. */
  createdAfter: number;
  createdBefore: number;
  /** Number of conversations to show. */
  limit: number;
}

/**
 * Evaluates a condition over everything that a tenant has stored, newest first. The tenant's object only hands the
 * conversations over, page by page, so that it stays free for other requests.
 * @throws ServiceError INVALID_REQUEST if that would cost too much
 */
export async function tryRule(env: Env, tenant: string, trial: RuleTrial): Promise<RuleTryResult> {
  const { when, rule, createdAfter: after, createdBefore, limit } = trial;
  const tenantRules = () => tenantOf(env, tenant).rules;
  const utterances = await tenantRules().utterances({ after, before: createdBefore });
  const cost = costOf(when, utterances);
  const thumbs = rule ? await tenantRules().thumbs(rule.id) : new Map<string, 'up' | 'down'>();
  const sums = { conversations: 0, matched: 0, unknown: 0, hit_count: 0, unsure: 0 };
  const judged = { right: 0, all: 0 };
  const matches: RuleMatch[] = [];
  const said = phraseConditions(when);
  const counted = said.map((one) => one.said);
  const phrases = said.map(({ said: { phrases: all } }) => all.map(() => 0));
  const leftOut = wideningsOf(when).map((one): RuleLeftOut => ({ ...one, matched: 0, hit_count: 0, matches: [] }));
  const wider = leftOut.map((one) => one.when);
  const judge = (hit: RuleHit): RuleHit => {
    const thumb = thumbs.get(hit.utterance_ids[0] ?? '');
    if (!thumb) return hit;
    judged.all++;
    if (thumb === 'up') judged.right++;
    return { ...hit, thumb };
  };
  for (let before = createdBefore; ; ) {
    const page = await tenantRules().page({ after, before } satisfies Tried);
    for (const { id, title, createdAt, recorded, words, facts } of page) {
      const evaluated = new RuleEvaluation(spokenOf(words, facts)).try(when, counted, wider);
      const { outcome, hits, total } = evaluated;
      const head = { conversation_id: id, title, created_at: new Date(createdAt).toISOString(), ...recorded };
      for (const [i, counts] of evaluated.phrases.entries())
        for (const [phrase, count] of counts.entries()) phrases[i]![phrase]! += count;
      for (const [i, beyond] of evaluated.beyond.entries()) addLeftOut(leftOut[i]!, beyond, head);
      sums.conversations++;
      sums.hit_count += total;
      sums.unsure += evaluated.unsure;
      if (outcome === 'not_matched') continue;
      sums[outcome]++;
      const shown = hitsOf(hits, id).map(judge);
      if (matches.length < limit) matches.push({ ...head, outcome, hits: shown, hit_count: total });
    }
    const last = page.at(-1);
    if (!last) break;
    before = last.createdAt;
  }
  const precision = judged.all === 0 ? null : precisionOf(judged.right, judged.all);
  return {
    version: rule?.version ?? null,
    ...sums,
    precision,
    cost,
    matches,
    phrases: said.flatMap(({ path, said: { phrases: all } }, i) =>
      all.map((phrase, p) => ({ path: `${path}.phrases.${p}`, phrase, hit_count: phrases[i]![p]! })),
    ),
    left_out: leftOut.filter(({ matched }) => matched > 0),
  };
}

/** Adds what a wider condition matches in a conversation. */
function addLeftOut(
  to: RuleLeftOut,
  { outcome, hits, total }: RuleTried['beyond'][number],
  head: Omit<RuleMatch, 'outcome' | 'hits' | 'hit_count'>,
): void {
  if (outcome !== 'matched') return;
  to.matched++;
  to.hit_count += total;
  const room = RULE_LIMITS.leftOut - to.matches.reduce((sum, one) => sum + Math.max(1, one.hits.length), 0);
  if (room <= 0) return;
  to.matches.push({ ...head, outcome, hits: hitsOf(hits.slice(0, room), head.conversation_id), hit_count: total });
}

function costOf(when: RuleCondition, utterances: number): RuleTryResult['cost'] {
  const nodes = nodesOf(when);
  const steps = nodes * utterances;
  if (steps <= RULE_LIMITS.steps) return { nodes, utterances, steps, limit: RULE_LIMITS.steps };
  throw new ServiceError(
    'INVALID_REQUEST',
    `${nodes} conditions and phrases over ${utterances} utterances are ${steps} steps, more than ${RULE_LIMITS.steps}; narrow created_after and created_before`,
  );
}

/** Quantile of the normal distribution for an interval of 95 %. */
const Z = 1.959964;

/** The share of right hits with its interval (Wilson 1927). */
export function precisionOf(right: number, judged: number): RulePrecision {
  const share = right / judged;
  const spread = Z ** 2 / judged;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (Z / (1 + spread)) * Math.sqrt((share * (1 - share)) / judged + spread / (4 * judged));
  return { right, judged, share, from: Math.max(0, middle - half), to: Math.min(1, middle + half) };
}
