import type { Sentiment } from '../../../../src/contract/timeline.ts';
import { rounded } from '../../../../src/contract/wire-numbers.ts';
import type { SentimentForms, ValuedPattern } from '../../../../src/conversation/affect-lexicon.ts';
import type { Language } from '../../../../src/conversation/language.ts';
import { asks } from '../../../../src/conversation/text/questions.ts';
import { plainPunctuation, words as wordsOf } from '../../../../src/conversation/text/tokens.ts';
import { roundedShares } from '../rounded-shares.ts';
import { isBackchannel } from './cues.ts';
import { FINE_CLASSES, type FineEmotion } from './emotion-classes.ts';
import { type ModelReading, readModel, softmax } from './model.ts';
import { readVader } from './vader.ts';

/**
 * Sentiment of one utterance. The three shares sum to 1. Polarity is from -1 to 1, subjectivity and confidence from 0
 * to 1.
 */
export interface SentimentReading {
  sentiment: Sentiment;
  polarity: number;
  subjectivity: number;
  /** Share of the most likely of the three. */
  confidence: number;
}

/**
 * Weights of the three word-based readings: the rated words, the model's classes, and the model's valence. Chosen on
 * the "tune" lines.
 */
const WEIGHTS = { vader: 0.4, classes: 0.55, valence: 0.2 };
/** Share of the word-based reading that remains beside a set phrase. */
const BESIDE_PATTERN = 0.35;
/** Share of the word-based reading that remains in a question, and in a listener's signal. */
const QUESTION_SHARE = 0.4;
const BACKCHANNEL_SHARE = 0.25;
/** The clause after "but" counts fully, and the clause before it keeps this share (VADER uses .5 against 1.5). */
const BEFORE_BUT = 0.25;
/** Shares are a softmax, at a temperature, over polarity, its opposite and this constant. */
const NEUTRAL_AT = 0.22;
const SHARPNESS = 0.13;

/**
 * Share of the encoding's reading without and with a set phrase. In cross-validation on the "train" lines, all shares
 * from .7 up were similar (.74 to .75 right). The set-phrase rules were written for other lines and keep half where
 * they apply.
 */
const ENCODING_SHARE = { alone: 0.85, beside: 0.5 };
/** Added to shares before taking their logarithm, so that no single reading can rule out a sentiment. */
const SHARE_FLOOR = 0.001;

/** Sentiment of the model's fine classes, from -1 to 1. Classes not listed have none. */
const CLASS_VALUE: Partial<Record<FineEmotion, number>> = {
  admiration: 1,
  amusement: 0.7,
  approval: 0.5,
  caring: 0.3,
  desire: 0.1,
  excitement: 1,
  gratitude: 0.8,
  joy: 1,
  love: 1,
  optimism: 0.5,
  pride: 1,
  relief: 0.8,
  disappointment: -1,
  embarrassment: -0.7,
  grief: -1,
  remorse: -0.2,
  sadness: -1,
  anger: -1,
  annoyance: -1,
  disapproval: -0.7,
  fear: -0.8,
  nervousness: -0.8,
  disgust: -1,
  confusion: -0.2,
};

/** Share of a set phrase's value that remains, with reversed sign, when it is negated. */
const NEGATED_SHARE = -0.6;

interface Span {
  value: number;
  from: number;
  to: number;
}

const spansOf = (text: string, patterns: readonly ValuedPattern[], { negatedBefore }: SentimentForms): Span[] =>
  patterns.flatMap(({ value, pattern }) => {
    const match = pattern.exec(text);
    if (!match) return [];
    const negated = negatedBefore.test(text.slice(0, match.index));
    return [{ value: negated ? NEGATED_SHARE * value : value, from: match.index, to: match.index + match[0].length }];
  });

/**
 * Combined value of the set phrases, from -1 to 1. Null when there are none. When two overlap, the longer one counts.
 */
function phraseValue(text: string, forms: SentimentForms): number | null {
  const found = [...spansOf(text, forms.positive, forms), ...spansOf(text, forms.negative, forms)].toSorted(
    (a, b) => b.to - b.from - (a.to - a.from),
  );
  const kept = found.filter(
    (span, i) => !found.slice(0, i).some((other) => span.from < other.to && other.from < span.to),
  );
  if (kept.length === 0) return null;
  const total = kept.reduce((sum, { value }) => sum + value, 0);
  const strongest = Math.max(...kept.map(({ value }) => Math.abs(value)));
  return Math.max(-strongest, Math.min(strongest, total));
}

