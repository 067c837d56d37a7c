import type { Code } from './codes.ts';
import type { WordPiece } from './pieces.ts';

/** Numbers of the first and last piece. */
export interface PieceRange {
  from: number;
  to: number;
}

const ENDINGS: ReadonlySet<string> = new Set(
  'com org net edu gov co uk us io de fr es it nl eu info biz ca au in ie nz me tv ai app dev mil int ac'.split(' '),
);
const PROVIDERS: ReadonlySet<string> = new Set(
  'gmail hotmail yahoo outlook icloud aol protonmail googlemail live msn ymail btinternet comcast verizon rediffmail rediff'.split(
    ' ',
  ),
);
const DOTS: ReadonlySet<string> = new Set(['dot', 'point', 'period', '.']);
const JOINERS: ReadonlySet<string> = new Set([
  ...DOTS,
  'underscore',
  'dash',
  'hyphen',
  'minus',
  'plus',
  'underline',
  'slash',
]);
/** Words before "at" that are not a part of an address: "look at amazon dot com". */
const VERBS: ReadonlySet<string> = new Set(
  'look looking available online visit us me you find shop order bought it them site website is are be store go went going page here there buy work works working that this'.split(
    ' ',
  ),
);
const WRITTEN = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u;
const DOMAIN = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}$/u;
/** Address without its marks, as chat prints it: "rohitgmailcom". */
const JOINED =
  /^[\p{L}\p{N}._-]*(?:gmail|hotmail|yahoo|outlook|icloud|rediffmail|aol|protonmail|googlemail)\.?(?:com|co|org|net|in|uk)+$/u;
/** Most pieces of the name of a host, and of what stands before "at". */
const LONGEST_HOST = 8;
const LONGEST_LOCAL = 40;
/** Longest reply to a question for an address, all of whose words before "at" belong to it. */
const LONGEST_REPLY = 30;
/** Most words before "at" that are neither joined to the next one nor spelled. */
const MOST_WORDS = 3;
/** Words before an address that are not a part of it. */
const BEFORE_LOCAL: ReadonlySet<string> = new Set(
  'to on me at my your write send with for from use using via by email e-mail mail contact reach'.split(' '),
);
const CUES: ReadonlySet<string> = new Set(['email', 'e-mail', 'mail']);
const AFTER_CUE: ReadonlySet<string> = new Set([
  'address',
  'is',
  "it's",
  'its',
  "that's",
  'id',
  'the',
  'would',
  'be',
  'so',
  'uh',
  'um',
  'it',
  'sure',
  'yes',
  'yeah',
  'and',
  'okay',
  'ok',
]);

/** The addresses of a passage, as they are written or said, also over several utterances. */
export function emailsIn(pieces: readonly WordPiece[], codes: readonly (Code | null)[]): PieceRange[] {
  const found: PieceRange[] = [];
  for (let i = 0; i < pieces.length; i++) {
    const range = emailAt(pieces, codes, i, found.at(-1)?.to ?? -1);
    if (!range) continue;
    found.push(range);
    i = Math.max(i, range.to);
  }
  return found;
}

function emailAt(
  pieces: readonly WordPiece[],
  codes: readonly (Code | null)[],
  i: number,
  taken: number,
): PieceRange | null {
  const { bare, lower } = pieces[i]!;
  if (bare.includes('@')) {
    if (WRITTEN.test(bare)) return { from: i, to: i };
    const host = bare.endsWith('@') || bare === '@' ? hostAt(pieces, i + 1) : null;
    const from = bare.startsWith('@') ? localBefore(pieces, codes, i, taken) : i;
    return host ? { from, to: host } : bare.length > 1 ? { from, to: i } : null;
  }
  if (JOINED.test(lower)) return { from: Math.min(i, localBefore(pieces, codes, i, taken)), to: i };
  if (lower !== 'at') return null;
  const cue = cueBefore(pieces, i);
  const isCued = cue !== null;
  const host = hostAt(pieces, i + 1) ?? (isCued ? providerAt(pieces, i + 1) : null);
  if (host === null || i - 1 <= taken) return null;
  const before = pieces[i - 1]!;
  const isOwn = cue !== null && pieces[cue]!.utterance === before.utterance;
  if (!isOwn && (VERBS.has(before.lower) || (before.isLast && !isCued))) return null;
  const from = localBefore(pieces, codes, i, taken);
  return from < i ? { from, to: host } : null;
}

