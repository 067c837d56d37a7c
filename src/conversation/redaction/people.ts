import type { Code } from './codes.ts';
import { isMeasuredBy } from './cues.ts';
import type { PieceRange } from './emails.ts';
import type { WordPiece } from './pieces.ts';

/** Words that are not names, even at the start of a sentence, where every word has a capital. */
export const COMMON: ReadonlySet<string> = new Set(
  `a about actually after again ah all alright also am an and any are as at back be because been but by calling can
  certainly come could did do does done each english erm everything fine for from get give go going good got great had
  happy has have he hello her here hey hi him his how i i'd i'll i'm i've if in is it it's its just know let like looking
  look me more my need new no not now of off oh ok okay on one only or our out over perfect please really regarding right
  said same say see she should so some sorry speaking still sure take thank thanks that that's the their them then there
  these they thing this those to today too try uh um under up us very wait want was we we're well were what what's when
  where which who why will with would yeah yep yes you you're your monday tuesday wednesday thursday friday saturday
  sunday january february march april june july august september october november december correct wrong account
  number name phone email address first last full card customer service support team company interested trying having
  on-line available able afraid glad ready aware there's something someone somebody anybody nobody everybody mr mrs ms
  miss dr sir madam ma'am mister doctor both two three four five six seven eight nine ten bit little lot much not`.split(
    /\s+/u,
  ),
);
const TITLES: ReadonlySet<string> = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'mister', 'doctor', 'professor']);
const GREETINGS: ReadonlySet<string> = new Set(['hi', 'hello', 'thanks', 'hey', 'dear', 'bye', 'goodbye', 'you']);
const IS: ReadonlySet<string> = new Set(['is', "it's", 'its', "that's", 'was']);
const LONGEST_NAME = 3;
/** Longest reply to "what is your name" whose every word may be a name. */
const LONGEST_REPLY = 6;

const STREETS: ReadonlySet<string> = new Set(
  'street st road rd avenue ave lane ln drive dr court ct way place pl boulevard blvd close crescent terrace square highway parkway gardens grove mews circle trail loop row hill walk alley strasse'.split(
    ' ',
  ),
);
const BEFORE_NUMBER: ReadonlySet<string> = new Set(['flat', 'apartment', 'apt', 'unit', 'suite', 'number', 'house']);
/** Whether a word in lower case ends the name of a street. */
export const isStreet = (lower: string): boolean => STREETS.has(lower);
const LONGEST_STREET = 5;
const LONGEST_ADDRESS = 24;

const SECRETS: ReadonlySet<string> = new Set(['password', 'passcode', 'passphrase', 'pin', 'otp']);
const SECRET_PAIRS: ReadonlySet<string> = new Set([
  'secret word',
  'memorable word',
  'security word',
  'security answer',
  'code word',
  'verification code',
  'time code',
  'access code',
  'pass word',
  'pass code',
]);
const NO_SECRETS: ReadonlySet<string> = new Set(
  'not incorrect wrong reset the a an what expired too required needed my your working invalid correct being in on to of for locked blocked changed going something case protected there different same'.split(
    ' ',
  ),
);
const LONGEST_SECRET = 8;

interface Passage {
  pieces: readonly WordPiece[];
  codes: readonly (Code | null)[];
  /** By utterance. */
  speakers: readonly string[];
}

const isCapital = (piece: WordPiece | undefined): boolean => piece !== undefined && /^\p{Lu}/u.test(piece.bare);
const isWord = (piece: WordPiece | undefined): boolean => piece !== undefined && /^\p{L}[\p{L}'’]*$/u.test(piece.bare);
const mayBeName = (piece: WordPiece | undefined): boolean => isWord(piece) && !COMMON.has(piece!.lower);

/** Number of the piece after the last one of an utterance. */
function endOf(pieces: readonly WordPiece[], at: number): number {
  let end = at;
  while (pieces[end]?.utterance === pieces[at]?.utterance && end < pieces.length) end++;
  return end;
}

/** Names after a cue, a title or a greeting, and in replies to a question for one. */
export function namesIn({ pieces, codes, speakers }: Passage): PieceRange[] {
  const names: PieceRange[] = [];
  let askedBy: { utterance: number; speaker: string } | null = null;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    const isStart = pieces[i - 1]?.utterance !== piece.utterance;
    const asked: { utterance: number; speaker: string } | null = askedBy;
    if (isStart && asked && piece.utterance - asked.utterance <= 2 && speakers[piece.utterance] !== asked.speaker)
      names.push(...namesOfReply(pieces, codes, i));
    if (asksForName(pieces, i)) askedBy = { utterance: piece.utterance, speaker: speakers[piece.utterance]! };
    const from = nameStart(pieces, i);
    if (from === null) continue;
    const isCased = !isAfterName(pieces, i);
    const to = nameEnd(pieces, from, isCased);
    if (to >= from) names.push({ from, to });
  }
  return names;
}

