import { createHash } from 'node:crypto';
import { type RedactionKind, redactionLabel } from '../../src/contract/redaction.ts';
import { digitsIn, Redactor } from '../../src/conversation/redaction/redactor.ts';
import { nameTagger } from './conversation-weights.ts';

/** Shortest word of a value that counts where it occurs again, letters. */
const LEAST_LETTERS = 4;
/** Fewest digits in a row that count as a part of a value. */
export const LEAST_DIGITS = 4;

/** Words that occur in values and everywhere else. */
const COMMON: ReadonlySet<string> = new Set(
  'gmailcom gmail yahoo hotmail outlook icloud email that with from this yeah okay street road avenue lane drive january february march april june july august september october november december first second third fourth fifth sixth seventh eighth ninth tenth zero four five seven eight nine double triple hundred thousand eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety'.split(
    ' ',
  ),
);

/** A value that was said in a recording. */
export interface SpokenValue {
  kind: RedactionKind;
  /** Its words as they were transcribed, in lower case and without punctuation. */
  words: string[];
  /** Its digits in order; '' if it has none. */
  digits: string;
}

export const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}@]/gu, '');

/**
 * Whether a word gives a value away where it occurs again. Streets and people are named with ordinary words, but people's
 * names have a capital.
 * @param hasCapital whether it has one there
 */
export const isTrace = (word: string, kind: RedactionKind, hasCapital: boolean): boolean => {
  if (word.length < LEAST_LETTERS || COMMON.has(word)) return false;
  const isOrdinary = kind === 'address' || (kind === 'name' && !hasCapital);
  return !(isOrdinary && nameTagger().isCommon(word));
};

/** Finds personal data in texts that people wrote about a recording, including what they repeat from it. */
export class WrittenTexts {
  readonly #kinds: readonly RedactionKind[];
  /** Every four digits in a row of the recording's values, and their longer words. */
  readonly #digits = new Map<string, RedactionKind>();
  readonly #words = new Map<string, RedactionKind>();

  constructor(kinds: readonly RedactionKind[], secrets: readonly SpokenValue[] = []) {
    this.#kinds = kinds;
    for (const { kind, digits, words } of secrets) {
      for (let at = 0; at + LEAST_DIGITS <= digits.length; at++)
        this.#digits.set(digits.slice(at, at + LEAST_DIGITS), kind);
      for (const word of words) if (isTrace(word, kind, true) && /\p{L}/u.test(word)) this.#words.set(word, kind);
    }
  }

  /** The text with labels in place of what was found. */
  redacted(text: string): string {
    const ending = ENDING.exec(text)?.[0] ?? '';
    const pieces = text.slice(0, text.length - ending.length).split(BETWEEN);
    const words = pieces.filter((_, i) => i % 2 === 0);
    const found = this.#found(words);
    let written = '';
    for (const [i, word] of words.entries()) {
      const kind = found[i];
      const isLast = kind !== found[i + 1];
      if (kind === undefined) written += word + (pieces[2 * i + 1] ?? '');
      else if (isLast) written += redactionLabel(kind) + tailOf(word) + (pieces[2 * i + 1] ?? '');
    }
    return written + ending;
  }

  /** SHA-256 of each text in hexadecimal -> its redacted form. */
  redactedAll(texts: readonly string[]): Record<string, string> {
    return Object.fromEntries(texts.map((text) => [digestOf(text), this.redacted(text)]));
  }

  /** The kind of each word; undefined for one that stays. */
  #found(words: readonly string[]): (RedactionKind | undefined)[] {
    const found = new Array<RedactionKind | undefined>(words.length);
    // A single word in lower case, such as a label, has nothing that makes it a name.
    const isReadable = words.length > 1 || /\p{Lu}/u.test(words[0] ?? '');
    const redactor = new Redactor<null>(this.#kinds, { tagger: isReadable ? nameTagger() : null });
    const spoken = { speaker: '', words };
    for (const { masks } of [...redactor.add(null, spoken), ...redactor.end()])
      for (const { kind, from, to } of masks) found.fill(kind, from, to + 1);
    for (const [i, word] of words.entries()) {
      const kind = this.#words.get(bare(word));
      // A name is also a word: "will", "mark".
      if (!kind || (kind === 'name' && !/^\P{L}*\p{Lu}/u.test(word))) continue;
      // A value of the recording is surer than the form of a word.
      if (found[i] === undefined || found[i] === 'name' || found[i] === 'address') found[i] = kind;
    }
    this.#findDigits(words, found);
    return found;
  }

  /** Digits of the recording's values, in any grouping. */
  #findDigits(words: readonly string[], found: (RedactionKind | undefined)[]): void {
    if (this.#digits.size === 0) return;
    const own = words.map((word, i) => (found[i] === undefined ? digitsIn([word]) : ''));
    for (let from = 0; from < words.length; from++) {
      if (own[from] === '') continue;
      let to = from;
      while (to + 1 < words.length && own[to + 1] !== '') to++;
      const digits = own.slice(from, to + 1).join('');
      for (let at = 0; at + LEAST_DIGITS <= digits.length; at++) {
        const kind = this.#digits.get(digits.slice(at, at + LEAST_DIGITS));
        if (kind === undefined) continue;
        found.fill(kind, from, to + 1);
        break;
      }
      from = to;
    }
  }
}

/** Signs between words, including those in the name of a file. */
const BETWEEN = /([\s_]+|(?<=\p{L})-|-(?=\p{L}))/u;
/** The ending of the name of a file. */
const ENDING = /\.(?:wav|mp3|mp4|m4a|mov|webm|aac|ogg|opus|flac|pcm)$/iu;

const tailOf = (word: string): string => /[.,;:?!]$/u.exec(word)?.[0] ?? '';

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
