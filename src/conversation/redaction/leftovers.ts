import type { RedactionKind } from '../../contract/redaction.ts';
import { type AskedValue, askedIn, type Bounds, boundsOf, LINKS, NO_VALUE, OF_CUES } from './asked-values.ts';
import { type Code, isDigitOne, isMisheardRepeat, isOrdinal } from './codes.ts';
import { cuesBefore, isImpersonal, isMeasuredBy } from './cues.ts';
import type { FoundDate } from './dates.ts';
import type { PieceRange } from './emails.ts';
import { explainsNumber } from './numbers.ts';
import type { WordPiece } from './pieces.ts';
import { type CodeRun, FILLERS, type RunPart } from './runs.ts';

/** A value that the reader has found. */
export interface FoundValue {
  kind: RedactionKind;
  ranges: PieceRange[];
  /** Whether it may be a part of a number. */
  isPart?: boolean;
  /** The run that was read; undefined: words. */
  run?: CodeRun;
}

/** Why something may still be left of a value. */
export type DoubtReason = 'unread' | 'incomplete' | 'unassigned';

/** A place at which something of a value may be left, because the recogniser misheard it. */
export interface Doubt {
  reason: DoubtReason;
  /**
   * The kind that was asked for or begun, or as which digits of no kind (`unassigned`) are redacted; null: a number that
   * may be anything, and stays.
   */
  kind: RedactionKind | null;
  utterance: number;
}

export interface Leftovers {
  found: FoundValue[];
  doubts: Doubt[];
  /** The first utterance that later ones may still change; null: none. */
  openFrom: number | null;
}

interface Passage {
  pieces: readonly WordPiece[];
  codes: readonly (Code | null)[];
  runs: readonly CodeRun[];
  /** The runs that are values of kinds which are not redacted. */
  ofOthers: ReadonlySet<CodeRun>;
  dates: readonly FoundDate[];
  /** By utterance. */
  speakers: readonly string[];
  found: readonly FoundValue[];
  kinds: ReadonlySet<RedactionKind>;
  /** Whether no utterance follows. */
  isEnd: boolean;
}

/** Utterances after a question or a cue in which its value is given. */
const REPLY_UTTERANCES = 4;
/** Most words of a reply that are read, and fewest digits of a leftover. */
const REPLY_WORDS = 40;
export const LEAST_LEFT = 3;
/** Fewest digits of a number that is doubtful whatever stands around it. */
const LEAST_ANYWHERE = 6;
/** Words between a value and a leftover of the same utterance, and utterances between those of one speaker. */
const NEAR_WORDS = 8;
const NEAR_UTTERANCES = 2;
/** Fewest digits of a complete value. A part of it is complete too where its last digits alone are asked for. */
const COMPLETE: Partial<Record<RedactionKind, number>> = { card: 13, iban: 12, ssn: 9, phone: 7 };
const LAST_DIGITS = 4;
/** Words after an incomplete value that may be misheard digits, and before it. */
const MISHEARD_AFTER = 8;
const MISHEARD_BEFORE = 4;

/** The kinds whose values are numbers, or written with letters and digits. */
export const OF_NUMBERS: ReadonlySet<RedactionKind> = new Set([
  'card',
  'iban',
  'ssn',
  'phone',
  'dob',
  'password',
  'account',
  'postcode',
  'email',
]);

/** Kinds of which a recogniser that mishears a digit as a word cuts a value in two. */
export const CUT_KINDS: ReadonlySet<RedactionKind> = new Set(['card', 'iban', 'ssn', 'phone', 'account']);

export const digitsOf = (codes: readonly Code[]): string =>
  [...new Set(codes)].map(({ chars }) => chars.replace(/\D/gu, '')).join('');

/**
 * Finds what may be left of values that a recogniser misheard. Digits that belong to a value are given back as a part of it;
 * for the rest, the doubts say where. Linear in the words.
 */
