import { nameTagger } from '../containers/pipeline/conversation-weights.ts';
import { evi, firstNames, type LabelledText, multidogo, presidio, wnut } from '../scripts/train/names/corpus.ts';
import { type LabelledWord, spokenForm } from '../scripts/train/names/spoken.ts';
import { dialogueLines } from '../scripts/train/role-corpus.ts';
import { Redactor } from '../src/conversation/redaction/redactor.ts';
import { seeded } from '../support/random.ts';
import type { Table } from './report.ts';

type Kind = 'name' | 'address';
const LETTERS: Readonly<Record<Kind, string>> = { name: 'N', address: 'A' };
/** Whether each word of an utterance is redacted. */
type Find = (one: LabelledText, kind: Kind) => boolean[];

const withRedactor =
  (hasTagger: boolean): Find =>
  ({ before, words }, kind) => {
    const redactor = new Redactor<null>([kind], { tagger: hasTagger ? nameTagger() : null });
    const texts = words.map(({ text }) => text);
    const all = before === '' ? [] : redactor.add(null, { speaker: 'Speaker_0', words: before.split(' ') });
    all.push(...redactor.add(null, { speaker: 'Speaker_1', words: texts }), ...redactor.end());
    const found = texts.map(() => false);
    for (const { from, to } of all.at(-1)!.masks) found.fill(true, from, to + 1);
    return found;
  };

const FIRST = new Set(firstNames().map((name) => name.toLowerCase()));
const bareOf = (text: string): string => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '').replace(/['’]s$/u, '');

/** First names of the census with a capital, and the words with a capital after them. */
const listed: Find = ({ words }, kind) => {
  const found = words.map(() => false);
  if (kind === 'address') return found;
  for (const [i, { text }] of words.entries()) {
    const bare = bareOf(text);
    const isCapital = /^\p{Lu}/u.test(bare);
    found[i] = isCapital && (FIRST.has(bare.toLowerCase()) || (i > 0 && found[i - 1]!));
  }
  return found;
};

interface Score {
  values: number;
  found: number;
  labels: number;
  right: number;
}

/** Runs of words: of one label, or redacted. */
function* runsOf(isIn: readonly boolean[]): Generator<{ from: number; to: number }> {
  for (let from = 0; from < isIn.length; from++) {
    if (!isIn[from]) continue;
    let to = from;
    while (isIn[to + 1]) to++;
    yield { from, to };
    from = to;
  }
}

/** @param isWhole whether all words of an utterance with the label are one value (EVI) */
function scored(all: readonly LabelledText[], kind: Kind, find: Find, isWhole: boolean): Score {
  const score = { values: 0, found: 0, labels: 0, right: 0 };
  for (const one of all) {
    const found = find(one, kind);
    const own = one.words.map(({ label }) => label === LETTERS[kind]);
    const runs = [...runsOf(own)];
    const values = isWhole && runs.length > 0 ? [own.flatMap((is, i) => (is ? [i] : []))] : runs.map(numbersIn);
    score.values += values.length;
    score.found += values.filter((value) =>
      value.every((i) => found[i] || !/[\p{L}\p{N}]/u.test(one.words[i]!.text)),
    ).length;
    for (const run of runsOf(found)) {
      const labels = numbersIn(run).map((i) => one.words[i]!.label);
      const isRight = labels.includes(LETTERS[kind]);
      // A word without a mark is neither right nor wrong.
      if (!isRight && labels.every((label) => label === '?')) continue;
      score.labels++;
      if (isRight) score.right++;
    }
  }
  return score;
}

const numbersIn = ({ from, to }: { from: number; to: number }): number[] =>
  Array.from({ length: to - from + 1 }, (_, i) => from + i);

const FINDERS = [withRedactor(true), withRedactor(false), listed];

const asSpoken = (all: readonly LabelledText[]): LabelledText[] => {
  const random = seeded(5);
  return all.map(({ before, words }) => ({ before, words: spokenForm(random, words) }));
};

/** The kinds that a tagger finds besides the rules, in what it was not trained on. */
export function namesAndAddresses(): Table {
  const sets: [string, Kind, LabelledText[], boolean][] = [
    ['Presidio, sentences not trained on', 'name', presidio('judge'), true],
    ['WNUT17 dev, comments of the web', 'name', wnut(), true],
    ['EVI, other identities, asked for', 'name', evi('judge'), false],
    ['MultiDoGO test, chats', 'name', multidogo('judge'), false],
    ['Presidio, sentences not trained on', 'address', presidio('judge'), true],
    ['MultiDoGO test, chats', 'address', multidogo('judge'), false],
  ];
  const share = (some: number, all: number): number | null => (all === 0 ? null : some / all);
  return {
    title: 'Names and addresses: the tagger with the rules, the rules alone, and first names of a list',
    columns: [
      ...['set', 'kind', 'form', 'values', 'recall', 'precision', 'recall of rules', 'precision of rules'],
      ...['recall of list', 'precision of list'],
    ],
    rows: sets.flatMap(([set, kind, all, hasCase]) =>
      [{ form: 'as it is', own: all }, ...(hasCase ? [{ form: 'as said', own: asSpoken(all) }] : [])].map(
        ({ form, own }) => {
          const scores = FINDERS.map((find) => scored(own, kind, find, set.startsWith('EVI')));
          return [
            set,
            kind,
            form,
            scores[0]!.values,
            ...scores.flatMap(({ values, found, labels, right }) => [share(found, values), share(right, labels)]),
          ];
        },
      ),
    ),
    note: '"As said" has no case and no punctuation, and numbers are words. EVI and MultiDoGO have no case as they are, or only what a recogniser gave. Adjacent words with a label are one value; in EVI the whole reply.',
  };
}

/** How much of real dialogues is redacted as a name or an address. Their names are not marked. */
export function namesInOrdinary(): Table {
  const sets: [string, string][] = [
    ['ACI-Bench: visits to doctors, who are greeted by name', 'aci-bench'],
    ['DSTC10: spoken requests for hotels and restaurants', 'dstc10-spoken'],
    ['MultiWOZ: written requests, with addresses and names of places', 'multiwoz-val-test'],
  ];
  return {
    title: 'Real dialogues: labels in 1,000 words',
    columns: ['dialogues', 'words', 'names', 'names by rules', 'addresses', 'addresses by rules'],
    rows: sets.map(([title, file]) => {
      const dialogues = dialogueLines(file).slice(0, MOST_DIALOGUES);
      let words = 0;
      const counts = [0, 0, 0, 0];
      for (const { turns } of dialogues)
        for (const [i, [kind, tagger]] of COUNTED.entries()) {
          const redactor = new Redactor<null>([kind], { tagger: tagger ? nameTagger() : null });
          const all = turns.flatMap(({ speaker, text }) => {
            const own: LabelledWord[] = text.split(/\s+/u).map((word) => ({ text: word, label: 'O' }));
            if (i === 0) words += own.length;
            return redactor.add(null, { speaker, words: own.map((word) => word.text) });
          });
          all.push(...redactor.end());
          counts[i]! += all.reduce((sum, { masks }) => sum + masks.length, 0);
        }
      return [title, words, ...counts.map((count) => (1_000 * count) / words)];
    }),
    note: 'None of them was trained on. Names of patients, hotels and restaurants are among them.',
  };
}

const MOST_DIALOGUES = 200;
const COUNTED = [
  ['name', true],
  ['name', false],
  ['address', true],
  ['address', false],
] as const;
