import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { evalPath, readEvalJson } from '../../../bench/eval-data.ts';
import type { MomentCategory } from '../../../src/contract/findings.ts';
import { readActs, type SentenceAct } from '../../../src/conversation/dialogue-acts.ts';
import { seeded } from '../random.ts';

export interface Turn {
  speaker: string;
  text: string;
  moments?: { category: MomentCategory; labels?: string[]; answers?: number }[];
}

export interface Dialogue {
  id: string;
  turns: Turn[];
}

export interface Line {
  act: 'offer' | 'none' | 'accept' | 'reject' | 'neither' | 'objection' | 'topic_shift';
  text: string;
  labels?: string[];
}

export const OWN = join(import.meta.dirname, '../../../bench/data/moments');

export const own = <T>(name: string): T => JSON.parse(readFileSync(join(OWN, name), 'utf8')) as T;

export const BACKGROUND_SENTENCES = 900;

export function sample<T>(items: T[], n: number, seed: number): T[] {
  const random = seeded(seed);
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, n)
    .map(({ item }) => item);
}

/** QMSum prints tokenised text with marks of disfluency. */
export const detokenise = (text: string): string =>
  text
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/ ([.,?!'])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();

export interface Background {
  plain: SentenceAct[];
  opening: SentenceAct[];
  agreeing: SentenceAct[];
}

export function background(): Background {
  const meetings = readFileSync(evalPath('conversations/qmsum/train.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map(
      (l) =>
        JSON.parse(l) as {
          topic_list: { relevant_text_span: string[][] }[];
          meeting_transcripts: { content: string }[];
        },
    );
  const opening: string[] = [];
  const meeting: string[] = [];
  for (const { topic_list, meeting_transcripts } of meetings) {
    const starts = new Set(topic_list.flatMap((t) => t.relevant_text_span.map((s) => Number(s[0]))));
    meeting_transcripts.forEach(({ content }, i) => {
      const text = detokenise(content);
      (i > 3 && starts.has(i) ? opening : meeting).push(text);
    });
  }
  const support = readEvalJson<{ original: [string, string][] }[]>('conversations/abcd/abcd_sample.json').flatMap((c) =>
    c.original.filter(([who]) => who !== 'action').map(([, text]) => text),
  );
  const agreeing = readEvalJson<{ chat_logs: { text: string }[] }[]>('conversations/casino/train.json').flatMap(
    ({ chat_logs }) => chat_logs.filter((_, i) => chat_logs[i + 1]?.text === 'Submit-Deal').map((m) => m.text),
  );
  const read = (texts: string[], seed: number): SentenceAct[] =>
    sample(
      texts.flatMap((t) => readActs(t)).filter((a) => a.sentence.tokens.length > 4),
      BACKGROUND_SENTENCES,
      seed,
    );
  return {
    plain: [...read(meeting, 1), ...read(support, 2)],
    opening: opening.flatMap((t) => readActs(t).slice(0, 2)),
    agreeing: sample(agreeing, 300, 3).flatMap((t) => readActs(t).slice(0, 1)),
  };
}

/** Files of whole dialogues to fit to: all but the held-back ones. */
export const DIALOGUE_FILES = readdirSync(OWN)
  .filter((file) => file === 'tune.json' || /^(more|third)-dialogues(-\w+)?\.json$/.test(file))
  .map((file) => file.slice(0, -'.json'.length))
  .sort();
const EXCHANGE_FILES = ['exchanges', 'more-exchanges'];

/** Where the steps of the training leave what the next one needs. */
export const BUILD = join(import.meta.dirname, '../../../build/moments');

/** Dialogues and exchanges with marked moments, all but the held-back ones. */
export const ownDialogues = (): Dialogue[] =>
  [...DIALOGUE_FILES, ...EXCHANGE_FILES].flatMap((f) => own<Dialogue[]>(`${f}.json`));

/** Folds by which models read dialogues that they were not fitted to; a file, that is a hand, is in one of them. */
export const FOLDS = 5;
const folds = new Map(
  [...DIALOGUE_FILES, ...EXCHANGE_FILES].flatMap((f, i) =>
    own<Dialogue[]>(`${f}.json`).map(({ id }) => [id, i % FOLDS]),
  ),
);
export const foldOf = (id: string): number => folds.get(id)!;

const ReadingSchema = z.object({
  turns: z.array(z.array(z.number())),
  pairs: z.record(z.string(), z.array(z.number())),
});
const ReadingsSchema = z.record(z.string(), z.object({ at_once: ReadingSchema, in_hindsight: ReadingSchema }));
/**
 * What networks trained without a dialogue's fold read in it, by `reader.py`: log-odds for each turn, and for each pair
 * `turn earlier-turn` of different speakers.
 */
export type UnseenReadings = z.infer<typeof ReadingsSchema>;

/** What the weights are fitted to. */
export interface FittingData {
  dialogues: Dialogue[];
  lines: Line[];
  noise: Background;
  readings: UnseenReadings;
}

/** Everything the weights are fitted to; `reader.py` must have run. */
export function ownData(): FittingData {
  return {
    dialogues: ownDialogues(),
    lines: ['lines', 'more-lines'].flatMap((f) => own<Line[]>(`${f}.json`)),
    noise: background(),
    readings: ReadingsSchema.parse(JSON.parse(readFileSync(join(BUILD, 'readings.json'), 'utf8'))),
  };
}
