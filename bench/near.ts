/**
 * Whether rules could find what is near in meaning: utterances whose encoding has a high cosine with that of a phrase,
 * beside the words of the phrase. Labels are those of other projects' dialogues; where no label fits, 60 retrieved lines
 * were marked by hand (`data/rules/near.jsonl`). The encodings are those of the pipeline, in full and as compact codes.
 *
 * Encoding takes minutes; `--keep` names a folder that keeps the encodings for the next run.
 *
 *   npm run bench -- near [--keep FOLDER]
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { SentenceEncoder } from '../containers/pipeline/models/sentence-encoder.ts';
import { evalPath, readEvalJson } from '../scripts/eval-data.ts';
import { dialogueLines } from '../scripts/train/role-corpus.ts';
import { SENTENCE_DIMENSIONS } from '../src/conversation/encoding.ts';
import { languageOf } from '../src/conversation/languages.ts';
import type { RuleConversation } from '../src/conversation/rules/facts.ts';
import { ConversationWords, Phrases, type PhraseWords } from '../src/conversation/rules/phrases.ts';
import { floats, quantised, type StoredVector, signs } from './near/codes.ts';
import { LABELLED, OPPOSITES, UNLABELLED } from './near/labelled-phrases.ts';
import { report, say, type Table } from './report.ts';

const THRESHOLDS = [0.6, 0.65, 0.7, 0.75, 0.8, 0.85];
/** The threshold of the table of labels. */
const SHOWN = 0.8;
const WANTED_PRECISION = 0.75;
const ENGLISH = languageOf('en');

interface Line {
  set: string;
  id: string;
  turn: number;
  text: string;
  labels: string[];
}

interface ActedTurn {
  speaker: string;
  text: string;
  acts?: string[];
}

/** Lines with the labels of their sets. Persuasion for Good has one label a sentence; it is also read by whole turns. */
function readLines(): Line[] {
  evalPath('dialogues/manifest.json');
  const acted = (set: string, file: string, every: number, join_ = false): Line[] =>
    dialogueLines(file)
      .filter((_, i) => i % every === 0)
      .flatMap(({ id, turns }) =>
        (join_ ? joined(turns) : (turns as ActedTurn[])).map(({ text, acts = [] }, turn) => {
          return { set, id, turn, text, labels: acts };
        }),
      );
  const served = gunzipSync(readFileSync(evalPath('pii/multidogo-customer.jsonl.gz')))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { conv: string; turn: number; text: string; domain: string; intent: string })
    .filter(({ conv }) => Number.parseInt(conv.slice(0, 8), 16) % 2 === 0)
    .map(({ conv: id, turn, text, domain, intent }) => ({
      ...{ set: 'multidogo', id, turn, text },
      labels: [`${domain}-${intent}`],
    }));
  type Marked = { id: string; turns: { text: string; moments?: { category: string; labels?: string[] }[] }[] };
  const marked = ['judge', 'fit'].flatMap((part) => readEvalJson<Marked[]>('moments-real', `${part}.json`));
  return [
    ...acted('p4g', 'persuasion-for-good-annotated', 1),
    ...acted('p4g-turns', 'persuasion-for-good-annotated', 1, true),
    ...acted('multiwoz', 'multiwoz-val-test', 3),
    ...acted('sgd', 'sgd', 20),
    ...served,
    ...marked.flatMap(({ id, turns }) =>
      turns.map(({ text, moments = [] }, turn): Line => {
        const labels = moments.flatMap(({ category, labels: kinds = [] }) => [
          category,
          ...kinds.map((kind) => `${category}-${kind}`),
        ]);
        return { set: 'moments', id, turn, text, labels };
      }),
    ),
  ];
}

/** Consecutive sentences of one speaker as one turn, as the pipeline would hear them. */
function joined(turns: readonly ActedTurn[]): ActedTurn[] {
  const all: ActedTurn[] = [];
  for (const { speaker, text, acts = [] } of turns) {
    const last = all.at(-1);
    if (last?.speaker === speaker) {
      last.text += ` ${text}`;
      last.acts!.push(...acts);
    } else all.push({ speaker, text, acts: [...acts] });
  }
  return all;
}

const { values } = parseArgs({ strict: false, options: { keep: { type: 'string' } } });

/** The encodings of texts. */
async function encoded(texts: readonly string[]): Promise<Map<string, Float32Array>> {
  const keep = typeof values.keep === 'string' ? values.keep : undefined;
  const all = keep === undefined ? new Map<string, Float32Array>() : keptIn(keep);
  const missing = new Set(texts.filter((text) => !all.has(text)));
  const encoder = await SentenceEncoder.load();
  for (const text of missing) {
    all.set(text, await encoder.encode(text));
    if (all.size % 10_000 === 0) say(`${all.size} texts encoded`);
  }
  if (keep !== undefined && missing.size > 0) {
    mkdirSync(keep, { recursive: true });
    const joined = new Float32Array(all.size * SENTENCE_DIMENSIONS);
    for (const [i, encoding] of [...all.values()].entries()) joined.set(encoding, i * SENTENCE_DIMENSIONS);
    writeFileSync(join(keep, 'texts.json'), JSON.stringify([...all.keys()]));
    writeFileSync(join(keep, 'encodings.f32'), joined);
  }
  return all;
}

