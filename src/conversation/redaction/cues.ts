import type { RedactionKind } from '../../contract/redaction.ts';
import type { WordPiece } from './pieces.ts';

/**
 * The meaning of the words before a value. `code`: of the back of a card; `other`: the number of a thing; `amount`: how
 * much or how many.
 */
export type ValueCue = Exclude<RedactionKind, 'digits'> | 'code' | 'expiry' | 'other' | 'amount';

/** Whether a cue says that what follows is nothing personal. */
export const isImpersonal = (cue: ValueCue | undefined): cue is 'other' | 'amount' =>
  cue === 'other' || cue === 'amount';

const PHRASES: Readonly<Record<ValueCue, readonly string[]>> = {
  card: [
    'card',
    'visa',
    'mastercard',
    'master card',
    'amex',
    'american express',
    'maestro',
    'long number',
    'sixteen digit',
    '16 digit',
    'sixteen digits',
    '16 digits',
  ],
  code: [
    'cvv',
    'cvc',
    'cv v',
    'c v v',
    'c v c',
    'security code',
    'three digits',
    '3 digits',
    'three digit',
    'card code',
  ],
  expiry: [
    'expiry',
    'expiration',
    'expires',
    'expire',
    'exp',
    'valid until',
    'valid thru',
    'valid through',
    'good through',
  ],
  iban: ['iban', 'i ban', 'i-ban', 'eye ban', 'ibans', 'i b a n', 'international bank'],
  ssn: [
    'ssn',
    's s n',
    'social',
    'social security',
    'national insurance',
    'n i number',
    'ni number',
    'insurance number',
    'tax id',
    'taxpayer',
    'itin',
  ],
  phone: [
    'phone',
    'telephone',
    'mobile',
    'cell',
    'cellphone',
    'landline',
    'fax',
    'tel',
    'call me',
    'reach me',
    'reached at',
    'reach you',
    'call you',
    'ring me',
    'ring you',
    'text me',
    'text you',
    'callback',
    'call back',
    'contact number',
    'contact',
    'area code',
    'my number',
    'your number',
    'best number',
    'messages to',
    'message to',
    'answering at',
    'number to call',
    'whatsapp',
  ],
  dob: ['birth', 'birthday', 'birthdate', 'dob', 'd o b', 'born', 'birthdays'],
  account: [
    'account',
    'accounts',
    'routing',
    'sort code',
    'swift',
    'customer number',
    'customer id',
    'client number',
    'policy',
    'member id',
    'membership',
    'member number',
    'user id',
    'transfer it to',
    'transfer them to',
    'transfer that to',
    'transfer the money to',
    'send the money to',
    'wire it to',
    'wire the money to',
    'pay it into',
    'paid into',
    'deposit it into',
  ],
  postcode: ['postcode', 'postcodes', 'post code', 'postal', 'postal code', 'zip', 'zipcode', 'zip code'],
  password: [
    'password',
    'passcode',
    'passphrase',
    'pass code',
    'pass word',
    'pin',
    'p i n',
    'secret word',
    'memorable word',
    'security word',
    'security answer',
    'verification code',
    'one time code',
    'access code',
    'otp',
    'o t p',
    'code word',
  ],
  email: ['email', 'e-mail', 'emails', 'mail'],
  address: ['address', 'live at', 'living at', 'lives at', 'reside at'],
  name: ['name', 'surname', 'named'],
  other: [
    'order',
    'tracking',
    'reference',
    'invoice',
    'ticket',
    'flight',
    'extension',
    'model',
    'serial',
    'confirmation',
    'booking',
    'case number',
    'case id',
    'version',
    'gate',
    'room',
    'page',
    'part number',
    'product',
    'item',
    'serving',
    'chapter',
    'channel',
    'parcel',
    'shipment',
    'claim',
  ],
  amount: ['price', 'cost', 'costs', 'total', 'quantity', 'amount', 'balance', 'paid', 'charged', 'weighs', 'score'],
};

