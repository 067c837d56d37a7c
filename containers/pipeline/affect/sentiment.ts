import type { Sentiment } from '../../../src/contract/timeline.ts';
import { isBackchannel } from './cues.ts';
import { FINE_CLASSES, type FineEmotion } from './emotion-classes.ts';
import { rounded, roundedShares } from './fusion.ts';
import { asksQuestion } from './lexical.ts';
import { NEGATIVE, type Pattern, POSITIVE, UNFELT } from './sentiment-patterns.ts';
import { type ModelReading, readModel } from './text-model.ts';
import { plainPunctuation, wordsOf } from './tokens.ts';
import { readVader } from './vader.ts';

/** Sentiment of one utterance. The three shares sum to 1; polarity -1..1; subjectivity and confidence 0..1. */
export interface SentimentReading {
  sentiment: Sentiment;
  polarity: number;
  subjectivity: number;
  /** Share of the likeliest of the three. */
  confidence: number;
}

/** Weights of the three readers of the words: rated words, the model's classes, the model's valence. Chosen on the "tune" lines. */
const WEIGHTS = { vader: 0.4, classes: 0.55, valence: 0.2 };
/** Share of the words' reading that stays where a turn of phrase says more than they do. */
const BESIDE_PATTERN = 0.35;
/** What is left of the words' reading in a question, and in a listener's signal. */
const QUESTION_SHARE = 0.4;
const BACKCHANNEL_SHARE = 0.25;
/** After "but" counts what follows; this much of what came before stays (VADER has .5 against 1.5). */
const BEFORE_BUT = 0.25;
/** Shares: softmax over polarity, its opposite and this, at a temperature. */
const NEUTRAL_AT = 0.22;
const SHARPNESS = 0.13;

/** How a fine class of the model bears on sentiment, -1..1; classes not named say nothing. */
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

/** A negation that reaches the turn of phrase right after it: "isn't | too expensive", "not | that happy". */
const NEGATED_BEFORE = /(?:\bnot|n't|\bnever|\bno longer|\bhardly)(?: (?:\w+|'\w+))?\s*$/;
/** Share of a turn's value that its negation has, with the other sign. */
const NEGATED_SHARE = -0.6;

interface Span {
  value: number;
  from: number;
  to: number;
}

const spansOf = (text: string, patterns: readonly Pattern[]): Span[] =>
  patterns.flatMap(({ value, pattern }) => {
    const match = pattern.exec(text);
    if (!match) return [];
    const negated = NEGATED_BEFORE.test(text.slice(0, match.index));
    return [{ value: negated ? NEGATED_SHARE * value : value, from: match.index, to: match.index + match[0].length }];
  });

/** What the turns of phrase say together, -1..1; null when there are none. Of two that overlap the longer counts. */
function phraseValue(text: string): number | null {
  const found = [...spansOf(text, POSITIVE), ...spansOf(text, NEGATIVE)].toSorted(
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

/** A turn of phrase is as strong as very strong words. */
const PHRASE_STRENGTH = 1.5;

/** Polarity of one clause; may pass -1..1 a little. */
function clausePolarity(text: string, { fine, vad }: ModelReading): number {
  const felt = UNFELT.reduce((left, pattern) => left.replace(pattern, ' '), text);
  const words = wordsOf(text);
  const share = words.length === 0 ? 0 : wordsOf(felt).length / words.length;
  const classes = fine.reduce((sum, p, i) => sum + p * (CLASS_VALUE[FINE_CLASSES[i]!.name] ?? 0), 0);
  const rated =
    WEIGHTS.vader * readVader(felt).compound +
    share * (WEIGHTS.classes * classes + WEIGHTS.valence * Math.tanh(vad[0]));
  const phrase = phraseValue(felt);
  if (phrase !== null) return BESIDE_PATTERN * rated + (1 - BESIDE_PATTERN) * PHRASE_STRENGTH * phrase;
  if (isBackchannel(words)) return BACKCHANNEL_SHARE * rated;
  return asksQuestion(text) ? QUESTION_SHARE * rated : rated;
}

/** Reads the sentiment of an utterance: rated words, the trained model and turns of phrase; the clause after "but" decides. */
export function readSentiment(text: string, model: ModelReading = readModel(text)): SentimentReading {
  const plain = plainPunctuation(text).toLowerCase();
  const but = /^(.+?)[,.]? (?:but|however|although it|except that) (.+)$/.exec(plain);
  const whole =
    but?.[1] && but[2]
      ? BEFORE_BUT * clausePolarity(but[1], readModel(but[1])) +
        (1 - BEFORE_BUT) * clausePolarity(but[2], readModel(but[2]))
      : clausePolarity(plain, model);
  const polarity = Math.max(-1, Math.min(1, whole));
  const powers = [polarity, -polarity, NEUTRAL_AT].map((score) => Math.exp(score / SHARPNESS)) as [
    number,
    number,
    number,
  ];
  const sum = powers[0] + powers[1] + powers[2];
  const sentiment = roundedShares(
    { positive: powers[0] / sum, negative: powers[1] / sum, neutral: powers[2] / sum },
    'neutral',
  );
  const { positive, negative } = readVader(text);
  return {
    sentiment,
    polarity: rounded(polarity),
    subjectivity: rounded((1 - sentiment.neutral + Math.min(1, 2 * (positive + negative))) / 2),
    confidence: Math.max(sentiment.positive, sentiment.negative, sentiment.neutral),
  };
}