function keptIn(folder: string): Map<string, Float32Array> {
  if (!existsSync(join(folder, 'texts.json'))) return new Map();
  const texts = JSON.parse(readFileSync(join(folder, 'texts.json'), 'utf8')) as string[];
  const { buffer } = Uint8Array.from(readFileSync(join(folder, 'encodings.f32')));
  const bytes = 4 * SENTENCE_DIMENSIONS;
  return new Map(texts.map((text, i) => [text, new Float32Array(buffer, i * bytes, SENTENCE_DIMENSIONS)]));
}

/** The lines in which the words of any phrase are said. */
function wordsSaid({ own, said }: LinesOfSet, phrases: readonly string[], words: PhraseWords): boolean[] {
  const found = new Phrases(phrases, words, ENGLISH);
  return own.map((_, i) => found.findIn(said.of(i)).spans.length > 0);
}

/** The lines of a set, with their words. */
interface LinesOfSet {
  own: Line[];
  said: ConversationWords;
}

function linesOf(set: string): LinesOfSet {
  const own = lines.filter((line) => line.set === set);
  return { own, said: new ConversationWords({ texts: own.map(({ text }) => text) } as RuleConversation, ENGLISH) };
}

/** The lines that one label retrieves. All arrays have an entry for each line of the set. */
interface Retrieved {
  set: string;
  label: string;
  phrases: readonly string[];
  isRight: boolean[];
  isAnyForm: boolean[];
  isLoose: boolean[];
  /** The highest cosine with a phrase, by code. */
  cosines: Float32Array[];
}

const count = (of: readonly unknown[], is: (i: number) => boolean): number =>
  of.reduce<number>((sum, _, i) => sum + Number(is(i)), 0);

interface Quality {
  precision: number | null;
  /** Mean over the labels. */
  recall: number;
  /** Lines that the words alone do not find, and the right ones among them. */
  added: number;
  addedRight: number;
}

/** Quality over several labels, of which lines a rule would find besides those with the words. */
function quality(all: readonly Retrieved[], finds: (one: Retrieved, i: number) => boolean): Quality {
  let [found, right, added, addedRight, recall] = [0, 0, 0, 0, 0];
  for (const one of all) {
    const { isRight, isAnyForm } = one;
    const isFound = (i: number) => isAnyForm[i]! || finds(one, i);
    const rightHere = count(isRight, (i) => isFound(i) && isRight[i]!);
    found += count(isRight, isFound);
    right += rightHere;
    added += count(isRight, (i) => isFound(i) && !isAnyForm[i]!);
    addedRight += count(isRight, (i) => isFound(i) && !isAnyForm[i]! && isRight[i]!);
    recall += rightHere / count(isRight, (i) => isRight[i]!) / all.length;
  }
  return { precision: found === 0 ? null : right / found, recall, added, addedRight };
}

const row = ({ precision, recall, added, addedRight }: Quality): (number | null)[] => [
  ...[precision, recall, added, added === 0 ? null : addedRight / added],
];
const COLUMNS = ['precision', 'recall', 'added', 'precision of added'];

