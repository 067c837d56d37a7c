import { digitsIn, Redactor } from '../../src/conversation/redaction/redactor.ts';
import { MADE_KINDS, type MadeDialogue, type MadeUtterance, madeDialogue } from '../../support/made-personal-data.ts';
import { seeded } from '../../support/random.ts';
import { isInstalled, spokenDialogue, VOICE_PAIRS, type VoicePair } from '../../support/spoken-dialogue.ts';

const SEED = 33;

/** How a recording reaches the service. */
export const WAYS = ['batch', 'in parts', 'by URL', 'replay', 'live'] as const;
export type Way = (typeof WAYS)[number];

/** Kinds of the table: those of made values, then those of identities. */
export const KINDS = [...MADE_KINDS, 'name', 'address'] as const;
type Kind = (typeof KINDS)[number];

/** A made value, and the words in which it was said. */
export interface Value {
  kind: Kind;
  /** As one writes it. */
  written: string;
  /** The words of each utterance that belong to it; null: one that does not. */
  said: (string | null)[][];
}

/** A dialogue in which somebody gives a value, and a name or an address. */
export interface Canary {
  n: number;
  values: [Value, Value];
  utterances: MadeUtterance[];
  pair: VoicePair;
  isTelephone: boolean;
  way: Way;
}

const textOf = ({ words }: MadeUtterance): string => words.map(({ text }) => text).join(' ');
export const voiceOf = ({ pair, isTelephone }: Canary): string =>
  `${pair.by} ${pair.voices[1]}${isTelephone ? ', telephone' : ''}`;

const GIVEN = 'Ruth Oliver Carla Peter Hannah Marcus Priya Victor Laura Simon'.split(' ');
const FAMILY = 'Patel Weber Nguyen Collins Fletcher Morgan Hughes Barnes Perez Sullivan'.split(' ');
const STREETS = 'Baker Maple Chestnut Kingsley Hawthorn Wellington Ashford Carlton Lancaster Norfolk'.split(' ');
const STREET_KINDS = ['Street', 'Road', 'Avenue', 'Lane'];

/** The question for a name or an address, and its answer; by number, so that each is said once. */
function identity(n: number): { value: Omit<Value, 'said'>; question: string; before: string; words: string[] } {
  const i = Math.floor(n / 2);
  const another = (i + Math.floor(i / 10)) % 10;
  if (n % 2 === 0) {
    const words = [GIVEN[i % 10]!, FAMILY[(another + 3) % 10]!];
    const before = ['My name is', 'It is', 'Yes, it is'][i % 3]!;
    return {
      value: { kind: 'name', written: words.join(' ') },
      ...{ question: 'Can I take your full name please?', before, words },
    };
  }
  const words = [String(12 + 7 * i), STREETS[i % 10]!, STREET_KINDS[(another + 1) % 4]!];
  const before = ['I live at', 'It is', 'My address is'][i % 3]!;
  return {
    value: { kind: 'address', written: words.join(' ') },
    ...{ question: 'And what is your address?', before, words },
  };
}

const plainWords = (text: string) => text.split(' ').map((one) => ({ text: one }));

function withIdentity({ kind, value, utterances }: MadeDialogue, n: number): Pick<Canary, 'values' | 'utterances'> {
  const { value: own, question, before, words } = identity(n);
  const answer = words.map((text, i) => ({ text: i === words.length - 1 ? `${text}.` : text, kind: own.kind }));
  const [opening, ...rest] = utterances;
  const all: MadeUtterance[] = [
    opening!,
    { speaker: 'Speaker_0', words: plainWords(question) },
    { speaker: 'Speaker_1', words: [...plainWords(before), ...answer] },
    ...rest,
  ];
  const saidOf = (of: string | null) =>
    all.map((one) => one.words.map((word) => (of !== null && word.kind === of ? word.text : null)));
  return {
    utterances: all,
    values: [
      { kind: kind as Kind, written: value ?? '', said: saidOf(kind) },
      { ...own, said: saidOf(own.kind) },
    ],
  };
}

/** The dialogues: each kind in every voice, both bands and all ways in turn. */
export function madeCanaries(count: number): Canary[] {
  const random = seeded(SEED);
  const pairs = VOICE_PAIRS.filter(({ by }) => isInstalled(by));
  return Array.from({ length: count }, (_, n) => {
    const round = Math.floor(n / MADE_KINDS.length);
    return {
      n,
      ...withIdentity(madeDialogue(random, MADE_KINDS[n % MADE_KINDS.length]!), n),
      pair: pairs[(n + round) % pairs.length]!,
      isTelephone: (n + round) % 2 === 1,
      way: WAYS[n % WAYS.length]!,
    };
  });
}

