import { MOMENT_CATEGORIES, type MomentCategory, type MomentEvent } from '../../src/contract/findings.ts';
import type { Utterance } from '../../src/contract/timeline.ts';
import type { Encodings } from './encodings.ts';

/** One turn of any of the corpora. */
export interface Turn {
  speaker: string;
  text: string;
  /** Dialogue act as the corpus names it. */
  act?: string;
  moments?: { category: MomentCategory; labels?: string[]; answers?: number }[];
}

export interface Dialogue {
  id: string;
  turns: Turn[];
}

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

/** A recogniser's pace: 2.6 words a second, 300 ms between turns. */
function timed(turns: Turn[]): Utterance[] {
  let at = 0;
  return turns.map(({ speaker, text }, i) => {
    const t_start = at;
    const t_end = t_start + Math.max(0.3, text.split(/\s+/).length / 2.6);
    at = t_end + 0.3;
    return { utterance_id: `d_utt_${i}`, speaker, t_start, t_end, text };
  });
}

type Found = Pick<MomentEvent, 'moment_id' | 'category' | 'answers' | 'labels' | 'utterance_ids'>;

export interface Detector {
  add(u: Utterance, encoding?: Float32Array): Found[];
  /** What only the end shows, if it tells anything. */
  end?(): Found[];
}

interface Said {
  category: MomentCategory;
  labels: string[];
  /** The turn whose offer it answers. */
  answers?: number;
}

/**
 * What a detector says of each turn. A moment belongs to the turn it is about, whenever it was reported.
 * @param encodings of the texts, as the pipeline would send them; without them the detector has the words alone
 */
export function detect(detector: Detector, turns: Turn[], encodings?: Encodings): Said[][] {
  const madeAt = new Map<string, number>();
  const said: Said[][] = turns.map(() => []);
  const found = timed(turns).flatMap((u) => detector.add(u, encodings?.get(u.text)));
  for (const { moment_id, category, answers, labels, utterance_ids } of [...found, ...(detector.end?.() ?? [])]) {
    const turn = Number(utterance_ids[0]?.split('_').at(-1));
    madeAt.set(moment_id, turn);
    said[turn]?.push({ category, labels, answers: answers === undefined ? undefined : madeAt.get(answers) });
  }
  return said;
}

/** What scoring against marked dialogues gives. */
export interface OwnScores {
  /** One per category, then links of answers to offers and labels of objections. */
  rows: Map<string, Score>;
  /** Dialogues that have no moment, and moments found in them. */
  empty: number;
  falseInEmpty: number;
}

export const noScores = (): OwnScores => ({
  rows: new Map([...MOMENT_CATEGORIES, 'link', 'objection label'].map((c) => [c, new Score()])),
  empty: 0,
  falseInEmpty: 0,
});

/** Macro-F1 of the five categories. */
export const macro = ({ rows }: OwnScores): number => mean(MOMENT_CATEGORIES.map((c) => rows.get(c)?.f1 ?? 0));

/**
 * The project's own dialogues: five categories, links of answers to offers, labels of objections, false alarms.
 * @param seen told of every wrong turn; not for dialogues that are held back
 */
export function scoreOwn(
  dialogues: Dialogue[],
  make: (id: string) => Detector,
  encodings?: Encodings,
  scores: OwnScores = noScores(),
  seen?: (error: string) => void,
): OwnScores {
  const { rows } = scores;
  for (const { id, turns } of dialogues) {
    const predicted = detect(make(id), turns, encodings);
    if (turns.every((t) => !t.moments?.length)) {
      scores.empty++;
      scores.falseInEmpty += predicted.flat().length;
    }
    turns.forEach(({ text, moments = [] }, i) => {
      const said = predicted[i] ?? [];
      for (const c of MOMENT_CATEGORIES) {
        const p = said.some((m) => m.category === c);
        const g = moments.some((m) => m.category === c);
        rows.get(c)?.add(p, g);
        if (p !== g) seen?.(`${c.padEnd(12)} ${p ? 'FALSE ' : 'MISSED'} ${id} ${i}: ${turns[i - 1]?.text} >> ${text}`);
      }
      const links = (list: { answers?: number }[]) => list.map((m) => m.answers).filter((a) => a !== undefined);
      for (const a of new Set([...links(said), ...links(moments)]))
        rows.get('link')?.add(links(said).includes(a), links(moments).includes(a));
      const labels = (list: { labels?: string[]; category: string }[]) =>
        list.filter((m) => m.category === 'objection').flatMap((m) => m.labels ?? []);
      for (const l of new Set([...labels(said), ...labels(moments)]))
        rows.get('objection label')?.add(labels(said).includes(l), labels(moments).includes(l));
    });
  }
  return scores;
}
