import { PhraseMatcher } from './dialogue-acts/phrase-matcher.ts';
import { type Sentence, splitSentences } from './dialogue-acts/sentences.ts';
import { isBackChannel } from './dialogue-acts/surface.ts';
import { ANSWER_CUES } from './lexicon/answers.ts';
import { CUE_MODELS, HEADS, type Head } from './lexicon/cue-weights.ts';
import { CONCERN_CUES, OBJECTION_CUES, OBJECTION_LABELS, type ObjectionLabel } from './lexicon/objections.ts';
import { COMMITMENT_CUES, OFFER_CUES } from './lexicon/offers.ts';
import { TOPIC_CUES } from './lexicon/topic-cues.ts';
import { WORD_CLASSES } from './lexicon/word-classes.ts';

/** What a sentence does (after SwDA's and ISO 24617-2's classes, as far as the moments need them). */
export const DIALOGUE_ACTS = [
  'statement',
  'question',
  'offer',
  'commitment',
  'agreement',
  'refusal',
  'deferral',
  'objection',
  'back_channel',
] as const;
export type DialogueAct = (typeof DIALOGUE_ACTS)[number];

/** One sentence and what it does. */
export interface SentenceAct {
  sentence: Sentence;
  act: DialogueAct;
  /** Names of the cues found, and of the derived ones. */
  cues: ReadonlySet<string>;
  /** Probability of each act, 0..1, by its own logistic model; they do not sum to 1. */
  scores: Record<Head, number>;
  /** What an objection here is about, most certain first. */
  labels: ObjectionLabel[];
}

const matcher = new PhraseMatcher(
  { ...OFFER_CUES, ...COMMITMENT_CUES, ...ANSWER_CUES, ...OBJECTION_CUES, ...CONCERN_CUES, ...TOPIC_CUES },
  WORD_CLASSES,
);

/** Score from which a sentence is said to do something. */
const ACT_THRESHOLD = 0.5;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/** Reads every sentence of an utterance by itself; what an answer answers is for the moments to say. */
export function readActs(text: string): SentenceAct[] {
  const listening = isBackChannel(text);
  return splitSentences(text).map((sentence) => readSentence(sentence, listening));
}

function readSentence(sentence: Sentence, listening: boolean): SentenceAct {
  const cues = matcher.match(sentence.tokens);
  if (sentence.question) cues.add('question');
  const stated = OBJECTION_LABELS.filter((l) => cues.has(`objection.${l}`));
  const feared = cues.has('concern') ? OBJECTION_LABELS.filter((l) => cues.has(`topic.${l}`)) : [];
  if (stated.length > 0) cues.add('stated');
  if (feared.length > 0) cues.add('concern+topic');
  const scores = { offer: 0, commitment: 0, agreement: 0, refusal: 0, deferral: 0, objection: 0 };
  for (const head of HEADS) {
    const { bias, weights } = CUE_MODELS[head];
    let logit = bias;
    for (const cue of cues) logit += weights[cue] ?? 0;
    scores[head] = sigmoid(logit);
  }
  return {
    sentence,
    cues,
    scores,
    labels: [...stated, ...feared.filter((l) => !stated.includes(l))],
    act: actOf(sentence, scores, listening),
  };
}

function actOf(sentence: Sentence, scores: Record<Head, number>, listening: boolean): DialogueAct {
  if (listening) return 'back_channel';
  const best = HEADS.reduce((a, b) => (scores[b] > scores[a] ? b : a));
  if (scores[best] >= ACT_THRESHOLD) return best;
  return sentence.question ? 'question' : 'statement';
}
