import { fnv1a } from '../../contract/fnv1a.ts';
import type { PackedMatrix } from '../packed-weights.ts';
import { words } from '../text/tokens.ts';

/** The pairs of roles that can be proposed for a conversation of two. */
const ROLE_PAIRS = [
  ['agent', 'customer'],
  ['doctor', 'patient'],
] as const;
export type ProposedRole = (typeof ROLE_PAIRS)[number][number];

/** The classes of the classifier: the roles, and what everybody else is. */
export const ROLE_CLASSES = ['agent', 'customer', 'doctor', 'patient', 'other'] as const;

/** Number of buckets for words and pairs of words. */
export const ROLE_BUCKETS = 8192;
/** Words of a speaker that are read. */
const MOST_WORDS = 4_000;
/** Words of each speaker without which nothing is proposed. */
const FEWEST_WORDS = 20;
/** Confidence from which a role is proposed. `npm run bench -- roles` shows coverage and accuracy around it. */
export const SURE_ROLE = 0.95;

/** The weights that `scripts/train/roles.ts` writes: a row of classes for each bucket. */
export interface RoleWeights {
  bias: Float32Array;
  weights: PackedMatrix;
}

function bucketOf(feature: string): number {
  const hash = fnv1a(feature);
  return (hash ^ (hash >>> 15)) & (ROLE_BUCKETS - 1);
}

/** The words and pairs of words of a speaker: bucket -> value, of length 1. */
export function roleFeatures(said: readonly string[]): Map<number, number> {
  const counts = new Map<number, number>();
  let read = 0;
  for (const text of said) {
    if (read > MOST_WORDS) break;
    const spoken = words(text);
    for (const [i, word] of spoken.entries()) {
      if (++read > MOST_WORDS) break;
      for (const feature of [word, `${spoken[i - 1] ?? '<'} ${word}`]) {
        const bucket = bucketOf(feature);
        counts.set(bucket, (counts.get(bucket) ?? 0) + 1);
      }
    }
  }
  let square = 0;
  for (const [bucket, count] of counts) {
    const value = Math.log1p(count);
    counts.set(bucket, value);
    square += value * value;
  }
  const length = Math.sqrt(square) || 1;
  for (const [bucket, value] of counts) counts.set(bucket, value / length);
  return counts;
}

/** The probability of each class for a speaker. */
export function roleProbabilities(said: readonly string[], { bias, weights }: RoleWeights): number[] {
  const sums = ROLE_CLASSES.map((_, c) => bias[c]!);
  for (const [bucket, value] of roleFeatures(said))
    for (let c = 0; c < ROLE_CLASSES.length; c++)
      sums[c]! += value * weights.step * weights.values[bucket * ROLE_CLASSES.length + c]!;
  const most = Math.max(...sums);
  const odds = sums.map((sum) => Math.exp(sum - most));
  const total = odds.reduce((sum, one) => sum + one, 0);
  return odds.map((one) => one / total);
}

/** Whether a speaker says enough for a role to be proposed. */
function isEnough(said: readonly string[]): boolean {
  let read = 0;
  return said.some((text) => {
    read += words(text).length;
    return read >= FEWEST_WORDS;
  });
}

/** A role of each of two speakers. */
export interface RolesOfTwo {
  roles: [ProposedRole, ProposedRole];
  /** 0..1 */
  confidence: number;
}

/**
 * The roles of two people from their words. The two are judged together: there is no agent without a customer.
 * @param said what each of the two says
 * @returns null if there are too few words, or neither pair of roles fits
 */
export function rolesOfTwo(
  said: readonly [readonly string[], readonly string[]],
  weights: RoleWeights,
): RolesOfTwo | null {
  if (!said.every(isEnough)) return null;
  const [first, second] = said.map((texts) => roleProbabilities(texts, weights)) as [number[], number[]];
  const of = (probabilities: number[], role: (typeof ROLE_CLASSES)[number]) =>
    probabilities[ROLE_CLASSES.indexOf(role)]!;
  const pairs = ROLE_PAIRS.flatMap(([a, b]) => [
    { roles: [a, b] as [ProposedRole, ProposedRole], odds: of(first, a) * of(second, b) },
    { roles: [b, a] as [ProposedRole, ProposedRole], odds: of(first, b) * of(second, a) },
  ]);
  const total = pairs.reduce((sum, { odds }) => sum + odds, of(first, 'other') * of(second, 'other'));
  const best = pairs.reduce((most, one) => (one.odds > most.odds ? one : most));
  const confidence = best.odds / total;
  // Two agents, or an agent and a patient, are not a pair. The less the pairs explain, the less sure is the best of them.
  return { roles: best.roles, confidence: confidence * Math.min(1, Math.sqrt(total) * 2) };
}
