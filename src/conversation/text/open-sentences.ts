import type { Utterance } from '../../contract/timeline.ts';

/**
 * Punctuation that ends a sentence, the end of a finished sentence, and the longest pause within an unfinished one, s.
 */
const MARK = /[.?!…]/;
const FINISHED = /[.?!…]["'”’)]*\s*$/;
const PAUSE_IN_SENTENCE_S = 1.5;
/** Number of utterances that one sentence can extend over. It bounds the work when sentences never end. */
export const MOST_PIECES = 4;

type Timed = Pick<Utterance, 'text' | 'speaker'> & Partial<Pick<Utterance, 't_start' | 't_end'>>;

/**
 * Finds utterances that continue an open sentence from their speaker's previous utterance. Recognisers cut at pauses,
 * and people pause within sentences. If a recogniser prints no punctuation, no sentence is known to be open.
 */
export class OpenSentences {
  #punctuated = false;
  #before: Timed | undefined;
  #pieces = 1;

  /** Whether an utterance continues the one added before it. */
  add(utterance: Timed): boolean {
    const last = this.#before;
    this.#before = utterance;
    this.#punctuated ||= last !== undefined && MARK.test(last.text);
    const goesOn =
      last !== undefined &&
      this.#punctuated &&
      !FINISHED.test(last.text) &&
      /[\p{L}\p{N}]/u.test(last.text) &&
      this.#pieces < MOST_PIECES &&
      last.speaker === utterance.speaker &&
      (utterance.t_start ?? 0) - (last.t_end ?? 0) <= PAUSE_IN_SENTENCE_S;
    this.#pieces = goesOn ? this.#pieces + 1 : 1;
    return goesOn;
  }
}
