/**
 * The tagger of names and addresses (`src/conversation/redaction/name-tagger.ts`).
 *
 *   NAME_SETS=<folder> node scripts/train/name-tagger.ts      writes src/conversation/weights/name-tagger.bin
 *
 * Every text is read as it is written and as a recogniser without case, punctuation and digits prints it.
 */
import {
  askedIn,
  LIST_BUCKETS,
  LISTS,
  listBuckets,
  NameTagger,
  TAGGER_LABELS,
  type TaggerWeights,
} from '../../src/conversation/redaction/name-tagger.ts';
import { piecesOf } from '../../src/conversation/redaction/pieces.ts';
import { seeded } from '../../support/random.ts';
import {
  asSpoken,
  byCase,
  evi,
  firstNames,
  type LabelledText,
  lowerCounts,
  made,
  multidogo,
  ordinary,
  ordinaryWords,
  presidio,
  surnames,
  tagged,
} from './names/corpus.ts';
import { fitTagger, type TaggerExample } from './names/fit.ts';
import type { NameLists } from './names/made.ts';
import { writeWeights } from './write-weights.ts';

const LABELS = TAGGER_LABELS.length;
const EPOCHS = 4;
const MADE = 14_000;
/** How often a set counts. */
const PRESIDIO_TIMES = 2;
/** Ranks up to which a name is frequent, and occurrences from which a word is common. */
const FREQUENT = { first: 600, surnames: 2_500, common: 3, veryCommon: 40 } as const;
/** Floors that are tried, least first. */
const FLOORS = Array.from({ length: 95 }, (_, i) => (i + 1) / 100);
/** Least precision of a kind on the tuning words. */
const LEAST_PRECISION = 0.75;

const random = seeded(33);
const MASKS: Readonly<Record<string, number>> = { O: 0b1001, N: 0b0010, A: 0b0100, E: 0b1000, '?': 0b1111 };

const exampleOf = ({ before, words }: LabelledText): TaggerExample => {
  const pieces = piecesOf(words.map(({ text }) => ({ text, utterance: 0 })));
  return {
    pieces,
    asked: askedIn([before.split(/\s+/u)]),
    allowed: Uint8Array.from(pieces, ({ word }) => MASKS[words[word]!.label]!),
  };
};

const turns = ordinary();
const counts = lowerCounts(turns);
const lists = listsOfNames();
const fitSets: LabelledText[][] = [
  tagged(['btc-a', 'btc-b', 'btc-e', 'btc-g', 'btc-h']),
  tagged(['slurp']),
  multidogo('fit'),
  evi('fit'),
  ...(process.argv.includes('--without-presidio') ? [] : Array.from({ length: PRESIDIO_TIMES }, () => presidio('fit'))),
  byCase(turns, counts),
];
const names: NameLists = {
  first: firstNames(),
  surnames: surnames(),
  given: fitSets.flatMap((set) => set.flatMap(namesOf)),
};
fitSets.push(made(random, names, MADE));
const written = fitSets.flat();
const examples = [...written, ...asSpoken(random, written)].map(exampleOf).filter(({ pieces }) => pieces.length > 0);
console.error(`${examples.length} utterances, ${names.given.length} given names`);
const { weights, transitions } = fitTagger(examples, lists, EPOCHS, random);
const step = quantile(weights, 0.99995) / 127;
const tree: TaggerWeights = {
  features: {
    step,
    values: Int8Array.from(weights, (value) => Math.max(-127, Math.min(127, Math.round(value / step)))),
  },
  transitions: Float32Array.from(transitions),
  lists: { step: 1, values: lists },
  floors: { name: 0, address: 0 },
};
tree.floors = floorsOf(new NameTagger(tree));
writeWeights('name-tagger', tree, {
  trained_on: [
    'Broad Twitter Corpus, sections A, B, E, G and H (CC BY 4.0)',
    'SLURP, texts of devel and test (CC BY 4.0)',
    'MultiDoGO, customers of train (CDLA-Permissive 1.0)',
    'EVI, three eighths of the identities (CC BY 4.0)',
    'Presidio research, synthetic set, three eighths of the sentences (MIT; identities of Fake Name Generator CC BY-SA 3.0)',
    'PriMock57, OSCE, MTS-Dialog, CaSiNo train (CC BY 4.0), Persuasion for Good (Apache-2.0), QMSum train (MIT)',
    'names of the US census of 1990 (public domain)',
    'utterances made by scripts/train/names/made.ts',
  ],
  made_by: 'scripts/train/name-tagger.ts',
});

