import type { Channel, PcmSpool } from '../audio/pcm-spool.ts';
import { VAD_BLOCK, VAD_FRAME } from '../models/silero.ts';
import type { SpoolRange } from '../workers/tasks.ts';

/**
 * Probabilities of speech in one channel of a recording. The workers compute them block by block as the channel grows.
 */
export class SpeechTrack {
  readonly #channel: Channel;
  readonly #blocks: Promise<Float32Array>[] = [];

  constructor(channel: Channel) {
    this.#channel = channel;
  }

  /**
   * Starts the complete blocks that have not been started. With `ended`, this includes the last, shorter block.
   * @param detect computes the probabilities of a block.
   */
  advance(spool: PcmSpool, detect: (block: SpoolRange) => Promise<Float32Array>, ended: boolean): void {
    const blocks = ended ? Math.ceil(spool.length / VAD_BLOCK) : Math.floor(spool.length / VAD_BLOCK);
    for (let block = this.#blocks.length; block < blocks; block++) {
      const start = block * VAD_BLOCK;
      const end = Math.min(start + VAD_BLOCK, spool.length);
      const probabilities = detect({ location: spool.location, channel: this.#channel, start, end });
      // A failure is handled in `probabilities`, and can occur before anything awaits it.
      probabilities.catch(() => undefined);
      this.#blocks.push(probabilities);
    }
  }

  /** The probabilities of the first blocks, all of which have been started. */
  async firstProbabilities(blocks: number): Promise<Float32Array> {
    const first = new Float32Array((blocks * VAD_BLOCK) / VAD_FRAME);
    for (let i = 0; i < blocks; i++) first.set(await this.#blocks[i]!, (i * VAD_BLOCK) / VAD_FRAME);
    return first;
  }

  /** All probabilities, one per started 32 ms frame. */
  async probabilities(spool: PcmSpool): Promise<Float32Array> {
    const all = new Float32Array(Math.ceil(spool.length / VAD_FRAME));
    for (const [i, block] of this.#blocks.entries()) all.set(await block, (i * VAD_BLOCK) / VAD_FRAME);
    return all;
  }
}
