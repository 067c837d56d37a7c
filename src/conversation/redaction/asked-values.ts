import type { RedactionKind } from '../../contract/redaction.ts';
import type { Code } from './codes.ts';
import { cuesBefore, isImpersonal, type ValueCue } from './cues.ts';
import type { PieceRange } from './emails.ts';
import type { WordPiece } from './pieces.ts';

/** Cues whose word alone names a value; the others need "number" beside them. */
const NAMED: ReadonlySet<ValueCue> = new Set(['iban', 'ssn', 'dob', 'password', 'postcode', 'email']);
const OWNERS: ReadonlySet<string> = new Set(['your', 'my', 'our', 'the', 'his', 'her', 'their']);
const ASKING: ReadonlySet<string> = new Set(
  "what what's whats could can may would confirm tell give provide need verify have get and read".split(' '),
);
export const LINKS: ReadonlySet<string> = new Set(['is', "it's", 'its', 'was', 'as', 'in', 'are']);
/** Words after "my card number is" that begin no value, and replies that give none. */
export const NO_VALUE: ReadonlySet<string> = new Set(
  "not wrong on at the a an correct incorrect right what that this there different same still being no don't dont didn't can't cannot couldn't won't haven't forgot forgotten remember lost locked blocked expired changed gone missing private why which who sorry pardon again repeat nothing none without unfortunately unsure moment second minute hold wait later rather know listed saved stored registered called sent done already sure".split(
    ' ',
  ),
);

/** The pieces of an utterance. */
export interface Bounds extends PieceRange {
  /** Whether it has no words. */
  isEmpty: boolean;
}

/** The pieces of each utterance. */
export function boundsOf(pieces: readonly WordPiece[], count: number): Bounds[] {
  const bounds: Bounds[] = Array.from({ length: count }, () => ({ from: 0, to: -1, isEmpty: true }));
  for (const [i, { utterance }] of pieces.entries()) {
    const own = bounds[utterance]!;
    if (own.isEmpty) own.from = i;
    own.to = i;
    own.isEmpty = false;
  }
  return bounds;
}

/** A value that is asked for, or whose statement begins. */
export interface AskedValue {
  kind: RedactionKind;
  utterance: number;
  /** Number of the piece after which its value is expected. */
  at: number;
  /** Whether the speaker says the value ("my card number is") instead of asking for it. */
  isStated: boolean;
}

/** Most questions of an utterance that are followed. */
const MOST_ASKED = 8;

/** Questions for values, and beginnings of statements of them. */
export function askedIn(
  pieces: readonly WordPiece[],
  codes: readonly (Code | null)[],
  bounds: readonly Bounds[],
): AskedValue[] {
  const asked: AskedValue[] = [];
  for (const [utterance, { from, to, isEmpty }] of bounds.entries()) {
    if (isEmpty) continue;
    const least = asked.length;
    for (let i = from; i <= to && asked.length < least + MOST_ASKED; i++) {
      const cue = cueAt(pieces, i, to);
      if (!cue) continue;
      const before = pieces.slice(Math.max(from, i - 4), i + 1).map(({ lower }) => lower);
      if (!before.some((word) => OWNERS.has(word))) continue;
      let last = i;
      while (last < to && OF_CUES.has(pieces[last + 1]!.lower)) last++;
      const next = pieces[last + 1];
      const said = pieces[last + 2];
      const isLinked = next !== undefined && next.utterance === utterance && LINKS.has(next.lower);
      const isOwn = !before.includes('your');
      if (isOwn && isLinked && said && said.utterance === utterance) {
        if (!NO_VALUE.has(said.lower)) asked.push({ kind: cue, utterance, at: last + 1, isStated: true });
      } else if (!isLinked) {
        const sentence = sentenceAround(pieces, i, from, to);
        // "And the postcode?" is a question, "I lost the card number" none.
        if (!before.includes('your') && !(sentence.to === last && isStart(pieces, sentence.from, i))) continue;
        const isAsking =
          pieces.slice(sentence.from, i).some(({ lower }) => ASKING.has(lower)) && sentence.to - last <= 6;
        if (isAsking && !pieces.slice(sentence.from, sentence.to + 1).some((_, k) => codes[sentence.from + k]?.groups))
          asked.push({ kind: cue, utterance, at: sentence.to, isStated: false });
      }
      i = last;
    }
  }
  return asked;
}

/** Whether only "and the" and the like stand between the start of a clause and a cue. */
const isStart = (pieces: readonly WordPiece[], first: number, cue: number): boolean =>
  pieces.slice(Math.max(first, cue - 2), cue).some(({ lower }) => ASKING.has(lower)) || cue - first <= 2;

export const OF_CUES: ReadonlySet<string> = new Set(['number', 'code', 'address', 'card', 'digits', 'id', 'security']);
/** Words between "number" and what it is of ("the number to reach you on"). */
const NUMBER_BEFORE = 4;
const NUMBER_WORDS: ReadonlySet<string> = new Set(['number', 'numbers', 'digits']);

/** The kind of value that a cue ending at a piece names, if it names a value rather than a thing. */
function cueAt(pieces: readonly WordPiece[], i: number, to: number): RedactionKind | null {
  const next = pieces[i + 1];
  // Nothing follows the last piece of a passage.
  const before = next && cuesBefore(pieces, i + 1)[0];
  if (before?.at !== i || isImpersonal(before.cue)) return null;
  const { cue } = before;
  if (cue === 'code') return 'card';
  if (cue === 'expiry' || cue === 'name' || cue === 'address') return null;
  if (NAMED.has(cue)) return cue;
  const near = pieces.slice(Math.max(0, i - NUMBER_BEFORE), Math.min(to, i + 2) + 1);
  return near.some(({ lower }) => NUMBER_WORDS.has(lower)) ? (cue as RedactionKind) : null;
}

function sentenceAround(pieces: readonly WordPiece[], at: number, first: number, end: number): PieceRange {
  let from = at;
  let to = at;
  while (from > first && !pieces[from - 1]!.isLast) from--;
  while (to < end && !pieces[to]!.isLast) to++;
  return { from, to };
}
