import type { SmallTalkWords } from '../../language.ts';

export const SMALL_TALK_WORDS: SmallTalkWords = {
  classes: {
    self: /^(?:i(?:'(?:m|ve|d|ll))?|my|me|mine|myself)$/,
    together: /^(?:we(?:'(?:re|ve|d|ll))?|our|ours|us)$/,
    told: /^(?:was|wasn't|were|weren't|had|hadn't|did|didn't|went|got|said|thought|came|took|told|made|[a-z]{3,20}ed)$/,
    planned: /^(?:will|won't|shall|would|could|can|should|gonna|let's|[a-z]{1,20}'ll)$/,
    others:
      /^(?:he|she|they|people|kids?|children|wife|husband|mother|mom|father|dad|family|friends?|somebody|everybody)$/,
    business:
      /^(?:need|want|help|looking|order|book|price|cost|pay|deal|offer|call|send|email|number|address|appointment)$/,
  },
  empty: /^(?:uh|um|huh|mm|hmm|yeah|oh|well|like|right|okay|ok|so|and|but|know|mean)$/,
};
