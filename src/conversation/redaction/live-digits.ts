import type { RedactionKind } from '../../contract/redaction.ts';
import { type Code, isDigitOne, isMisheardRepeat, isOrdinal } from './codes.ts';
import { cuesBefore, isImpersonal, isMeasuredBy, type ValueCue } from './cues.ts';
import type { PieceRange } from './emails.ts';
import { digitsOf, type FoundValue, isPart, LEAST_LEFT, OF_NUMBERS } from './leftovers.ts';
import type { WordPiece } from './pieces.ts';
import type { CodeRun } from './runs.ts';

/** Most words between a value and digits that a recogniser cut off from it. */
export const CUT_OFF = 3;
/** Most words, two seconds of them, between hidden digits and one that may belong to them. */
const BESIDE = 6;

export const isNumeric = (kind: RedactionKind): boolean => OF_NUMBERS.has(kind) || kind === 'digits';

interface LivePassage {
  pieces: readonly WordPiece[];
  codes: readonly (Code | null)[];
  runs: readonly CodeRun[];
  found: readonly FoundValue[];
  /** Number of the newest utterance. */
  newest: number;
  kinds: ReadonlySet<RedactionKind>;
}

/** Digits to hide, and the kind that is asked for before them. */
interface LiveDigits extends PieceRange {
  cue: ValueCue | undefined;
}

/**
 * Digits of the newest utterance that are not shown while a session is running: among the last words, beside a value or
 * other hidden digits, or after a word that asks for one; also those that look like a date. What follows may show that
 * the recogniser misheard them. Amounts stay, and so does what is called an order and the like.
 */
export function liveDigitsIn({ pieces, codes, runs, found, newest, kinds }: LivePassage): LiveDigits[] {
  const from = pieces.findIndex(({ utterance }) => utterance === newest);
  if (from < 0) return [];
  const values = found.filter(({ kind }) => isNumeric(kind)).flatMap(({ ranges }) => ranges);
  const hasValue = values.some(({ to }) => to >= from);
  const hidden: LiveDigits[] = [];
  const single: PieceRange[] = [];
  for (let i = from; i < pieces.length; i++) {
    const { bare, lower, isMeasure } = pieces[i]!;
    const code = codes[i];
    const isSpoken = isOrdinal(pieces[i]!) || lower === 'hundred';
    const isDigits = isSpoken || /\d/u.test(bare) || (code && !code.isWeak && /\d/u.test(code.chars));
    if (isMisheardRepeat(pieces, i)) hidden.push({ from: i, to: i + 1, cue: undefined });
    const to = code?.to ?? i;
    if (!isDigits || isMeasure || isMeasuredBy(pieces[to + 1])) continue;
    const cue = cuesBefore(pieces, i)[0]?.cue;
    const kind = cue === 'code' || cue === 'expiry' ? 'card' : cue;
    const isCued = kind !== undefined && !isImpersonal(kind) && kinds.has(kind) && isNumeric(kind);
    const isJoined = pieces[to + 1]?.word === pieces[to]!.word && pieces[to + 1]!.utterance === newest;
    // A recogniser prints "three, one, oh" as "three hundred" or "one-hungry", which nothing counts.
    const isMisheard = code?.isAmount || isJoined || (!code && lower === 'hundred');
    const isNear = hasValue || isMisheard || pieces.length - 1 - i <= CUT_OFF;
    // "One" is more often a word than a digit.
    const isDigit = code?.chars !== '1' || isDigitOne(pieces, i);
    if (isNear ? !isImpersonal(cue) : isCued && isDigit) hidden.push({ from: i, to, cue: isCued ? kind : undefined });
    else if (!isImpersonal(cue) && isDigit && code && /^\d{1,2}$/u.test(code.chars)) single.push({ from: i, to });
  }
  // The last number of the utterances before.
  const before = runs.flatMap(({ parts }) => parts).findLast((one) => one.to < from && isNumber(one.codes));
  return [...hidden, ...besideHidden(single, [...(before ? [before] : []), ...values, ...hidden], pieces)];
}

const isNumber = (codes: readonly Code[]): boolean => digitsOf(codes).length >= LEAST_LEFT;

/** One or two digits that stand alone near hidden ones. Those that become hidden count too. Linear in the words. */
function besideHidden(
  single: readonly PieceRange[],
  hidden: readonly PieceRange[],
  pieces: readonly WordPiece[],
): LiveDigits[] {
  if (single.length === 0 || hidden.length === 0) return [];
  const isHidden = new Uint8Array(pieces.length);
  for (const { from, to } of hidden) isHidden.fill(1, from, to + 1);
  const beside: LiveDigits[] = [];
  const hides = (range: PieceRange): boolean => {
    for (let i = range.from - 1; i >= 0 && range.from - i <= BESIDE + 1; i--) {
      if (isHidden[i]) return !isPart(pieces, i + 1, range.from);
      if (pieces[i]!.isLast) break;
    }
    for (let i = range.to + 1; i < pieces.length && i - range.to <= BESIDE + 1; i++) {
      if (pieces[i - 1]!.isLast) return false;
      if (isHidden[i]) return !isPart(pieces, range.to + 1, i);
    }
    return false;
  };
  for (const range of [...single, ...single.toReversed()]) {
    if (isHidden[range.from] || !hides(range)) continue;
    isHidden.fill(1, range.from, range.to + 1);
    beside.push({ ...range, cue: undefined });
  }
  return beside;
}
