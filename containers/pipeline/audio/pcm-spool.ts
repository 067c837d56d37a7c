import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { openScratchFile } from '../scratch-file.ts';
import { SAMPLE_RATE_HZ } from './interval.ts';

/** One channel of a recording, or the mix of all channels. */
export type Channel = 0 | 1 | 'mix';

const BYTES = 2;
const FULL_SCALE = 32_768;

/** The location of a recording's samples. Any thread of this process can use it to read them. */
export interface PcmLocation {
  /** Descriptor of a file with interleaved s16 samples. */
  fd: number;
  channels: 1 | 2;
  /** Number of samples per channel written so far. */
  length: number;
}

/**
 * Samples of a recording, full scale = 1.
 * @param start first sample; `end` is one past the last. Samples beyond the recording are left out.
 */
export function readSamples(location: PcmLocation, start: number, end: number, channel: Channel = 'mix'): Float32Array {
  const { raw, bytes, position } = rangeBuffer(location, start, end);
  for (let at = 0; at < bytes.length; ) {
    const read = readSync(location.fd, bytes, at, bytes.length - at, position + at);
    if (read === 0) break;
    at += read;
  }
  return channelOf(raw, location.channels, channel);
}

/** A buffer for a range of samples, and the byte offset of the range in the file. */
function rangeBuffer({ channels, length }: PcmLocation, start: number, end: number) {
  const first = Math.max(0, Math.round(start));
  const count = Math.max(0, Math.min(length, Math.round(end)) - first);
  const raw = new Int16Array(count * channels);
  return { raw, bytes: new Uint8Array(raw.buffer), position: first * BYTES * channels };
}

/** One channel of interleaved samples, or the mean of both. */
export function channelOf(interleaved: Int16Array, channels: 1 | 2, channel: Channel): Float32Array {
  const samples = new Float32Array(interleaved.length / channels);
  if (channels === 1) for (let i = 0; i < samples.length; i++) samples[i] = interleaved[i]! / FULL_SCALE;
  else if (channel === 'mix')
    for (let i = 0; i < samples.length; i++)
      samples[i] = (interleaved[2 * i]! + interleaved[2 * i + 1]!) / (2 * FULL_SCALE);
  else for (let i = 0; i < samples.length; i++) samples[i] = interleaved[2 * i + channel]! / FULL_SCALE;
  return samples;
}

/**
 * The samples of a recording in a temporary file, so that memory does not grow with the recording's length. The file
 * takes up 115 MB per hour and channel.
 */
export class PcmSpool {
  readonly #file: FileHandle;
  readonly channels: 1 | 2;
  #length = 0;

  private constructor(file: FileHandle, channels: 1 | 2) {
    this.#file = file;
    this.channels = channels;
  }

  static async open(channels: 1 | 2): Promise<PcmSpool> {
    return new PcmSpool(await openScratchFile(), channels);
  }

  /** Number of samples per channel. */
  get length(): number {
    return this.#length;
  }

  get duration(): number {
    return this.#length / SAMPLE_RATE_HZ;
  }

  get location(): PcmLocation {
    return { fd: this.#file.fd, channels: this.channels, length: this.#length };
  }

  /** Appends interleaved samples. Call it again only after it has resolved. */
  async append(samples: Int16Array): Promise<void> {
    await this.#write(this.#length, samples);
    this.#length += samples.length / this.channels;
  }

  /** Replaces interleaved samples from sample `start` on. */
  async overwrite(start: number, samples: Int16Array): Promise<void> {
    if (start + samples.length / this.channels > this.#length) throw new RangeError('beyond the end of the recording');
    await this.#write(start, samples);
  }

  async #write(start: number, samples: Int16Array): Promise<void> {
    const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    let position = start * BYTES * this.channels;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await this.#file.write(bytes, at, bytes.length - at, position);
      at += bytesWritten;
      position += bytesWritten;
    }
  }

  /** Returns the same samples as `readSamples`, without blocking this thread. */
  async read(start: number, end: number, channel: Channel = 'mix'): Promise<Float32Array> {
    return channelOf(await this.readInterleaved(start, end), this.channels, channel);
  }

  /** The samples of all channels, interleaved. Those beyond the recording are left out. */
  async readInterleaved(start: number, end: number): Promise<Int16Array> {
    const { raw, bytes, position } = rangeBuffer(this.location, start, end);
    for (let at = 0; at < bytes.length; ) {
      const { bytesRead } = await this.#file.read(bytes, at, bytes.length - at, position + at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return raw;
  }

  /**
   * Call this only when no thread is still reading the file, because the descriptor's number will be reused for another
   * file.
   */
  async close(): Promise<void> {
    await this.#file.close();
  }
}
