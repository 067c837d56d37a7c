import { EMOTIONS, type EmotionMap, type Pad } from '../../../src/contract/timeline.ts';
import { isBackchannel } from './cues.ts';
import { FINE_CLASSES, type FineEmotion } from './emotion-classes.ts';
import { ekmanOf, loadModel, type ModelReading, readModel } from './text-model.ts';
import { wordsOf } from './tokens.ts';

/** What a text says of affect. */
export interface TextAffect {
  /** Seven classes that sum to 1. */
  emotions: EmotionMap;
  pad: Pad;
}

/**
 * Share of a fine class that is ordinary talk in a conversation. GoEmotions has its readers name the feeling of a comment;
 * who asks a price is "curious" there, who says "sounds fine" "approves". In a call these are moves, not feelings.
 */
const ORDINARY_TALK: Partial<Record<FineEmotion, number>> = {
  curiosity: 0.85,
  confusion: 0.6,
  realization: 0.8,
  approval: 0.8,
  caring: 0.6,
  desire: 0.8,
  optimism: 0.6,
  gratitude: 0.5,
  admiration: 0.3,
  disapproval: 0.5,
  remorse: 0.5,
};
/**
 * Exponent of the odds of neutral in talk against GoEmotions (heads.json): the odds were estimated on meetings and
 * negotiations, and the service also hears quarrels; half the way on the log scale lies between them and Reddit.
 */
const ODDS_EXPONENT = 0.5;
/** What is left of a feeling in a back-channel: "okay", "right", "yeah, thanks". */
const BACKCHANNEL_SHARE = 0.12;
/** Of a back-channel that ends in ! or ?: "Oh really?" may well be one. */
const EMPHATIC_BACKCHANNEL_SHARE = 0.5;
/** PAD = .5 + this x standard deviations of EmoBank's ratings: three of them reach the ends of the scale. */
const PAD_PER_SD = 0.17;

const NEUTRAL = FINE_CLASSES.findIndex(({ name }) => name === 'neutral');

const mapOf = (values: number[]): EmotionMap => {
  const sum = values.reduce((total, value) => total + value, 0);
  return Object.fromEntries(EMOTIONS.map((name, i) => [name, values[i]! / sum])) as EmotionMap;
};

/** The seven classes as GoEmotions means them: for written comments, and to hold the model against its own corpus. */
export const readWritten = (text: string): EmotionMap => mapOf(ekmanOf(readModel(text).fine));

/** Fine probabilities as they stand in conversation: neutral is likelier, and ordinary talk counts as neutral. */
export function inConversation(fine: number[], words: string[], emphatic: boolean): number[] {
  const odds = loadModel().heads.conversationOdds ** ODDS_EXPONENT;
  const share = isBackchannel(words) ? (emphatic ? EMPHATIC_BACKCHANNEL_SHARE : BACKCHANNEL_SHARE) : 1;
  const total = 1 - fine[NEUTRAL]! + odds * fine[NEUTRAL]!;
  const felt = fine.map((p, i) =>
    i === NEUTRAL ? 0 : share * (p / total) * (1 - (ORDINARY_TALK[FINE_CLASSES[i]!.name] ?? 0)),
  );
  felt[NEUTRAL] = 1 - felt.reduce((sum, p) => sum + p, 0);
  return felt;
}

/** The conversational reading used for utterances: seven classes and PAD from the words alone. */
export function readTextAffect(text: string, model: ModelReading = readModel(text)): TextAffect {
  const fine = inConversation(model.fine, wordsOf(text), /[!?]\s*$/.test(text));
  const [valence, arousal, dominance] = model.vad.map((z) => Math.max(0, Math.min(1, 0.5 + PAD_PER_SD * z)));
  return {
    emotions: mapOf(ekmanOf(fine)),
    pad: { valence: valence!, arousal: arousal!, dominance: dominance! },
  };
}