export function leftoversIn(passage: Passage): Leftovers {
  const { pieces, codes, found, kinds } = passage;
  const kindAt: (RedactionKind | undefined)[] = new Array(pieces.length);
  const paint = ({ kind, ranges }: FoundValue) => {
    for (const { from, to } of ranges) kindAt.fill(kind, from, to + 1);
  };
  for (const one of found) if (OF_NUMBERS.has(one.kind)) paint(one);
  const bounds = boundsOf(pieces, passage.speakers.length);
  const more: FoundValue[] = [];
  const doubts: Doubt[] = [];
  let openFrom: number | null = null;
  const add = (kind: RedactionKind, range: PieceRange) => {
    if (range.to < range.from) return;
    const value = { kind, ranges: [range] };
    paint(value);
    more.push(value);
  };
  const open = (utterance: number) => {
    openFrom = Math.min(openFrom ?? utterance, utterance);
  };

  const asked = askedIn(pieces, codes, bounds);
  for (const one of asked) {
    if (!kinds.has(one.kind)) continue;
    const reply = replyTo(one, passage, bounds);
    for (const part of reply.parts)
      if (digitsOf(part.codes).length >= LEAST_LEFT && !isMasked(part, kindAt) && !isPlain(part, passage, true))
        add(one.kind, part);
    if (isMasked(reply, kindAt)) continue;
    if (!reply.isOver) {
      open(one.utterance);
      continue;
    }
    const words = pieces.slice(reply.from, reply.to + 1);
    const isGiven = one.isStated || !words.some(({ lower }) => NO_VALUE.has(lower));
    const said = words.filter(({ lower }) => !FILLERS.has(lower));
    if (!isGiven || said.length === 0) continue;
    const hasDigits = words.some((_, i) => mayBeDigit(codes[reply.from + i]));
    // A birth is spoken of in other ways too.
    const isLikely = hasDigits || (one.kind !== 'dob' && (one.isStated || said.length <= SHORT_REPLY));
    if (!isLikely) continue;
    add(one.kind, spokenReply(reply, pieces, bounds));
    doubts.push({ reason: 'unread', kind: one.kind, utterance: pieces[reply.to]!.utterance });
  }

  for (const range of besideIn(passage, asked, kindAt, bounds)) add(kindAt[range.of]!, range);

  for (const run of passage.runs)
    for (const part of run.parts) {
      if (digitsOf(part.codes).length < LEAST_LEFT || isMasked(part, kindAt) || isPlain(part, passage, false)) continue;
      const kind = kindNear(part, passage, kindAt, bounds);
      if (kind) add(kind, part);
      else if (
        digitsOf(run.parts.flatMap((one) => one.codes)).length >= LEAST_ANYWHERE &&
        isLongNumber(part) &&
        !explainsNumber(cuesBefore(pieces, part.from)[0]?.cue) &&
        run.parts[0] === part
      )
        doubts.push({ reason: 'unassigned', kind: null, utterance: part.utterance });
    }

  // Digits between the parts that were just found, and beside them: of "one thousand", a recogniser may leave "one foul".
  for (const range of besideIn(passage, asked, kindAt, bounds)) {
    const own = codes.slice(range.from, range.to + 1);
    if (own.some((code, k) => mayBeDigit(code) || isOne(code, pieces, range.from + k))) add(kindAt[range.of]!, range);
  }

  // Digits that were said one by one are hidden even where nothing shows what they are.
  const unassigned = kinds.has('digits') ? 'digits' : [...kinds].find((kind) => CUT_KINDS.has(kind));
  const hide = (range: PieceRange) => {
    if (unassigned) add(unassigned, range);
    doubts.push({ reason: 'unassigned', kind: unassigned ?? null, utterance: pieces[range.from]!.utterance });
  };
  const ofOthers: (RedactionKind | undefined)[] = new Array(pieces.length);
  for (const { parts } of passage.ofOthers) for (const { from, to } of parts) ofOthers.fill('digits', from, to + 1);
  const isOfOther = (range: PieceRange) => isMasked(range, ofOthers);
  for (const parts of brokenNumbers(passage, kindAt))
    if (!parts.some(isOfOther)) hide({ from: parts[0]!.from, to: parts.at(-1)!.to });
  for (const range of onlyDigitsIn(passage, kindAt, bounds)) if (!isOfOther(range)) hide(range);

  for (const { kind, parts, isOver } of incompleteIn(passage)) {
    for (const range of misheardIn(parts, passage, kindAt, bounds)) add(kind, range);
    if (isOver) doubts.push({ reason: 'incomplete', kind, utterance: parts.at(-1)!.utterance });
    else open(parts[0]!.utterance);
  }
  return { found: more, doubts, openFrom };
}

