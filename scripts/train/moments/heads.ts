import type { MomentCategory } from '../../../src/contract/findings.ts';
import { TRAINED_HEADS, type TrainedHead } from '../../../src/conversation/acts/act-model.ts';
import { readSurfaces, type SentenceSurface } from '../../../src/conversation/acts/dialogue-acts.ts';
import { BUCKETS, featureBuckets } from '../../../src/conversation/acts/ngrams.ts';
import { OBJECTION_LABELS } from '../../../src/conversation/lexicon/en/objections.ts';
import { ANSWER_TURNS } from '../../../src/conversation/moments/offers.ts';
import type { Background, Dialogue, Line, Turn } from './corpus.ts';
import { fitSparse, type SparseExample, type SparseModel } from './logistic.ts';

export type Head = TrainedHead;

export type Models = Record<Head, SparseModel>;

/** Weight of a background sentence against one of our own, and how many are drawn from each corpus. */
export const BACKGROUND_WEIGHT = 0.4;

/** Weight of a corpus label that is only implied. */
export const IMPLIED_WEIGHT = 0.15;

/** Shrinkage of n-gram weights; chosen by `bench/moments/cross-validation.ts`. */
export const SHRINKAGE = 2e-4;

export const cueLogit = ({ cueLogits }: SentenceSurface, head: Head): number => cueLogits[head] ?? 0;

export const example = (act: SentenceSurface, head: Head, positive: boolean, weight = 1): SparseExample => ({
  buckets: bucketsOf(act),
  prior: cueLogit(act, head),
  positive,
  weight,
});

const buckets = new WeakMap<SentenceSurface, number[]>();

/** The features of a sentence, computed once. */
function bucketsOf(act: SentenceSurface): number[] {
  let found = buckets.get(act);
  if (!found) {
    found = featureBuckets(act.sentence, act.cues);
    buckets.set(act, found);
  }
  return found;
}

const readings = new Map<string, SentenceSurface[]>();

/** Cues and surface of a text, read once. */
export function surface(text: string): SentenceSurface[] {
  let acts = readings.get(text);
  if (!acts) {
    acts = readSurfaces(text);
    readings.set(text, acts);
  }
  return acts;
}

/** The sentence of an utterance that carries its label: the one the cues favour. */
export const carrier = (acts: SentenceSurface[], head: Head): SentenceSurface | undefined =>
  acts.reduce<SentenceSurface | undefined>((a, b) => (a && cueLogit(a, head) >= cueLogit(b, head) ? a : b), undefined);

/** Whether each turn stands where an open offer of somebody else waits for an answer. */
export function awaited(turns: Turn[]): boolean[] {
  let offer: { by: string; turns: number } | undefined;
  let last = '';
  return turns.map(({ speaker, moments = [] }) => {
    if (offer && speaker !== offer.by && speaker !== last) offer.turns++;
    last = speaker;
    const waits = offer !== undefined && offer.by !== speaker && offer.turns <= ANSWER_TURNS;
    if (waits && moments.some((m) => m.answers !== undefined)) offer = undefined;
    if (moments.some((m) => m.category === 'cta_offered')) offer = { by: speaker, turns: 0 };
    return waits;
  });
}

/** An exchange begins with its offer: it tells how answers look, not how often offers come. */
export const isExchange = (id: string): boolean => id.startsWith('exchange');

/** A refusal; where exchanges mark one they do not say whether its reason objects (see the data's README). */
export const isRefusal = (moments: NonNullable<Turn['moments']>): boolean =>
  moments.some((m) => m.category === 'cta_rejected');

export const CATEGORY: Partial<Record<Head, MomentCategory>> = {
  offer: 'cta_offered',
  agreement: 'cta_accepted',
  refusal: 'cta_rejected',
  objection: 'objection',
  topic: 'topic_shift',
};

export function examplesOf(
  head: Head,
  dialogues: Dialogue[],
  lines: Line[],
  { plain, opening, agreeing }: Background,
): SparseExample[] {
  const examples: SparseExample[] = [];
  const isLabel = (OBJECTION_LABELS as readonly string[]).includes(head);
  const isAnswer = head === 'agreement' || head === 'refusal' || head === 'deferral';
  for (const { id, turns } of dialogues) {
    const waits = awaited(turns);
    turns.forEach(({ text, moments = [] }, i) => {
      const acts = surface(text);
      const objection = moments.find((m) => m.category === 'objection');
      if (isLabel) {
        const best = carrier(acts, 'objection');
        if (objection && best) examples.push(example(best, head, Boolean(objection.labels?.includes(head))));
        return;
      }
      if (head === 'deferral' || (isAnswer && !waits[i])) return;
      if (head === 'objection' && !objection && isExchange(id) && isRefusal(moments)) return;
      const positive = moments.some((m) => m.category === CATEGORY[head]);
      const best = carrier(acts, head);
      if (positive && best) examples.push(example(best, head, true));
      else if (!positive) for (const a of acts) examples.push(example(a, head, false));
    });
  }
  for (const { act, text, labels } of lines) {
    const best = carrier(surface(text), isLabel ? 'objection' : head);
    if (!best) continue;
    if (isLabel) {
      if (act === 'objection') examples.push(example(best, head, Boolean(labels?.includes(head))));
      continue;
    }
    const wanted = {
      offer: 'offer',
      agreement: 'accept',
      refusal: 'reject',
      deferral: 'neither',
      objection: 'objection',
      topic: 'topic_shift',
    }[head as 'offer'];
    const answers = act === 'accept' || act === 'reject' || act === 'neither';
    // A refusal may state its reason, an objection may refuse, a question that puts off may look like an offer.
    const unclear = (head === 'refusal' && act === 'objection') || (head === 'objection' && act === 'reject');
    if (unclear || (isAnswer && !answers && act !== 'none')) continue;
    examples.push(example(best, head, act === wanted, act === wanted ? 1 : 0.7));
  }
  if (!isLabel && !isAnswer) for (const a of plain) examples.push(example(a, head, false, BACKGROUND_WEIGHT));
  if (head === 'agreement') for (const a of agreeing) examples.push(example(a, head, true, IMPLIED_WEIGHT));
  if (head === 'topic') for (const a of opening) examples.push(example(a, head, true, IMPLIED_WEIGHT));
  return examples;
}

export function fitHeads(dialogues: Dialogue[], lines: Line[], noise: Background): Models {
  const models = {} as Models;
  for (const head of TRAINED_HEADS)
    models[head] = fitSparse(examplesOf(head, dialogues, lines, noise), BUCKETS, SHRINKAGE);
  return models;
}
