import { numberAt } from './codes.ts';
import type { WordPiece } from './pieces.ts';

const MONTHS: ReadonlySet<string> = new Set(
  'january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
);
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth'.split(
    ' ',
  );
const WRITTEN_DATE = /^(?:\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})|(?:19|20)\d{2}[/.-]\d{1,2}[/.-]\d{1,2})$/u;
/** Years of birth. A full date in one counts as a date of birth even if nothing says so. */
const BIRTHS = { first: 1900, last: 2012 } as const;

export interface FoundDate {
  /** Numbers of the first and last piece. */
  from: number;
  to: number;
  year: number | null;
  hasDay: boolean;
  hasMonth: boolean;
}

interface Read {
  value: number;
  to: number;
}

export const isYearOfBirth = (year: number | null): boolean =>
  year !== null && year >= BIRTHS.first && year <= BIRTHS.last;

/** The dates of a passage as they are said or written, in order. Years alone are included. */
export function datesIn(pieces: readonly WordPiece[]): FoundDate[] {
  const dates: FoundDate[] = [];
  for (let i = 0; i < pieces.length; ) {
    const date = dateAt(pieces, i);
    if (date) dates.push(date);
    i = date ? date.to + 1 : i + 1;
  }
  return dates;
}

function dateAt(pieces: readonly WordPiece[], i: number): FoundDate | null {
  const piece = pieces[i]!;
  if (WRITTEN_DATE.test(piece.bare)) {
    const year = /(?:19|20)\d{2}/u.exec(piece.bare)?.[0];
    return { from: i, to: i, year: Number(year ?? 1900 + Number(piece.bare.slice(-2))), hasDay: true, hasMonth: true };
  }
  return dayFirst(pieces, i) ?? monthFirst(pieces, i) ?? yearAlone(pieces, i);
}

/** "the third of May eighty-four", "3rd of the 5th 84", "24 06 1953". */
function dayFirst(pieces: readonly WordPiece[], i: number): FoundDate | null {
  const day = dayAt(pieces, i);
  if (!day) return null;
  const next = skipped(pieces, day.to + 1, ['of', 'the', 'in', 'day']);
  if (isMonth(pieces[next])) return withYear(pieces, { from: i, to: next, year: null, hasDay: true, hasMonth: true });
  const isOrdinal = ordinalAt(pieces, i) !== null;
  const month = dayAt(pieces, next);
  if (!month || month.value > 12) return null;
  const found = withYear(pieces, { from: i, to: month.to, year: null, hasDay: true, hasMonth: true });
  return found.year !== null && (isOrdinal || found.year >= BIRTHS.first) ? found : null;
}

/** "May 3rd 1984", "May the third", "September 1926". */
function monthFirst(pieces: readonly WordPiece[], i: number): FoundDate | null {
  if (!isMonth(pieces[i])) return null;
  const at = skipped(pieces, i + 1, ['the', 'of']);
  const year = yearAt(pieces, at);
  if (year && year.value >= BIRTHS.first && !isShortYear(pieces, at, year))
    return { from: i, to: year.to, year: year.value, hasDay: false, hasMonth: true };
  const day = dayAt(pieces, at);
  if (!day) return null;
  return withYear(pieces, { from: i, to: day.to, year: null, hasDay: true, hasMonth: true });
}

function yearAlone(pieces: readonly WordPiece[], i: number): FoundDate | null {
  const year = yearAt(pieces, i);
  return year && !isShortYear(pieces, i, year)
    ? { from: i, to: year.to, year: year.value, hasDay: false, hasMonth: false }
    : null;
}

function withYear(pieces: readonly WordPiece[], date: FoundDate): FoundDate {
  const at = skipped(pieces, date.to + 1, ['of', 'in', 'the', 'year', 'and', 'uh', 'um']);
  const year = pieces[date.to]!.isLast ? null : yearAt(pieces, at);
  return year ? { ...date, to: year.to, year: year.value } : date;
}

