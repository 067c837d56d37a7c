import type { RepeatedRecognition, Understanding } from '../recognition/understanding.ts';
import { understandingOf } from '../recognition/understanding.ts';
import { type Excerpt, JUDGED_S, repeated } from '../stages/understanding.ts';
import type { StreamRecogniser } from './stages.ts';

/** Decides whether the recogniser of a stream understands its speech, judging by the start of the stream. */
export class StreamUnderstanding {
  readonly #recogniser: Pick<StreamRecogniser, 'engine' | 'pass'>;
  readonly #heard: RepeatedRecognition[] = [];
  #seconds = 0;
  #verdict: Understanding = 'understood';

  constructor(recogniser: Pick<StreamRecogniser, 'engine' | 'pass'>) {
    this.#recogniser = recogniser;
  }

  /** The verdict including the next speech. Call it again only after it has resolved. */
  async add(excerpt: Excerpt): Promise<Understanding> {
    if (!this.#recogniser.engine.mishearsOtherLanguages || this.#seconds >= JUDGED_S) return this.#verdict;
    this.#seconds += excerpt.seconds;
    this.#heard.push(await repeated(excerpt, (samples) => this.#recogniser.pass(samples)));
    this.#verdict = understandingOf(this.#heard) ?? 'uncertain';
    return this.#verdict;
  }
}
