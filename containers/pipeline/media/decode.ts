import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../../src/contract/errors.ts';
import { openScratchFile } from '../scratch-file.ts';
import { accessOf, LONGEST_HEAD } from './container-format.ts';
import type { SourceFormat } from './decoder-limits.ts';
import { DecoderProcess, type PcmBlock } from './decoder-process.ts';

export type { PcmBlock };

export interface DecodeOptions {
  signal?: AbortSignal;
  /** CPU time that decoding is allowed for media of any size, s. The default is the limit in decoder-limits.ts. */
  processorFreeS?: number;
}

/** A decoder that has all its bytes and produces nothing for this long has hung, ms. */
const STALL_MS = 20_000;

/**
 * One recording that ffmpeg decodes, as its bytes arrive if its format allows that. It can be iterated over only once.
 */
export class Decoding implements AsyncIterable<PcmBlock> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  readonly #suffix: string;
  readonly #options: DecodeOptions;
  #decoder: DecoderProcess | undefined;
  readonly warnings: string[] = [];

  constructor(bytes: AsyncIterable<Uint8Array>, suffix: string, options: DecodeOptions) {
    this.#bytes = bytes;
    this.#suffix = suffix;
    this.#options = options;
  }

  /** Format of the media's audio, known once the first block has arrived. */
  get source(): SourceFormat | null {
    return this.#decoder?.messages.source ?? null;
  }

  /**
   * @throws ServiceError INVALID_MEDIA when nothing could be decoded or a limit was exceeded; the signal's reason when
   *   aborted.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<PcmBlock> {
    const bytes = this.#bytes[Symbol.asyncIterator]();
    const { signal, processorFreeS } = this.#options;
    let file: FileHandle | undefined;
    try {
      const { head, ended, access } = await readHead(bytes, this.#suffix);
      if (head.length === 0) throw new ServiceError('INVALID_MEDIA', 'The media is empty');
      const rest = remaining(head, bytes, ended);
      let size = 0;
      if (access === 'file') {
        file = await openScratchFile();
        for await (const chunk of rest) size += (await file.write(chunk)).bytesWritten;
      }
      signal?.throwIfAborted();
      const whole = file && { handle: file, bytes: size };
      this.#decoder = new DecoderProcess(this.#suffix, { file: whole, processorFreeS });
      yield* this.#blocks(this.#decoder, whole ? null : rest);
    } finally {
      await this.#decoder?.kill();
      await file?.close();
      // This is not awaited, because a silent sender would delay the end.
      bytes.return?.(undefined).catch(() => undefined);
    }
  }

  async *#blocks(decoder: DecoderProcess, input: AsyncIterable<Uint8Array> | null): AsyncGenerator<PcmBlock> {
    const { signal } = this.#options;
    let watch: NodeJS.Timeout | undefined;
    let stalled = false;
    const kill = () => void decoder.kill();
    const stall = () => {
      stalled = true;
      kill();
    };
    signal?.addEventListener('abort', kill, { once: true });
    let fed = input === null;
    const feeding = feed(input, decoder).finally(() => {
      fed = true;
      watch = setTimeout(stall, STALL_MS);
    });
    // The decoder ends if the sender fails. The failure is thrown where the feeding is awaited.
    feeding.catch(kill);
    try {
      for await (const block of decoder.blocks()) {
        clearTimeout(watch);
        yield block;
        clearTimeout(watch);
        if (fed) watch = setTimeout(stall, STALL_MS);
      }
      signal?.throwIfAborted();
      await feeding;
      if (stalled) throw new ServiceError('INVALID_MEDIA', 'The media could not be decoded in time');
      const { messages } = decoder;
      if (decoder.samples === 0 && (messages.isDamaged || this.source === null)) throw messages.undecodable();
      if (messages.isDamaged)
        this.warnings.push(
          'The media is damaged or cut off in places; the analysis covers the parts that could be decoded.',
        );
    } finally {
      clearTimeout(watch);
      signal?.removeEventListener('abort', kill);
    }
  }
}

/**
 * Decodes media to 16 kHz PCM as it arrives. Only media that cannot be read sequentially is first written to a file.
 * @param suffix the extension with its dot. It matters only for `.pcm` (s16le, 16 kHz, mono); every other format is
 * detected from its bytes.
 */
export const decodeStream = (bytes: AsyncIterable<Uint8Array>, suffix: string, options: DecodeOptions = {}): Decoding =>
  new Decoding(bytes, suffix, options);

async function readHead(bytes: AsyncIterator<Uint8Array>, suffix: string) {
  if (suffix === '.pcm') return { access: 'stream' as const, ...(await firstBytes(bytes)) };
  let head: Buffer = Buffer.alloc(0);
  for (let ended = false; ; ) {
    const access = accessOf(head, ended);
    if (access !== 'unknown') return { head, ended, access };
    if (head.length > LONGEST_HEAD) return { head, ended, access: 'file' as const };
    const next = await bytes.next();
    if (next.done) ended = true;
    else head = Buffer.concat([head, next.value]);
    if (ended && head.length === 0) return { head, ended, access: 'stream' as const };
  }
}

async function firstBytes(bytes: AsyncIterator<Uint8Array>): Promise<{ head: Buffer; ended: boolean }> {
  for (;;) {
    const next = await bytes.next();
    if (next.done) return { head: Buffer.alloc(0), ended: true };
    if (next.value.length > 0) return { head: Buffer.from(next.value), ended: false };
  }
}

async function* remaining(head: Buffer, bytes: AsyncIterator<Uint8Array>, ended: boolean): AsyncGenerator<Uint8Array> {
  yield head;
  if (ended) return;
  for (let next = await bytes.next(); !next.done; next = await bytes.next()) yield next.value;
}

/** Writes all bytes with back-pressure. A decoder that stops reading is not an error. */
async function feed(input: AsyncIterable<Uint8Array> | null, decoder: DecoderProcess): Promise<void> {
  for await (const chunk of input ?? []) await decoder.write(chunk);
  decoder.end();
}
