import { FNV_BASIS, fnv1a, joinHashes } from '../../contract/fnv1a.ts';
import type { PackedMatrix } from '../packed-weights.ts';
import { isStreet } from './people.ts';
import { type PassageWord, piecesOf, type WordPiece } from './pieces.ts';

/** The labels of a word. `entity`: a place, a company or a product, which tells such words from people. */
export const TAGGER_LABELS = ['none', 'name', 'address', 'entity'] as const;
const LABELS = TAGGER_LABELS.length;
const [NONE, NAME, ADDRESS] = [0, 1, 2];
/** Buckets of hashed features, and of the lists of words: powers of two. */
export const FEATURE_BUCKETS = 2 ** 18;
export const LIST_BUCKETS = 2 ** 18;
/** Bits of the lists that a word is in. */
export const LISTS = {
  frequentFirstName: 1,
  firstName: 2,
  frequentSurname: 4,
  surname: 8,
  common: 16,
  veryCommon: 32,
  /** A word of any kind that is mostly written without a capital. No feature reads it. */
  ordinary: 64,
} as const;
const OF_FEATURES = LISTS.ordinary - 1;

/** The content of `name-tagger.bin`. */
export interface TaggerWeights {
  /** `FEATURE_BUCKETS` x labels. */
  features: PackedMatrix;
  /** From a label (row) to the next one; the last row is the beginning of an utterance. */
  transitions: Float32Array;
  /** Bits of `LISTS`; a word is in a list if both of its buckets have the bit. */
  lists: PackedMatrix;
  /** Least probabilities from which a word is tagged. */
  floors: { name: number; address: number };
}

/** The kind that the utterances before ask for. */
export type AskedFor = 'nothing' | 'name' | 'address';
const ASKED: readonly AskedFor[] = ['nothing', 'name', 'address'];

export type WordTag = 'name' | 'address' | null;

/** Tags names and addresses in the words of an utterance by their form, their neighbours and the question before. */
export class NameTagger {
  readonly #weights: TaggerWeights;

  constructor(weights: TaggerWeights) {
    this.#weights = weights;
  }

  /**
   * The tag of each word: a linear-chain conditional random field (Lafferty et al. 2001), by the probability of each
   * word's label. Linear in the words.
   * @param before the utterances before it, the newest last
   */
  tagsOf(words: readonly string[], before: readonly (readonly string[])[]): WordTag[] {
    const pieces = piecesOf(words.map((text): PassageWord => ({ text, utterance: 0 })));
    const odds = this.probabilities(pieces, askedIn(before));
    const { name, address } = this.#weights.floors;
    const tags = new Array<WordTag>(words.length).fill(null);
    for (const [i, { word }] of pieces.entries()) {
      const [ofName, ofAddress] = [odds[i * LABELS + NAME]!, odds[i * LABELS + ADDRESS]!];
      // The more probable kind wins where both reach their floors.
      if (ofAddress >= address && ofAddress >= ofName) tags[word] = 'address';
      else if (ofName >= name) tags[word] = 'name';
      else if (ofAddress >= address) tags[word] = 'address';
    }
    return tags;
  }

