import cards from 'card-validator';
import { isValidIBAN } from 'ibantools';
import { isValidPhoneNumber } from 'libphonenumber-js/max';
import type { RedactionKind } from '../../contract/redaction.ts';
import { type Cued, cueAfter, cuesBefore, isImpersonal, isMeasuredBy, type ValueCue } from './cues.ts';
import type { WordPiece } from './pieces.ts';
import { type CodeRun, groupsOf, readingsOf } from './runs.ts';

/** Lengths of card numbers, and of the longest number that one says at once, digits. */
const CARD = { least: 13, most: 19 } as const;
const LONGEST_RUN = 400;
/** Most digits of an amount, and fewest that are no telephone number. */
const LONGEST_AMOUNT = 9;
const LONGER_THAN_PHONE = 14;
/** Fewest digits of a run that is personal because of what is said around it. */
const LEAST = { card: 4, phone: 5, ssn: 4, account: 4, password: 3, iban: 6, dob: 4, code: 3 } as const;
const DIGITS = 4;

/** Cues of numbers other than cards. */
const NUMBERS: ReadonlySet<ValueCue> = new Set(['phone', 'ssn', 'account', 'iban', 'dob', 'postcode']);

/** Cues that ask for words: a number after them may be anything. */
const WORDS: ReadonlySet<ValueCue> = new Set(['name', 'address']);

/** Whether a cue says what a number of some digits after it is. */
export const explainsNumber = (cue: ValueCue | undefined, digits = 0): boolean =>
  cue !== undefined && !WORDS.has(cue) && !(cue === 'amount' && digits > LONGEST_AMOUNT);

/** Cues after which an amount is a part of a number. */
const CODES: ReadonlySet<ValueCue> = new Set(['card', 'phone', 'ssn', 'account', 'iban', 'password', 'code']);

const UK_POSTCODE = /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/u;
const CA_POSTCODE = /^[A-Z]\d[A-Z]\d[A-Z]\d$/u;
const NI_NUMBER = /^[A-CEGHJ-PR-TW-Z]{2}\d{6}[A-D]$/u;
/** Countries whose numbers people say without the country's code. */
const COUNTRIES = ['US', 'GB'] as const;

/** The kinds that a run of digits and letters may be, surest first. Empty if it is nothing personal. */
export function kindsOfRun(run: CodeRun, pieces: readonly WordPiece[]): RedactionKind[] {
  const first = run.parts[0]!;
  const last = run.parts.at(-1)!;
  const readings = readingsOf(run).map((reading) => reading.slice(0, LONGEST_RUN));
  const said = readings[0]!;
  const digits = readings.map((reading) => reading.replace(/\D/gu, ''));
  const count = digits[0]!.length;
  if (count <= 5 && isMeasuredBy(pieces[last.to + 1]) && pieces[last.to + 1]!.utterance === last.utterance) return [];
  const cues = cuesBefore(pieces, first.from);
  const isAmount = run.parts.every(({ codes }) => codes.every((code) => code.isAmount));
  if (isAmount && !(cues[0] !== undefined && CODES.has(cues[0].cue))) return [];
  const nearest = cues[0]?.cue;
  const kinds = new Set<RedactionKind>();
  const add = (kind: RedactionKind, is: boolean) => {
    if (is) kinds.add(kind);
  };
  // After a question for another number, what two people say together does not prove a card.
  const isOfOther = nearest !== undefined && NUMBERS.has(nearest);
  const isOwn = readings.length === 1 || !isOfOther;
  add('card', isOwn && said.length - count <= 2 && digits.some(isCard));
  add('iban', readings.some(containsIban));
  add(
    'ssn',
    readings.some((reading) => NI_NUMBER.test(reading)),
  );
  const isProved = kinds.size > 0;
  if (!isProved) {
    for (const kind of cuedKinds(run, pieces, said, count)) kinds.add(kind);
    const isOther = isImpersonal(nearest);
    const isNumber = count === said.length;
    const isUnexplained = !explainsNumber(nearest, count);
    if (isUnexplained || nearest === 'card') {
      const isLong = (some: string) => some.length >= 15 && some.length <= 16 && /^[3-6]/u.test(some);
      add('card', containsCard(digits[0]!) || (said.length - count <= 2 && digits.some(isLong)));
    }
    // Nine digits in one piece that nothing explains are a social security number whose cue was misheard.
    const groups = groupsOf(run);
    const hasForm = !isOther && groups.join('-') === '3-2-4';
    add('ssn', count === 9 && isNumber && (hasForm || (isUnexplained && kinds.size === 0 && groups.length === 1)));
    const single = run.parts.map(({ codes }) => codes.map(({ chars }) => chars).join(''));
    const isDialled = [...digits, ...single].some((some) => isPhone(some, pieces, run));
    // Nine digits or more in three groups are a phone number of some country, if nothing says what they are.
    const isGrouped = isUnexplained && count >= 9 && count <= 13 && groups.length >= 3;
    add('phone', !isOther && isNumber && kinds.size === 0 && (isDialled || isGrouped));
    // A recogniser loses digits of a card number, and repeats others.
    const isAny = isUnexplained && kinds.size === 0 && said.length - count <= 2;
    add('card', isAny && digits.some(({ length }) => length >= LONGER_THAN_PHONE));
  }
  add('postcode', !isProved && readings.some(isPostcode));
  add('digits', count >= DIGITS);
  return [...kinds];
}