/** A reply without a value that is not longer than this is doubtful, and most words of it that are redacted. */
const SHORT_REPLY = 8;
const LONGEST_REPLY = 14;

/** The first utterance of a reply that says anything, without what introduces the value. */
function spokenReply({ from, to }: PieceRange, pieces: readonly WordPiece[], bounds: readonly Bounds[]): PieceRange {
  let start = from;
  while (start < to && FILLERS.has(pieces[start]!.lower)) start++;
  let end = Math.min(to, bounds[pieces[start]!.utterance]!.to, start + LONGEST_REPLY - 1);
  while (end > start && CLOSINGS.has(pieces[end]!.lower)) end--;
  return { from: start, to: end };
}

/** Words between a value and digits of the same utterance that belong to it, where it was asked for, and elsewhere. */
const BESIDE_ASKED = 6;
const BESIDE = 2;

/**
 * Digits beside a value in its utterance, with the words between, and the few words between two parts of it. `of` is a
 * piece of the value.
 */
function* besideIn(
  { pieces, codes, dates }: Passage,
  asked: readonly AskedValue[],
  kindAt: readonly (RedactionKind | undefined)[],
  bounds: readonly Bounds[],
): Generator<PieceRange & { of: number }> {
  const isDigits = (i: number, kind: RedactionKind): boolean => {
    const { bare, isMeasure } = pieces[i]!;
    if (isMeasure || bare.includes(':')) return false;
    if (kind !== 'dob' && isDate({ from: i, to: i }, dates)) return false;
    const code = codes[i];
    if (isMisheardRepeat(pieces, i) || isMisheardRepeat(pieces, i - 1)) return true;
    const isDigit = mayBeDigit(code) || (COMPLETE[kind] !== undefined && isOne(code, pieces, i));
    if (!(/\d/u.test(bare) || isDigit)) return false;
    const last = code?.to ?? i;
    return !(isMeasuredBy(pieces[last + 1]) && pieces[last + 1]!.utterance === pieces[i]!.utterance);
  };
  for (const [utterance, { from, to, isEmpty }] of bounds.entries()) {
    if (isEmpty) continue;
    const near = new Set(
      asked
        .filter((one) => utterance >= one.utterance && utterance - one.utterance <= REPLY_UTTERANCES)
        .map(({ kind }) => kind),
    );
    for (const step of [1, -1]) {
      let value: number | null = null;
      for (let i = step > 0 ? from : to; i >= from && i <= to; i += step) {
        const kind = kindAt[i];
        if (kind === undefined && value !== null) {
          const of = kindAt[value]!;
          const reach = near.has(of) ? BESIDE_ASKED : BESIDE;
          if (of === 'email' || Math.abs(i - value) > reach + 1 || names(pieces, value, i)) value = null;
          else if (isDigits(i, of)) {
            yield { from: Math.min(value + 1, i), to: Math.max(value - 1, i), of: value };
            value = i;
          }
          continue;
        }
        if (kind === undefined) continue;
        if (value !== null && kindAt[value] === kind && Math.abs(i - value) > 1 && kind !== 'email') {
          if (Math.abs(i - value) <= BESIDE_ASKED && !names(pieces, value, i))
            yield { from: Math.min(value, i) + 1, to: Math.max(value, i) - 1, of: value };
        }
        value = i;
      }
    }
  }
}

/** Whether a word between two pieces says that another value follows. */
const names = (pieces: readonly WordPiece[], a: number, b: number): boolean =>
  isPart(pieces, Math.min(a, b) + 1, Math.max(a, b));

const isMasked = ({ from, to }: PieceRange, kindAt: readonly (RedactionKind | undefined)[]): boolean => {
  for (let i = from; i <= to; i++) if (kindAt[i] !== undefined) return true;
  return false;
};

const mayBeDigit = (code: Code | null | undefined): boolean =>
  code !== null && code !== undefined && !code.isWeak && /\d/u.test(code.chars) && code.chars !== '1';

const isOne = (code: Code | null | undefined, pieces: readonly WordPiece[], i: number): boolean =>
  code?.chars === '1' && isDigitOne(pieces, i);

/** Whether digits are one number, not a list of small ones. */
const isLongNumber = ({ codes }: RunPart): boolean =>
  !codes.some(({ isWeak, chars }) => isWeak && /\d/u.test(chars)) &&
  (codes.some(({ chars }) => chars.length >= 4) || codes.every(({ chars }) => chars.length === 1));

