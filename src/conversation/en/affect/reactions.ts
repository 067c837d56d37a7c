import type { Reaction } from '../../affect-lexicon.ts';

/** Common English interjections and their feelings (Ameka 1992; Goddard 2014). */
export const REACTIONS: readonly Reaction[] = [
  {
    emotion: 'surprise',
    pattern:
      /\b(oh my (god|gosh|goodness)|omg|oh god|no way|you('re| are) kidding|are you (kidding|serious|joking|crazy)|you('ve| have) got to be kidding|seriously\?|wow|whoa|holy|wait,? what|you (did|said) what|since when|i can't believe|i don't believe (it|this)|unbelievable|what do you mean you|what are you doing here|how did you|i had no idea|get out of here)\b/,
  },
  {
    emotion: 'surprise',
    pattern:
      /^(oh,? |wait,? |and |but )?(what|really|seriously|pregnant|married|me|you|him|her|why|huh|excuse me|who|today|now|already|no)\s*(\?|!)+$/,
  },
  {
    emotion: 'joy',
    pattern:
      /\b(yay|woo+|woohoo|yippee|hooray|congratulations|congrats|i'm so (happy|excited|glad|proud)|i love (it|you|this|that)|that's (so )?(great|wonderful|amazing|fantastic|awesome)|happy birthday|merry christmas|ha ha|can't wait|we did it|i did it|so (funny|sweet|cute|beautiful))\b/,
  },
  {
    emotion: 'anger',
    pattern:
      /\b(shut up|damn it|dammit|goddamn|get out( of my)?!|how (dare|could) you|what('s| is) (the matter|wrong) with you|what the hell|go to hell|leave me alone|stop it|knock it off|i hate|you (idiot|jerk|bastard|liar|stupid)|son of a|none of your business|you can't (just )?(do|say|tell|take)|i'm (so )?(mad|angry|furious|sick of|sick and tired)|give (it|that|me)( back)?!|that's not fair|you (always|never)|you lied|my god,? (ross|you))\b|\bno!.*!/,
  },
  // An exclaimed "no" after the first exclamation of a line.
  { emotion: 'anger', pattern: /!(?<=^[^!]*!).*\bno!/m },
  {
    emotion: 'sadness',
    pattern:
      /\b(i'm (so |really |very |terribly )sorry|sorry (to hear|for your|about your)|i miss|i feel (so |really )?(bad|terrible|awful|alone|stupid)|it's over|(he|she) left( me)?|broke up|i can't do this|poor (guy|thing|baby|kid)|my (dad|mom|father|mother|grandmother|dog) (died|passed)|passed away|crying|i've lost|it's all my fault|nobody (likes|loves|cares)|i'm such a)\b/,
  },
  {
    emotion: 'fear',
    pattern:
      /\b(oh no|help!|watch out|look out|i'm (so |really |kind of |a little )?(scared|afraid|nervous|worried|terrified|freaking out)|what if|please don't|don't (shoot|hurt|kill)|i can't breathe|something('s| is) wrong|we're (dead|doomed)|be careful)\b/,
  },
  { emotion: 'disgust', pattern: /\b(e+w+|yuck|ugh+|gross|disgusting|that's sick|smells|nasty|revolting)\b/ },
];