/** A dialogue read aloud, as a WAV file. */
export function soundOf({ utterances, pair, isTelephone }: Canary): Uint8Array<ArrayBuffer> {
  const spoken = utterances.map((one) => ({ speaker: one.speaker, text: textOf(one) }));
  return new Uint8Array(spokenDialogue(spoken, pair, isTelephone));
}

/** Fewest digits in a row of a value that count: in one number, in numbers side by side, and in words or texts. */
const GRAM = { joined: 8, apart: 6, said: 4 } as const;
const digitsOf = (text: string): string => text.replace(/\D/gu, '');
const gramsOf = (text: string, size: number): string[] =>
  Array.from({ length: Math.max(0, text.length - size + 1) }, (_, i) => text.slice(i, i + size));

/** Bytes that no text contains. Words beside them, as in recorded sound, are no words in a row. */
const BINARY = /[[\p{ASCII}&&\p{Cc}]--[\t\n\r]]/v;

/** Words and digits of a text in lower case, one space between them, or `|` where bytes of no text are between them. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}@_]+/gu, (gap) => (BINARY.test(gap) ? '|' : ' '))
    .trim();

/** Words of a value as they were said, four in a row: the trace that an address or a date leaves in a text. */
function saidForms({ said }: Value): string[] {
  const joined = said.flatMap((words) => [
    ...words.flatMap((word) => (word === null ? ['|'] : plain(word).split(' '))),
    '|',
  ]);
  return joined
    .join(' ')
    .split('|')
    .flatMap((part) => {
      const own = part.split(' ').filter((word) => word !== '');
      const all = own.join(' ');
      if (own.length < 4) return all.length >= 10 ? [all] : [];
      return own.slice(3).map((_, i) => own.slice(i, i + 4).join(' '));
    });
}

/** Words in a row that show a value wherever they stand. */
export function formsOf(value: Value): string[] {
  const { kind, written } = value;
  const lower = written.toLowerCase();
  if (kind === 'name') return [plain(written)];
  if (kind === 'address') {
    const [number, street, ending] = lower.split(' ');
    return [`${number} ${street}`, `${street} ${ending}`];
  }
  const forms = saidForms(value);
  if (kind === 'email') forms.push(plain(written));
  if (/[a-z]/u.test(lower) && lower.length >= 6) forms.push(lower);
  return forms;
}

/** Digits of a value that show it; '' for those that have none of their own. */
const numberOf = ({ kind, written }: Value): string =>
  kind === 'name' || kind === 'address' || kind === 'email' ? '' : digitsOf(written);

/** Phrases to search for in the service, as a person would who knows the value. */
export const queriesOf = (value: Value): string[] => [
  ...formsOf(value).slice(0, 4),
  ...(numberOf(value).match(/\d{4}/gu) ?? []),
];

const NUMBER_WORDS = 'zero oh one two three four five six seven eight nine'.split(' ');
const SEQUENCE = new RegExp(`(?:\\b(?:\\d+|${NUMBER_WORDS.join('|')})\\b[\\s,:"-]{0,3}){2,40}`, 'gu');
const DECIMAL = /-?\d+\.\d+(?:e-?\d+)?/gu;

/** Digits of a text: in one number, in numbers side by side, and in words. */
function numbersOf(lower: string): { joined: string[]; apart: string[]; said: string[] } {
  const whole = lower.replace(DECIMAL, '#');
  const apart: string[] = [];
  const said: string[] = [];
  for (const [sequence] of whole.matchAll(SEQUENCE)) {
    const tokens = sequence.match(/\d+|[a-z]+/gu) ?? [];
    const digits = tokens
      .map((one) => (/\d/u.test(one) ? one : String(Math.max(0, NUMBER_WORDS.indexOf(one) - 1))))
      .join('');
    (tokens.some((one) => /[a-z]/u.test(one)) ? said : apart).push(digits);
  }
  return { joined: whole.match(/\d{8,40}/gu) ?? [], apart, said };
}

/** Characters on either side of a find that a report quotes. */
const CONTEXT = 40;

