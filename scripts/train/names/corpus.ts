import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { COMMON } from '../../../src/conversation/redaction/people.ts';
import { evalPath } from '../../eval-data.ts';
import { dialogueLines } from '../role-corpus.ts';
import { madeText, type NameLists } from './made.ts';
import { EVI_FILLERS, type NameSetPart, partOfScenario, partOfSplit, partOfTemplate } from './splits.ts';
import { type LabelledWord, spokenForm } from './spoken.ts';
import { type TaggedSet, taggedTexts } from './tagged.ts';

/**
 * An utterance with the labels of its words: N name, A address, E another entity, O none of these, ? unknown.
 */
export interface LabelledText {
  before: string;
  words: LabelledWord[];
}

const DATA = join(import.meta.dirname, '../../../data/names');
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const dataLines = (file: string): string[] => linesOf(readFileSync(join(DATA, file), 'utf8'));
const wordsOf = (text: string): string[] => text.split(/\s+/u).filter((word) => word !== '');

export const firstNames = (): string[] => dataLines('first-names.txt');
export const surnames = (): string[] => dataLines('surnames.txt');

/** The texts of tagged sets. Nothing was said before them. */
export const tagged = (sets: readonly TaggedSet[]): LabelledText[] =>
  sets.flatMap((set) => taggedTexts(set).map((words) => ({ before: '', words })));

const OF_MULTIDOGO: Readonly<Record<string, string>> = {
  name: 'N',
  address: 'A',
  current_city: 'E',
  departure_city: 'E',
  arrival_city: 'E',
  new_city: 'E',
  company_name: 'E',
  car_brand: 'E',
  car_model: 'E',
  software_name: 'E',
  food_item: 'E',
  drink_item: 'E',
};

interface ChatTurn {
  split: string;
  text: string;
  slots: string[];
}

export const multidogo = (part: NameSetPart): LabelledText[] =>
  linesOf(gunzipSync(readFileSync(evalPath('pii', 'multidogo-customer.jsonl.gz'))).toString())
    .map((line) => JSON.parse(line) as ChatTurn)
    .filter(({ split }) => partOfSplit(split) === part)
    .map(({ text, slots }) => ({
      before: '',
      words: text
        .split(' ')
        .map((word, i) => ({ text: word.trim(), label: OF_MULTIDOGO[slots[i] ?? 'O'] ?? 'O' }))
        .filter((word) => word.text !== ''),
    }));

const QUESTIONS: Readonly<Record<string, string>> = {
  name: 'What is your full name?',
  postcode: 'What is your postcode?',
  dob: 'What is your date of birth?',
};

/** Replies on the telephone; the words of a postcode or a date are not a name. */
export const evi = (part: NameSetPart): LabelledText[] =>
  linesOf(gunzipSync(readFileSync(evalPath('pii', 'evi.dialogues.en.tsv.gz'))).toString())
    .slice(1)
    .flatMap((line) => {
      const [, , scenario = '', , item = '', , , , transcription = ''] = line.split('\t');
      const before = QUESTIONS[item];
      const words = wordsOf(transcription);
      if (before === undefined || words.length === 0 || partOfScenario(scenario) !== part) return [];
      const label = item === 'name' ? 'N' : 'O';
      return [
        {
          before,
          words: words.map((text) => ({ text, label: EVI_FILLERS.has(text.toLowerCase()) ? 'O' : label })),
        },
      ];
    });

interface PresidioSample {
  full_text: string;
  template_id: number;
  spans: { entity_type: string; start_position: number; end_position: number }[];
}

const OF_PRESIDIO: Readonly<Record<string, string>> = {
  PERSON: 'N',
  TITLE: '?',
  STREET_ADDRESS: 'A',
  ZIP_CODE: '?',
  GPE: 'E',
  ORGANIZATION: 'E',
  NRP: 'E',
};

export const presidio = (part: NameSetPart): LabelledText[] =>
  (JSON.parse(readFileSync(evalPath('pii', 'presidio_synth_v2.json'), 'utf8')) as PresidioSample[])
    .filter(({ template_id }) => partOfTemplate(template_id) === part)
    .map(({ full_text, spans }) => ({
      before: '',
      words: [...full_text.matchAll(/\S+/gu)].map(({ 0: text, index }) => {
        const span = spans.find((one) => one.start_position < index + text.length && one.end_position > index);
        return { text, label: OF_PRESIDIO[span?.entity_type ?? ''] ?? 'O' };
      }),
    }));

/** WNUT17 dev, which trains nothing. */
export const wnut = (): LabelledText[] =>
  readFileSync(evalPath('pii', 'wnut17.emerging.dev.conll'), 'utf8')
    .split(/\n\s*\n/u)
    .map((sentence) => ({
      before: '',
      words: linesOf(sentence).flatMap((line) => {
        const [text = '', label = 'O'] = line.trim().split('\t');
        return text === '' ? [] : [{ text, label: label.endsWith('person') ? 'N' : 'O' }];
      }),
    }));

