import { isCueWord } from './cues.ts';
import type { WordPiece } from './pieces.ts';

/** Digits and letters that were said, as one reads them. */
export interface Code {
  /** Digits and capital letters. `o` and "oh" are `0`. */
  chars: string;
  /** Numbers of the first and last piece. */
  from: number;
  to: number;
  /** Whether it can also be an ordinary word ("a", "Mike", "for"), so that only its neighbours make it a code. */
  isWeak: boolean;
  /** Whether a person writes it as one group ("4242"), or pauses after it. */
  endsGroup: boolean;
  /** Lengths of its groups, if it is written with marks between them ("123-45-6789"). */
  groups?: number[];
  /** Whether it is said or written as an amount ("585,843", "three thousand"), so that only a cue makes it a code. */
  isAmount?: boolean;
}

/** A table without the properties of an object, of which "constructor" is a word that people say. */
const byWord = <T>(table: Record<string, T>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null) as Record<string, T>, table);

const UNITS = byWord<string>({
  zero: '0',
  oh: '0',
  o: '0',
  ow: '0',
  nought: '0',
  naught: '0',
  nil: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
  niner: '9',
  fife: '5',
});
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const REPEATED = byWord<number>({ double: 2, triple: 3, treble: 3, quadruple: 4 });
/** Words that sound like digits, if digits are on both sides. */
const HOMOPHONES = byWord<string>({
  to: '2',
  too: '2',
  for: '4',
  fore: '4',
  won: '1',
  ate: '8',
  tree: '3',
  free: '3',
  sex: '6',
  sicks: '6',
  fine: '9',
});

