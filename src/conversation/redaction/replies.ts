import type { RedactionKind } from '../../contract/redaction.ts';
import type { Code } from './codes.ts';
import type { FoundDate } from './dates.ts';
import type { PieceRange } from './emails.ts';
import type { WordPiece } from './pieces.ts';

/** Words of a question for a value, and the longest reply that is taken as a whole, pieces. */
const ASKED = {
  postcode: { words: ['postcode', 'zip', 'zipcode', 'postal', 'post'], longest: 12 },
  dob: { words: ['birth', 'born', 'birthday', 'dob'], longest: 9 },
  name: { words: ['name', 'surname', 'spell'], longest: 24 },
} as const;
const OWN: ReadonlySet<string> = new Set(['your', 'the', 'you', 'her', 'his', 'their', 'that', 'a']);
/** Words around a value in a reply. */
const AROUND: ReadonlySet<string> = new Set(
  "uh um er yes yeah yep sure okay ok so it it's its is my the that's that was well right and of course on hi hello please thanks thank full first last name date birth postcode post code zip born i".split(
    ' ',
  ),
);
const REFUSALS: ReadonlySet<string> = new Set([
  "don't",
  'why',
  'what',
  'sorry',
  'again',
  'pardon',
  'repeat',
  'moment',
  'second',
  'cannot',
  "can't",
]);

/**
 * Short replies to a question for a postcode, a date of birth or a name, as a whole: a recogniser that prints a part of
 * it as letters or numbers mishears the rest.
 */
export function* repliesIn(
  pieces: readonly WordPiece[],
  codes: readonly (Code | null)[],
  dates: readonly FoundDate[],
  speakers: readonly string[],
): Generator<{ kind: RedactionKind; range: PieceRange }> {
  let asked: { kind: keyof typeof ASKED; utterance: number } | null = null;
  for (let at = 0; at < pieces.length; ) {
    const { utterance } = pieces[at]!;
    let end = at;
    while (pieces[end]?.utterance === utterance) end++;
    if (asked && utterance === asked.utterance + 1 && speakers[utterance] !== speakers[asked.utterance]) {
      const range = replyAt(pieces, codes, dates, at, end, asked.kind);
      if (range) yield { kind: asked.kind, range };
    }
    const kind = askedIn(pieces, at, end);
    asked = kind ? { kind, utterance } : null;
    at = end;
  }
}

function askedIn(pieces: readonly WordPiece[], from: number, end: number): keyof typeof ASKED | undefined {
  for (let i = end - 1; i >= from; i--) {
    const { lower } = pieces[i]!;
    for (const kind of ['postcode', 'dob', 'name'] as const) {
      const { words } = ASKED[kind];
      if (!words.some((word) => word === lower)) continue;
      if (pieces.slice(Math.max(from, i - 4), i).some((before) => OWN.has(before.lower))) return kind;
    }
  }
  return undefined;
}

function replyAt(
  pieces: readonly WordPiece[],
  codes: readonly (Code | null)[],
  dates: readonly FoundDate[],
  at: number,
  end: number,
  kind: keyof typeof ASKED,
): PieceRange | null {
  if (end - at > ASKED[kind].longest || pieces.slice(at, end).some(({ lower }) => REFUSALS.has(lower))) return null;
  let from = at;
  let to = end - 1;
  while (from < to && AROUND.has(pieces[from]!.lower) && !isSpelled(codes[from])) from++;
  while (to > from && AROUND.has(pieces[to]!.lower)) to--;
  const own = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  const isEvident =
    kind === 'dob'
      ? dates.some((date) => date.from >= at && date.to < end) ||
        own.some((i) => codes[i] && /\d{2}/u.test(codes[i]!.chars))
      : kind === 'postcode'
        ? own.some((i) => codes[i] !== null)
        : own.filter((i) => pieces[i]!.bare.length <= 2 || codes[i]).length * 2 > own.length && own.length > 2;
  return isEvident ? { from, to } : null;
}

const isSpelled = (code: Code | null | undefined): boolean => code !== null && code !== undefined && !code.isWeak;
