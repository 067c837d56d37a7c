/** A measure of one utterance that differs from the speaker's typical value. */
export interface DeliveryDifference {
  measure: 'loudness' | 'pitch' | 'pace';
  /** Signed distance from the typical value, in standard deviations. */
  z: number;
  isStrong: boolean;
}

/** Reason for not judging a delivery. */
export type UnjudgedReason = { kind: 'voiceless' } | { kind: 'noisy' } | { kind: 'short'; seconds: number };

/** Movement of the pitch at the end of an utterance. */
export interface FinalGlide {
  direction: 'rising' | 'falling';
  /** Size of the movement, at least 0. */
  semitones: number;
}

export interface SpokenPauses {
  count: number;
  meanMs: number;
  /** Fraction of the utterance, 0 to 1. */
  ratio: number;
}

/** The facts for the sentence about a delivery. */
export interface DescribedDelivery {
  /** Differences from the speaker's typical delivery, strongest first. Null when there is no baseline. */
  differences: DeliveryDifference[] | null;
  pitchHz: number;
  syllablesPerSecond: number;
  /** Null when the pauses do not stand out. */
  pauses: SpokenPauses | null;
  glide: FinalGlide | null;
  /** Chooses among equivalent wordings. */
  variant: number;
}

/** One remarkable fact about a delivery. */
export type DeliveryInsight =
  | ({ kind: 'difference' } & DeliveryDifference)
  | { kind: 'pauses'; ratio: number }
  | ({ kind: 'glide' } & FinalGlide)
  | { kind: 'late'; silenceMs: number };

/** One sign of hesitation in an utterance. */
export type Hesitation =
  | { kind: 'late'; silenceMs: number }
  | { kind: 'pauses'; count: number; meanMs: number }
  /** Fraction of the words that are fillers, repeats or repairs, 0 to 1. */
  | { kind: 'disfluency'; share: number }
  | { kind: 'self-repair' };

/** The texts about the delivery of an utterance. */
export interface DeliverySentences {
  /** A main clause without a full stop. */
  unjudged(reason: UnjudgedReason): string;
  /**
   * One or two sentences. Differences from the speaker's typical delivery come first; other facts are included only
   * when they stand out.
   */
  description(delivery: DescribedDelivery): string;
  /** A few words each, without a full stop. */
  insight(insight: DeliveryInsight): string;
  hesitation(hesitation: Hesitation): string;
}