const CUES: ReadonlyMap<string, ValueCue> = new Map(
  (Object.keys(PHRASES) as ValueCue[]).flatMap((cue) => PHRASES[cue].map((phrase) => [phrase, cue] as const)),
);
const LONGEST_PHRASE = 4;

/** Whether a word alone says what follows, so that it is not a code itself ("SSN"). */
export const isCueWord = (lower: string): boolean => CUES.has(lower);

/** How far a cue reaches: words in all, utterances, and words after a value. */
const REACH = 40;
const REACH_UTTERANCES = 5;
const REACH_AFTER = 6;

export interface Cued {
  cue: ValueCue;
  /** Number of its first piece. */
  at: number;
  /** Pieces between the cue and the value. */
  distance: number;
}

/** The cues of passages that have been looked up, by their last word; null: none. */
const lookedUp = new WeakMap<readonly WordPiece[], (ValueCue | null | undefined)[]>();

/** The cue whose last word is a piece. */
function cueEndingAt(pieces: readonly WordPiece[], i: number): ValueCue | undefined {
  let cues = lookedUp.get(pieces);
  if (!cues) {
    cues = [];
    lookedUp.set(pieces, cues);
  }
  const known = cues[i];
  if (known !== undefined) return known ?? undefined;
  const cue = phraseEndingAt(pieces, i);
  cues[i] = cue ?? null;
  return cue;
}

function phraseEndingAt(pieces: readonly WordPiece[], i: number): ValueCue | undefined {
  let phrase = '';
  let found: ValueCue | undefined;
  for (let k = i; k > i - LONGEST_PHRASE && k >= 0 && pieces[k]!.utterance === pieces[i]!.utterance; k--) {
    phrase = phrase === '' ? pieces[k]!.lower : `${pieces[k]!.lower} ${phrase}`;
    // "the card's number" is a cue too.
    found = CUES.get(phrase) ?? CUES.get(phrase.replace(/'s$/u, '')) ?? found;
  }
  return found;
}

/** The nearest cues before a piece, nearest first, each cue once. */
export function cuesBefore(pieces: readonly WordPiece[], from: number): Cued[] {
  const cues: Cued[] = [];
  const { utterance } = pieces[from]!;
  for (let i = from - 1; i >= 0 && from - i <= REACH && utterance - pieces[i]!.utterance <= REACH_UTTERANCES; i--) {
    const cue = cueEndingAt(pieces, i);
    if (cue && !cues.some((other) => other.cue === cue)) cues.push({ cue, at: i, distance: from - i });
  }
  return cues;
}

const LINKS: ReadonlySet<string> = new Set(['is', 'was', 'are', 'for', 'as', 'that', 'of', "that's", 'being']);

/** The cue right after a value ("4242 is my pin"), in the same sentence. */
export function cueAfter(pieces: readonly WordPiece[], to: number): ValueCue | undefined {
  const { utterance } = pieces[to]!;
  const next = pieces[to + 1];
  if (next?.utterance !== utterance || !LINKS.has(next.lower)) return undefined;
  for (let i = to + 1; i <= to + REACH_AFTER && pieces[i]?.utterance === utterance; i++) {
    if (pieces[i - 1]!.isLast) return undefined;
    const cue = cueEndingAt(pieces, i);
    if (cue && i > to) return cue;
  }
  return undefined;
}

/** Words after a number that make it an amount, a time or a count. */
const MEASURED: ReadonlySet<string> = new Set(
  "dollars dollar pounds pound euros euro cents pence quid bucks percent per pm am p.m a.m o'clock days day weeks week months month years year hours hour minutes minute seconds second times people persons miles mile kilometers kilometres km kg kilos degrees items pieces units calls orders points million billion thousand hundred gigabytes megabytes gb mb boxes stars guests nights seats tickets passengers".split(
    ' ',
  ),
);

export const isMeasuredBy = (piece: WordPiece | undefined): boolean => piece !== undefined && MEASURED.has(piece.lower);
