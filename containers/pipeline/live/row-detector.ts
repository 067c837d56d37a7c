import { ROW_FRAMES, type SpeechStream, WARM_UP_FRAMES } from '../models/silero.ts';

/**
 * Detects speech in a stream row by row, as the whole-file pipeline does in a recording, so that both find the same
 * speech boundaries. A difference of one frame of audio would change the recogniser's text.
 */
export class RowDetector implements SpeechStream {
  readonly #open: () => SpeechStream;
  #current: SpeechStream;
  #next: SpeechStream | null = null;
  #frame = 0;

  /** @param open opens a detector with fresh state. */
  constructor(open: () => SpeechStream) {
    this.#open = open;
    this.#current = open();
  }

  /** @param samples complete at most one frame. */
  async push(samples: Float32Array): Promise<number[]> {
    const frameOfRow = this.#frame % ROW_FRAMES;
    if (frameOfRow === ROW_FRAMES - WARM_UP_FRAMES) this.#next ??= this.#open();
    const [probabilities] = await Promise.all([this.#current.push(samples), this.#next?.push(samples)]);
    if (probabilities.length === 0) return probabilities;
    this.#frame++;
    if (this.#frame % ROW_FRAMES === 0 && this.#next) {
      this.#current = this.#next;
      this.#next = null;
    }
    return probabilities;
  }
}
