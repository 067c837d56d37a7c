import { isContentWord, words } from './tokens.ts';
import type { Turns } from './turns.ts';

/** The recogniser's confidence in the content words of a text, each 0..1. */
export interface AsrConfidence {
  mean: number;
  least: number;
}

/** Confidence below which a word that occurs only once may have been misrecognised. */
const DOUBTFUL = 0.5;
/** Mean confidence at which words get full weight, and below which they get none. */
const SURE = 0.85;
const UNSURE = 0.35;
/**
 * Confidence below which a word was probably misrecognised, and the fraction of its weight that a sentence with such a
 * word keeps.
 */
const MISRECOGNISED = 0.35;
const ONE_MISRECOGNISED = 0.6;
/** Minimum confidence for words to be reported as a fact: their mean, and each single word. */
const FACT_MEAN = 0.7;
const FACT_LEAST = 0.55;

const doubtsOf = new WeakMap<Turns, ReadonlySet<string>>();

/**
 * Content words that may have been misrecognised, because they occur once and with low confidence. Cached as long as
 * the turns exist.
 */
export function doubtfulWords(turns: Turns): ReadonlySet<string> {
  let doubts = doubtsOf.get(turns);
  if (!doubts) {
    const weak = new Map<string, number>();
    for (const u of turns.recognised)
      for (const { word, confidence } of u.words ?? [])
        if (confidence < DOUBTFUL)
          for (const token of words(word)) if (isContentWord(token, turns.language)) weak.set(token, 0);
    if (weak.size > 0)
      for (const spoken of turns.words)
        for (const token of spoken) {
          const count = weak.get(token);
          if (count !== undefined) weak.set(token, count + 1);
        }
    doubts = new Set([...weak].filter(([, count]) => count < 2).map(([token]) => token));
    doubtsOf.set(turns, doubts);
  }
  return doubts;
}

/** The recogniser's confidence in some words of a turn, or in the whole turn if its words have none. */
export function asrConfidenceOf(turns: Turns, turn: number): (spoken: readonly string[]) => AsrConfidence {
  const u = turns.recognised[turn]!;
  const whole = u.asr_confidence ?? 1;
  if (!u.words || u.words.length === 0) return () => ({ mean: whole, least: whole });
  const doubts = doubtfulWords(turns);
  const known = new Map<string, number>();
  // A word that recurs was recognised correctly, however rare it is.
  for (const { word, confidence } of u.words)
    for (const token of words(word))
      if (isContentWord(token, turns.language))
        known.set(token, doubts.has(token) ? confidence : Math.max(confidence, DOUBTFUL));
  return (spoken) => {
    const own = spoken.flatMap((token) => known.get(token) ?? []);
    if (own.length === 0) return { mean: whole, least: whole };
    return { mean: own.reduce((sum, c) => sum + c, 0) / own.length, least: own.reduce((a, b) => Math.min(a, b)) };
  };
}

/** Fraction of its weight that a sentence keeps, 0 to 1. */
export const trust = ({ mean, least }: AsrConfidence): number =>
  Math.min(1, Math.max(0, (mean - UNSURE) / (SURE - UNSURE))) * (least < MISRECOGNISED ? ONE_MISRECOGNISED : 1);

/** Whether a sentence was recognised well enough to be reported as a fact. If not, it is quoted. */
export const isSure = ({ mean, least }: AsrConfidence): boolean => mean >= FACT_MEAN && least >= FACT_LEAST;