/** The last piece of a host such as "gmail dot com" or "gmail.com" that begins at a piece. */
function hostAt(pieces: readonly WordPiece[], at: number): number | null {
  const start = pieces[at];
  if (!start) return null;
  for (let i = at; i < at + LONGEST_HOST && i < pieces.length; i++) {
    const piece = pieces[i]!;
    if (piece.utterance > start.utterance + 1) return null;
    if (DOMAIN.test(piece.bare)) return moreEndings(pieces, i);
    // A recogniser can print "gmail .com".
    if (i > at && /^\.?\p{L}{2,3}$/u.test(piece.bare) && DOTS.has(pieces[i - 1]!.lower) && ENDINGS.has(piece.lower))
      return moreEndings(pieces, i);
    if (i > at && PROVIDERS.has(pieces[i - 1]!.lower) && (piece.lower === 'com' || piece.lower === 'co'))
      return moreEndings(pieces, i);
  }
  return null;
}

function moreEndings(pieces: readonly WordPiece[], at: number): number {
  let to = at;
  while (DOTS.has(pieces[to + 1]?.lower ?? '') && ENDINGS.has(pieces[to + 2]?.lower ?? '')) to += 2;
  return to;
}

function providerAt(pieces: readonly WordPiece[], at: number): number | null {
  if (PROVIDERS.has(pieces[at]?.lower ?? '')) return at;
  const two = `${pieces[at]?.lower ?? ''}${pieces[at + 1]?.lower ?? ''}`;
  return PROVIDERS.has(two) ? at + 1 : null;
}

/** The place of the cue ("my email is") near before a piece. */
function cueBefore(pieces: readonly WordPiece[], i: number): number | null {
  const { utterance } = pieces[i]!;
  for (let k = i - 1; k >= 0 && i - k <= LONGEST_LOCAL && utterance - pieces[k]!.utterance <= 4; k--)
    if (CUES.has(pieces[k]!.lower)) return k;
  return null;
}

/** The first piece of what is said before "at". */
function localBefore(pieces: readonly WordPiece[], codes: readonly (Code | null)[], at: number, taken: number): number {
  const cue = cueBefore(pieces, at);
  const least = Math.max(taken + 1, at - LONGEST_LOCAL, 0);
  if (cue !== null && pieces[cue]!.utterance === pieces[at]!.utterance) {
    let from = Math.max(cue + 1, least);
    while (from < at && AFTER_CUE.has(pieces[from]!.lower)) from++;
    // A sentence that came in between is not a part of the address.
    for (let k = from; k < at; k++) if (pieces[k]!.isLast && pieces[k]!.bare.length > 1 && !codes[k]) from = k + 1;
    if (from < at) return from;
  }
  const start = startOf(pieces, at);
  const isReply = cue !== null && pieces[cue]!.utterance < pieces[at]!.utterance && at - start <= LONGEST_REPLY;
  if (
    isReply &&
    start < at &&
    !pieces.slice(start, at).some((piece, k) => piece.isLast && !codes[start + k] && piece.bare.length > 1)
  ) {
    let from = Math.max(start, least);
    while (from < at && AFTER_CUE.has(pieces[from]!.lower)) from++;
    if (from < at) return from;
  }
  let from = at;
  let words = 0;
  for (let k = at - 1; k >= least; k--) {
    const { lower, utterance } = pieces[k]!;
    const next = pieces[k + 1]!;
    const isPart = codes[k] !== null || JOINERS.has(lower);
    if (pieces[at]!.utterance - utterance > 2 || (!isPart && (BEFORE_LOCAL.has(lower) || AFTER_CUE.has(lower)))) break;
    const isJoined = JOINERS.has(next.lower);
    if (!isPart && !isJoined && (++words > MOST_WORDS || pieces[k]!.isLast)) break;
    if (next.utterance !== utterance && !isPart && cue === null) break;
    from = k;
  }
  return from;
}

function startOf(pieces: readonly WordPiece[], at: number): number {
  let start = at;
  while (pieces[start - 1]?.utterance === pieces[at]!.utterance) start--;
  return start;
}
