import { inOrder, REDACTION_KINDS, type RedactionKind } from '../../contract/redaction.ts';
import { type Code, codesOf, isRepeat } from './codes.ts';
import { cuesBefore, isCueWord, isImpersonal, isMeasuredBy, type ValueCue } from './cues.ts';
import { datesIn, type FoundDate, isYearOfBirth } from './dates.ts';
import { emailsIn, type PieceRange } from './emails.ts';
import {
  CUT_KINDS,
  type DoubtReason,
  digitsOf,
  type FoundValue,
  isPlain,
  LEAST_LEFT,
  leftoversIn,
} from './leftovers.ts';
import { CUT_OFF, isNumeric, liveDigitsIn } from './live-digits.ts';
import type { NameTagger, WordTag } from './name-tagger.ts';
import { isWhole, kindsOfRun } from './numbers.ts';
import { addressesIn, COMMON, namesIn, secretsIn } from './people.ts';
import { type PassageWord, piecesOf, type WordPiece } from './pieces.ts';
import { repliesIn } from './replies.ts';
import { type CodeRun, FILLERS, type RunPart, readingsOf, runsOf } from './runs.ts';
import { zipCodesIn } from './zip-codes.ts';

/** The words of an utterance as the recogniser wrote them, without spaces. */
export interface SpokenWords {
  speaker: string;
  words: readonly string[];
}

/** Words of one utterance to be replaced by a label. */
export interface Mask {
  kind: RedactionKind;
  /** Numbers of the first and last word. */
  from: number;
  to: number;
}

export interface Masked<T> {
  item: T;
  /** In order, without overlaps. */
  masks: Mask[];
  /** Why something of a value may be left in this utterance or the four before it. */
  doubts: { reason: DoubtReason; kind: RedactionKind | null }[];
}

/** The digits of some words in order, as they are said or written. */
export function digitsIn(words: readonly string[]): string {
  const pieces = piecesOf(words.map((text) => ({ text, utterance: 0 })));
  const codes = new Set(codesOf(pieces).filter((code) => code !== null));
  return [...codes].map(({ chars }) => chars.replace(/\D/gu, '')).join('');
}

/** The numbers of three or more digits in some words, except amounts, years and dates, as digits. */
export function numbersLeftIn(words: readonly string[]): string[] {
  const pieces = piecesOf(words.map((text) => ({ text, utterance: 0 })));
  const codes = codesOf(pieces);
  const passage = { pieces, codes, dates: datesIn(pieces) };
  const parts = runsOf(pieces, codes, ['']).flatMap((run) => run.parts);
  return parts
    .filter((part) => !isPlain(part, passage, false))
    .map((part) => digitsOf(part.codes))
    .filter(({ length }) => length >= LEAST_LEFT);
}

/** Utterances before the newest that cues may stand in. */
const CONTEXT = 6;
/** Most utterances that wait for the end of a number. */
const MOST_HELD = 24;
/** Utterances during which a few digits may turn out to be a part of a number. */
const LIMBO = 3;
const LIMBO_DIGITS = 3;
/** Most values of a conversation that are recognised when they are said again, and the shortest repeated part. */
const MOST_KNOWN = 500;
const LEAST_REPEATED = 4;

interface Tagged extends SpokenWords {
  /** By word; empty without a tagger. */
  tags: readonly WordTag[];
}

interface Held<T> extends Tagged {
  item: T;
}

/** The held utterances as they are read so far. */
interface Read {
  masks: Mask[][];
  doubts: Masked<unknown>['doubts'][];
  /** Number of the first one that may still change. */
  openFrom: number;
}

interface Passage {
  pieces: readonly WordPiece[];
  codes: readonly (Code | null)[];
  /** By utterance. */
  speakers: readonly string[];
}

interface RedactorOptions {
  holds?: boolean;
  tagger?: NameTagger | null;
}

/**
 * Finds personal data in a conversation, utterance by utterance. An utterance is given back once no later one can
 * change what is redacted in it: an open run of digits or letters waits for its end. Linear in the words. This file has
 * only the order in which values are read and joined; each kind of value is read in a file of its own.
 */
