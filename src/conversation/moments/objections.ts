import type { Utterance } from '../../contract/timeline.ts';
import type { Sentence } from '../dialogue-acts/sentences.ts';
import type { SentenceAct } from '../dialogue-acts.ts';
import type { ObjectionLabel } from '../lexicon/objections.ts';

export interface Objection {
  sentence: Sentence;
  confidence: number;
  labels: ObjectionLabel[];
}

/** Probability from which a sentence counts as an objection; chosen on the tuning half by `bench:moments`. */
const OBJECTION_THRESHOLD = 0.5;
/** Utterances within which the same speaker's same reason is one objection told twice. */
const REPEAT_UTTERANCES = 4;

/** Objections by what they are about; one reason told in several breaths is one. */
export class ObjectionDetector {
  readonly #told = new Map<string, number>();
  #seen = 0;

  add(u: Utterance, acts: SentenceAct[]): Objection | undefined {
    const index = this.#seen++;
    const objecting = acts.filter((a) => a.scores.objection >= OBJECTION_THRESHOLD && a.labels.length > 0);
    const best = objecting.reduce<SentenceAct | undefined>(
      (top, a) => (top && top.scores.objection >= a.scores.objection ? top : a),
      undefined,
    );
    if (!best) return undefined;
    const labels = [...new Set([...best.labels, ...objecting.flatMap((a) => a.labels)])];
    const keys = labels.map((l) => `${l} ${u.speaker}`);
    const fresh = keys.some((k) => index - (this.#told.get(k) ?? Number.NEGATIVE_INFINITY) > REPEAT_UTTERANCES);
    for (const k of keys) this.#told.set(k, index);
    return fresh ? { sentence: best.sentence, confidence: best.scores.objection, labels } : undefined;
  }
}
