/** Prior of segment lengths, which is log-normal in turns. */
export interface LengthPrior {
  /** Mean length, turns. */
  mean: number;
  /** Standard deviation divided by the mean. */
  spread: number;
  /** Weight of the prior against the boundary scores. */
  weight: number;
}

/** Number of boundaries kept as candidates. It bounds the work, however long the conversation is. */
const MAX_CANDIDATES = 320;

/**
 * The partition with the largest sum of boundary scores and log length priors, by dynamic programming over the
 * boundaries with the best scores. O(n log n + candidates^2).
 * @param scores one for each boundary; [i - 1] is the gain of a boundary before turn i (can be negative)
 * @param count number of turns
 * @returns the turns that open a segment, in ascending order, without 0
 */
export function bestPartition(scores: ArrayLike<number>, count: number, prior: LengthPrior): number[] {
  if (count < 2) return [];
  const nodes = [0, ...candidates(scores, count), count];
  const variance = Math.log(1 + prior.spread ** 2);
  const mu = Math.log(prior.mean) - variance / 2;
  const logPrior = Float64Array.from({ length: count + 1 }, (_, length) => {
    const x = Math.log(Math.max(1, length));
    return prior.weight * (-x - (x - mu) ** 2 / (2 * variance));
  });
  const best = new Float64Array(nodes.length).fill(Number.NEGATIVE_INFINITY);
  const from = new Int32Array(nodes.length);
  best[0] = 0;
  for (let b = 1; b < nodes.length; b++)
    for (let a = 0; a < b; a++) {
      const gain = best[a]! + logPrior[nodes[b]! - nodes[a]!]! + (a > 0 ? scores[nodes[a]! - 1]! : 0);
      if (gain > best[b]!) {
        best[b] = gain;
        from[b] = a;
      }
    }
  const boundaries: number[] = [];
  for (let b = from[nodes.length - 1]!; b > 0; b = from[b]!) boundaries.unshift(nodes[b]!);
  return boundaries;
}

/** The boundaries with the highest scores, in ascending order. In a tie, the first wins. */
function candidates(scores: ArrayLike<number>, count: number): number[] {
  const all = Array.from({ length: count - 1 }, (_, i) => i + 1);
  if (all.length <= MAX_CANDIDATES) return all;
  const least = Float64Array.from(scores).sort()[scores.length - MAX_CANDIDATES]!;
  let ties = MAX_CANDIDATES - all.filter((i) => scores[i - 1]! > least).length;
  return all.filter((i) => scores[i - 1]! > least || (scores[i - 1] === least && ties-- > 0));
}
