import type { MomentCategory } from '../../contract/findings.ts';
import type { PackedMatrix } from '../packed-weights.ts';
import { featureBuckets } from './ngrams.ts';
import type { ActSentence } from './sentences.ts';

/** The trained heads: acts of a sentence, then what an objection is about. */
export const TRAINED_HEADS = [
  'offer',
  'agreement',
  'refusal',
  'deferral',
  'objection',
  'topic',
  'price',
  'timing',
  'authority',
  'need',
  'trust',
  'competitor',
  'technical',
] as const;
export type TrainedHead = (typeof TRAINED_HEADS)[number];

/** Log-odds of each head. */
export type HeadLogits = Record<TrainedHead, number>;

/** Weights of one head: log-odds without any evidence, share of the hand-set cues' log-odds, size of one int8 step. */
export interface HeadWeights {
  bias: number;
  cues: number;
  step: number;
}

/** The models that read an utterance in its context. */
export const CONTEXT_MODELS = ['accepted', 'rejected', 'shift', 'offer', 'objection'] as const;
export type ContextModel = (typeof CONTEXT_MODELS)[number];
export type ContextWeights = Record<ContextModel, DecisionWeights>;

/** What each of them finds. */
export const CATEGORY_OF: Readonly<Record<ContextModel, MomentCategory>> = {
  accepted: 'cta_accepted',
  rejected: 'cta_rejected',
  shift: 'topic_shift',
  offer: 'cta_offered',
  objection: 'objection',
};

/** A layer of a network; a row of the matrix for each input. */
export interface LayerWeights {
  weight: PackedMatrix;
  bias: Float32Array;
}

/** A network of one hidden layer (`moments/layers.ts`). */
export interface NetworkWeights {
  hidden: LayerWeights;
  output: LayerWeights;
}

/** What a turn attends to among those before it. */
export interface AttentionWeights {
  query: LayerWeights;
  key: LayerWeights;
  value: LayerWeights;
  keyPlaces: PackedMatrix;
  valuePlaces: PackedMatrix;
}

/** One of the readers whose networks read encodings. */
export interface ReaderWeights {
  /** What a turn does, and what it attends to of those before it. */
  turns: NetworkWeights;
  context: AttentionWeights;
  /** Whether one answers another. */
  pairs: NetworkWeights;
  /** The same in hindsight, when the turn after is known. */
  turnsAgain: NetworkWeights;
  pairsAgain: NetworkWeights;
}

/** What the acts of a sentence are read with. */
export interface ActWeights {
  heads: Record<TrainedHead, HeadWeights>;
  /** BUCKETS rows, a column for each head in steps of its own. */
  table: PackedMatrix;
}

/** What `scripts/train/moments.ts` writes. */
export interface MomentWeights extends ActWeights {
  /** For utterances of which only the words are known. */
  words: ContextWeights;
  /** For those that come with an encoding: at once, when only what is plain is told, and when the next one is known. */
  encoded: ContextWeights;
  hindsight: ContextWeights;
  readers: ReaderWeights[];
}

/** A network over named features, and the probability from which it says yes (`moments/decisions.ts`). */
export interface DecisionWeights {
  /** By which each is standardised, in the order of the network's inputs. */
  features: Record<string, readonly [mean: number, scale: number]>;
  network: NetworkWeights;
  threshold: number;
}

const HEADS = TRAINED_HEADS.length;

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/**
 * Log-odds of every head for one sentence.
 * @param cues names of the cues found in it
 * @param cueLogits log-odds by the hand-set cues, for the heads that have any
 */
export function headLogits(
  sentence: ActSentence,
  cues: Iterable<string>,
  cueLogits: Partial<HeadLogits>,
  { heads, table }: ActWeights,
): HeadLogits {
  const { values } = table;
  const sums = new Float64Array(HEADS);
  const buckets = featureBuckets(sentence, cues);
  for (const b of buckets) for (let h = 0; h < HEADS; h++) sums[h]! += values[b * HEADS + h]!;
  const norm = 1 / Math.sqrt(Math.max(1, buckets.length));
  const logits = {} as HeadLogits;
  TRAINED_HEADS.forEach((head, h) => {
    const { bias, cues: share, step } = heads[head];
    logits[head] = bias + share * (cueLogits[head] ?? 0) + step * norm * sums[h]!;
  });
  return logits;
}