/** Most misheard words between two parts of a number that is said digit by digit. */
const MISHEARD_BETWEEN = 3;

/**
 * Numbers of which a recogniser misheard single digits ("three, four, near or one, three, five, seven, high, eight"), so that
 * none of their parts is long: digits one by one in an utterance, with few words between, that belong to no value.
 */
function* brokenNumbers(passage: Passage, kindAt: readonly (RedactionKind | undefined)[]): Generator<RunPart[]> {
  const { pieces, runs } = passage;
  const isSingle = (part: RunPart) =>
    part.codes.every(({ chars, isWeak }) => chars.length === 1 && !(isWeak && /\d/u.test(chars))) &&
    digitsOf(part.codes).length > 0 &&
    !isMasked(part, kindAt) &&
    !isPlain(part, passage, false);
  let group: RunPart[] = [];
  const isLong = () =>
    group.length > 1 &&
    digitsOf(group.flatMap(({ codes }) => codes)).length >= LEAST_ANYWHERE &&
    // An enumeration has single digits between its words.
    group.some(({ codes }) => digitsOf(codes).length >= LEAST_LEFT) &&
    group.every(({ codes }) => digitsOf(codes).length < LEAST_ANYWHERE) &&
    !explainsNumber(cuesBefore(pieces, group[0]!.from)[0]?.cue);
  for (const part of runs.flatMap(({ parts }) => parts).toSorted((a, b) => a.from - b.from)) {
    const last = group.at(-1);
    const goesOn = last?.utterance === part.utterance && part.from - last.to - 1 <= MISHEARD_BETWEEN;
    if (!goesOn) {
      if (isLong()) yield group;
      group = [];
    }
    if (isSingle(part)) group.push(part);
  }
  if (isLong()) yield group;
}

/** Fewest digits of an utterance that is nothing but digits. */
const LEAST_ALONE = 4;

/**
 * Utterances of nothing but digits that were said one by one, of which a recogniser prints some as ordinals ("nine eighth
 * one eighth"), where nothing says what they are. Nobody says an amount in this way, but people count.
 */
function* onlyDigitsIn(
  { pieces, codes, dates }: Passage,
  kindAt: readonly (RedactionKind | undefined)[],
  bounds: readonly Bounds[],
): Generator<PieceRange> {
  for (const { from, to, isEmpty } of bounds) {
    if (isEmpty) continue;
    let start = from;
    let end = to;
    while (start < end && FILLERS.has(pieces[start]!.lower) && !codes[start]) start++;
    while (end > start && FILLERS.has(pieces[end]!.lower) && !codes[end]) end--;
    const own = pieces.slice(start, end + 1);
    const said = own.map((piece, k) => {
      const code = codes[start + k];
      return isOrdinal(piece) || (code && /^(\d)\1*$/u.test(code.chars) && code.chars.length <= 4 && !code.isWeak);
    });
    const spoken = digitsOf(codes.slice(start, end + 1).filter((code) => code !== null));
    const digits = spoken.length + own.filter(isOrdinal).length;
    if (digits < LEAST_ALONE || !said.every(Boolean) || spoken.length * 2 < digits) continue;
    const range = { from: start, to: end };
    if (isMasked(range, kindAt) || isCounting(spoken) || isDate(range, dates)) continue;
    const cue = cuesBefore(pieces, start)[0]?.cue;
    if (cue === 'amount' || !explainsNumber(cue)) yield range;
  }
}

/** Whether each digit is one more, or one less, than the one before it. */
const isCounting = (digits: string): boolean =>
  [1, -1].some((step) => [...digits].every((digit, i) => i === 0 || Number(digit) - Number(digits[i - 1]) === step));

const isDate = ({ from, to }: PieceRange, dates: readonly FoundDate[]): boolean =>
  dates.some((date) => date.from <= to && date.to >= from);

