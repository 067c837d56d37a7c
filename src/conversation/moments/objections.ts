import { contextWeights, linear, sigmoid } from '../dialogue-acts/act-model.ts';
import type { Sentence } from '../dialogue-acts/sentences.ts';
import { objectionLabels } from '../dialogue-acts.ts';
import type { ObjectionLabel } from '../lexicon/objections.ts';
import { strongest } from './context.ts';
import type { Heard } from './offers.ts';

export interface Objection {
  sentence: Sentence;
  confidence: number;
  labels: ObjectionLabel[];
}

/** Utterances within which the same speaker's same reason is one objection told twice. */
const REPEAT_UTTERANCES = 2;

/** Objections by what they are about; one reason told in several breaths is one. */
export class ObjectionDetector {
  readonly #told = new Map<string, number>();
  #seen = 0;

  /** @param values features by `TalkContext.objection` */
  add({ u, acts, reading }: Heard, values: Record<string, number>): Objection | undefined {
    const index = this.#seen++;
    const best = strongest(acts, 'objection');
    const { objection } = contextWeights(reading !== undefined);
    const confidence = sigmoid(linear(objection, values));
    if (!best || confidence < objection.threshold) return undefined;
    const labels = objectionLabels(best);
    const key = `${labels[0]} ${u.speaker}`;
    const repeated = index - (this.#told.get(key) ?? Number.NEGATIVE_INFINITY) <= REPEAT_UTTERANCES;
    this.#told.set(key, index);
    return repeated ? undefined : { sentence: best.sentence, confidence, labels };
  }
}
