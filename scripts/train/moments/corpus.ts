import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { MomentCategory } from '../../../src/contract/findings.ts';
import { readSurfaces, type SentenceSurface } from '../../../src/conversation/acts/dialogue-acts.ts';
import { evalPath, readEvalJson } from '../../eval-data.ts';
import { ownFiles, readJson } from '../own-data.ts';
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
  plain: SentenceSurface[];
  opening: SentenceSurface[];
  agreeing: SentenceSurface[];
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
  const read = (texts: string[], seed: number): SentenceSurface[] =>
    sample(
      texts.flatMap((t) => readSurfaces(t)).filter((a) => a.sentence.tokens.length > 4),
      BACKGROUND_SENTENCES,
      seed,
    );
  return {
    plain: [...read(meeting, 1), ...read(support, 2)],
    opening: opening.flatMap((t) => readSurfaces(t).slice(0, 2)),
    agreeing: sample(agreeing, 300, 3).flatMap((t) => readSurfaces(t).slice(0, 1)),
  };
}

/** Whole dialogues, and exchanges, to fit to. */
export const DIALOGUE_FILES = ownFiles('moments', 'fit', 'dialogues');
const EXCHANGE_FILES = ownFiles('moments', 'fit', 'exchanges');

/** Where the steps of the training leave what the next one needs. */
export const BUILD = join(import.meta.dirname, '../../../build/moments');

/** Dialogues and exchanges with marked moments, all but the held-back ones. */
export const ownDialogues = (): Dialogue[] =>
  [...DIALOGUE_FILES, ...EXCHANGE_FILES].flatMap((file) => readJson<Dialogue[]>(file));

/** Single lines to fit to. */
export const ownLines = (): Line[] => ownFiles('moments', 'fit', 'lines').flatMap((file) => readJson<Line[]>(file));

const folds = new Map(
  [...DIALOGUE_FILES, ...EXCHANGE_FILES].flatMap((file) =>
    readJson<Dialogue[]>(file).map(({ id }) => [id, file.fold ?? undefined]),
  ),
);
/** The fold of a dialogue or exchange. */
export function foldOf(id: string): number {
  const fold = folds.get(id);
  if (fold === undefined) throw new Error(`The dialogue ${id} is in no fold`);
  return fold;
}

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
    lines: ownLines(),
    noise: background(),
    readings: ReadingsSchema.parse(JSON.parse(readFileSync(join(BUILD, 'readings.json'), 'utf8'))),
  };
}