/** A set phrase counts as much as very strong words. */
const PHRASE_STRENGTH = 1.5;

/** A text without polite formulas, which express no feeling. */
const withoutUnfelt = (text: string, { unfelt, unfeltAsked }: SentimentForms): string =>
  unfelt.reduce(
    (rest, pattern) =>
      pattern === unfeltAsked
        ? rest.replace(/^.*\?/gm, (asked) => asked.replace(pattern, ' '))
        : rest.replace(pattern, ' '),
    text,
  );

/** Polarity of one clause, which can slightly exceed the range -1 to 1, and whether the clause has a set phrase. */
function clausePolarity(
  text: string,
  { fine, vad }: ModelReading,
  language: Language,
): { polarity: number; phrased: boolean } {
  const forms = language.affect.sentiment;
  const felt = withoutUnfelt(text, forms);
  const words = wordsOf(text, 'joined');
  const share = words.length === 0 ? 0 : wordsOf(felt, 'joined').length / words.length;
  const classes = fine.reduce((sum, p, i) => sum + p * (CLASS_VALUE[FINE_CLASSES[i]!.name] ?? 0), 0);
  const rated =
    WEIGHTS.vader * readVader(felt, language).compound +
    share * (WEIGHTS.classes * classes + WEIGHTS.valence * Math.tanh(vad[0]));
  const phrase = phraseValue(felt, forms);
  if (phrase !== null) {
    const polarity = BESIDE_PATTERN * rated + (1 - BESIDE_PATTERN) * PHRASE_STRENGTH * phrase;
    return { polarity, phrased: true };
  }
  const kept = isBackchannel(words, language) ? BACKCHANNEL_SHARE : asks(text, language) ? QUESTION_SHARE : 1;
  return { polarity: kept * rated, phrased: false };
}

/** Polarity of an utterance from its words. The clause after "but" decides. */
function wordPolarity(text: string, model: ModelReading, language: Language): { polarity: number; phrased: boolean } {
  const [, first, second] = language.affect.sentiment.turned.exec(text) ?? [];
  if (!first || !second) return clausePolarity(text, model, language);
  const before = clausePolarity(first, readModel(first, language), language);
  const after = clausePolarity(second, readModel(second, language), language);
  return {
    polarity: BEFORE_BUT * before.polarity + (1 - BEFORE_BUT) * after.polarity,
    phrased: before.phrased || after.phrased,
  };
}

/**
 * Combines the negative, neutral and positive shares from the words and from the encoding by averaging their logarithms
 * (Genest & Zidek 1986).
 */
function pooled(words: number[], encoded: number[], share: number): number[] {
  const powers = words.map((p, i) => (p + SHARE_FLOOR) ** (1 - share) * (encoded[i]! + SHARE_FLOOR) ** share);
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/**
 * Reads the sentiment of an utterance from rated words, the trained model, set phrases and, if available, the encoding
 * of the whole utterance.
 */
export function readSentiment(
  text: string,
  language: Language,
  model: ModelReading = readModel(text, language),
): SentimentReading {
  const plain = plainPunctuation(text).toLowerCase();
  const words = wordPolarity(plain, model, language);
  const byWords = Math.max(-1, Math.min(1, words.polarity));
  const wordShares = softmax([-byWords, NEUTRAL_AT, byWords], SHARPNESS);
  const isFormula = wordsOf(withoutUnfelt(plain, language.affect.sentiment), 'joined').length === 0;
  const encoded = isFormula || isBackchannel(wordsOf(plain, 'joined'), language) ? null : model.sentiment;
  const shares = encoded
    ? pooled(wordShares, encoded, words.phrased ? ENCODING_SHARE.beside : ENCODING_SHARE.alone)
    : wordShares;
  const [negative, neutral, positive] = shares as [number, number, number];
  const sentiment = roundedShares({ positive, negative, neutral }, 'neutral');
  const polarity = encoded ? (byWords + positive - negative) / 2 : byWords;
  const vader = readVader(text, language);
  return {
    sentiment,
    polarity: rounded(polarity),
    subjectivity: rounded((1 - sentiment.neutral + Math.min(1, 2 * (vader.positive + vader.negative))) / 2),
    confidence: Math.max(sentiment.positive, sentiment.negative, sentiment.neutral),
  };
}
