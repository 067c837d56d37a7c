import { isContentWord, words } from './tokens.ts';
import type { Turns } from './turns.ts';

/** How sure the recogniser is of the content words of a text, each 0..1. */
export interface AsrConfidence {
  mean: number;
  least: number;
}

/** Confidence below which a word said once may be another one. */
const DOUBTFUL = 0.5;
/** Mean confidence from which words weigh fully, and down to which they weigh nothing. */
const SURE = 0.85;
const UNSURE = 0.35;
/** Confidence below which a word is likely another one, and the share of its weight that a sentence with one keeps. */
const MISHEARD = 0.35;
const ONE_MISHEARD = 0.6;
/** What words need to be told as a fact: all of them together, and each. */
const TOLD_MEAN = 0.7;
const TOLD_LEAST = 0.55;

const doubtsOf = new WeakMap<Turns, ReadonlySet<string>>();

/** Content words that may be others: heard once, and not well. Kept for as long as the turns are. */
export function doubtfulWords(turns: Turns): ReadonlySet<string> {
  let doubts = doubtsOf.get(turns);
  if (!doubts) {
    const weak = new Map<string, number>();
    for (const u of turns.heard)
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

/** Tells how well some words of a turn were heard; by the whole turn where words carry no confidence. */
export function asrConfidenceOf(turns: Turns, turn: number): (spoken: readonly string[]) => AsrConfidence {
  const u = turns.heard[turn]!;
  const whole = u.asr_confidence ?? 1;
  if (!u.words || u.words.length === 0) return () => ({ mean: whole, least: whole });
  const doubts = doubtfulWords(turns);
  const known = new Map<string, number>();
  // What comes again was heard, however rare the word.
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

/** How much of its weight a sentence keeps, 0..1. */
export const trust = ({ mean, least }: AsrConfidence): number =>
  Math.min(1, Math.max(0, (mean - UNSURE) / (SURE - UNSURE))) * (least < MISHEARD ? ONE_MISHEARD : 1);

/** Whether a sentence was heard well enough to be told as a fact; else it is quoted. */
export const isSure = ({ mean, least }: AsrConfidence): boolean => mean >= TOLD_MEAN && least >= TOLD_LEAST;
