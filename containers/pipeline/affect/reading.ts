import type { EmotionMap, Pad } from '../../../src/contract/timeline.ts';
import type { SpeakerBaseline } from '../prosody/baseline.ts';
import type { Delivery } from '../prosody/delivery.ts';

/** One source's reading of the affect of an utterance. Plain data: it crosses threads. */
export interface SourceAffect {
  /** Name of the source. */
  source: string;
  /** Seven classes that sum to 1. */
  emotions: EmotionMap;
  /** Each 0..1. */
  pad: Pad;
  /** Trust in the reading, 0..1. */
  confidence: number;
  /**
   * Weight in each dimension, times the confidence; 1 takes the whole dimension. Null for the words, which have what
   * the others leave.
   */
  shares: Pad | null;
  /** Weight in the decision on the class, 0..1; 1 for the words. */
  say: number;
  /** Factor by which neutral is more likely than any feeling where this source decides; 1: only by its own shares. */
  doubt: number;
}

/** The sound of an utterance. */
export interface UtteranceSound {
  /** Mono, 16 kHz, full scale 1; with a little of the sound around the words. */
  samples: Float32Array;
  text: string;
  delivery: Delivery;
  baseline: SpeakerBaseline;
}

/**
 * A source of affect in the sound, with the words available. It reads in a worker thread and may hold a model of its
 * own there.
 */
export interface SoundSource {
  read(sound: UtteranceSound): SourceAffect | Promise<SourceAffect>;
}