  /** Whether a word in lower case is an ordinary word, so that it is never a name. */
  isCommon(lower: string): boolean {
    return (listsOf(this.#weights.lists.values, lower) & LISTS.ordinary) !== 0;
  }

  /** Whether a word in lower case is a name and not an ordinary word, so that it is known without a capital too. */
  isListedName(lower: string): boolean {
    const lists = listsOf(this.#weights.lists.values, lower);
    return (lists & (LISTS.firstName | LISTS.surname)) !== 0 && (lists & LISTS.ordinary) === 0;
  }

  /** Probability of each label, a row for each piece. */
  probabilities(pieces: readonly WordPiece[], asked: AskedFor): Float64Array {
    const { features, transitions, lists } = this.#weights;
    const scores = new Float64Array(pieces.length * LABELS);
    for (const [i, own] of taggerFeatures(pieces, asked, lists.values).entries())
      for (const feature of own)
        for (let label = 0; label < LABELS; label++)
          scores[i * LABELS + label]! += features.step * features.values[feature * LABELS + label]!;
    return marginals(scores, transitions, pieces.length).odds;
  }
}

/**
 * Forward and backward sums of a chain (Rabiner 1989), in logarithms.
 * @param scores a row of labels for each position
 * @returns the probability of each label, and the logarithm of the sum over all sequences
 */
export function marginals(
  scores: Float64Array,
  transitions: ArrayLike<number>,
  length: number,
): { odds: Float64Array; logSum: number; forward: Float64Array; backward: Float64Array } {
  const forward = new Float64Array(length * LABELS);
  const backward = new Float64Array(length * LABELS);
  const odds = new Float64Array(length * LABELS);
  const terms = new Float64Array(LABELS);
  for (let i = 0; i < length; i++)
    for (let to = 0; to < LABELS; to++) {
      const own = scores[i * LABELS + to]!;
      if (i === 0) forward[to] = own + transitions[LABELS * LABELS + to]!;
      else {
        for (let from = 0; from < LABELS; from++)
          terms[from] = forward[(i - 1) * LABELS + from]! + transitions[from * LABELS + to]!;
        forward[i * LABELS + to] = own + logSumOf(terms);
      }
    }
  for (let i = length - 2; i >= 0; i--)
    for (let from = 0; from < LABELS; from++) {
      for (let to = 0; to < LABELS; to++)
        terms[to] =
          transitions[from * LABELS + to]! + scores[(i + 1) * LABELS + to]! + backward[(i + 1) * LABELS + to]!;
      backward[i * LABELS + from] = logSumOf(terms);
    }
  const logSum = length === 0 ? 0 : logSumOf(forward.subarray((length - 1) * LABELS));
  for (let k = 0; k < odds.length; k++) odds[k] = Math.exp(forward[k]! + backward[k]! - logSum);
  return { odds, logSum, forward, backward };
}

function logSumOf(terms: Float64Array): number {
  let most = terms[0]!;
  for (let i = 1; i < LABELS; i++) if (terms[i]! > most) most = terms[i]!;
  if (most === Number.NEGATIVE_INFINITY) return most;
  let sum = 0;
  for (let i = 0; i < LABELS; i++) sum += Math.exp(terms[i]! - most);
  return most + Math.log(sum);
}

const OF_NAMES: ReadonlySet<string> = new Set('name names surname called spell who speaking'.split(' '));
const OF_ADDRESSES: ReadonlySet<string> = new Set(
  'address addresses street live living located location billing delivery deliver shipping mailing'.split(' '),
);
/** Utterances before that are read. */
const BEFORE = 2;

/** The kind that is asked for: by the last such word of the utterance before, or of the one before that. */
export function askedIn(before: readonly (readonly string[])[]): AskedFor {
  for (const words of before.slice(-BEFORE).toReversed())
    for (const word of words.toReversed()) {
      const lower = word.toLowerCase().replace(/[^\p{L}]/gu, '');
      if (OF_NAMES.has(lower)) return 'name';
      if (OF_ADDRESSES.has(lower)) return 'address';
    }
  return 'nothing';
}

const NUMBERS: ReadonlySet<string> = new Set(
  'zero oh one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand first second third fourth fifth sixth seventh eighth ninth tenth double triple'.split(
    ' ',
  ),
);

/** Forms of words, as numbers. */
const SHAPES = { lower: 0, capital: 1, capitals: 2, mixed: 3, letter: 4, number: 5, foreign: 6, digits: 8 } as const;
const MOST_DIGITS = 6;

function shapeOf({ bare, lower }: WordPiece): number {
  if (/^\p{N}+$/u.test(bare)) return SHAPES.digits + Math.min(bare.length, MOST_DIGITS);
  if (NUMBERS.has(lower)) return SHAPES.number;
  if (/\p{N}/u.test(bare)) return SHAPES.mixed;
  if (bare.length === 1) return SHAPES.letter;
  if (/^\p{Lu}[\p{Lu}'’.]*$/u.test(bare)) return SHAPES.capitals;
  if (/^\p{Lu}/u.test(bare)) return SHAPES.capital;
  return /^\p{L}/u.test(bare) ? SHAPES.lower : SHAPES.foreign;
}

const isNumeric = (shape: number): boolean => shape >= SHAPES.digits || shape === SHAPES.number;

/** The two buckets of a word in the lists. */
export const listBuckets = (lower: string): [number, number] => {
  const hash = joinHashes(fnv1a(lower), 1);
  return [hash % LIST_BUCKETS, joinHashes(hash, 2) % LIST_BUCKETS];
};

function listsOf(lists: Int8Array, lower: string): number {
  const [a, b] = listBuckets(lower);
  return lists[a]! & lists[b]!;
}

const OUTSIDE = 0x5bd1e995;
/** Farthest word that counts as near, words. */
const NEAR = 5;

/** The buckets of the features of each piece. Hashes depend only on the words, so weights are the same everywhere. */
export function taggerFeatures(pieces: readonly WordPiece[], asked: AskedFor, lists: Int8Array): Uint32Array[] {
  const count = pieces.length;
  const words = pieces.map(({ lower }) => fnv1a(/\d/u.test(lower) ? lower.replace(/\d/gu, '0') : lower));
  const shapes = pieces.map(shapeOf);
  const inLists = pieces.map(({ lower }) => listsOf(lists, lower.replace(/'s$/u, '')) & OF_FEATURES);
  const starts = pieces.map((_, i) => i === 0 || pieces[i - 1]!.isLast);
  const capitals = shapes.filter((shape, i) => shape === SHAPES.capital && !starts[i]).length;
  const caseOf = capitals === 0 ? 0 : capitals * 3 > count * 2 ? 2 : 1;
  const isStreetAt = pieces.map(({ lower }) => isStreet(lower));
  const numeric = shapes.map(isNumeric);
  const afterNumber = nearest(numeric, 1);
  const beforeNumber = nearest(numeric, -1);
  const beforeStreet = nearest(isStreetAt, -1);
  const afterStreet = nearest(isStreetAt, 1);
  const cues = cuesBefore(pieces);
  const lengthOf = count <= 3 ? count : count <= 6 ? 4 : count <= 12 ? 5 : 6;
  const question = ASKED.indexOf(asked);
  const word = (i: number) => words[i] ?? OUTSIDE;
  const shape = (i: number) => shapes[i] ?? 30;
  const list = (i: number) => inLists[i] ?? 64;
  const pauses = (i: number) => (pieces[i] ? (pieces[i]!.isPaused ? 1 : 0) + (pieces[i]!.isLast ? 2 : 0) : 4);

  return pieces.map(({ lower }, i) => {
    const features: number[] = [];
    const emit = (id: number, a: number, b = 0, c = 0) => {
      features.push(joinHashes(joinHashes(joinHashes(joinHashes(id + 0x1000, a), b), c), id) % FEATURE_BUCKETS);
    };
    const form = shape(i) * 8 + caseOf * 2 + (starts[i] ? 1 : 0);
    const own = list(i);
    const end = lower.length;
    emit(1, 1);
    emit(2, word(i));
    emit(3, word(i - 1));
    emit(4, word(i + 1));
    emit(5, word(i - 2));
    emit(6, word(i + 2));
    emit(7, word(i - 1), word(i));
    emit(8, word(i), word(i + 1));
    emit(9, word(i - 2), word(i - 1));
    emit(10, word(i + 1), word(i + 2));
    emit(11, form);
    emit(12, form, shape(i - 1));
    emit(13, form, shape(i + 1));
    emit(14, shape(i - 1), shape(i), shape(i + 1));
    emit(15, own);
    emit(16, own, form);
    emit(17, own, list(i - 1));
    emit(18, own, list(i + 1));
    emit(19, own, form, list(i - 1) * 64 + shape(i - 1));
    emit(20, own, form, list(i + 1) * 64 + shape(i + 1));
    emit(21, word(i - 1), own, form);
    emit(22, word(i + 1), own, form);
    emit(23, word(i - 1), form);
    emit(24, word(i + 1), form);
    emit(25, word(i - 2), word(i - 1), form);
    emit(26, fnv1a(lower, FNV_BASIS, 0, 2));
    emit(27, fnv1a(lower, FNV_BASIS, 0, 3), form);
    emit(28, fnv1a(lower, FNV_BASIS, Math.max(0, end - 2)));
    emit(29, fnv1a(lower, FNV_BASIS, Math.max(0, end - 3)), form);
    emit(30, fnv1a(lower, FNV_BASIS, Math.max(0, end - 4)));
    emit(31, Math.min(end, 12), form);
    emit(32, pauses(i), pauses(i - 1), form);
    emit(33, question, lengthOf, own);
    emit(34, question, lengthOf, form);
    emit(35, question, Math.min(i, 4), form);
    emit(36, question, cues[i]!, form);
    emit(37, cues[i]!, own, form);
    emit(38, afterNumber[i]!, beforeStreet[i]!, form);
    emit(39, beforeNumber[i]!, afterStreet[i]!, form);
    emit(40, beforeStreet[i]!, afterStreet[i]!, shape(i));
    emit(41, afterNumber[i]!, cues[i]!, form);
    emit(42, own, lengthOf, caseOf * 4 + (i === 0 ? 1 : 0) + (i === count - 1 ? 2 : 0));
    emit(43, afterNumber[i]!, beforeNumber[i]!, form);
    for (let at = 0; at + 3 <= Math.min(end, 12); at++) emit(44, fnv1a(lower, FNV_BASIS, at, at + 3));
    return Uint32Array.from(features);
  });
}

/** The distance to the nearest true value before (step 1) or after each position; NEAR + 1: none is near. */
function nearest(values: readonly boolean[], step: 1 | -1): number[] {
  const distances = new Array<number>(values.length);
  let distance = NEAR + 1;
  const count = values.length;
  for (let k = 0; k < count; k++) {
    const i = step === 1 ? k : count - 1 - k;
    distance = values[i] ? 0 : Math.min(NEAR + 1, distance + 1);
    distances[i] = distance;
  }
  return distances;
}

const OTHERS: ReadonlySet<string> = new Set(
  'email e-mail phone number card account city state order company password flight date'.split(' '),
);
const FAR = 12;

/** The last word before each piece that names a kind of value: 0 none, then kind x distance. */
function cuesBefore(pieces: readonly WordPiece[]): number[] {
  let kind = NONE;
  let at = 0;
  return pieces.map(({ lower }, i) => {
    const distance = i - at;
    const cue = kind === NONE || distance > FAR ? 0 : kind * 4 + (distance <= 2 ? 0 : distance <= 5 ? 1 : 2);
    const own = OF_NAMES.has(lower) ? 1 : OF_ADDRESSES.has(lower) ? 2 : OTHERS.has(lower) ? 3 : NONE;
    if (own !== NONE) [kind, at] = [own, i];
    return cue;
  });
}