/** Whether digits are a price, a date, a year, a time, or a count. @param isAsked whether a value was asked for */
export function isPlain(
  part: RunPart,
  { pieces, dates, codes }: Pick<Passage, 'pieces' | 'dates' | 'codes'>,
  isAsked: boolean,
): boolean {
  const digits = digitsOf(part.codes);
  const next = pieces[part.to + 1];
  if (isMeasuredBy(next) && next!.utterance === part.utterance) return true;
  if (/^(?:19|20)\d\d$/u.test(digits)) return true;
  if (isDate(part, dates)) return true;
  if (pieces[part.from - 1]?.isMeasure || next?.isMeasure) return true;
  if (isAsked) return false;
  if (part.codes.every(({ isAmount }) => isAmount)) return true;
  // "a hundred and twenty over eighty", "between two hundred and three hundred", "number 300"
  const around = [pieces[part.from - 1]?.lower, pieces[part.to + 1]?.lower];
  if (around.some((word) => word !== undefined && OF_AMOUNTS.has(word))) return true;
  return isImpersonal(cuesBefore(pieces, part.from)[0]?.cue) || codes[part.from]?.groups !== undefined;
}

const OF_AMOUNTS: ReadonlySet<string> = new Set(
  'over by between about around roughly nearly almost only than least most under up plus minus times per and-a-half cost costs paid pay price maybe approximately total'.split(
    ' ',
  ),
);

interface Reply extends PieceRange {
  parts: RunPart[];
  /** Whether nothing more of it can follow. */
  isOver: boolean;
}

/** The words after a question, by anybody: a recogniser does not always tell voices apart. */
function replyTo(
  { at, utterance }: AskedValue,
  { pieces, runs, isEnd, speakers }: Passage,
  bounds: readonly Bounds[],
): Reply {
  const last = Math.min(utterance + REPLY_UTTERANCES, speakers.length - 1);
  let to = at;
  for (let one = last; one >= utterance; one--)
    if (!bounds[one]!.isEmpty) {
      to = Math.min(bounds[one]!.to, at + REPLY_WORDS);
      break;
    }
  const parts = runs.flatMap((run) => run.parts.filter((part) => part.from > at && part.to <= to));
  const isOver = isEnd || utterance + REPLY_UTTERANCES <= speakers.length - 1 || to === at + REPLY_WORDS;
  return { from: Math.min(at + 1, pieces.length - 1), to, parts, isOver };
}

/** The kind of a value near some digits: in their utterance, or in the turn of the same speaker. */
function kindNear(
  { from, to, utterance, speaker }: RunPart,
  { pieces, speakers }: Passage,
  kindAt: readonly (RedactionKind | undefined)[],
  bounds: readonly Bounds[],
): RedactionKind | undefined {
  for (let i = from - 1; i >= Math.max(bounds[utterance]!.from, from - NEAR_WORDS); i--)
    if (kindAt[i] && !isPart(pieces, i + 1, from)) return kindAt[i];
  for (let i = to + 1; i <= Math.min(bounds[utterance]!.to, to + NEAR_WORDS); i++)
    if (kindAt[i] && !isPart(pieces, to + 1, i)) return kindAt[i];
  for (let other = utterance - 1; other >= Math.max(0, utterance - NEAR_UTTERANCES); other--) {
    const own = bounds[other]!;
    if (own.isEmpty) continue;
    if (speakers[other] !== speaker) break;
    for (let i = own.to; i >= Math.max(own.from, own.to - NEAR_WORDS); i--) if (kindAt[i]) return kindAt[i];
  }
  return undefined;
}

/** Whether a sentence ends, or another thing is named, between two pieces. */
export const isPart = (pieces: readonly WordPiece[], from: number, to: number): boolean => {
  const cue = from < to && to < pieces.length ? cuesBefore(pieces, to)[0] : undefined;
  return cue !== undefined && cue.at >= from;
};

interface Incomplete {
  kind: RedactionKind;
  parts: RunPart[];
  /** Whether its rest can no longer follow. */
  isOver: boolean;
}

