import { type Language, oncePerLanguage } from '../language.ts';
import { OBJECTION_LABELS, type ObjectionLabel } from '../lexicon/objection-labels.ts';
import { isBackChannel } from '../text/back-channels.ts';
import { PhraseMatcher } from '../text/phrases.ts';
import { type ActSentence, actSentences } from './act-sentences.ts';
import { CUE_MODELS, HEADS, type Head } from './cue-models.ts';

/** Dialogue acts, following the classes of SwDA and ISO 24617-2, as far as moments need them. */
const DIALOGUE_ACTS = [
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

/** One sentence and its act, judging by its surface alone. */
export interface SentenceSurface {
  sentence: ActSentence;
  act: DialogueAct;
  /** Names of the cues that were found and of those derived from them. */
  cues: ReadonlySet<string>;
  /** Log-odds from the hand-set cues alone, and log-odds of an objection's reason if a cue concerns it. */
  cueLogits: Record<Head, number> & Partial<Record<ObjectionLabel, number>>;
}

const cueMatcher = oncePerLanguage(({ acts }) => new PhraseMatcher(acts.cues, acts.classes));

/** Log-odds of a label that a phrase states, and of a label whose topic only occurs near a concern. */
const STATED_LABEL = 3;
const FEARED_LABEL = 1.5;

/** Reads every sentence of an utterance separately. */
export function readSurfaces(text: string, language: Language): SentenceSurface[] {
  const listening = isBackChannel(text, language);
  return actSentences(text, language).map((sentence) => readSentence(sentence, listening, language));
}

function readSentence(sentence: ActSentence, listening: boolean, language: Language): SentenceSurface {
  const cues = cueMatcher(language).match(sentence.tokens);
  if (sentence.question) cues.add('question');
  if (language.acts.fronted.test(sentence.text)) cues.add('topic.fronted');
  const labelLogits: Partial<Record<ObjectionLabel, number>> = {};
  for (const label of OBJECTION_LABELS) {
    if (cues.has(`objection.${label}`)) {
      labelLogits[label] = STATED_LABEL;
      cues.add('stated');
    } else if (cues.has('concern') && cues.has(`topic.${label}`)) {
      labelLogits[label] = FEARED_LABEL;
      cues.add('concern+topic');
    }
  }
  const cueLogits = { offer: 0, commitment: 0, agreement: 0, refusal: 0, deferral: 0, objection: 0, topic: 0 };
  for (const head of HEADS) {
    const { bias, weights } = CUE_MODELS[head];
    let logit = bias;
    for (const cue of cues) logit += weights[cue] ?? 0;
    cueLogits[head] = logit;
  }
  return {
    sentence,
    cues,
    cueLogits: { ...cueLogits, ...labelLogits },
    act: actOf(sentence, cueLogits, listening),
  };
}

/**
 * Minimum log-odds, from cues alone, for an act to be recognised without any context. The thresholds of agreement and
 * refusal admit a bare yes and a bare no. The threshold of offers has the best F1 over the author's dialogues in
 * data/moments/fit.jsonl. The others are even odds.
 */
const NAMED = { offer: -2, commitment: 0, agreement: -0.5, refusal: -1.5, deferral: 0, objection: 0 } as const;

/** The act that exceeds its threshold by the widest margin. A mere listening word is a back-channel. */
function actOf(sentence: ActSentence, logits: Record<Head, number>, listening: boolean): DialogueAct {
  if (listening) return 'back_channel';
  const acts = Object.keys(NAMED) as (keyof typeof NAMED)[];
  const best = acts.reduce((a, b) => (logits[b] - NAMED[b] > logits[a] - NAMED[a] ? b : a));
  if (logits[best] > NAMED[best]) return best;
  return sentence.question ? 'question' : 'statement';
}
