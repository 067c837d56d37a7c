import type { EmotionMap, Pad } from '../../../src/contract/timeline.ts';
import type { SpeakerBaseline } from '../prosody/baseline.ts';
import type { Delivery } from '../prosody/delivery.ts';

/** One source's reading of the affect of an utterance. Plain data, because it is sent between threads. */
export interface SourceAffect {
  /** Name of the source. */
  source: string;
  /** Seven classes that sum to 1. */
  emotions: EmotionMap;
  /** Each from 0 to 1. */
  pad: Pad;
  /** Confidence in the reading, 0 to 1. */
  confidence: number;
  /**
   * Weight in each dimension, before it is multiplied by the confidence. A weight of 1 determines the whole dimension.
   * Null for the words, which get the remaining weight.
   */
  shares: Pad | null;
  /** Weight in choosing the class, 0 to 1. It is 1 for the words. */
  say: number;
  /**
   * Factor by which neutral is more likely than any feeling when this source decides. With 1, only its own shares
   * count.
   */
  doubt: number;
}

/** The audio of an utterance. */
export interface UtteranceSound {
  /** Mono, 16 kHz, full scale 1, with a little audio on either side of the words. */
  samples: Float32Array;
  text: string;
  delivery: Delivery;
  baseline: SpeakerBaseline;
}

/**
 * A source that reads affect from the audio and can use the words. It runs in a worker thread and can keep its own
 * model there.
 */
export interface SoundSource {
  read(sound: UtteranceSound): SourceAffect | Promise<SourceAffect>;
}
