import type { CuePhrases } from '../../lexicon/cue-phrases.ts';

/**
 * Promises and deferrals, in one list for all uses. The dialogue acts of a sentence score each cue
 * (`dialogue-acts/cue-models.ts`); the commitment of an utterance only depends on whether any cue occurs.
 */
export const COMMITMENT_CUES = {
  /** The speaker's own promise of a concrete act (MRDA: cc; SwDA: oo_co_cc). */
  'commitment.will': [
    '(<ill>|i will|we will) (also|definitely|just|certainly|make sure|go ahead and|try to|try and|get|be sure to|) (<step>|<give>|do|check|let you know|find|look into|see what|ask|think about|handle|work on|keep|be there|be in touch|have|tell|put|write|reach|be (back|happy|sending|calling))',
    '(<ill>|i will) let you',
    "(i'm|i am|we're|we are) going to (<step>|<give>|do|check|try|look|ask|have|put|work)",
    "(you'll|you will) (have|get|receive|hear) (it|that|this|the|a|an|from|my|one)",
    '(i|we) (promise|guarantee|commit)',
    'i can (do|handle|take care of|manage) that',
    'let me (<step>|check|ask|see|find|try|look|get|take)',
    '(<ill>|i will|i can) (take care|handle|look after|sort)',
  ],
  /** First person and any future act, or a performative (Google's MAKES_PROMISE covers the same forms). */
  'commitment.any': [
    "(<ill>|i will|we will|i'm going to|we're going to|i am going to|we are going to|i guarantee)",
    "(i'm|we're|count me|count us) in",
    "(it's a|) deal",
    "(agreed|i agree|i accept|you have my word|sign me up|consider it done|let's do it|let's do that|let's go ahead)",
    "(i|we|i've|we've) decided",
  ],
  defer: [
    "(let me|i'll|i will|i'd|we'll|we|i|i'd have to|we'd have to) (need to|have to|want to|got to|would need to|should|must|would have to|) (have a think|think (about|on|it over|it through)|sleep on|get back|check with|talk (to|it|with)|discuss|run (it|this|that)|ask|consult|consider|look (at it|into|it over|at my|through)|mull|see (how|what|if|when|where|about)|review|bring it|speak (to|with)|check (my|the|if|whether)|go away|pray)",
    '(maybe|perhaps|possibly|some) (later|another time|next (time|week|month|year)|some other time|in the future|down the (road|line)|other time|one day|then)',
    '(not|nothing) (right now|now|yet|just yet|today|at the moment|at this (point|time|stage)|this (week|month|year|quarter))',
    "(i'm|we're|i am) (not sure (yet|about|if|whether|what|i)|still (thinking|deciding|looking|considering|comparing)|undecided|on the fence)",
    '(can|could|may) (i|we) (get back|think|let you know|call you|have (a (day|night|week|few|couple|bit|little|moment)|some|until|time)|sleep|decide|talk)',
    "(i|we) (need|want|'d need|would need) (some time|more time|a (few|couple|day|bit|little|moment|minute|week)|to (know|see) (more|first|it|what|the))",
    '(ask|call|try|check|contact|catch|email) (me|us|back|in with me) (again|back|later|next|in a)',
    "(we'll|i'll|we will|let's|we shall|let us) (just|have to|) (see|wait and see|play it by ear|park|revisit|circle back|come back to|leave it open|touch base)",
    "i('ll|'d| will|) (let you know|get back to you|come back to you|be in touch)",
    "(i don't know|it depends|depends on|hard to say|remains to be seen|possibly|i might|we might|we may|i may)",
  ],
  /** A promise with a reservation. */
  'defer.reserved': [
    "(i'll|we'll|i will) try|we'll see",
    'have to think',
    "(can't|cannot) commit|can't promise|no promises|if possible",
    '(not ready|at some point|one day|some day|eventually|get back to you|not a hundred percent)',
    "(i would|i'd) need to|(have|need) to check|i'd rather not",
  ],
} as const satisfies CuePhrases;