/** Whether a run is a complete number by itself, so that nothing beside it belongs to it. */
export function isWhole(kind: RedactionKind, run: CodeRun, pieces: readonly WordPiece[]): boolean {
  const readings = readingsOf(run);
  const digits = readings.map((reading) => reading.replace(/\D/gu, ''));
  if (kind === 'card') return digits.some(({ length }) => length >= CARD.least && length <= CARD.most);
  if (kind === 'iban') return readings.some(containsIban);
  if (kind === 'ssn') return digits.some(({ length }) => length === 9);
  return kind === 'phone' && digits.some((some) => some.length > 9 || isPhone(some, pieces, run));
}

/** Kinds because of the words before or after. The nearest cue decides; a card or account keeps its reach. */
function* cuedKinds(run: CodeRun, pieces: readonly WordPiece[], said: string, count: number): Generator<RedactionKind> {
  const before = cuesBefore(pieces, run.parts[0]!.from);
  const after = cueAfter(pieces, run.parts.at(-1)!.to);
  const near: Cued[] = before.slice(0, 1);
  if (after) {
    // "4242 is my pin": nearer than a cue of an earlier utterance.
    const isNearer = !near[0] || pieces[near[0].at]!.utterance < run.parts[0]!.utterance;
    if (isNearer) near.unshift({ cue: after, at: run.parts.at(-1)!.to, distance: 1 });
  }
  // "the name on the card", "the email address", "the account name" and "a mailing address" come between.
  const second = before[1];
  if (near[0] && second && ['name', 'email', 'address'].includes(near[0].cue)) near.push(second);
  // "the IBAN of the account", "the PIN of the card".
  if (near[0] && second && ['account', 'card'].includes(near[0].cue) && near[0].distance + 5 >= second.distance)
    near.unshift(second);
  for (const { cue } of near) {
    if (isImpersonal(cue) || cue === 'name' || cue === 'email') continue;
    if ((cue === 'code' || cue === 'expiry') && count >= LEAST.code) yield 'card';
    else if (cue === 'postcode' && isCuedPostcode(said, count)) yield 'postcode';
    else if (cue === 'address' && isPostcode(said)) yield 'postcode';
    else if (cue === 'dob' && count >= LEAST.dob && count <= 8) yield 'dob';
    else if (cue === 'card' && count >= LEAST.card) yield 'card';
    else if (cue === 'phone' && count >= LEAST.phone) yield 'phone';
    else if (cue === 'ssn' && count >= LEAST.ssn) yield 'ssn';
    else if (cue === 'account' && said.length >= LEAST.account && count >= 3) yield 'account';
    else if (cue === 'password' && count >= LEAST.password) yield 'password';
    else if (cue === 'iban' && said.length >= LEAST.iban) yield 'iban';
  }
}

/** Whether digits are the whole number of a card, by length, issuer and check digit. */
function isCard(digits: string): boolean {
  return digits.length >= CARD.least && digits.length <= CARD.most && cards.number(digits).isValid;
}

/** A number of a card between other digits, such as its date of expiry. */
function containsCard(digits: string): boolean {
  for (let from = 0; from + 15 <= digits.length && from < 60; from++)
    for (const length of [16, 15])
      if (isCard(digits.slice(from, from + length)) && /^[3-6]/u.test(digits[from]!)) return true;
  return false;
}

/** Letters that a recogniser prints as a digit. */
const asIban = (chars: string): string => chars.replace(/^([A-Z]|0)([A-Z]|0)/u, (start) => start.replace(/0/gu, 'O'));

function containsIban(chars: string): boolean {
  for (let from = 0; from + 15 <= chars.length && from < 8; from++) {
    const rest = asIban(chars.slice(from));
    if (!/^[A-Z]{2}\d{2}/u.test(rest)) continue;
    // In some countries, the bank is four letters, one of which may be an O.
    const bank = rest.slice(0, 4) + rest.slice(4, 8).replace(/0/gu, 'O') + rest.slice(8);
    for (let length = 15; length <= Math.min(34, rest.length); length++)
      if (isValidIBAN(rest.slice(0, length)) || isValidIBAN(bank.slice(0, length))) return true;
  }
  return false;
}

function isPhone(digits: string, pieces: readonly WordPiece[], run: CodeRun): boolean {
  if (digits.length < 7 || digits.length > 15) return false;
  const hasPlus = pieces[run.parts[0]!.from]!.bare.startsWith('+') || pieces[run.parts[0]!.from - 1]?.lower === 'plus';
  if (hasPlus) return isValidPhoneNumber(`+${digits}`);
  if (digits.length < 10) return false;
  return COUNTRIES.some((country) => isValidPhoneNumber(digits, country));
}

/** UK and Canadian postcodes. The letter O is often said as the digit. */
function isPostcode(chars: string): boolean {
  if (chars.length < 5 || chars.length > 7) return false;
  if (/^\d+$/u.test(chars)) return false;
  const tail = chars.slice(-2).replace(/0/gu, 'O');
  const head = chars.slice(0, -2);
  const forms = [head + tail, head.replace(/^0/u, 'O') + tail, head.replace(/^(.)0/u, '$1O') + tail];
  return forms.some((form) => UK_POSTCODE.test(form)) || CA_POSTCODE.test(chars);
}

const isCuedPostcode = (said: string, count: number): boolean =>
  (said.length >= 3 && said.length <= 9 && count < said.length) || count === 5 || count === 9;