/** "May" is a month only in upper case or beside a number; the other short names are rare as words. */
const isMonth = (piece: WordPiece | undefined): boolean =>
  piece !== undefined && MONTHS.has(piece.lower.replace(/'s$/u, ''));

function skipped(pieces: readonly WordPiece[], at: number, words: readonly string[]): number {
  const from = pieces[at - 1]?.utterance;
  let next = at;
  while (next < at + 3 && pieces[next]?.utterance === from && words.includes(pieces[next]?.lower ?? '')) next++;
  return pieces[next]?.utterance === from ? next : pieces.length;
}

function ordinalAt(pieces: readonly WordPiece[], i: number): Read | null {
  const word = pieces[i]?.lower;
  if (word === undefined) return null;
  const written = /^(\d{1,2})(?:st|nd|rd|th)$/u.exec(word);
  if (written) return { value: Number(written[1]), to: i };
  const value = ORDINALS.indexOf(word) + 1;
  if (value > 0) return { value, to: i };
  if (word === 'thirtieth') return { value: 30, to: i };
  const tens = word === 'twenty' ? 20 : word === 'thirty' ? 30 : 0;
  const ones = tens > 0 ? ORDINALS.indexOf(pieces[i + 1]?.lower ?? '') + 1 : 0;
  return ones > 0 && ones < 10 ? { value: tens + ones, to: i + 1 } : null;
}

function dayAt(pieces: readonly WordPiece[], i: number): Read | null {
  const ordinal = ordinalAt(pieces, i);
  if (ordinal) return ordinal.value <= 31 ? ordinal : null;
  const bare = pieces[i]?.bare ?? '';
  if (/^\d{1,2}$/u.test(bare)) return Number(bare) >= 1 && Number(bare) <= 31 ? { value: Number(bare), to: i } : null;
  if (pieces[i]?.lower === 'oh' || pieces[i]?.lower === 'zero') {
    const ones = numberAt(pieces, i + 1);
    return ones && ones.value >= 1 && ones.value <= 9 ? ones : null;
  }
  const number = numberAt(pieces, i);
  return number && number.value >= 1 && number.value <= 31 ? number : null;
}

/** "1984", "84", "eighty-four", "nineteen eighty-four", "nineteen oh four", "two thousand and five", "twenty ten". */
function yearAt(pieces: readonly WordPiece[], i: number): Read | null {
  const piece = pieces[i];
  if (!piece || piece.isMeasure) return null;
  if (/^(?:19|20)\d{2}$/u.test(piece.bare)) return { value: Number(piece.bare), to: i };
  if (/^'?\d{2}$/u.test(piece.bare)) return { value: 1900 + Number(piece.bare.slice(-2)), to: i };
  const number = numberAt(pieces, i);
  if (!number) return null;
  const { value, to } = number;
  const next = pieces[to + 1]?.utterance === piece.utterance ? pieces[to + 1] : undefined;
  if (value === 2 && next?.lower === 'thousand') {
    const after = pieces[to + 2]?.lower === 'and' ? to + 3 : to + 2;
    const ones = numberAt(pieces, after);
    return ones && ones.value < 30 ? { value: 2000 + ones.value, to: ones.to } : { value: 2000, to: to + 1 };
  }
  if (value !== 19 && value !== 20) return value >= 10 ? { value: 1900 + value, to } : null;
  if (next?.lower === 'hundred') {
    const after = pieces[to + 2]?.lower === 'and' ? to + 3 : to + 2;
    const ones = numberAt(pieces, after);
    return ones ? { value: value * 100 + ones.value, to: ones.to } : { value: value * 100, to: to + 1 };
  }
  if (next?.lower === 'oh' || next?.lower === 'o') {
    const ones = numberAt(pieces, to + 2);
    if (ones && ones.value < 10) return { value: value * 100 + ones.value, to: ones.to };
  }
  if (next && /^\d{2}$/u.test(next.bare)) return { value: value * 100 + Number(next.bare), to: to + 1 };
  const rest = next ? numberAt(pieces, to + 1) : null;
  if (rest && rest.value >= 10) return { value: value * 100 + rest.value, to: rest.to };
  return { value: 1900 + value, to };
}

/** Whether a year was said with its last two digits. */
function isShortYear(pieces: readonly WordPiece[], from: number, { to }: Read): boolean {
  const bare = pieces[from]!.bare;
  if (/^\d{4}$/u.test(bare)) return false;
  if (/^'?\d{2}$/u.test(bare)) return true;
  const isCentury = ['nineteen', 'twenty', 'two'].includes(pieces[from]!.lower);
  return (
    !isCentury ||
    to === from ||
    (pieces[from]!.lower === 'twenty' && to === from + 1 && (numberAt(pieces, from)?.to ?? from) === to)
  );
}
