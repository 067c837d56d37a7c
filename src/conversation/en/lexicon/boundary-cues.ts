import type { BoundaryCues } from '../../language.ts';

export const BOUNDARY_CUES: BoundaryCues = {
  /**
   * Words at the start of a turn that open something new (based on the discourse-marker lists of Galley et al. 2003,
   * extended).
   */
  openingCue:
    /^(ok(ay)?|so|now|next|al(l )?right|anyway|anyhow|well|right|by the way|also|let'?s|moving on|speaking of|before (i|we)|another|the (next|other|last|first)|hi|hello|hey|good (morning|afternoon|evening)|thank you|thanks|i need|i (would|'d) like|i('m| am) (looking|calling)|can you|could you|what|where|when|do you|are you|is there|have you|how)\b/i,
  /** Words at the start of a turn that close the previous topic. */
  closingCue:
    /\b(thanks?|welcome|bye|great|good day|success(ful|fully)|reference number|anything else|have a (nice|great|good)|all set|sure thing|no problem|perfect|sounds good|that('s| is) (all|it)|will do|got it)\b/i,
  /** A turn that asks something, even if the recogniser printed no question mark. */
  asking: /\?|^(what|where|when|who|how|why|which|do|does|did|is|are|can|could|would|will|have|has|shall|should)\b/i,
  /** Words that refer to what was just said. A question with one of them continues the topic. */
  leaning: /\b(it|its|that|they|them|their|he|she|his|her|him|one|those|these|there|too|either|else)\b/i,
};
