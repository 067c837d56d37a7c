import type { RuleTryResult } from '../../../sdk/wire.ts';
import { widerIn } from './rule-draft.ts';

/** Judgements by utterance. Null: one that was taken back. */
export type HitThumbs = ReadonlyMap<string, 'up' | 'down' | null>;

/** A hit as the scale reads it. */
export interface ScaleHit {
  /** Its first utterance; empty for silence. */
  utterance: string;
  /** The phrases that matched, in lower case. */
  matched: readonly string[];
}

/** The conversations of a trial by the date that the page shows, newest first. */
export const newestFirst = <T extends { recorded_at: string }>(matches: readonly T[]): T[] =>
  matches.toSorted((a, b) => Date.parse(b.recorded_at) - Date.parse(a.recorded_at));

export type Dot = 'right' | 'wrong' | 'open';

/** One step of the scale, from the very words of a rule to what it just leaves out. */
export interface ScaleStep {
  label: string;
  /** Whether the rule has these hits; false: it just leaves them out. */
  isIn: boolean;
  count: number;
  /** A dot for each hit, judged ones first. */
  dots: Dot[];
}

const STEPS = ['in these words', 'in another form', 'with words between', 'heard'] as const;
const ORDER: readonly Dot[] = ['wrong', 'right', 'open'];

/**
 * The hits of a trial by how near they are to the words of the rule, then those that each wider rule adds.
 * @param hits the hits that the trial shows
 */
export function scaleOf(
  hits: readonly ScaleHit[],
  { phrases, left_out }: Pick<RuleTryResult, 'phrases' | 'left_out'>,
  thumbs: HitThumbs,
): ScaleStep[] {
  const asked = phrases.map(({ phrase }) => wordsOf(phrase));
  const dots = STEPS.map((): Dot[] => []);
  for (const { utterance, matched } of hits) {
    const thumb = thumbs.get(utterance);
    dots[stepOf(matched, asked)]!.push(thumb === 'up' ? 'right' : thumb === 'down' ? 'wrong' : 'open');
  }
  return [
    ...STEPS.map(
      (label, i): ScaleStep => ({
        label,
        isIn: true,
        count: dots[i]!.length,
        dots: dots[i]!.sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
      }),
    ),
    ...left_out.map((one): ScaleStep => {
      const open = Array.from({ length: one.hit_count }, (): Dot => 'open');
      return { label: widerIn(one), isIn: false, count: one.hit_count, dots: open };
    }),
  ].filter(({ count }) => count > 0);
}

/** The index of a hit's step: that of its nearest phrase, or the last one if no words are asked for. */
function stepOf(matched: readonly string[], asked: readonly string[][]): number {
  const steps = matched.map((text) => {
    const said = wordsOf(text);
    if (asked.some((phrase) => phrase.length === said.length && phrase.every((word, i) => word === said[i]))) return 0;
    return asked.some((phrase) => isFormOf(phrase, said)) ? 1 : 2;
  });
  return Math.min(STEPS.length - 1, ...steps);
}

/** Letters that the forms of a word share: "try" and "tries". */
const SHARED_LETTERS = 2;

const isFormOf = (phrase: readonly string[], said: readonly string[]): boolean =>
  phrase.length === said.length &&
  phrase.every((word, i) => word.slice(0, SHARED_LETTERS) === said[i]!.slice(0, SHARED_LETTERS));

/** The words of a phrase, as the service compares them. */
export const wordsOf = (text: string): string[] =>
  text
    .replaceAll('’', "'")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+(?:'\p{L}+)?/gu) ?? [];
