import {
  type AskedFor,
  FEATURE_BUCKETS,
  marginals,
  TAGGER_LABELS,
  taggerFeatures,
} from '../../../src/conversation/redaction/name-tagger.ts';
import type { WordPiece } from '../../../src/conversation/redaction/pieces.ts';
import { shuffled } from '../../../support/random.ts';

const LABELS = TAGGER_LABELS.length;
const RATE = 0.12;
const L2 = 2e-7;
/** Share of the features that an utterance goes without in an epoch, so that no word alone decides (Hinton et al. 2012). */
const DROPPED = 0.25;

/** An utterance for the fit. `allowed`: a bit for each label that a piece may have. */
export interface TaggerExample {
  pieces: readonly WordPiece[];
  asked: AskedFor;
  allowed: Uint8Array;
}

export interface Fitted {
  /** `FEATURE_BUCKETS` x labels. */
  weights: Float32Array;
  transitions: Float64Array;
}

/**
 * Fits a conditional random field by AdaGrad (Duchi et al. 2011) on the likelihood of the labels that are known: where a
 * word may have several, their probabilities are summed.
 */
export function fitTagger(
  examples: readonly TaggerExample[],
  lists: Int8Array,
  epochs: number,
  random: () => number,
): Fitted {
  const weights = new Float32Array(FEATURE_BUCKETS * LABELS);
  const squares = new Float32Array(weights.length).fill(1e-2);
  const transitions = new Float64Array((LABELS + 1) * LABELS);
  const transitionSquares = new Float64Array(transitions.length).fill(1);
  const features = examples.map(({ pieces, asked }) => taggerFeatures(pieces, asked, lists));
  for (let epoch = 0; epoch < epochs; epoch++) {
    let loss = 0;
    for (const k of shuffled(examples.length, random)) {
      const { allowed } = examples[k]!;
      const rows = features[k]!;
      const salt = Math.floor(random() * 2 ** 32);
      const isDropped = (feature: number): boolean => Math.imul(feature ^ salt, 0x9e3779b1) >>> 0 < DROPPED * 2 ** 32;
      const count = rows.length;
      if (count === 0) continue;
      const scores = new Float64Array(count * LABELS);
      for (let i = 0; i < count; i++)
        for (const feature of rows[i]!) {
          if (isDropped(feature)) continue;
          for (let label = 0; label < LABELS; label++)
            scores[i * LABELS + label]! += weights[feature * LABELS + label]!;
        }
      const free = marginals(scores, transitions, count);
      const held = scores.slice();
      for (let i = 0; i < count; i++)
        for (let label = 0; label < LABELS; label++)
          if (!(allowed[i]! & (1 << label))) held[i * LABELS + label] = Number.NEGATIVE_INFINITY;
      const known = marginals(held, transitions, count);
      loss += free.logSum - known.logSum;
      for (let i = 0; i < count; i++) {
        for (let label = 0; label < LABELS; label++) {
          const at = i * LABELS + label;
          const error = free.odds[at]! - known.odds[at]!;
          if (Math.abs(error) < 1e-4) continue;
          for (const feature of rows[i]!) {
            if (isDropped(feature)) continue;
            const w = feature * LABELS + label;
            const gradient = error + L2 * weights[w]!;
            squares[w]! += gradient * gradient;
            weights[w]! -= (RATE * gradient) / Math.sqrt(squares[w]!);
          }
        }
        step(transitions, transitionSquares, scores, held, free, known, i);
      }
    }
    console.error(`epoch ${epoch + 1}: loss ${(loss / examples.length).toFixed(4)}`);
  }
  return { weights: weights.map((value) => value * (1 - DROPPED)), transitions };
}

type Sums = ReturnType<typeof marginals>;

/** Moves the transitions into a position. */
function step(
  transitions: Float64Array,
  squares: Float64Array,
  scores: Float64Array,
  held: Float64Array,
  free: Sums,
  known: Sums,
  i: number,
): void {
  const errors = new Float64Array(LABELS * LABELS);
  const base = i === 0 ? LABELS * LABELS : 0;
  if (i === 0) for (let to = 0; to < LABELS; to++) errors[to] = free.odds[to]! - known.odds[to]!;
  else
    for (let from = 0; from < LABELS; from++)
      for (let to = 0; to < LABELS; to++) {
        const of = (own: Float64Array, { forward, backward, logSum }: Sums): number =>
          Math.exp(
            forward[(i - 1) * LABELS + from]! +
              transitions[from * LABELS + to]! +
              own[i * LABELS + to]! +
              backward[i * LABELS + to]! -
              logSum,
          );
        errors[from * LABELS + to] = of(scores, free) - of(held, known);
      }
  const count = i === 0 ? LABELS : LABELS * LABELS;
  for (let k = 0; k < count; k++) {
    const gradient = errors[k]!;
    if (Math.abs(gradient) < 1e-5) continue;
    squares[base + k]! += gradient * gradient;
    transitions[base + k]! -= (RATE * gradient) / Math.sqrt(squares[base + k]!);
  }
}