export class Redactor<T> {
  readonly #kinds: ReadonlySet<RedactionKind>;
  readonly #holds: boolean;
  readonly #tagger: NameTagger | null;
  #context: Tagged[] = [];
  #held: Held<T>[] = [];
  /** Digits that were redacted, and their kinds. */
  readonly #known = new Map<string, RedactionKind>();
  readonly #names = new Set<string>();
  /** Whether the newest utterance ends in a run that the next one may continue. */
  #isOpen = false;

  /**
   * @param kinds to redact
   * @param holds whether an utterance with an open run waits. Otherwise the run is redacted at once, whatever it turns
   * out to be (live).
   * @param tagger finds names and addresses besides those that the rules find; null: the rules alone
   */
  constructor(kinds: Iterable<RedactionKind>, { holds = true, tagger = null }: RedactorOptions = {}) {
    this.#kinds = new Set(inOrder(kinds));
    this.#holds = holds;
    this.#tagger = this.#kinds.has('name') || this.#kinds.has('address') ? tagger : null;
  }

  /** @returns the utterances that are settled, in order */
  add(item: T, { speaker, words }: SpokenWords): Masked<T>[] {
    this.#held.push({ item, speaker, words, tags: this.#tagsOf(words) });
    const read = this.#read(false);
    const count = this.#held.length;
    const keep = this.#holds ? Math.min(count, MOST_HELD, count - read.openFrom) : 0;
    return this.#release(read, count - keep);
  }

  /** @returns the rest */
  end(): Masked<T>[] {
    return this.#release(this.#read(true), this.#held.length);
  }

  /**
   * Masks of interim text, as if it were the next utterance. Everything is masked that could become a part of a number.
   */
  peek({ speaker, words }: SpokenWords): Mask[] {
    const wasOpen = this.#isOpen;
    this.#held.push({ item: undefined as T, speaker, words, tags: this.#tagsOf(words) });
    const { masks } = this.#read(false);
    this.#held.pop();
    this.#isOpen = wasOpen;
    return masks.at(-1)!;
  }

  /** The tags of the words that follow the utterances so far. */
  #tagsOf(words: readonly string[]): WordTag[] {
    if (!this.#tagger) return [];
    const before = [...this.#context.slice(-2), ...this.#held.slice(-2)].map((one) => one.words);
    return this.#tagger.tagsOf(words, before);
  }

  #release({ masks, doubts }: Read, count: number): Masked<T>[] {
    const released = this.#held.splice(0, count);
    this.#context = [...this.#context, ...released].slice(-CONTEXT);
    return released.map(({ item }, i) => ({ item, masks: masks[i]!, doubts: doubts[i]! }));
  }

