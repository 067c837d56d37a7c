import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { MediaExtension } from '../../../src/contract/media.ts';
import { decoderArguments, type PcmBlock, pcmBlocks } from '../media/decode.ts';

/**
 * Decodes one byte stream as it comes. Media that cannot be decoded so (an mp4 whose index comes last, or no media at
 * all) gives no samples; that is no error here, since the whole session is decoded again when it is finished.
 */
export class StreamDecoder {
  readonly #ffmpeg: ChildProcessByStdio<Writable, Readable, null>;
  readonly #exited: Promise<unknown>;
  #broken = false;

  constructor(suffix: MediaExtension) {
    this.#ffmpeg = spawn('ffmpeg', decoderArguments(suffix, false), { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#exited = once(this.#ffmpeg, 'close').catch(() => undefined);
    // ffmpeg leaves early when it has seen enough; what is written after that is not missed.
    this.#ffmpeg.stdin.on('error', () => {
      this.#broken = true;
    });
    this.#ffmpeg.on('error', () => {
      this.#broken = true;
    });
  }

  /** Resolves when there is room for more. */
  async write(bytes: Uint8Array): Promise<void> {
    const { stdin } = this.#ffmpeg;
    if (this.#broken || stdin.destroyed || stdin.write(bytes)) return;
    const closed = new AbortController();
    try {
      await Promise.race([once(stdin, 'drain', closed), once(stdin, 'close', closed)]);
    } catch {
      this.#broken = true;
    } finally {
      closed.abort();
    }
  }

  /** No more bytes will come. */
  end(): void {
    this.#ffmpeg.stdin.end();
  }

  /** 16 kHz, one or two channels, as whole files are decoded; blocks of any length. */
  blocks(): AsyncGenerator<PcmBlock> {
    return pcmBlocks(this.#ffmpeg.stdout);
  }

  /** Ends the process at once. */
  async kill(): Promise<void> {
    this.#ffmpeg.kill('SIGKILL');
    await this.#exited;
  }
}
