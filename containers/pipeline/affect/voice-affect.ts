import type { EmotionMap, Pad } from '../../../src/contract/timeline.ts';

/** What the voice alone says of affect. */
export interface VoiceAffect {
  /** Each 0..1; 0.5 = as usual for this speaker. */
  pad: Pad;
  /** The voice's share of the seven classes; sums to 1. */
  emotions: EmotionMap;
  confidence: number;
}
