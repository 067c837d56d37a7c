import type { Sentence } from '../dialogue-acts/sentences.ts';
import type { SentenceAct } from '../dialogue-acts.ts';
import { contentWords } from './content-words.ts';

/** A change of subject seen at one utterance. */
export interface TopicShift {
  sentence: Sentence;
  confidence: number;
  labels: string[];
}

/** How fast what was said fades: half of it is forgotten after about nine utterances. */
const FADING = 0.925;
/** Utterances before there is a subject to leave, and between two shifts. */
const WARM_UP = 4;
const REFRACTORY = 4;
/** Distinct words remembered; the faded ones are dropped beyond. */
const MAX_WORDS = 2000;

/**
 * Finds where the subject changes, from what was said so far only: a phrase that announces a new subject, weighed by how
 * little the sentence shares with what was talked of.
 */
export class TopicShiftDetector {
  readonly #memory = new Map<string, { weight: number; at: number }>();
  #seen = 0;
  #lastShift = Number.NEGATIVE_INFINITY;

  add(acts: SentenceAct[]): TopicShift | undefined {
    const index = this.#seen++;
    const words = new Set(acts.flatMap((a) => contentWords(a.sentence.tokens)));
    const overlap = this.#overlap(words, index);
    for (const w of words) {
      const old = this.#memory.get(w);
      this.#memory.set(w, { weight: 1 + (old ? old.weight * FADING ** (index - old.at) : 0), at: index });
    }
    this.#forget(index);
    const announced = acts.find((a) => a.cues.has('topic.announce'));
    if (index < WARM_UP || index - this.#lastShift < REFRACTORY || !announced || words.size === 0) return undefined;
    const confidence = 0.9 - 0.5 * overlap;
    if (confidence < 0.5) return undefined;
    this.#lastShift = index;
    return { sentence: announced.sentence, confidence, labels: ['announced'] };
  }

  /** Share of the words that were talked of before, 0..1, each by how fresh it is. */
  #overlap(words: ReadonlySet<string>, index: number): number {
    let shared = 0;
    for (const w of words) {
      const old = this.#memory.get(w);
      if (old) shared += Math.min(1, old.weight * FADING ** (index - old.at));
    }
    return words.size === 0 ? 1 : shared / words.size;
  }

  #forget(index: number): void {
    if (this.#memory.size <= MAX_WORDS) return;
    for (const [w, { at }] of this.#memory) if (index - at > MAX_WORDS / 20) this.#memory.delete(w);
  }
}
