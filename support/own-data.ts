/**
 * Reads the project's own data: `data/moments/{fit,held-out,judge}.jsonl`, with one dialogue per line and its origin,
 * and `data/sentiment/{fit,held-out}.tsv`, with one line of talk per line. Models may be fitted to `fit`. `held-out`
 * and `judge` are used only for scoring.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { MOMENT_CATEGORY_NAMES } from '../src/contract/findings.ts';

const DATA = join(import.meta.dirname, '../data');

/** Number of cross-validation folds. Each is scored by a model that was fitted to the others. */
export const FOLDS = 5;

const MarkedMomentSchema = z.strictObject({
  category: z.enum(MOMENT_CATEGORY_NAMES),
  labels: z.array(z.string()).optional(),
  /** Index of the turn that made the offer. */
  answers: z.number().int().min(0).optional(),
  /** Indices of turns that made the offer, one for each reader, when readers disagree. */
  answers_any: z.array(z.number().int().min(0)).optional(),
  /** False if only one of two readers marked the moment. */
  sure: z.boolean().optional(),
});

const TurnSchema = z.strictObject({
  speaker: z.string(),
  text: z.string(),
  moments: z.array(MarkedMomentSchema).optional(),
});

const FactSchema = z.strictObject({
  text: z.string(),
  /** Indices of the turns that support the fact. */
  turns: z.array(z.number().int().min(0)),
  /** Words of those turns that a line must contain to state the fact. */
  words: z.array(z.string()),
});

const JudgementSchema = z.strictObject({
  /** Index among the facts of all readings of the dialogue. */
  fact: z.number().int().min(0),
  /** The system that wrote the summary. */
  system: z.string(),
  /** Whether the summary states the fact, by each reader. */
  stated: z.array(z.boolean()),
  /** The summary. A number is the index of a word in the line's turns, because their text may not be shipped. */
  lines: z.array(z.strictObject({ turns: z.array(z.number()), words: z.array(z.union([z.number(), z.string()])) })),
});

const OriginSchema = z.strictObject({
  id: z.string().min(1),
  /** The corpus. `undertone` for dialogues written for this project. */
  source: z.enum([
    'undertone',
    'CaSiNo',
    'QMSum',
    'ABCD',
    'OSCE interviews',
    'PriMock57',
    'ACI-Bench',
    'MultiWOZ',
    'DSTC10 spoken',
    'Persuasion for Good',
    'DialogSum',
    'SwDA',
    'MRDA',
    'recording',
  ]),
  /** An exchange is two to seven turns around an offer. */
  kind: z.enum(['dialogue', 'exchange']),
  /** The writer of the dialogue. For a corpus, its part. */
  writer: z.string().min(1),
  /** The reader or maker of the marks. `none` and `unknown` are valid. */
  reviewer: z.string().min(1),
  /** Shared by everything from one writer and by all excerpts of one conversation. Null where nothing is fitted. */
  fold: z
    .int()
    .min(0)
    .max(FOLDS - 1)
    .nullable(),
  /** Required when others wrote the dialogue. */
  licence: z.string().optional(),
  /** Turns end in the middle of sentences, as recognisers cut them. */
  cut_at_pauses: z.literal(true).optional(),
  domain: z.string().optional(),
  tone: z.string().optional(),
  split: z.enum(['tune', 'test']).optional(),
});

const FitSchema = OriginSchema.extend({ fold: OriginSchema.shape.fold.unwrap(), turns: z.array(TurnSchema) });
const HeldOutSchema = OriginSchema.extend({ fold: z.null(), turns: z.array(TurnSchema) });
const JudgeSchema = OriginSchema.extend({
  fold: z.null(),
  /** Only the marks, if the text may not be shipped. */
  turns: z.array(TurnSchema.partial()),
  /** Facts that a good summary must state, by each reader of the dialogue. */
  facts: z.array(z.strictObject({ about: z.string(), facts: z.array(FactSchema) })).optional(),
  judgements: z.array(JudgementSchema).optional(),
});

const PARTS = { fit: FitSchema, 'held-out': HeldOutSchema, judge: JudgeSchema, 'judge-kinds': HeldOutSchema } as const;
type Part = keyof typeof PARTS;

export type MarkedMoment = z.infer<typeof MarkedMomentSchema>;
export type MarkedTurn = z.infer<typeof TurnSchema>;
export type Fact = z.infer<typeof FactSchema>;
export type Judgement = z.infer<typeof JudgementSchema>;

export interface MarkedDialogue {
  id: string;
  turns: MarkedTurn[];
}

/**
 * Parses the lines of a file of dialogues.
 * @throws with the number of the first line that lacks a field, has an unknown field, has a fold although it is used
 * only for scoring, or quotes another corpus without its licence
 */
export function parseDialogues<P extends Part>(part: P, text: string): z.infer<(typeof PARTS)[P]>[] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line, i) => {
      const { data, error } = PARTS[part].safeParse(JSON.parse(line));
      if (error) throw new Error(`${part}.jsonl, line ${i + 1}: ${z.prettifyError(error)}`);
      if (data.source !== 'undertone' && data.licence === undefined)
        throw new Error(`${part}.jsonl, line ${i + 1}: ${data.source} needs its licence`);
      return data as z.infer<(typeof PARTS)[P]>;
    });
}

/** Reads the dialogues of `data/moments`, in the order of the file. */
export const readDialogues = <P extends Part>(part: P): z.infer<(typeof PARTS)[P]>[] =>
  parseDialogues(part, readFileSync(join(DATA, 'moments', `${part}.jsonl`), 'utf8'));

/** Reads the complete dialogues written for the project, on which topic models may be trained. */
export const writtenDialogues = (): z.infer<typeof FitSchema>[] =>
  readDialogues('fit').filter(({ source, kind }) => source === 'undertone' && kind === 'dialogue');

const SentimentLineSchema = z.tuple([
  z.enum(['tune', 'train', 'score', 'fresh', 'unseen']),
  z.enum(['negative', 'neutral', 'positive']),
  z.string(),
  z.string(),
]);

/** A line of speech with the sentiment that two careful readers would give it. */
export interface SentimentLine {
  split: z.infer<typeof SentimentLineSchema>[0];
  reading: z.infer<typeof SentimentLineSchema>[1];
  category: string;
  text: string;
}

/** Reads the lines of `data/sentiment`, in the order of the file. */
export const readSentimentLines = (part: 'fit' | 'held-out'): SentimentLine[] =>
  readFileSync(join(DATA, 'sentiment', `${part}.tsv`), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('split\t'))
    .map((line) => {
      const [split, reading, category, text] = SentimentLineSchema.parse(line.split('\t'));
      return { split, reading, category, text };
    });