const lines = readLines();
const marks = readFileSync(join(import.meta.dirname, '../data/rules/near.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { phrase: string; set: string; id: string; turn: number; is_right: boolean });
const phrases = [...LABELLED.flatMap(({ phrases: all }) => all), ...UNLABELLED, ...OPPOSITES.flat()];

const encodings = await encoded([...lines.map(({ text }) => text), ...phrases]);
const CODES: StoredVector[] = [
  floats(SENTENCE_DIMENSIONS),
  quantised([...encodings.values()], 64),
  signs(SENTENCE_DIMENSIONS, 384),
];

/** Persuasion for Good also by whole turns. */
const ASKED = [
  ...LABELLED,
  ...LABELLED.filter(({ set }) => set === 'p4g').map((one) => ({ ...one, set: 'p4g-turns' })),
];
const bySet = new Map([...new Set(ASKED.map(({ set }) => set))].map((set) => [set, linesOf(set)]));
const retrieved = ASKED.map(({ set, labels, phrases: asked }): Retrieved => {
  const ofSet = bySet.get(set)!;
  const { own } = ofSet;
  const vectors = own.map(({ text }) => encodings.get(text)!);
  return {
    set,
    label: labels.join(', '),
    phrases: asked,
    isRight: own.map((line) => line.labels.some((label) => labels.includes(label))),
    isAnyForm: wordsSaid(ofSet, asked, 'any_form'),
    isLoose: wordsSaid(ofSet, asked, 'loose'),
    cosines: CODES.map(({ cosines }) =>
      cosines(
        vectors,
        asked.map((phrase) => encodings.get(phrase)!),
      ),
    ),
  };
});
const near =
  (threshold: number, code = 0) =>
  (one: Retrieved, i: number) =>
    one.cosines[code]![i]! >= threshold;

const GROUPS: [string, (one: Retrieved) => boolean][] = [
  ['requests to a service (MultiDoGO)', ({ set }) => set === 'multidogo'],
  ['acts of a service (MultiWOZ, SGD)', ({ set }) => set === 'multiwoz' || set === 'sgd'],
  ['people who persuade, by sentence', ({ set }) => set === 'p4g'],
  ['the same, by turn', ({ set }) => set === 'p4g-turns'],
  ['answers, objections to a price', ({ set }) => set === 'moments'],
];
const byGroup: Table = {
  title: 'Lines with a label, found by phrases a user would write',
  columns: ['group', 'labels', 'found by', ...COLUMNS],
  rows: GROUPS.flatMap(([group, is]) => {
    const own = retrieved.filter(is);
    return [
      [group, own.length, 'any form', ...row(quality(own, () => false))],
      [group, own.length, 'loose', ...row(quality(own, ({ isLoose }, i) => isLoose[i]!))],
      ...THRESHOLDS.map((one) => [group, own.length, `or cosine >= ${one}`, ...row(quality(own, near(one)))]),
    ];
  }),
  note: `${lines.length} lines. Precision over all lines of a group, recall as the mean of its labels. "Added" counts lines without the words.`,
};
const byCode: Table = {
  title: 'The same over all labels, by what would be stored of an utterance',
  columns: ['stored', 'bytes', 'cosine', ...COLUMNS],
  rows: CODES.flatMap(({ name, bytes }, code) =>
    THRESHOLDS.map((one) => [name, bytes, `>= ${one}`, ...row(quality(retrieved, near(one, code)))]),
  ),
};
const byLabel: Table = {
  title: `Each label at a cosine of ${SHOWN}`,
  columns: ['set', 'label', 'phrases', 'lines', 'recall of any form', ...COLUMNS],
  rows: retrieved.map((one) => [
    ...[one.set, one.label, one.phrases.join(' / '), count(one.isRight, (i) => one.isRight[i]!)],
    quality([one], () => false).recall,
    ...row(quality([one], near(SHOWN))),
  ]),
};
const byKey = new Map(lines.map((line) => [`${line.set} ${line.id} ${line.turn}`, line]));
const read = marks.map(({ phrase, set, id, turn, is_right }) => {
  const { text } = byKey.get(`${set} ${id} ${turn}`)!;
  const [cosine = 0] = CODES[0]!.cosines([encodings.get(text)!], [encodings.get(phrase)!]);
  return { cosine, is_right };
});
const byHand: Table = {
  title: 'Retrieved lines without the words, marked by hand',
  columns: ['cosine', 'lines', 'right', 'precision'],
  rows: THRESHOLDS.filter((one) => one >= 0.7).map((one) => {
    const own = read.filter(({ cosine }) => cosine >= one);
    const right = own.filter(({ is_right }) => is_right).length;
    return [`>= ${one}`, own.length, right, own.length === 0 ? null : right / own.length];
  }),
};
const retrievedBy = (phrase: string) => {
  const [all] = CODES;
  return [...bySet].flatMap(([set, ofSet]) => {
    if (set === 'p4g-turns') return [];
    const said = wordsSaid(ofSet, [phrase], 'loose');
    const cosines = all!.cosines(
      ofSet.own.map(({ text }) => encodings.get(text)!),
      [encodings.get(phrase)!],
    );
    return ofSet.own.map((_, i) => ({ isSaid: said[i]!, cosine: cosines[i]! }));
  });
};
const byPhrase: Table = {
  title: 'Phrases without a label',
  columns: ['phrase', 'lines with the words, loosely', ...THRESHOLDS.map((one) => `added, >= ${one}`)],
  rows: UNLABELLED.map((phrase) => {
    const all = retrievedBy(phrase);
    const added = (one: number) => all.filter(({ isSaid, cosine }) => !isSaid && cosine >= one).length;
    return [phrase, all.filter(({ isSaid }) => isSaid).length, ...THRESHOLDS.map(added)];
  }),
};
const opposites: Table = {
  title: 'Sentences and their opposites',
  columns: ['sentence', 'opposite', 'cosine'],
  rows: OPPOSITES.map(([one, other]) => {
    const [cosine = 0] = CODES[0]!.cosines([encodings.get(one)!], [encodings.get(other)!]);
    return [one, other, cosine];
  }),
};
const enough = GROUPS.map(([group, is]) => {
  const own = retrieved.filter(is);
  const lowest = THRESHOLDS.find((one) => {
    const { added, addedRight } = quality(own, near(one));
    return added > 0 && addedRight >= WANTED_PRECISION * added;
  });
  const recall = lowest === undefined ? null : quality(own, near(lowest)).recall;
  return [group, lowest ?? null, quality(own, () => false).recall, recall];
});
report('near', [
  byGroup,
  byLabel,
  byCode,
  byHand,
  byPhrase,
  opposites,
  {
    title: `The lowest cosine from which ${WANTED_PRECISION} of the added lines are right`,
    columns: ['group', 'cosine', 'recall of any form', 'recall with them'],
    rows: enough,
  },
]);
