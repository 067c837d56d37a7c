import type { CuePhrases } from '../dialogue-acts/phrase-matcher.ts';

/** Phrases by which speakers announce that they change the subject (Hirschberg & Litman 1993; Galley et al. 2003). */
export const TOPIC_CUES = {
  'topic.announce': [
    '(moving|move|moved) (on|along) (to|then|now|from|$)',
    "(let's|let us|can we|could we|shall we|should we|we should|i'd like to|i want to|i wanted to|i also wanted to|we need to|time to) (quickly |briefly |now |also |maybe |just |) (talk about|turn to|discuss|switch|move on|jump to|touch on|change (the subject|gears)|get to|shift|go over|cover|come to|go to the next|bring up|raise)",
    '(next|first|second|third|last|final|other|another) (item|topic|point|question|agenda|subject|on the (agenda|list)|thing on)',
    '(on (a|another) (different|another|separate|related|completely|side|totally|unrelated|lighter|personal) (note|topic|subject|matter)|on another note|different (topic|subject)|change of subject|changing the subject|switching gears|change gears|shift gears|new topic|side note)',
    "(speaking of|while i have you|while we're (at it|on)|before i forget|by the way|oh by the way|one more thing|another thing|one other thing|that reminds me|incidentally|totally unrelated|off topic|as for the|as far as the|regarding the|with regard to|when it comes to|turning to|now about|about the other|about that other|separately|completely different)",
    '(enough about|anyway enough|back to (the|our|what|your)|going back to|coming back to|to come back to|returning to|circling back|getting back to)',
    '(what about|how about) (the|your|our|this) (other|*) (thing|issue|matter|topic|question|*)',
    '(the|one|another|my) (other|next|last|final|second) (thing|question|reason|issue|matter|point) (is|was|i|we|that|would|on|about|to)',
    "(how's|how is|how are|how was|how were|how did) (the|your|things|everything) (* |)(family|kids|weekend|holiday|vacation|trip|job|new job|house|going with|wife|husband|mother|mom|dad|surgery|wedding)",
  ],
  /** Words that close a subject; a new one follows only sometimes. */
  'topic.close': [
    '^ (anyway|anyhow|alright|all right|right|okay so|okay now|so now|good so|great so|okay then|now)',
    "(that's (it|all|everything|settled|sorted|done) (for|on|then|about|$)|anything else|is that everything|so that's)",
  ],
} as const satisfies CuePhrases;