const asksForName = (pieces: readonly WordPiece[], i: number): boolean => {
  const { lower } = pieces[i]!;
  if (lower !== 'name' && lower !== 'surname' && lower !== 'speaking') return false;
  const before = [1, 2, 3, 4].map((k) => pieces[i - k]?.lower);
  return lower === 'speaking'
    ? before.includes('who') || before.includes('whom')
    : before.some((word) => word === 'your' || word === 'the' || word === 'her' || word === 'his');
};

/** Whether a piece ends "name is". */
const isAfterName = (pieces: readonly WordPiece[], i: number): boolean =>
  ['name', "name's", 'surname', 'names'].some(
    (word) => pieces[i]?.lower === word || (IS.has(pieces[i]?.lower ?? '') && pieces[i - 1]?.lower === word),
  );

/** The piece at which a name begins because of the piece before it. */
function nameStart(pieces: readonly WordPiece[], i: number): number | null {
  const { lower, utterance } = pieces[i]!;
  const next = pieces[i + 1];
  if (!next || next.utterance !== utterance) return null;
  if (lower === "name's" || (IS.has(lower) && ['name', 'surname'].includes(pieces[i - 1]?.lower ?? ''))) return i + 1;
  const isOwn = ['first', 'last', 'full', 'middle'].includes(pieces[i - 1]?.lower ?? '');
  if ((lower === 'name' && isOwn) || lower === 'surname') return IS.has(next.lower) ? null : i + 1;
  if (!isCapital(next)) return null;
  if (TITLES.has(lower)) return i + 1;
  if (lower === "i'm" || lower === 'named' || (lower === 'am' && pieces[i - 1]?.lower === 'i')) return i + 1;
  if (lower === 'is' && pieces[i - 1]?.lower === 'this') return i + 1;
  if (GREETINGS.has(lower) && (lower !== 'you' || pieces[i - 1]?.lower === 'thank')) return i + 1;
  return null;
}

function nameEnd(pieces: readonly WordPiece[], from: number, isCased: boolean): number {
  let to = from - 1;
  const { utterance } = pieces[from]!;
  while (to + 1 < from + LONGEST_NAME && pieces[to + 1]?.utterance === utterance) {
    const next = pieces[to + 1];
    if (!mayBeName(next) || (isCased && !isCapital(next))) break;
    // A name in lower case is one or two words long.
    if (!isCapital(next) && to + 1 > from + 1) break;
    to++;
    if (next!.isPaused || next!.isLast) break;
  }
  return to;
}

function namesOfReply(pieces: readonly WordPiece[], codes: readonly (Code | null)[], at: number): PieceRange[] {
  const end = endOf(pieces, at);
  const isShort = end - at <= LONGEST_REPLY;
  const names: PieceRange[] = [];
  for (let i = at; i < end; i++) {
    const isName =
      mayBeName(pieces[i]) && (isCapital(pieces[i]) || isShort) && !(codes[i] && /\d/u.test(codes[i]!.chars));
    if (!isName && !(isShort && codes[i]?.chars.match(/^[A-Z]+$/u) && !codes[i]!.isWeak)) continue;
    const last = names.at(-1);
    if (last?.to === i - 1) last.to = i;
    else names.push({ from: i, to: i });
  }
  return names;
}

/** Street addresses by their form ("12 High Street"), and replies to a question for one that begin with a number. */
export function addressesIn({ pieces, codes, speakers }: Passage): PieceRange[] {
  const found: PieceRange[] = [];
  let askedBy: { utterance: number; speaker: string } | null = null;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    if (piece.lower === 'address' && !['email', 'e-mail', 'mail', 'ip', 'web'].includes(pieces[i - 1]?.lower ?? ''))
      askedBy = { utterance: piece.utterance, speaker: speakers[piece.utterance]! };
    if (i <= (found.at(-1)?.to ?? -1)) continue;
    const code = codes[i];
    const isAsked: boolean = askedBy !== null && piece.utterance - askedBy.utterance <= 1;
    if (!code || !/\d/u.test(code.chars) || code.from !== i) {
      const name = isAsked ? streetNameAt(pieces, i, (found.at(-1)?.to ?? -1) + 1) : null;
      if (name !== null) found.push({ from: name, to: restOfAddress(pieces, codes, i, true) });
      continue;
    }
    const from = BEFORE_NUMBER.has(pieces[i - 1]?.lower ?? '') ? i - 1 : i;
    const street = streetAfter(pieces, code.to + 1);
    if (street !== null) found.push({ from, to: restOfAddress(pieces, codes, street, isAsked) });
    else if (
      isAsked &&
      isWord(pieces[code.to + 1]) &&
      pieces[code.to + 1]!.utterance === piece.utterance &&
      !isMeasuredBy(pieces[code.to + 1]) &&
      !COMMON.has(pieces[code.to + 1]!.lower)
    )
      found.push({ from, to: restOfAddress(pieces, codes, code.to + 1, true) });
  }
  return found;
}

/**
 * The first word of the name of a street whose kind is a piece, in a reply to a question for an address: its number may be
 * misheard. Null: there is none.
 */
