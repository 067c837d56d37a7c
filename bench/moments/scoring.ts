import { conversationWeights } from '../../containers/pipeline/conversation-weights.ts';
import {
  type Findings,
  MOMENT_CATEGORY_NAMES,
  type MomentCategory,
  type MomentEvent,
} from '../../src/contract/findings.ts';
import type { Utterance } from '../../src/contract/timeline.ts';
import { Conversation } from '../../src/conversation/conversation.ts';
import type { MarkedDialogue, MarkedMoment, MarkedTurn } from '../../support/own-data.ts';
import type { Encodings } from './encodings.ts';

/** True positives, false positives and false negatives of one class. */
export class Score {
  tp = 0;
  fp = 0;
  fn = 0;
  add(predicted: boolean, gold: boolean): void {
    if (predicted && gold) this.tp++;
    else if (predicted) this.fp++;
    else if (gold) this.fn++;
  }
  get precision(): number {
    return this.tp / Math.max(1, this.tp + this.fp);
  }
  get recall(): number {
    return this.tp / Math.max(1, this.tp + this.fn);
  }
  get f1(): number {
    return (2 * this.tp) / Math.max(1, 2 * this.tp + this.fp + this.fn);
  }
}

export const mean = (xs: number[]): number => xs.reduce((a, b) => a + b, 0) / Math.max(1, xs.length);

/** Adds times at a typical pace: 2.6 words per second, and 300 ms between turns. */
export function timed(turns: readonly MarkedTurn[]): Utterance[] {
  let at = 0;
  return turns.map(({ speaker, text }, i) => {
    const t_start = at;
    const t_end = t_start + Math.max(0.3, text.split(/\s+/).length / 2.6);
    at = t_end + 0.3;
    return { utterance_id: `d_utt_${i}`, speaker, t_start, t_end, text };
  });
}

export type ReportedMoment = Pick<MomentEvent, 'moment_id' | 'category' | 'answers' | 'labels' | 'utterance_ids'> & {
  confidence?: number;
};

/** A source of the moments of a conversation. */
export interface MomentSource {
  add(u: Utterance, encoding?: Float32Array): { moments: ReportedMoment[] };
  /** Findings that need the whole conversation, if there are any. */
  end?(): { moments: ReportedMoment[] };
}

/** The service's conversation without changes. */
export const service = (): MomentSource => new Conversation({ conversationId: 'd', goal: '' }, conversationWeights());

/** The conclusions of the conversation. */
export function concluded(utterances: readonly Utterance[], encodings?: Encodings): Findings {
  const conversation = new Conversation({ conversationId: 'd', goal: '' }, conversationWeights());
  for (const u of utterances) conversation.add(u, encodings?.get(u.text));
  return conversation.finish();
}

/** A reported moment of a turn. */
export interface TurnMoment {
  category: MomentCategory;
  labels: string[];
  /** The turn whose offer it answers. Null if it answers none. */
  answers: number | null;
  /** From 0 to 1. It is 1 for a source without confidence. */
  confidence: number;
}

/**
 * The reported moments of each turn. A moment belongs to the turn that it is about, whenever it was reported.
 * @param encodings of the texts, as the pipeline makes them; without them only the words count
 */
export function momentsByTurn(
  teller: MomentSource,
  turns: readonly MarkedTurn[],
  encodings?: Encodings,
): TurnMoment[][] {
  const told = timed(turns).flatMap((u) => teller.add(u, encodings?.get(u.text)).moments);
  return byTurn([...told, ...(teller.end?.().moments ?? [])], turns.length);
}

/** Moments by the turns they are about. */
export function byTurn(told: readonly ReportedMoment[], turns: number): TurnMoment[][] {
  const madeAt = new Map<string, number>();
  const said = Array.from({ length: turns }, (): TurnMoment[] => []);
  for (const { moment_id, category, answers, labels, utterance_ids, confidence = 1 } of told) {
    const turn = Number(utterance_ids[0]?.split('_').at(-1));
    madeAt.set(moment_id, turn);
    said[turn]?.push({ category, labels, answers: madeAt.get(answers ?? '') ?? null, confidence });
  }
  return said;
}

/** The result of scoring against marked dialogues. */
export interface Scores {
  /** One row per category, followed by the links of answers to offers and the labels of objections. */
  rows: Map<string, Score>;
  /** Number of dialogues in which no reader has a moment, and of moments reported in them. */
  empty: number;
  falseInEmpty: number;
}

/** Macro-F1 of the five categories. */
export const macro = ({ rows }: Scores): number => mean(MOMENT_CATEGORY_NAMES.map((c) => rows.get(c)?.f1 ?? 0));

const isSure = ({ sure = true }: MarkedMoment): boolean => sure;
const offersOf = ({ answers, answers_any = [] }: MarkedMoment): number[] =>
  answers === undefined ? answers_any : [answers];

/**
 * Scores the reported moments of each turn. A moment that only one reader has counts neither as missed nor as false. A
 * link counts if both its turns are right and it names the offer of either reader.
 */
export function scoreDialogues(
  dialogues: readonly MarkedDialogue[],
  told: ReadonlyMap<string, TurnMoment[][]>,
): Scores {
  const rows = new Map([...MOMENT_CATEGORY_NAMES, 'link', 'objection label'].map((c) => [c, new Score()]));
  const scores: Scores = { rows, empty: 0, falseInEmpty: 0 };
  for (const { id, turns } of dialogues) {
    const said = told.get(id)!;
    if (turns.every((t) => !t.moments?.length)) {
      scores.empty++;
      scores.falseInEmpty += said.flat().length;
    }
    for (const [i, { moments = [] }] of turns.entries()) scoreTurn(said[i]!, moments, rows);
  }
  return scores;
}

function scoreTurn(
  said: readonly TurnMoment[],
  marked: readonly MarkedMoment[],
  rows: ReadonlyMap<string, Score>,
): void {
  for (const category of MOMENT_CATEGORY_NAMES) {
    const gold = marked.filter((m) => m.category === category);
    const predicted = said.some((m) => m.category === category);
    if (predicted || gold.some(isSure)) rows.get(category)!.add(predicted, gold.length > 0);
  }
  const links = said.flatMap(({ category, answers }) => (answers === null ? [] : [{ category, answers }]));
  const answered = marked.filter((m) => offersOf(m).length > 0);
  const names = (link: (typeof links)[number], m: MarkedMoment): boolean =>
    link.category === m.category && offersOf(m).includes(link.answers);
  for (const link of links) {
    const right = answered.some((m) => names(link, m));
    if (right || answered.every(isSure)) rows.get('link')!.add(true, right);
  }
  for (const m of answered) if (isSure(m) && !links.some((link) => names(link, m))) rows.get('link')!.add(false, true);
  const labels = (list: readonly { labels?: string[]; category: string }[]): string[] =>
    list.filter((m) => m.category === 'objection').flatMap((m) => m.labels ?? []);
  for (const label of new Set([...labels(said), ...labels(marked)]))
    rows.get('objection label')!.add(labels(said).includes(label), labels(marked).includes(label));
}
