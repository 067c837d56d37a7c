import type { LexicalMarkers, Prosody, Word } from '../../../src/contract/timeline.ts';

export interface DeliveryFacts {
  prosody: Prosody;
  words: Word[];
  lexical: LexicalMarkers;
  /** Seconds in the recording at which a syllable stands out (Delivery.emphasisAt plus the utterance's start). */
  emphasisAt?: number[];
}

export interface DeliveryDescription {
  prosody_desc: string;
  acoustic_reasoning: string;
  acoustic_insights: string[];
  delivery_style: string;
  hesitation_patterns: string[];
  emphasis_points: string[];
}

/** Describes how something was said, from measured numbers alone. */
export function describeDelivery({ prosody }: DeliveryFacts): DeliveryDescription {
  const desc = `Pitch around ${Math.round(prosody.pitch_hz)} Hz.`;
  return {
    prosody_desc: desc,
    acoustic_reasoning: desc,
    acoustic_insights: [],
    delivery_style: 'even',
    hesitation_patterns: [],
    emphasis_points: [],
  };
}