function streetNameAt(pieces: readonly WordPiece[], i: number, least: number): number | null {
  const { lower, utterance } = pieces[i]!;
  if (!STREETS.has(lower) || (AMBIGUOUS.has(lower) && !isCapital(pieces[i]))) return null;
  let from = i;
  while (
    from > least &&
    i - from < LONGEST_NAME_OF_STREET &&
    pieces[from - 1]!.utterance === utterance &&
    (mayBeName(pieces[from - 1]) || (isCapital(pieces[from - 1]) && pieces[from - 1]!.lower !== 'i')) &&
    !pieces[from - 1]!.isPaused &&
    !pieces[from - 1]!.isLast &&
    !INTRODUCING.has(pieces[from - 1]!.lower)
  )
    from--;
  return from < i ? from : null;
}
const LONGEST_NAME_OF_STREET = 3;
/** Kinds of streets that are ordinary words too. */
const AMBIGUOUS: ReadonlySet<string> = new Set(
  'drive dr court ct way place pl close square gardens grove circle trail loop row hill walk alley st la'.split(' '),
);
const INTRODUCING: ReadonlySet<string> = new Set('live lives living reside staying stay between near'.split(' '));

function streetAfter(pieces: readonly WordPiece[], at: number): number | null {
  const { utterance } = pieces[at - 1]!;
  for (let i = at; i < at + LONGEST_STREET && pieces[i]?.utterance === utterance; i++) {
    if (STREETS.has(pieces[i]!.lower)) return i > at ? i : null;
    if (pieces[i]!.isLast || (COMMON.has(pieces[i]!.lower) && !isCapital(pieces[i]))) return null;
  }
  return null;
}

/** Goes on through places and numbers, as long as they follow each other. */
function restOfAddress(
  pieces: readonly WordPiece[],
  codes: readonly (Code | null)[],
  at: number,
  isAsked: boolean,
): number {
  const { utterance } = pieces[at]!;
  let to = at;
  for (let i = at + 1; i < at + LONGEST_ADDRESS && pieces[i]?.utterance === utterance; i++) {
    if (pieces[i - 1]!.isLast && !codes[i]) break;
    const isPart = isCapital(pieces[i]) || codes[i] !== null || BEFORE_NUMBER.has(pieces[i]!.lower);
    if (isPart && pieces[i]!.lower !== 'i') to = i;
    else if (!isAsked && !(i === to + 1 && ['in', 'of'].includes(pieces[i]!.lower))) break;
    else if (isAsked && COMMON.has(pieces[i]!.lower) && !['in', 'of', 'and', 'the'].includes(pieces[i]!.lower)) break;
    else if (isAsked && !COMMON.has(pieces[i]!.lower)) to = i;
  }
  return to;
}

/** The words after "my password is", and replies to a question for a password. */
export function secretsIn({ pieces, codes, speakers }: Passage): PieceRange[] {
  const found: PieceRange[] = [];
  let askedBy: { utterance: number; speaker: string } | null = null;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    const isStart = pieces[i - 1]?.utterance !== piece.utterance;
    const asked: { utterance: number; speaker: string } | null = askedBy;
    if (isStart && asked && piece.utterance - asked.utterance <= 1 && speakers[piece.utterance] !== asked.speaker)
      found.push(...secretReply(pieces, codes, i));
    const pair = `${pieces[i - 1]?.lower} ${piece.lower}`;
    if (!SECRETS.has(piece.lower) && !SECRET_PAIRS.has(pair)) continue;
    const next = pieces[i + 1];
    if (!next || next.utterance !== piece.utterance || !(IS.has(next.lower) || piece.isPaused)) {
      if ([1, 2, 3, 4].some((k) => pieces[i - k]?.lower === 'your' || pieces[i - k]?.lower === 'the'))
        askedBy = { utterance: piece.utterance, speaker: speakers[piece.utterance]! };
      continue;
    }
    const from = IS.has(next.lower) ? i + 2 : i + 1;
    const said = pieces[from];
    if (!said || said.utterance !== piece.utterance || NO_SECRETS.has(said.lower)) continue;
    let to = from;
    while (to + 1 < from + LONGEST_SECRET && pieces[to + 1]?.utterance === piece.utterance && !pieces[to]!.isLast) to++;
    found.push({ from, to });
  }
  return found;
}

function secretReply(pieces: readonly WordPiece[], codes: readonly (Code | null)[], at: number): PieceRange[] {
  const end = endOf(pieces, at);
  let from = at;
  while (from < end && COMMON.has(pieces[from]!.lower) && !codes[from]) from++;
  const isShort = end - from <= LONGEST_SECRET;
  const isRefusal = pieces
    .slice(at, end)
    .some(({ lower }) => ["don't", 'forgot', 'forgotten', 'remember', "can't", 'not', 'no'].includes(lower));
  if (isShort && from < end && !isRefusal) return [{ from, to: end - 1 }];
  return [];
}