  /** Reads the held utterances in their context. */
  #read(isEnd: boolean): Read {
    const all: Tagged[] = [...this.#context, ...this.#held];
    const words: PassageWord[] = all.flatMap(({ words }, utterance) => words.map((text) => ({ text, utterance })));
    const speakers = all.map(({ speaker }) => speaker);
    const pieces = piecesOf(words);
    const codes = codesOf(pieces);
    const runs = runsOf(pieces, codes, speakers);
    const passage = { pieces, codes, speakers };
    const found: FoundValue[] = [];
    const take = (kind: RedactionKind, ranges: PieceRange[]) => {
      if (this.#kinds.has(kind)) found.push(...ranges.map((range) => ({ kind, ranges: [range] })));
    };
    take('email', emailsIn(pieces, codes));
    const dates = datesIn(pieces);
    for (const { kind, range } of personalDates(pieces, codes, dates)) take(kind, [range]);
    for (const { kind, range } of repliesIn(pieces, codes, dates, speakers)) take(kind, [range]);
    if (this.#kinds.has('postcode')) take('postcode', [...zipCodesIn(pieces, codes)]);
    if (this.#kinds.has('password')) take('password', secretsIn(passage));
    const tags = all.flatMap(({ words: own, tags: tagged }) => own.map((_, i) => tagged[i] ?? null));
    if (this.#kinds.has('address')) {
      take('address', addressesIn(passage));
      take('address', rangesOf('address', tags, pieces));
    }
    const undecided: CodeRun[] = [];
    const ofOthers = new Set<CodeRun>();
    for (const run of runs) {
      const all = kindsOfRun(run, pieces);
      const kind = all.find((one) => this.#kinds.has(one));
      if (!kind) {
        undecided.push(run);
        if (all.some((one) => one !== 'digits')) ofOthers.add(run);
      } else {
        const ranges = kind === 'account' ? withLetters(run.parts, pieces) : run.parts;
        found.push({ kind, ranges, run, isPart: CUT_KINDS.has(kind) && !isWhole(kind, run, pieces) });
        this.#learn(kind, readingsOf(run));
      }
    }
    for (const run of undecided) {
      const repeated = this.#kindOfRepeated(run);
      const kind = repeated ?? kindBeside(run, found, pieces) ?? kindGoingOn(run, found, pieces, speakers);
      if (kind) found.push({ kind, ranges: run.parts, isPart: true, ...(!repeated && { run }) });
    }
    const leftovers = leftoversIn({ ...passage, runs, ofOthers, dates, found, kinds: this.#kinds, isEnd });
    found.push(...leftovers.found);
    if (this.#kinds.has('name')) take('name', this.#namesOf(passage, rangesOf('name', tags, pieces)));
    const newest = all.length - 1;
    const open = runs.at(-1)?.isOpen ? runs.at(-1)! : null;
    this.#isOpen = open !== null;
    if (!this.#holds)
      for (const run of runs) {
        const last = run.parts.at(-1)!;
        const isNewest = last.utterance === newest && pieces.length - 1 - last.to <= CUT_OFF;
        if (run.isOpen || isNewest || run.parts.length > 1) this.#maskOpen(run, pieces, found, newest);
        else if (digitsOf(last.codes).length >= LEAST_LEFT && !isPlain(last, { pieces, codes, dates }, false))
          this.#maskOpen(run, pieces, found, last.utterance);
      }
    const repeat = pieces.length - (startsRepeat(pieces.at(-1), newest) ? 1 : 2);
    // "triple se" goes on with a digit; "double check" does not, unless digits are right before it.
    const isLastRepeat =
      startsRepeat(pieces[repeat], newest) &&
      (repeat === pieces.length - 1 ||
        runs.some(({ parts }) => parts.at(-1)!.to < repeat && repeat - parts.at(-1)!.to <= CUT_OFF));
    if (!this.#holds && isLastRepeat && [...this.#kinds].some(isNumeric))
      found.push({ kind: this.#shown(undefined), ranges: [{ from: repeat, to: pieces.length - 1 }] });
    if (!this.#holds && [...this.#kinds].some(isNumeric)) {
      const digits = liveDigitsIn({ ...passage, runs, found, newest, kinds: this.#kinds });
      found.push(...digits.map(({ cue, ...range }) => ({ kind: this.#shown(cue), ranges: [range] })));
    }
    const first = Math.min(
      open ? open.parts[0]!.utterance : all.length,
      emailOpenFrom(pieces, newest, this.#kinds) ?? all.length,
      leftovers.openFrom ?? all.length,
      ...undecided.filter((run) => isInLimbo(run, newest)).map(({ parts }) => parts[0]!.utterance),
    );
    const skipped = this.#context.length;
    const doubts = this.#held.map((_, i) => leftovers.doubts.filter(({ utterance }) => utterance === skipped + i));
    return { masks: masksOf(found, pieces, all).slice(skipped), doubts, openFrom: Math.max(0, first - skipped) };
  }

  #learn(kind: RedactionKind, readings: readonly string[]): void {
    if (kind === 'dob' || kind === 'postcode') return;
    for (const reading of readings) {
      const digits = reading.replace(/\D/gu, '');
      if (digits.length >= LEAST_REPEATED && this.#known.size < MOST_KNOWN && !this.#known.has(digits))
        this.#known.set(digits, kind);
    }
  }

  #kindOfRepeated(run: CodeRun): RedactionKind | undefined {
    const digits = readingsOf(run)[0]!.replace(/\D/gu, '');
    if (digits.length < LIMBO_DIGITS) return undefined;
    for (const [value, kind] of this.#known)
      if (
        digits.length >= LEAST_REPEATED
          ? value.includes(digits)
          : value.length > 8 && value.includes(digits) && run.isOpen
      )
        return kind;
    return undefined;
  }

  #namesOf(passage: Passage, tagged: readonly PieceRange[]) {
    const { pieces } = passage;
    const names = [...namesIn(passage), ...tagged];
    for (const { from, to } of names)
      for (let i = from; i <= to; i++) {
        const own = bareName(pieces[i]!);
        if (this.#isKnowable(pieces[i]!) && this.#names.size < MOST_KNOWN) this.#names.add(own);
      }
    for (const [i, piece] of pieces.entries())
      if (this.#names.has(bareName(piece)) && (isCapital(piece) || this.#isListed(piece)))
        names.push({ from: i, to: i });
    return names;
  }

  /** Whether a word of a name is recognised when it is said again. */
  #isKnowable(piece: WordPiece): boolean {
    if (!isCapital(piece)) return this.#isListed(piece);
    return /^\p{L}{3,}/u.test(piece.bare) && !this.#tagger?.isCommon(piece.lower);
  }

  /** Whether a word is a name without a capital too. */
  #isListed(piece: WordPiece): boolean {
    const own = bareName(piece);
    return own.length >= LEAST_NAME && (this.#tagger?.isListedName(own) ?? false);
  }

  /**
   * Live: a run that the next words may continue is not shown, whatever it is. The last words may be the beginning of a
   * digit, or misheard.
   */
  #maskOpen(run: CodeRun, pieces: readonly WordPiece[], found: FoundValue[], newest: number): void {
    const part = run.parts.at(-1)!;
    if (part.utterance !== newest) return;
    const cued = cuesBefore(pieces, run.parts[0]!.from)[0]?.cue;
    const isExclamation = run.parts.length === 1 && pieces[part.from]!.lower === 'oh' && part.from === part.to;
    if (isExclamation && (cued === undefined || isImpersonal(cued))) return;
    if ([...this.#kinds].some(isNumeric)) found.push({ kind: this.#shown(cued), ranges: [part] });
  }

  #shown(cued: ValueCue | undefined): RedactionKind {
    const kind = REDACTION_KINDS.find((one) => one === cued && this.#kinds.has(one));
    return kind ?? (this.#kinds.has('digits') ? 'digits' : [...this.#kinds].find(isNumeric)!);
  }
}

/** Least length of a name that is recognised without a capital, letters. */
const LEAST_NAME = 4;
const bareName = ({ lower }: WordPiece): string => lower.replace(/'s$/u, '');
const isCapital = ({ bare }: WordPiece): boolean => /^\p{Lu}/u.test(bare);

/** Whether "double" or the like is the last word so far. */
const startsRepeat = (piece: WordPiece | undefined, newest: number): boolean =>
  piece?.utterance === newest && isRepeat(piece);

/** Longest word of letters that begins the number of a policy ("kih 984361047"), and fewest digits after it. */
const LONGEST_LETTERS = 4;
const LEAST_AFTER_LETTERS = 6;

/** The parts of the number of an account, with the letters that are written as a word right before it. */
function withLetters(parts: readonly RunPart[], pieces: readonly WordPiece[]): PieceRange[] {
  const [first, ...rest] = parts;
  const before = pieces[first!.from - 1];
  const isBeside = before?.utterance === first!.utterance && !before.isLast && !before.isPaused;
  const hasLetters =
    isBeside &&
    before.bare.length <= LONGEST_LETTERS &&
    /^\p{L}{2,}$/u.test(before.bare) &&
    !COMMON.has(before.lower) &&
    !FILLERS.has(before.lower) &&
    !isCueWord(before.lower) &&
    digitsOf(first!.codes).length >= LEAST_AFTER_LETTERS;
  return hasLetters ? [{ from: first!.from - 1, to: first!.to }, ...rest] : [...parts];
}

/** The kind of a value right beside some digits: a recogniser that mishears one digit as a word cuts a number in two. */
function kindBeside(
  { parts }: CodeRun,
  found: readonly FoundValue[],
  pieces: readonly WordPiece[],
): RedactionKind | undefined {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const digits = parts.flatMap(({ codes }) => codes.map(({ chars }) => chars.replace(/\D/gu, ''))).join('');
  if (digits.length < 2 || isMeasuredBy(pieces[last.to + 1])) return undefined;
  return found.find(
    ({ kind, ranges, isPart }) =>
      isPart &&
      CUT_KINDS.has(kind) &&
      ranges.some(({ from, to }) => {
        const isAfter = from > last.to && pieces[from]!.utterance === last.utterance && from - last.to - 1 <= CUT_OFF;
        const isBefore = to < first.from && pieces[to]!.utterance === first.utterance && first.from - to - 1 <= CUT_OFF;
        return isAfter || isBefore;
      }),
  )?.kind;
}

/** Utterances within which a speaker goes on with a value, and the fewest digits of such a part. */
const GOES_ON = 5;
const LEAST_GOING_ON = 3;

/** The kind of a value that the same speaker began a few utterances before, if nothing says that this is another. */
function kindGoingOn(
  { parts }: CodeRun,
  found: readonly FoundValue[],
  pieces: readonly WordPiece[],
  speakers: readonly string[],
): RedactionKind | undefined {
  const [first, last] = [parts[0]!, parts.at(-1)!];
  const digits = parts.flatMap(({ codes }) => codes.map(({ chars }) => chars.replace(/\D/gu, ''))).join('');
  if (digits.length < LEAST_GOING_ON || isMeasuredBy(pieces[last.to + 1])) return undefined;
  const cue = cuesBefore(pieces, first.from)[0];
  return found.findLast(
    ({ kind, ranges, isPart }) =>
      isPart &&
      CUT_KINDS.has(kind) &&
      ranges.some(({ from, to }) => {
        const { utterance } = pieces[to]!;
        const isNear = utterance < first.utterance && first.utterance - utterance <= GOES_ON;
        return isNear && speakers[utterance] === first.speaker && (cue === undefined || cue.at < from);
      }),
  )?.kind;
}

/** Whether a few digits may still turn out to be a part of a number that is said later. */
function isInLimbo(run: CodeRun, newest: number): boolean {
  const digits = readingsOf(run)[0]!.replace(/\D/gu, '').length;
  return digits >= LIMBO_DIGITS && newest - run.parts.at(-1)!.utterance < LIMBO;
}

/** The utterance at which an address may begin whose end is not said yet. */
function emailOpenFrom(pieces: readonly WordPiece[], newest: number, kinds: ReadonlySet<RedactionKind>): number | null {
  if (!kinds.has('email')) return null;
  const last = pieces.at(-1);
  if (!last || last.utterance !== newest) return null;
  if (['at', 'dot', 'underscore', 'dash', 'gmail', 'hotmail', 'yahoo'].includes(last.lower) || last.bare.endsWith('@'))
    return newest;
  for (let i = pieces.length - 1; i >= 0 && newest - pieces[i]!.utterance <= 2; i--)
    if (['email', 'e-mail', 'mail'].includes(pieces[i]!.lower)) return pieces[i]!.utterance;
  return null;
}

/** Ranges of consecutive pieces that the tagger gave one kind, within an utterance. A word that is not a name stays. */
function rangesOf(kind: 'name' | 'address', tags: readonly WordTag[], pieces: readonly WordPiece[]): PieceRange[] {
  const ranges: PieceRange[] = [];
  for (const [i, { word, utterance, bare, lower }] of pieces.entries()) {
    if (tags[word] !== kind || (kind === 'name' && bare === lower && COMMON.has(lower))) continue;
    const last = ranges.at(-1);
    if (last && last.to === i - 1 && pieces[last.to]!.utterance === utterance) last.to = i;
    else ranges.push({ from: i, to: i });
  }
  return ranges;
}

/** Dates of birth, and expiry dates of cards. */
function* personalDates(
  pieces: readonly WordPiece[],
  codes: readonly (Code | null)[],
  dates: readonly FoundDate[],
): Generator<{ kind: RedactionKind; range: PieceRange }> {
  for (const date of dates) {
    const cues = cuesBefore(pieces, date.from);
    const nearest = cues[0];
    const isFull = date.hasDay && date.hasMonth;
    if (nearest?.cue === 'expiry' && date.hasMonth) {
      yield { kind: 'card', range: date };
      continue;
    }
    const cued = cues.find(({ cue }) => cue === 'dob');
    const isCued = cued !== undefined && (nearest === cued || cued.distance <= 12);
    const isEnough =
      isFull || (date.hasMonth && date.year !== null) || (date.year !== null && (cued?.distance ?? 99) <= 8);
    if (isCued && isEnough) yield { kind: 'dob', range: widened(date, pieces, codes) };
    else if (
      !isImpersonal(nearest?.cue) &&
      isFull &&
      date.year !== null &&
      isYearOfBirth(date.year) &&
      !isRecent(pieces, date)
    )
      yield { kind: 'dob', range: date };
  }
}

/** A year with only two digits does not prove a birth. */
const isRecent = (pieces: readonly WordPiece[], { from, to, year }: FoundDate): boolean =>
  !pieces
    .slice(from, to + 1)
    .some(({ bare, lower }) => bare.includes(String(year)) || lower === 'nineteen' || lower === 'thousand');

const OF_DATES: ReadonlySet<string> = new Set(['the', 'of', 'um', 'uh', 'and', 'sorry', 'no']);

/** A date with the numbers right beside it, in which somebody corrects or repeats it. */
function widened({ from, to }: FoundDate, pieces: readonly WordPiece[], codes: readonly (Code | null)[]): PieceRange {
  const { utterance } = pieces[from]!;
  const isPart = (i: number) => pieces[i]?.utterance === utterance && (codes[i] || /^\d/u.test(pieces[i]!.bare));
  let start = from;
  let end = to;
  while (isPart(start - 1) || (OF_DATES.has(pieces[start - 1]?.lower ?? '') && isPart(start - 2))) start--;
  while (isPart(end + 1) || (OF_DATES.has(pieces[end + 1]?.lower ?? '') && isPart(end + 2))) end++;
  return { from: start, to: end };
}

/** The masks of each utterance. Where findings overlap, the first kind of the list wins. */
function masksOf(found: FoundValue[], pieces: readonly WordPiece[], all: readonly SpokenWords[]): Mask[][] {
  const starts: number[] = [];
  let total = 0;
  for (const { words } of all) {
    starts.push(total);
    total += words.length;
  }
  const painted = new Array<FoundValue | undefined>(total);
  const rank = (kind: RedactionKind) => REDACTION_KINDS.indexOf(kind);
  const strongest = found.toSorted((a, b) => rank(b.kind) - rank(a.kind));
  for (const one of strongest)
    for (const { from, to } of one.ranges)
      for (let word = pieces[from]!.word; word <= pieces[to]!.word; word++) painted[word] = one;
  return all.map(({ words }, utterance) => {
    const masks: Mask[] = [];
    const start = starts[utterance]!;
    for (let i = 0; i < words.length; i++) {
      const one = painted[start + i];
      if (!one) continue;
      const last = masks.at(-1);
      if (last && last.to === i - 1 && last.kind === one.kind) last.to = i;
      else masks.push({ kind: one.kind, from: i, to: i });
    }
    return masks;
  });
}