/** Values that have too few digits, with all of their parts. */
function incompleteIn({ pieces, found, isEnd, speakers }: Passage): Incomplete[] {
  const incomplete: Incomplete[] = [];
  for (const [kind, least] of Object.entries(COMPLETE) as [RedactionKind, number][]) {
    const parts = found
      .flatMap((one) =>
        one.kind === kind && one.run && one.isPart !== undefined
          ? one.run.parts.map((part) => ({ part, isPart: one.isPart }))
          : [],
      )
      .toSorted((a, b) => a.part.from - b.part.from);
    let group: RunPart[] = [];
    let isWhole = false;
    const close = (isOver: boolean) => {
      const said = new Set(group.map(({ codes }) => digitsOf(codes)));
      const digits = [...said].join('').length;
      const first = group[0];
      // An amount is what a recogniser prints in place of digits that it did not hear one by one.
      const isHeard = !group.some(({ codes }) => codes.some(({ isAmount, chars }) => isAmount && chars.endsWith('00')));
      const isEnough = isHeard && (isWhole || digits >= least);
      if (first && !isEnough && !isLastDigits(first, digits, pieces)) incomplete.push({ kind, parts: group, isOver });
      group = [];
      isWhole = false;
    };
    for (const { part, isPart } of parts) {
      const last = group.at(-1);
      if (last && part.utterance - last.utterance > REPLY_UTTERANCES) close(true);
      group.push(part);
      isWhole ||= isPart === false;
    }
    const last = group.at(-1);
    if (last) close(isEnd || speakers.length - 1 - last.utterance >= REPLY_UTTERANCES);
  }
  return incomplete;
}

/** Whether only the last digits of a number, or the code of a card, are given. */
function isLastDigits({ from, codes }: RunPart, digits: number, pieces: readonly WordPiece[]): boolean {
  const cue = cuesBefore(pieces, from)[0]?.cue;
  if ((cue === 'code' || cue === 'expiry') && digits <= LAST_DIGITS + 1) return true;
  if (codes.length === 0 || digits > LAST_DIGITS) return false;
  return pieces.slice(Math.max(0, from - 12), from).some(({ lower }) => LAST.has(lower));
}

const LAST: ReadonlySet<string> = new Set(['last', 'ends', 'ending', 'end', 'final', 'ended']);

/** The words around the parts of an incomplete value that may be the rest of it. */
function* misheardIn(
  parts: readonly RunPart[],
  { pieces }: Passage,
  kindAt: readonly (RedactionKind | undefined)[],
  bounds: readonly Bounds[],
): Generator<PieceRange> {
  for (const [n, part] of parts.entries()) {
    const own = bounds[part.utterance]!;
    const next = parts[n + 1];
    if (next) {
      // Everything between two parts, within an utterance or whole utterances.
      for (let utterance = part.utterance; utterance <= next.utterance; utterance++) {
        const { from, to, isEmpty } = bounds[utterance]!;
        if (isEmpty) continue;
        const range = {
          from: utterance === part.utterance ? part.to + 1 : from,
          to: utterance === next.utterance ? next.from - 1 : to,
        };
        yield* misheard(range, pieces, kindAt, 2 * MISHEARD_AFTER);
      }
      continue;
    }
    let end = part.to + 1;
    while (end <= own.to && end - part.to <= MISHEARD_AFTER && !pieces[end - 1]!.isLast) end++;
    yield* misheard({ from: part.to + 1, to: Math.min(own.to, end - 1) }, pieces, kindAt, MISHEARD_AFTER);
  }
  const first = parts[0]!;
  const own = bounds[first.utterance]!;
  let start = first.from;
  while (start > own.from && first.from - start < MISHEARD_BEFORE && !isBoundary(pieces, start - 1)) start--;
  yield* misheard({ from: start, to: first.from - 1 }, pieces, kindAt, MISHEARD_BEFORE);
}

/** Whether a piece ends what introduces a value. */
const isBoundary = (pieces: readonly WordPiece[], i: number): boolean => {
  const { lower, isLast } = pieces[i]!;
  return (
    isLast || LINKS.has(lower) || OF_CUES.has(lower) || FILLERS.has(lower) || cuesBefore(pieces, i + 1)[0]?.at === i
  );
};

/** A range without the words at its ends that are not digits, if it is short. */
function* misheard(
  { from, to }: PieceRange,
  pieces: readonly WordPiece[],
  kindAt: readonly (RedactionKind | undefined)[],
  most: number,
): Generator<PieceRange> {
  let start = from;
  let end = to;
  while (start <= end && FILLERS.has(pieces[start]!.lower)) start++;
  while (end >= start && (FILLERS.has(pieces[end]!.lower) || CLOSINGS.has(pieces[end]!.lower))) end--;
  if (end < start || end - start >= most || isMasked({ from: start, to: end }, kindAt)) return;
  yield { from: start, to: end };
}

const CLOSINGS: ReadonlySet<string> = new Set(['thank', 'thanks', 'you', 'please', 'bye', 'cheers']);