/** A recogniser prints the beginning of "double six" as "double's". */
export const isRepeat = ({ lower }: WordPiece): boolean => /^(?:double|triple|treble|quadruple)(?:'?s)?$/u.test(lower);

/** Whether a repeated digit was misheard: "double for". */
export const isMisheardRepeat = (pieces: readonly WordPiece[], i: number): boolean => {
  const [repeat, digit] = [pieces[i], pieces[i + 1]];
  if (!repeat || !digit || repeat.utterance !== digit.utterance) return false;
  return isRepeat(repeat) && HOMOPHONES[digit.lower] !== undefined;
};

/** An ordinal that a recogniser prints in place of a digit. The first three are also other words. */
export const isOrdinal = ({ lower }: WordPiece): boolean =>
  /^(?:four|fif|six|seven|eigh|nin|ten|eleven|twelf)th$/u.test(lower);

/** Words around "one" where it counts or points ("the one", "one of them", "one moment") and is not a digit. */
const BEFORE_ONE: ReadonlySet<string> = new Set(
  'the this that these which another other no any each every only just a an old new my your his her our their last next first same right wrong'.split(
    ' ',
  ),
);
const AFTER_ONE: ReadonlySet<string> = new Set(
  "of more moment sec thing person way day other another last that's is was who which i you we they he she it in on at with".split(
    ' ',
  ),
);

/** Whether "one" at a place can be a digit. */
export const isDigitOne = (pieces: readonly WordPiece[], i: number): boolean => {
  const { utterance } = pieces[i]!;
  const isIn = (piece: WordPiece | undefined, words: ReadonlySet<string>) =>
    piece?.utterance === utterance && words.has(piece.lower);
  const isBefore = isIn(pieces[i - 1], BEFORE_ONE) && !pieces[i - 1]!.isPaused && !pieces[i - 1]!.isLast;
  const isAfter = isIn(pieces[i + 1], AFTER_ONE) && !pieces[i]!.isPaused && !pieces[i]!.isLast;
  return !isBefore && !isAfter;
};

const NATO = byWord<string>(
  Object.fromEntries(
    'alpha alfa bravo charlie delta echo foxtrot golf hotel hotels india juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky x-ray xray yankee zulu'
      .split(' ')
      .map((word) => [word, word[0]!.toUpperCase()]),
  ),
);
const SPELLED = byWord<string>({ zed: 'Z', zee: 'Z', 'double-u': 'W' });
/** Words between a letter and the word that it begins ("B for bravo"). */
const AS_IN: readonly (readonly string[])[] = [['for'], ['as', 'in'], ['like'], ['as'], ['in']];
const CASES: ReadonlySet<string> = new Set(['capital', 'uppercase', 'lowercase', 'cap']);

/** Words without vowels that spell nothing. */
const HUMS: ReadonlySet<string> = new Set([
  'ok',
  'hm',
  'hmm',
  'mm',
  'mhm',
  'mmhm',
  'pm',
  'am',
  'tv',
  'mr',
  'mrs',
  'ms',
  'dr',
]);

/** "Mhm" as the only word of an utterance, as a recogniser also prints it ("M. H. M."). */
const SPELLED_HUM = ['m', 'h', 'm'];
const isSpelledHum = (pieces: readonly WordPiece[], i: number): boolean => {
  const utterance = pieces[i]?.utterance;
  const isAlone = pieces[i - 1]?.utterance !== utterance && pieces[i + SPELLED_HUM.length]?.utterance !== utterance;
  return (
    isAlone &&
    SPELLED_HUM.every((letter, k) => pieces[i + k]?.lower === letter && pieces[i + k]!.utterance === utterance)
  );
};

const DIGITS = /^\+?\(?\d[\d().\-–/]*$/u;
const GROUPED = /^\d{1,3}(?:,\d{3})+$/u;
const GROUPED_DECIMAL = /^\d{1,3}(?:,\d{3})+\.\d+$/u;
const DECIMAL = /^\d{1,3}\.\d{1,2}$/u;
const IP_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/u;
/** "345-899-3560x4587" */
const EXTENSION = /^([\d().\-–+]{7,})x\d{1,6}$/u;
const SINGLES = /^\d(?:,\d)+$/u;
/** Groups as in no amount, as in "103,91,808,709": a recogniser prints the groups of a number in this way. */
const ODD_GROUPS = /^\d+(?:,\d+)+$/u;

/** The codes of a passage, in order. They do not overlap. */
export function codesOf(pieces: readonly WordPiece[]): (Code | null)[] {
  const at: (Code | null)[] = [];
  for (let i = 0; i < pieces.length; ) {
    if (isSpelledHum(pieces, i)) {
      at.push(...SPELLED_HUM.map(() => null));
      i += SPELLED_HUM.length;
      continue;
    }
    const code = codeAt(pieces, i, at);
    if (!code) {
      at.push(null);
      i++;
      continue;
    }
    for (let j = code.from; j <= code.to; j++) at.push(code);
    i = code.to + 1;
  }
  return at;
}

/** The value of a number word below a hundred at a place, and the place of its last piece. */
export function numberAt(pieces: readonly WordPiece[], i: number): { value: number; to: number } | null {
  const word = pieces[i]?.lower;
  if (word === undefined) return null;
  const unit = word === 'o' || word === 'ow' ? undefined : UNITS[word];
  if (unit !== undefined && word.length > 1) return { value: Number(unit), to: i };
  const teen = TEENS.indexOf(word);
  if (teen >= 0) return { value: 10 + teen, to: i };
  const ten = TENS.indexOf(word);
  if (ten < 0) return null;
  const next = pieces[i + 1];
  const ones = next && next.utterance === pieces[i]!.utterance && !pieces[i]!.isPaused ? UNITS[next.lower] : undefined;
  return ones !== undefined && ones !== '0' && next!.lower.length > 2
    ? { value: 20 + ten * 10 + Number(ones), to: i + 1 }
    : { value: 20 + ten * 10, to: i };
}

function codeAt(pieces: readonly WordPiece[], i: number, before: readonly (Code | null)[]): Code | null {
  const piece = pieces[i]!;
  const { lower } = piece;
  const made = (chars: string, to = i, more: Partial<Code> = {}): Code => {
    const { isPaused, isLast } = pieces[to]!;
    return { chars, from: i, to, isWeak: false, endsGroup: isPaused || isLast || chars.length > 1, ...more };
  };
  if (piece.isMeasure) return null;
  const times = REPEATED[lower];
  if (times !== undefined) {
    const one = single(pieces[i + 1]);
    if (one !== null && pieces[i + 1]!.utterance === piece.utterance)
      return made(one.repeat(times), i + 1, { endsGroup: pieces[i + 1]!.isPaused });
    return null;
  }
  if (CASES.has(lower) && pieces[i + 1] && single(pieces[i + 1]) !== null) return made(single(pieces[i + 1])!, i + 1);
  const named = letterWithName(pieces, i);
  if (named) return named;
  const number = lower === 'o' || lower === 'oh' ? null : numberAt(pieces, i);
  if (number) return withHundreds(pieces, number, made);
  if (UNITS[lower] !== undefined) return made(UNITS[lower], i, { isWeak: lower === 'ow' });
  if (/^\d/u.test(piece.bare) || /^\+\d/u.test(piece.bare)) return written(piece.bare, made);
  if (/^[a-z]$/u.test(lower)) return made(lower.toUpperCase(), i, { isWeak: lower === 'a' || lower === 'i' });
  if (NATO[lower] !== undefined) return made(NATO[lower], i, { isWeak: true });
  if (SPELLED[lower] !== undefined) return made(SPELLED[lower]);
  const mixed = piece.bare.replace(/[-–]/gu, '');
  if (/^[A-Za-z]{1,4}\d[A-Za-z0-9]*$/u.test(mixed)) return made(mixed.toUpperCase(), i, { endsGroup: true });
  // A recogniser joins spelled letters: "NWBK", "s.m.i.t.h".
  if (/^(?:\p{L}\.)+\p{L}$/u.test(piece.bare)) return made(piece.bare.replace(/\./gu, '').toUpperCase());
  if (HUMS.has(lower) || isCueWord(lower)) return null;
  if (/^[A-Z]{2,5}$/u.test(piece.bare)) return made(piece.bare, i, { isWeak: true });
  const isAfterCode = before[i - 1] !== undefined && before[i - 1] !== null;
  if (/^[b-df-hj-np-tv-xz]{2,4}$/u.test(lower) && isAfterCode) return made(lower.toUpperCase(), i, { isWeak: true });
  const homophone = HOMOPHONES[lower];
  if (homophone !== undefined && isAfterCode && isDigit(pieces[i + 1])) return made(homophone, i, { isWeak: true });
  return null;
}

/** "eight hundred" is 800, "two thousand and five" 2005. */
function withHundreds(
  pieces: readonly WordPiece[],
  { value, to }: { value: number; to: number },
  made: (chars: string, to?: number, more?: Partial<Code>) => Code,
): Code {
  const power = pieces[to + 1]?.lower;
  if (power !== 'hundred' && power !== 'thousand') {
    const { isPaused, isLast } = pieces[to]!;
    return made(String(value), to, { endsGroup: isPaused || isLast });
  }
  const scaled = value * (power === 'hundred' ? 100 : 1000);
  const and = pieces[to + 2]?.lower === 'and' ? numberAt(pieces, to + 3) : null;
  const direct = and ?? (power === 'thousand' ? numberAt(pieces, to + 2) : null);
  const isAmount = true;
  if (!direct) return made(String(scaled), to + 1, { isAmount });
  const isHundreds = pieces[direct.to + 1]?.lower === 'hundred';
  const rest = isHundreds ? direct.value * 100 : direct.value;
  return made(String(scaled + rest), isHundreds ? direct.to + 1 : direct.to, { isAmount });
}

function written(bare: string, made: (chars: string, to?: number, more?: Partial<Code>) => Code): Code | null {
  if (GROUPED_DECIMAL.test(bare) || DECIMAL.test(bare) || IP_ADDRESS.test(bare)) return null;
  // A recogniser also prints the digits of a number in this way.
  if (GROUPED.test(bare)) return made(bare.replace(/,/gu, ''), undefined, { endsGroup: true, isAmount: true });
  if (SINGLES.test(bare)) return made(bare.replace(/,/gu, ''));
  if (ODD_GROUPS.test(bare)) return made(bare.replace(/,/gu, ''), undefined, { endsGroup: true });
  const number = EXTENSION.exec(bare)?.[1] ?? bare;
  if (DIGITS.test(number)) {
    const digits = number.replace(/\D/gu, '');
    const groups = number.split(/\D+/u).flatMap((group) => (group === '' ? [] : [group.length]));
    const isGrouped = groups.length > 1 && groups.some((length) => length > 1);
    return made(digits, undefined, {
      ...(digits.length > 1 && { endsGroup: true }),
      ...(isGrouped && { groups }),
    });
  }
  const code = bare.replace(/[-–]/gu, '');
  // "42nd", "3pm" and "10k" are measures.
  if (/^\d+(?:st|nd|rd|th|am|pm|k|m|kg|km|ml|mm|cm|gb|mb|s|x|h)$/iu.test(code)) return null;
  return /^[A-Za-z0-9]+$/u.test(code) ? made(code.toUpperCase(), undefined, { endsGroup: true }) : null;
}

/** One digit or one letter. */
function single(piece: WordPiece | undefined): string | null {
  if (!piece) return null;
  const { lower } = piece;
  if (UNITS[lower] !== undefined) return UNITS[lower];
  return /^[a-z0-9]$/u.test(lower) ? lower.toUpperCase() : (NATO[lower] ?? SPELLED[lower] ?? null);
}

const isDigit = (piece: WordPiece | undefined): boolean =>
  piece !== undefined && (UNITS[piece.lower] !== undefined || /^\d+$/u.test(piece.bare) || TENS.includes(piece.lower));

/** "B for bravo", "M as in Mary". */
function letterWithName(pieces: readonly WordPiece[], i: number): Code | null {
  const { lower, utterance } = pieces[i]!;
  const letter = /^[a-z]$/u.test(lower) ? lower : lower === 'zed' || lower === 'zee' ? 'z' : null;
  if (letter === null) return null;
  for (const words of AS_IN) {
    const to = i + words.length + 1;
    const named = pieces[to];
    if (!named || named.utterance !== utterance || named.lower.length < 2 || !named.lower.startsWith(letter)) continue;
    if (words.every((word, k) => pieces[i + 1 + k]!.lower === word))
      return { chars: letter.toUpperCase(), from: i, to, isWeak: false, endsGroup: named.isPaused };
  }
  return null;
}
