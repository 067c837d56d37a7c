import type { CuePhrases } from '../../lexicon/cue-phrases.ts';

/** Phrases with which speakers announce a change of topic (Hirschberg & Litman 1993; Galley et al. 2003). */
export const TOPIC_CUES = {
  'topic.announce': [
    '(moving|move|moved) (on|along) (to|then|now|from|$)',
    "(let's|let us|can we|could we|shall we|should we|we should|i'd like to|i want to|i wanted to|i also wanted to|we need to|time to) (quickly |briefly |now |also |maybe |just |) (talk about|turn to|discuss|switch|move on|jump to|touch on|change (the subject|gears)|get to|shift|go over|cover|come to|go to the next|bring up|raise)",
    '(next|first|second|third|last|final|other|another) (item|topic|point|question|agenda|subject|on the (agenda|list)|thing on)',
    '(on (a|another) (different|another|separate|related|completely|side|totally|unrelated|lighter|personal) (note|topic|subject|matter)|on another note|different (topic|subject)|change of subject|changing the subject|switching gears|change gears|shift gears|new topic|side note)',
    "(speaking of|while i have you|while we're (at it|on)|before i forget|by the way|oh by the way|one more thing|another thing|one other thing|that reminds me|incidentally|totally unrelated|off topic|as for the|as far as the|regarding the|with regard to|when it comes to|turning to|now about|about the other|about that other|separately|completely different)",
    '(enough about|anyway enough|back to (the|our|what|your)|going back to|coming back to|to come back to|returning to|circling back|getting back to)',
    '(what about|how about) (the|your|our|this) (other|*) (thing|issue|matter|topic|question|*)',
    '(separate|different|another|last|final|next|one|other|quick|small|unrelated) (thing|matter|question|subject|point|story|topic|note|one)',
    '(on (another|a different|a separate|a completely different|to another|to other) (matter|thing|point|business|front|things))',
    "(i also|also i|there's also|and also|there was also|there's something else|something else|there's another|i've got another|i had another|i've another|meant to (ask|tell|say|mention)|wanted to (ask|tell you|mention|talk)|been meaning to|keep meaning to)",
    '(come|coming|get|getting|go|going) (back |on |)(to|onto) (the|your|that|my|our) (other|next|matter|question|thing|subject|*)',
    '(can|could|may|might|shall) (i|we) (ask|come|turn|talk|move|bring|raise|pick) (* |)(you |)(about|on|to|something|another|up|back)',
    '(apropos|talking of|which reminds me|reminds me|same goes for|onto|on to the|right then|moving swiftly|enough of|so much for|leaving that|putting that|setting that|forget about that|leave that)',
    '(to|at) the top of the agenda|any other business|aob|item (one|two|three|four|five|six|seven|eight)|point (two|three|four|five)|number (two|three|four)',
    "let's (talk|leave that|turn|come|look at the|do the|get on|go on to|move|take the next|hear about)",
    '(the|one|another|my) (other|next|last|final|second) (thing|question|reason|issue|matter|point) (is|was|i|we|that|would|on|about|to)',
    "(how's|how is|how are|how was|how were|how did) (the|your|things|everything) (* |)(family|kids|weekend|holiday|vacation|trip|job|new job|house|going with|wife|husband|mother|mom|dad|surgery|wedding)",
  ],
  /** Asks about somebody or something not mentioned before: a person on the other side, a plan, a possession. */
  'topic.ask-after': [
    "(how's|how is|how are|how was|how were|how did) (your|the|that|his|her|their|little|young|old|mum|dad)",
    '(what|how) about (your|the)',
    '(did|have|has) (your|you|anyone|anybody|someone|the|that) (* |* * |)(ever|yet|seen|heard|manage|decide|decided|sorted|sort|get|got|fix|finish|finished|hear|see|find|found)',
    '(who|whose|which|when|where) (* |)(is|are|was|did|does|do|will|has) (your|the|that|this|it|you|next)',
    '(is|are|was) (that|your|the|there) (a|your|son|daughter|brother|sister|mother|father|wife|husband|dog|cat|car|new|old|real|*) ',
    '(do|does|did) (your|you) (* |)(still|ever|also|have|play|know|own|sell|keep|use|remember|happen)',
    '(are|is) your * (still|going|coming|back|all|better|well)',
  ],
  /** Words that close a topic. A new topic does not always follow. */
  'topic.close': [
    '^ (anyway|anyhow|alright|all right|right|okay so|okay now|so now|good so|great so|okay then|now)',
    "(that's (it|all|everything|settled|sorted|done) (for|on|then|about|$)|anything else|is that everything|so that's)",
  ],
} as const satisfies CuePhrases;
