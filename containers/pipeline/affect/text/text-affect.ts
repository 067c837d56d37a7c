import { EMOTIONS, type EmotionMap, type Pad } from '../../../../src/contract/timeline.ts';
import type { Language } from '../../../../src/conversation/language.ts';
import { words as wordsOf } from '../../../../src/conversation/text/tokens.ts';
import { isBackchannel } from './cues.ts';
import { FINE_CLASSES, type FineEmotion } from './emotion-classes.ts';
import { ekmanOf, loadModel, type ModelReading, readModel, softmax } from './model.ts';
import { reactionsIn } from './reactions.ts';
import type { WordSource } from './word-source.ts';

/** Affect read from text. */
export interface TextAffect {
  /** Seven classes that sum to 1. */
  emotions: EmotionMap;
  pad: Pad;
}

/**
 * Share of a fine class that is ordinary talk unless someone raises their voice. In GoEmotions, readers judge the
 * feeling of a comment: a question about a price counts as "curious", and "sounds fine" as "approval". In a call, these
 * are steps in a negotiation, not feelings.
 */
const ORDINARY_TALK: Partial<Record<FineEmotion, number>> = {
  curiosity: 0.85,
  confusion: 0.5,
  realization: 0.7,
  approval: 0.7,
  desire: 0.7,
  caring: 0.5,
  optimism: 0.4,
  gratitude: 0.3,
  remorse: 0.6,
};
/** Maximum number of words in a question that echoes astonishment: "You what?", "A hundred dollars?" */
const ECHO_WORDS = 4;
const ECHO_CURIOSITY = 0.1;
/**
 * Total temperature for speech. Speech differs from the comments that the model was trained on, so the scores are
 * trusted less.
 */
const TRANSFER_TEMPERATURE = 1.552;
/**
 * Exponent of the odds of neutral in conversation relative to GoEmotions (heads.json). The odds were estimated on
 * meetings and negotiations, but the service also receives quarrels. On the log scale, this value therefore goes only
 * part of the way from Reddit to them.
 */
const ODDS_EXPONENT = 0.35;
/** Odds of neutral in an exclaimed text, relative to any other text. */
const EXCLAIMED_ODDS = 0.3;
/**
 * An interjection ("no way!") raises its emotion to at least this share, and then multiplies its odds by this factor.
 */
const REACTION_ODDS = 4;
const REACTION_FLOOR = 0.0125;
/**
 * Share of the result that goes to the typical classes of speech, because readers of the same line agree only
 * moderately (MELD: kappa .43).
 */
const UNKNOWN_SHARE = 0.2;
/** Typical classes of speech: mostly neutral, then friendly, angry and surprised. */
export const USUAL: Readonly<EmotionMap> = {
  joy: 0.12,
  sadness: 0.06,
  anger: 0.09,
  fear: 0.03,
  surprise: 0.08,
  disgust: 0.02,
  neutral: 0.6,
};
/** Share of a feeling that remains in a back-channel ("okay", "right"), and in a back-channel that ends in ! or ?. */
const BACKCHANNEL_SHARE = 0.12;
const EMPHATIC_BACKCHANNEL_SHARE = 0.5;
/** PAD = .5 + this x standard deviations of EmoBank's ratings. Three of them reach the ends of the scale. */
const PAD_PER_SD = 0.17;

/**
 * Share of sentiment in the valence of the words. The rest is the model's own valence, which was fitted on readers'
 * ratings.
 */
const POLARITY_SHARE = 0.5;

const NEUTRAL = FINE_CLASSES.findIndex(({ name }) => name === 'neutral');

/** Values in the order of `EMOTIONS` as shares of their sum. */
export function normalised(values: readonly number[]): EmotionMap {
  const sum = values.reduce((total, value) => total + value, 0);
  return Object.fromEntries(EMOTIONS.map((name, i) => [name, values[i]! / sum])) as EmotionMap;
}

/**
 * The seven classes as GoEmotions defines them, used for written comments, and for testing the model on its own corpus.
 */
export const readWritten = ({ fine }: ModelReading): EmotionMap => normalised(ekmanOf(fine));

/**
 * Probabilities of the fine classes, adjusted for conversation: neutral is more likely, and ordinary talk counts as
 * neutral.
 */
function inConversation({ fine, temperature }: ModelReading, text: string, language: Language): number[] {
  const words = wordsOf(text, 'joined');
  const exclaimed = text.includes('!');
  const echo = words.length <= ECHO_WORDS && /[!?]/.test(text);
  const odds = loadModel().heads.conversationOdds ** ODDS_EXPONENT * (exclaimed ? EXCLAIMED_ODDS : 1);
  const signal = /[!?]\s*$/.test(text) ? EMPHATIC_BACKCHANNEL_SHARE : BACKCHANNEL_SHARE;
  const kept = isBackchannel(words, language) ? signal : 1;
  const flat = softmax(
    fine.map((p) => Math.log(p)),
    TRANSFER_TEMPERATURE / temperature,
  );
  const total = 1 - flat[NEUTRAL]! + odds * flat[NEUTRAL]!;
  const felt = flat.map((p, i) => {
    const { name } = FINE_CLASSES[i]!;
    const ordinary = exclaimed ? 0 : (ORDINARY_TALK[name] ?? 0);
    const share = echo && (name === 'curiosity' || name === 'confusion') ? ECHO_CURIOSITY : ordinary;
    return name === 'neutral' ? 0 : kept * (p / total) * (1 - share);
  });
  felt[NEUTRAL] = 1 - felt.reduce((sum, p) => sum + p, 0);
  return felt;
}

/** Reads utterances as conversation: seven classes and PAD from the words alone. */
export function readTextAffect(
  text: string,
  language: Language,
  model: ModelReading = readModel(text, language),
): TextAffect {
  const reactions = reactionsIn(text, language);
  const felt = ekmanOf(inConversation(model, text, language)).map((p, i) =>
    reactions.includes(EMOTIONS[i]!) ? REACTION_ODDS * (p + REACTION_FLOOR) : p,
  );
  const sum = felt.reduce((total, p) => total + p, 0);
  const [valence, arousal, dominance] = model.vad.map((z) => Math.max(0, Math.min(1, 0.5 + PAD_PER_SD * z)));
  return {
    emotions: normalised(felt.map((p, i) => (1 - UNKNOWN_SHARE) * (p / sum) + UNKNOWN_SHARE * USUAL[EMOTIONS[i]!])),
    pad: { valence: valence!, arousal: arousal!, dominance: dominance! },
  };
}

/** The words as a source of affect. They are always present and get the weight that the audio leaves. */
export const wordAffect: WordSource = {
  read({ text, language, model, polarity, asrConfidence }) {
    const { emotions, pad } = readTextAffect(text, language, model);
    const valence = (1 - POLARITY_SHARE) * pad.valence + POLARITY_SHARE * (0.5 + polarity / 2);
    return {
      source: 'words',
      emotions,
      pad: { ...pad, valence },
      confidence: asrConfidence,
      shares: null,
      say: 1,
      doubt: 1,
    };
  },
};