interface Said {
  before: string;
  text: string;
}

const TURNS_OF_SET = 2_500;
const LONGEST_TURN = 60;

/** Turns of real dialogues, whose names are not marked: a part of each set. */
export function ordinary(): Said[] {
  return ordinarySets().flatMap((turns) => {
    const every = Math.max(1, Math.floor(turns.length / TURNS_OF_SET));
    return turns.filter((_, i) => i % every === 0);
  });
}

function ordinarySets(): Said[][] {
  const sets = ['primock57', 'osce-interviews', 'mts-dialog', 'persuasion-for-good'].map((set) =>
    dialogueLines(set).map(({ turns }) => turns.map(({ text }) => text)),
  );
  const casino = JSON.parse(readFileSync(evalPath('conversations', 'casino', 'train.json'), 'utf8')) as {
    chat_logs: { text: string }[];
  }[];
  sets.push(casino.map(({ chat_logs }) => chat_logs.map(({ text }) => text)));
  const qmsum = linesOf(readFileSync(evalPath('conversations', 'qmsum', 'train.jsonl'), 'utf8'));
  sets.push(
    qmsum.map((line) =>
      (JSON.parse(line) as { meeting_transcripts: { content: string }[] }).meeting_transcripts.map(
        ({ content }) => content,
      ),
    ),
  );
  return sets.map((dialogues) =>
    dialogues.flatMap((texts) =>
      texts.map((text, i) => ({ before: cleaned(texts[i - 1] ?? ''), text: cleaned(text) })),
    ),
  );
}

const LEAST_ORDINARY = 3;
const LEAST_LOWER = 0.8;

/** Words that all of these dialogues mostly have without a capital, where no sentence begins. */
export function ordinaryWords(): string[] {
  const counts = new Map<string, { lower: number; capital: number }>();
  for (const { text } of ordinarySets().flat()) {
    let isStart = true;
    for (const word of wordsOf(text)) {
      const bare = word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
      if (/^\p{L}[\p{L}']+$/u.test(bare) && !isStart) {
        const lower = bare.toLowerCase();
        const own = counts.get(lower) ?? { lower: 0, capital: 0 };
        counts.set(lower, own);
        own[bare === lower ? 'lower' : 'capital']++;
      }
      isStart = /[.?!:]["')]*$/u.test(word);
    }
  }
  return [...counts].flatMap(([word, { lower, capital }]) =>
    lower >= LEAST_ORDINARY && lower >= LEAST_LOWER * (lower + capital) ? [word] : [],
  );
}

const cleaned = (text: string): string => text.replace(/<[^>]{1,40}>|\{[a-z]+\}/gu, ' ').trim();

/** How often each word occurs in lower case within a sentence. */
export function lowerCounts(texts: readonly Said[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of texts)
    for (const word of wordsOf(text)) {
      const bare = word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
      if (/^\p{Ll}[\p{L}']*$/u.test(bare)) counts.set(bare, (counts.get(bare) ?? 0) + 1);
    }
  return counts;
}

/** Their labels by case: a word in lower case, or a common one, is not a name; any other with a capital may be one. */
export function byCase(texts: readonly Said[], counts: ReadonlyMap<string, number>): LabelledText[] {
  return texts.map(({ before, text }) => ({
    before,
    words: wordsOf(text)
      .slice(0, LONGEST_TURN)
      .map((word) => {
        const bare = word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
        const lower = bare.toLowerCase();
        const isKnown = !/^\p{Lu}/u.test(bare) || COMMON.has(lower) || (counts.get(lower) ?? 0) > 2;
        return { text: word, label: isKnown ? 'O' : '?' };
      }),
  }));
}

/** Made utterances. */
export function made(random: () => number, lists: NameLists, count: number): LabelledText[] {
  return Array.from({ length: count }, () => {
    const { before, text } = madeText(random, lists);
    const words: LabelledWord[] = [];
    let label = 'O';
    // A label covers a word with the punctuation after it.
    for (const part of text.split(/(\{[NAE]:|\})/u)) {
      if (/^\{[NAE]:$/u.test(part)) label = part[1]!;
      else if (part === '}') label = 'O';
      else {
        const own = wordsOf(part);
        const last = words.at(-1);
        if (last && own.length > 0 && !/^\s/u.test(part)) {
          last.text += own.shift()!;
        }
        words.push(...own.map((one) => ({ text: one, label })));
      }
    }
    return { before, words };
  });
}

/** The same words as a recogniser without case, punctuation and digits prints them. */
export const asSpoken = (random: () => number, all: readonly LabelledText[]): LabelledText[] =>
  all.map(({ before, words }) => ({ before, words: spokenForm(random, words) }));
