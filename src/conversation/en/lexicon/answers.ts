import type { CuePhrases } from '../../lexicon/cue-phrases.ts';

/** Cues of an answer: yes, no, and neither. Strong cues decide alone, and weak cues need an offer before them. */
export const ANSWER_CUES = {
  'yes.strong': [
    '(that|it|this|which|<day>|*) (sounds|sound|seems|would be|will be|is|works|work) (really|very|pretty|just|absolutely|totally|so|) (good|great|fair|perfect|fine|reasonable|wonderful|lovely|excellent|ideal|like a plan|like a deal|amazing|fantastic|helpful|doable|brilliant|nice) (to me|for me|with me|by me|)',
    "(that'd|that'll|that's|it'd|it's|that would be) (really|very|pretty|just|absolutely|totally|) (good|great|fair|perfect|fine|wonderful|lovely|excellent|ideal|helpful|amazing|fantastic|doable|brilliant|a deal|a plan|a good idea|a great idea|not a problem|okay) (with|for|by|to|then|$|by me|idea|)",
    '^ (yeah|yes|okay|oh|sure|) (sounds|works|sound) (good|great|fair|perfect|fine|reasonable|like|for|well|lovely)',
    '(that|<day>|it|this|* one|*) (works|work|suits|will work|would work|can work|should work) (for (me|us)|fine|well|great|perfectly|better|$|then|)',
    "(let's|let us) (do|go with|go for|go ahead|try|book|make it|shake|start|get started|get it|give it|set it|plan on|say|stick with) (it|that|this|with|for|a|the|then|<day>|*|$)",
    "(i'll|we'll|i will|we will) (take|go with|do|try|sign|give it|have|be there|see you|buy|accept) (it|that|this|the|them|those|a|one|you|there|then|$)",
    '(i|we) (accept|agree|would love|would like that|would appreciate)',
    "(i'd|we'd|i would|we would) (love|like|appreciate|be happy|be glad|be delighted|be fine|be okay) (that|to|it|with)",
    '(sign|count|put|pencil|book) (me|us) (up|in|down)',
    '^ (deal|agreed|done|perfect|absolutely|definitely|certainly|gladly|of course|by all means|please do|go for it|go ahead|go on then|why not|fair enough|great idea|good idea|with pleasure|for sure|excellent|wonderful|brilliant|lovely|sold)',
    "(you have|you've got|it's|we have|we've got|have) (a|yourself a) (deal|date|plan)",
    "^ (yes|yeah|sure|okay|yep|oh) (please|absolutely|definitely|of course|go ahead|deal|perfect|great|lovely|why not|i will|i can|let's|i would|we can do that|i'd|do that|do it|wonderful|fantastic|certainly)",
    '(i|we) can (do|make|manage|live with|work with|commit to|agree to|handle|swing) (that|it|<day>|this|those|*)',
    "(i'm|we're|i am|count me) (in|on board|happy with that|fine with that|okay with that|good with that|up for that|up for it|game|down|sold|happy to|good to go|ready)",
    '(no objections|no problem at all|fine by me|fine with me|okay by me|okay with me|good with me|all right with me|happy to (do|)|suits me)',
    'where do i sign',
    '(send|email|text|book|bring|put|set) (it|me|that|them|one|us|him|her|the *) (over|across|through|up|in|on|down|by|to me|then|please|$)',
    "(that's|that is) what (i'll|we'll|i will) do",
    'you (twisted|talked|convinced|sold) (my|me)',
  ],
  'yes.weak': [
    '^ (yeah|yes|yep|yup|sure|okay|ok|alright|all right|right|fine|good|great|cool|nice|uh-huh|mm-hm|mhm|aye|exactly|true|correct|ya|k|thanks|thank you|indeed|very well)',
    "(i think so|i guess so|i suppose so|i suppose|if you like|if you insist|i could|i can|it could|i do|it does|we do|i am|we could|we can|i would|that is true|that's true|that's right|you're right)",
  ],
  'yes.thanks': ['thank you so much', 'thanks so much', '(i|we) appreciate (that|it|this)', 'thank you for'],
  'no.strong': [
    "^ (no|nah|nope) (thank|thanks|way|not|i|we|it|that|don't|we're|i'm|sorry|absolutely|honestly|really)",
    '(no thanks|no thank you|absolutely not|definitely not|no way|of course not|not a chance|not for (me|us)|not interested|not happening|not acceptable|not an option|not going to (work|happen)|not (really|) (keen|comfortable|up for))',
    "(i|we) (don't|do not|really don't|just don't|still don't) (want|need|think (so|that|it|we|i|this)|see|like|feel comfortable|agree|believe|have the|buy)",
    "(i|we) (can't|cannot|couldn't|won't|will not|wouldn't|am not able to|are not able to|could never|can not) (really|possibly|just|) (do|accept|agree|go|make|take|commit|afford|sign|give|justify|have|spare|pay|put|let|work|be|come|wait|<step>)",
    "(i'd|i would|we'd|we would) (rather|prefer|rather not|prefer not|sooner) (not|to|keep|stay|stick|leave|wait|do|have)",
    "(i'll|we'll|i will|we will|i'm going to|we're going to|i think i'll|i'm gonna) (have to|) (pass|say no|decline|leave it|skip|hold off|pass on|stay with|stick with|manage without)",
    "(that|it|this|that one|<day>) (won't|wouldn't|will not|doesn't|does not|isn't going to|can't|is not going to) (work|do|help|be possible|be enough|happen|suit|fly|fix)",
    "(that's|it's|that is|this is) (not (possible|fair|enough|acceptable|what|something|an option|good enough|really|going to)|too (much|high|low|far|late|early|long|little|expensive|risky)|impossible|out of the question|unacceptable)",
    "(i'm|we're|i am) (not (interested|going to|comfortable|willing|ready|doing|signing|paying|prepared|able)|afraid (not|that|i can't|we can't)|all set|good thanks|fine thanks|okay thanks|happy with what)",
    "(unfortunately|i'm sorry but|sorry but|i disagree|bad idea|terrible idea|over my dead body|forget it|leave it|don't bother|please don't|stop calling|take me off|out of the question|let's not|not worth it|no deal|i refuse|we refuse|absolutely no)",
    "(i'm|we're) (all set|good|fine|covered) (thanks|for now|thank you|as (i am|we are)|without|$)",
  ],
  'no.weak': [
    '^ (no|nah|nope|not really|not quite|not exactly|hardly|never|not yet|not that|i doubt)',
    "(that's not true|i doubt|i'm not so sure)",
  ],
  /** Retracts a yes, or attaches a condition to it. */
  but: [
    '(yeah|yes|sure|okay|right|nice|fine|good|great|*) but',
    '(the thing is|the problem is|my (only|) (concern|worry|issue|problem|question) is|except|though $|on the other hand|having said that)',
    '(only if|on one condition|as long as|provided)',
  ],
} as const satisfies CuePhrases;
