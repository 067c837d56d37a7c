import type { Utterance } from '../../contract/timeline.ts';

/** A mark at the end of a sentence, the end of a finished one, and the longest pause within an unfinished one, s. */
const MARK = /[.?!…]/;
const FINISHED = /[.?!…]["'”’)]*\s*$/;
const PAUSE_IN_SENTENCE_S = 1.5;
/** Utterances that one sentence may run over; bounds the work when sentences never end. */
export const MOST_PIECES = 4;

type Timed = Pick<Utterance, 'text' | 'speaker'> & Partial<Pick<Utterance, 't_start' | 't_end'>>;

/**
 * Finds the utterances that go on with the sentence that their speaker's previous utterance left open: recognisers cut
 * at pauses, people pause within sentences. Where a recogniser prints no marks, nothing is known to be open.
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
