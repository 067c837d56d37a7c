import { createContext } from 'preact';
import type { RuleConditionInput, RuleTryResult } from '../../../sdk/wire.ts';

/** Counts of the parts of a rule in its last trial. Parts are found by identity: a changed part has no counts. */
export interface TrialCounts {
  /** The number of hits in which each phrase of a list is said. */
  phrases: ReadonlyMap<object, readonly number[]>;
  /** The number of hits that each condition with `not` takes away. */
  takenAway: ReadonlyMap<object, number>;
}

export const NO_COUNTS: TrialCounts = { phrases: new Map(), takenAway: new Map() };
export const TrialCountsContext = createContext(NO_COUNTS);

/** The counts of a trial. @param when the condition that was tried, whose objects the counts are kept under */
export function countsOf(
  when: RuleConditionInput,
  { phrases, left_out }: Pick<RuleTryResult, 'phrases' | 'left_out'>,
): TrialCounts {
  const byList = new Map<object, number[]>();
  for (const { path, hit_count } of phrases) {
    const list = partAt(when, path, 1);
    if (list) byList.set(list, [...(byList.get(list) ?? []), hit_count]);
  }
  const takenAway = new Map<object, number>();
  for (const { path, hit_count } of left_out) {
    const part = path.endsWith('.not') ? partAt(when, path, 1) : undefined;
    if (part) takenAway.set(part, hit_count);
  }
  return { phrases: byList, takenAway };
}

/** The part of a condition at a path such as `when.all.0.said.phrases.2`. @param up members of the path to leave out */
function partAt(when: RuleConditionInput, path: string, up: number): object | undefined {
  let part: unknown = when;
  for (const member of path.split('.').slice(1, -up))
    part = typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[member] : undefined;
  return typeof part === 'object' && part !== null ? part : undefined;
}
