import type { ActForms } from '../../language.ts';
import { ANSWER_CUES } from './answers.ts';
import { COMMITMENT_CUES } from './commitments.ts';
import { CONCERN_CUES, OBJECTION_CUES } from './objections.ts';
import { OFFER_CUES } from './offers.ts';
import { TOPIC_CUES } from './topic-cues.ts';
import { WORD_CLASSES } from './word-classes.ts';

/**
 * The forms of a sentence for which the dialogue-act cues were tuned. After a change here, run `npm run bench --
 * moments`.
 */
export const ACT_FORMS: ActForms = {
  /** Words that can open a sentence before its content. */
  leading: new Set([
    'well',
    'so',
    'and',
    'but',
    'like',
    'actually',
    'honestly',
    'oh',
    'hey',
    'look',
    'listen',
    'now',
    'because',
    'i-mean',
    'you-know',
    'then',
    'also',
    'please',
    'anyway',
    'hmm',
    'basically',
    'maybe',
    'perhaps',
  ]),
  /** A subject that is named before its question: "And your will, when did you last look at it?" (left dislocation). */
  fronted:
    /^(?:(?:and|now|so|oh|okay|right|well|also|then|but|great|good|next|quick)[ ,]+)*(?:the|your|that|this|those|my|our|his|her|about|for|with|on|[\w']+)(?: [\w']+){0,4}, (?:do|does|did|is|are|was|were|have|has|had|can|could|will|would|should|may|what|how|why|when|where|which|who|whose|any)\b/i,
  /** Hesitations and contracted forms of speech, with their replacements. */
  spokenForms: [
    [/\b(?:u+m+|u+h+|er+m?|ah+|hm+|mm+)\b[,.]*/g, ' '],
    [/\bgonna\b/g, 'going to'],
    [/\bwanna\b/g, 'want to'],
    [/\bgotta\b/g, 'got to'],
    [/\blemme\b/g, 'let me'],
    [/\bkinda\b/g, 'kind of'],
  ],
  /** Discourse markers of two words, and the one word that replaces each. */
  markers: [
    [/\bi mean\b/g, 'i-mean'],
    [/\byou know\b(?! (?:what|how|why|if|the|that|when|where|who))/g, 'you-know'],
  ],
  cues: { ...OFFER_CUES, ...COMMITMENT_CUES, ...ANSWER_CUES, ...OBJECTION_CUES, ...CONCERN_CUES, ...TOPIC_CUES },
  classes: WORD_CLASSES,
};