/** Finds the values that a text of any kind contains, in whatever form, each with the digits or words that show it. */
export function finder(values: readonly Value[]): (text: string) => Map<Value, string> {
  const grams = { joined: new Map<string, Value>(), apart: new Map<string, Value>(), said: new Map<string, Value>() };
  const forms = new Map<string, Value>();
  for (const value of values) {
    for (const size of ['joined', 'apart', 'said'] as const)
      for (const gram of gramsOf(numberOf(value), GRAM[size])) grams[size].set(gram, value);
    for (const form of formsOf(value)) forms.set(form, value);
  }
  return (text) => {
    const found = new Map<Value, string>();
    const lower = text.toLowerCase();
    const numbers = numbersOf(lower);
    for (const size of ['joined', 'apart', 'said'] as const)
      for (const digits of numbers[size])
        for (const gram of gramsOf(digits, GRAM[size])) {
          const value = grams[size].get(gram);
          if (value) found.set(value, `${gram}, ${size}, of ${digits.length} digits`);
        }
    const words = plain(lower);
    for (const [form, value] of forms) {
      const at = words.indexOf(form);
      if (at >= 0) found.set(value, `in "${words.slice(Math.max(0, at - CONTEXT), at + form.length + CONTEXT)}"`);
    }
    return found;
  };
}

/** Whether words contain four digits of a value in a row, or its words. */
export function isSpokenIn(text: string, value: Value): boolean {
  const heard = digitsIn(text.split(/\s+/u));
  if (gramsOf(numberOf(value), GRAM.said).some((gram) => heard.includes(gram))) return true;
  return finder([value])(text).size > 0;
}

/** Whether a recogniser understood a value: its digits, as often as they were said, or its words are in the text. */
export function isUnderstood(text: string, { kind, written, said }: Value): boolean {
  const squeezed = (one: string) => one.toLowerCase().replace(/[^a-z0-9@]/gu, '');
  if (kind === 'email' || kind === 'name') return squeezed(text).includes(squeezed(written));
  const words = text.split(/\s+/u);
  if (kind === 'address') {
    const [number = '', ...street] = written.split(' ');
    return plain(text).includes(plain(street.join(' '))) && digitsIn(words).includes(number);
  }
  if (kind === 'dob') return new Redactor<null>(['dob']).peek({ speaker: '', words }).length > 0;
  const digits = digitsIn(said.flat().filter((word) => word !== null));
  if (digits.length === 0) return squeezed(text).includes(squeezed(written));
  return digitsIn(words).includes(digits);
}

/** Length of a piece of sound that is searched for, bytes, and fewest different ones of it. */
const TRACE_BYTES = 256;
const LEAST_BYTES = 48;
/** Pieces that are searched for, of each second of sound under a tone. */
const TRACES_PER_SECOND = 16;

/** A piece of the sound under a tone. */
export interface Trace {
  /** Seconds from the start of the recording. */
  at: number;
  /** Its bytes, a character each. */
  bytes: string;
}

/** The sound of a recording, apart by what is under a tone and what may be heard. */
export interface Sides {
  traces: Trace[];
  /** The parts between the tones, a character a byte. */
  open: string[];
}

/** Bytes of the sound under tones, as somebody would find them in a file of the service, and of the sound beside them. */
export function sidesOf(
  wav: Uint8Array,
  { isTelephone }: Pick<Canary, 'isTelephone'>,
  muted: readonly { t_start: number; t_end: number }[],
): Sides {
  const buffer = Buffer.from(wav.buffer, wav.byteOffset, wav.byteLength);
  const start = buffer.indexOf('data') + 8;
  const perSecond = isTelephone ? 8_000 : 32_000;
  const step = 2 * Math.round(perSecond / TRACES_PER_SECOND / 2);
  const sides: Sides = { traces: [], open: [] };
  let openFrom = 0;
  for (const { t_start, t_end } of muted) {
    const [from, to] = [t_start, t_end].map((s) => start + 2 * Math.round((s * perSecond) / 2));
    sides.open.push(buffer.toString('latin1', openFrom, from));
    openFrom = to!;
    for (let at = from! + TRACE_BYTES; at + TRACE_BYTES < to!; at += step) {
      const bytes = buffer.subarray(at, at + TRACE_BYTES);
      // Silence is the same everywhere.
      if (new Set(bytes).size >= LEAST_BYTES)
        sides.traces.push({ at: (at - start) / perSecond, bytes: bytes.toString('latin1') });
    }
  }
  sides.open.push(buffer.toString('latin1', openFrom));
  return sides;
}

/**
 * The pieces under tones that stand nowhere beside them. A synthetic voice says the same words with the same bytes: "It is"
 * before a password, under the margin of its tone, is also the "It is" before something that is not redacted.
 * @param all the recordings that the service was sent
 */
export function ownTraces({ traces }: Sides, all: readonly Sides[]): Trace[] {
  return traces.filter(({ bytes }) => !all.some(({ open }) => open.some((part) => part.includes(bytes))));
}
