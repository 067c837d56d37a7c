import type { EmotionMap, Pad } from '../../../src/contract/timeline.ts';
import { isBackchannel } from './cues.ts';
import { wordsOf } from './tokens.ts';
import { readVader } from './vader.ts';

/** What a text says of affect. */
export interface TextAffect {
  /** Seven classes that sum to 1. */
  emotions: EmotionMap;
  pad: Pad;
}

/** Reads a text with VADER alone: positive words as joy, negative ones shared by anger, sadness, fear and disgust. */
export function readTextAffect(text: string): TextAffect {
  const { compound } = readVader(text);
  const strength = isBackchannel(wordsOf(text)) ? 0 : Math.abs(compound) * 0.6;
  const joy = compound > 0 ? strength : 0;
  const upset = compound < 0 ? strength : 0;
  return {
    emotions: {
      joy,
      sadness: upset * 0.35,
      anger: upset * 0.4,
      fear: upset * 0.15,
      surprise: 0,
      disgust: upset * 0.1,
      neutral: 1 - strength,
    },
    pad: { valence: 0.5 + compound / 4, arousal: 0.5 + strength / 6, dominance: 0.5 + compound / 12 },
  };
}
