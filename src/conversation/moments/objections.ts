import type { ObjectionLabel } from '../lexicon/en/objections.ts';

/** Utterances within which the same speaker's same reason is one objection told twice. */
const REPEAT_UTTERANCES = 2;

/** Which reasons were told lately: one reason told in several breaths is one objection. */
export class ToldReasons {
  readonly #told = new Map<string, number>();

  /**
   * Notes an objection.
   * @param index place of its utterance in the conversation
   * @returns whether it only repeats one
   */
  repeats(speaker: string, reason: ObjectionLabel | undefined, index: number): boolean {
    const key = `${reason} ${speaker}`;
    const before = this.#told.get(key) ?? Number.NEGATIVE_INFINITY;
    this.#told.set(key, index);
    return index - before <= REPEAT_UTTERANCES;
  }
}