/** Consecutive words of a name as they were written. */
function namesOf({ words }: LabelledText): string[] {
  const found: string[] = [];
  let isOpen = false;
  for (const { text, label } of words) {
    const bare = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '').replace(/'s$/u, '');
    if (label === 'N' && bare.length > 1 && /^[\p{L}'-]+$/u.test(bare)) {
      const word = bare[0]!.toUpperCase() + bare.slice(1);
      if (isOpen) found.push(`${found.pop()} ${word}`);
      else found.push(word);
      isOpen = true;
    } else isOpen = false;
  }
  return found.filter((name) => name.split(' ').length <= 3);
}

function listsOfNames(): Int8Array {
  const table = new Int8Array(LIST_BUCKETS);
  const add = (word: string, bit: number) => {
    for (const bucket of listBuckets(word.toLowerCase())) table[bucket]! |= bit;
  };
  for (const [rank, name] of firstNames().entries()) {
    add(name, LISTS.firstName);
    if (rank < FREQUENT.first) add(name, LISTS.frequentFirstName);
  }
  for (const [rank, name] of surnames().entries()) {
    add(name, LISTS.surname);
    if (rank < FREQUENT.surnames) add(name, LISTS.frequentSurname);
  }
  for (const [word, count] of counts) {
    if (count >= FREQUENT.common) add(word, LISTS.common);
    if (count >= FREQUENT.veryCommon) add(word, LISTS.veryCommon);
  }
  for (const word of ordinaryWords()) add(word, LISTS.ordinary);
  return table;
}

function quantile(values: Float32Array, share: number): number {
  const sorted = values.map(Math.abs).sort();
  return sorted[Math.floor(sorted.length * share)]!;
}

/** The lowest floors with that precision on the tuning sets. Prints precision/recall. */
function floorsOf(tagger: NameTagger): TaggerWeights['floors'] {
  const tuning = [tagged(['btc-f']), multidogo('tune'), evi('tune'), presidio('tune')];
  const both = tuning.flatMap((set) => [set, asSpoken(random, set)]);
  const floorOf = (kind: 'name' | 'address', letter: string): number => {
    const at = TAGGER_LABELS.indexOf(kind);
    const judged = both.map((set) =>
      set.flatMap((one) => {
        const { pieces, asked } = exampleOf(one);
        const odds = tagger.probabilities(pieces, asked);
        return pieces.flatMap(({ word }, i) => {
          const { label } = one.words[word]!;
          return label === '?' ? [] : [{ odds: odds[i * LABELS + at]!, isRight: label === letter }];
        });
      }),
    );
    const shareOf = (of: readonly { isRight: boolean }[], among: readonly { isRight: boolean }[]): number =>
      of.filter(({ isRight }) => isRight).length / Math.max(1, among.length);
    const right = judged.map((set) => set.filter(({ isRight }) => isRight));
    for (const floor of FLOORS) {
      const reported = judged.map((set) => set.filter(({ odds }) => odds >= floor));
      const precision = shareOf(reported.flat(), reported.flat());
      const bySet = reported.map((set, i) => `${shareOf(set, set).toFixed(2)}/${shareOf(set, right[i]!).toFixed(2)}`);
      const recall = shareOf(reported.flat(), right.flat());
      console.error(`${kind} ${floor}: ${precision.toFixed(3)}/${recall.toFixed(3)} (${bySet.join(' ')})`);
      if (precision >= LEAST_PRECISION) return floor;
    }
    return FLOORS.at(-1)!;
  };
  return { name: floorOf('name', 'N'), address: floorOf('address', 'A') };
}
