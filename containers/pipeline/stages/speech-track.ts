import type { Channel, PcmSpool } from '../audio/pcm-spool.ts';
import { VAD_BLOCK, VAD_FRAME } from '../models/silero.ts';
import type { SpoolRange } from '../workers/tasks.ts';

/** Probabilities of speech of one channel of a recording, computed block by block in the workers as it grows. */
export class SpeechTrack {
  readonly #channel: Channel;
  readonly #blocks: Promise<Float32Array>[] = [];

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /**
   * Begins the complete blocks that were not begun; with `ended` the last, shorter block too.
   * @param detect gives the probabilities of a block.
   */
  advance(spool: PcmSpool, detect: (block: SpoolRange) => Promise<Float32Array>, ended: boolean): void {
    const blocks = ended ? Math.ceil(spool.length / VAD_BLOCK) : Math.floor(spool.length / VAD_BLOCK);
    for (let block = this.#blocks.length; block < blocks; block++) {
      const start = block * VAD_BLOCK;
      const end = Math.min(start + VAD_BLOCK, spool.length);
      const probabilities = detect({ location: spool.location, channel: this.#channel, start, end });
      // A failure is handled in `probabilities`; it may come before anybody waits for it.
      probabilities.catch(() => undefined);
      this.#blocks.push(probabilities);
    }
  }

  /** All probabilities, one per started 32 ms frame. */
  async probabilities(spool: PcmSpool): Promise<Float32Array> {
    const all = new Float32Array(Math.ceil(spool.length / VAD_FRAME));
    for (const [i, block] of this.#blocks.entries()) all.set(await block, (i * VAD_BLOCK) / VAD_FRAME);
    return all;
  }
}
