import type { Utterance } from '../../contract/timeline.ts';
import { linear, momentWeights, sigmoid } from '../dialogue-acts/act-model.ts';
import type { Sentence } from '../dialogue-acts/sentences.ts';
import { objectionLabels, type SentenceAct } from '../dialogue-acts.ts';
import type { ObjectionLabel } from '../lexicon/objections.ts';
import { strongest } from './context.ts';

export interface Objection {
  sentence: Sentence;
  confidence: number;
  labels: ObjectionLabel[];
}

/** Probability from which an utterance objects; chosen by `bench/moments/cross-validation.ts`. */
export const OBJECTION_PROBABILITY = 0.3;
/** ... and when nothing was offered lately that it could be held against. */
const UNPROMPTED_PROBABILITY = 0.45;
/** Utterances within which the same speaker's same reason is one objection told twice. */
const REPEAT_UTTERANCES = 2;

/** Objections by what they are about; one reason told in several breaths is one. */
export class ObjectionDetector {
  readonly #told = new Map<string, number>();
  #seen = 0;

  /** @param values features by `TalkContext.objection` */
  add(u: Utterance, acts: SentenceAct[], values: Record<string, number>): Objection | undefined {
    const index = this.#seen++;
    const best = strongest(acts, 'objection');
    const confidence = sigmoid(linear(momentWeights().objection, values));
    const bar = values.bidding ? OBJECTION_PROBABILITY : UNPROMPTED_PROBABILITY;
    if (!best || confidence < bar) return undefined;
    const labels = objectionLabels(best);
    const key = `${labels[0]} ${u.speaker}`;
    const repeated = index - (this.#told.get(key) ?? Number.NEGATIVE_INFINITY) <= REPEAT_UTTERANCES;
    this.#told.set(key, index);
    return repeated ? undefined : { sentence: best.sentence, confidence, labels };
  }
}
