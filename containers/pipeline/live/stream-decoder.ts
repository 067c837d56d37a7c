import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { MediaExtension } from '../../../src/contract/media.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';

const RATE = String(SAMPLE_RATE_HZ);
/** Raw samples have no header that says what they are (decisions: `.pcm` is s16le 16 kHz mono). */
const RAW_PCM = ['-f', 's16le', '-ar', RATE, '-ac', '1'];
/** Starts after 32 kB, or at the end. `-fflags nobuffer` would lose the first second (speech.md). */
const START_EARLY = ['-probesize', '32768', '-analyzeduration', '0'];
const TO_SAMPLES = ['-map', '0:a:0', '-ac', '1', '-ar', RATE, '-f', 's16le', '-flush_packets', '1', 'pipe:1'];

/**
 * Decodes one byte stream as it comes. Media that cannot be decoded so (an mp4 whose index comes last, or no media at
 * all) gives no samples; that is no error here, since the whole session is decoded again when it is finished.
 */
export class StreamDecoder {
  readonly #ffmpeg: ChildProcessByStdio<Writable, Readable, null>;
  readonly #exited: Promise<unknown>;
  #broken = false;

  constructor(suffix: MediaExtension) {
    const input = suffix === '.pcm' ? RAW_PCM : START_EARLY;
    const args = ['-v', 'quiet', '-nostdin', ...input, '-i', 'pipe:0', ...TO_SAMPLES];
    this.#ffmpeg = spawn('ffmpeg', args, { stdio: ['pipe', 'pipe', 'ignore'] });
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

  /** Mono, 16 kHz, full scale 1; blocks of any length. */
  async *samples(): AsyncGenerator<Float32Array> {
    let odd: Buffer = Buffer.alloc(0);
    for await (const block of this.#ffmpeg.stdout) {
      const bytes: Buffer = odd.length > 0 ? Buffer.concat([odd, block]) : block;
      const whole = bytes.length >> 1;
      const samples = new Float32Array(whole);
      for (let i = 0; i < whole; i++) samples[i] = bytes.readInt16LE(2 * i) / 32_768;
      odd = bytes.subarray(2 * whole);
      yield samples;
    }
  }

  /** Ends the process at once. */
  async kill(): Promise<void> {
    this.#ffmpeg.kill('SIGKILL');
    await this.#exited;
  }
}
