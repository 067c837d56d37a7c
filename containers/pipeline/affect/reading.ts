import type { EmotionMap, Pad } from '../../../src/contract/timeline.ts';
import type { SpeakerBaseline } from '../prosody/baseline.ts';
import type { Delivery } from '../prosody/delivery.ts';

/** What one source says of the affect of an utterance. Plain data: it crosses threads. */
export interface SourceAffect {
  /** The name of its source. */
  source: string;
  /** Seven classes that sum to 1. */
  emotions: EmotionMap;
  /** Each 0..1. */
  pad: Pad;
  /** How far to trust it, 0..1. */
  confidence: number;
  /** What it counts for in each dimension, times its confidence; at 1 it has all of it. Null for the words, which have what the others leave. */
  shares: Pad | null;
  /** How far it may decide the class here, 0..1; of the words 1. */
  say: number;
  /** How many times likelier than any feeling it must leave neutral where it decides; 1: no more than by its own shares. */
  doubt: number;
}

/** What is heard of an utterance. */
export interface UtteranceSound {
  /** Mono, 16 kHz, full scale 1; with a little of what is around the words. */
  samples: Float32Array;
  text: string;
  delivery: Delivery;
  baseline: SpeakerBaseline;
}

/** A source of affect in the sound, its words at hand. It reads in a worker thread, where it may hold a model of its own. */
export interface SoundSource {
  read(heard: UtteranceSound): SourceAffect | Promise<SourceAffect>;
}
