import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Readable, Writable } from 'node:stream';
import { ServiceError } from '../../../src/contract/errors.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { accessOf, LONGEST_HEAD } from './container-format.ts';
import { damageCount, type SourceFormat, sourceFormat, undecodable } from './decoder-messages.ts';
import { openScratchFile } from './scratch-file.ts';
import { readWavHeader } from './wav-header.ts';

/** Decoded sound: 16 kHz, 16-bit, one or two channels interleaved. */
export interface PcmBlock {
  channels: 1 | 2;
  samples: Int16Array;
}

export interface DecodeOptions {
  signal?: AbortSignal;
  /** Whole files: a decoder that has all bytes and gives nothing for this long is ended. */
  stallMs?: number;
}

/** A decoder that has all its bytes and is silent for this long hangs. */
const STALL_MS = 20_000;
/** Longest recording, s: eight hours. */
export const LONGEST_RECORDING_S = 8 * 3600;
/** Messages kept from the decoder, characters. */
const MESSAGES_KEPT = 20_000;
/**
 * The demuxers that may read what strangers send. Playlists (hls, concat, dash) are not among them: they name other
 * files and addresses.
 */
const DEMUXERS =
  'wav,w64,rf64,mp3,aac,mov,matroska,webm,ogg,flac,avi,flv,asf,nistsphere,au,aiff,caf,amr,ac3,eac3,dts,mpegts,mpeg,s16le';
/** First bytes come through at once; `nobuffer` would lose a second of sound. */
const PROMPT = ['-probesize', '32768', '-analyzeduration', '0'];

/** One recording being decoded by ffmpeg, as its bytes come where its format allows. Iterate it once. */
export class Decoding implements AsyncIterable<PcmBlock> {
  readonly #bytes: AsyncIterable<Uint8Array>;
  readonly #suffix: string;
  readonly #options: DecodeOptions;
  #messages = '';
  #samples = 0;
  readonly warnings: string[] = [];

  constructor(bytes: AsyncIterable<Uint8Array>, suffix: string, options: DecodeOptions) {
    this.#bytes = bytes;
    this.#suffix = suffix;
    this.#options = options;
  }

  /** What the media holds; known once the first block has come. */
  get source(): SourceFormat | null {
    return sourceFormat(this.#messages);
  }

  /** @throws ServiceError INVALID_MEDIA when nothing could be decoded; the signal's reason when aborted. */
  async *[Symbol.asyncIterator](): AsyncGenerator<PcmBlock> {
    const bytes = this.#bytes[Symbol.asyncIterator]();
    let file: FileHandle | undefined;
    let child: ChildProcess | undefined;
    try {
      const { head, ended, access } = await readHead(bytes, this.#suffix);
      if (head.length === 0) throw new ServiceError('INVALID_MEDIA', 'The media is empty');
      const rest = remaining(head, bytes, ended);
      if (access === 'file') {
        file = await openScratchFile();
        for await (const chunk of rest) await file.write(chunk);
      }
      this.#options.signal?.throwIfAborted();
      child = startDecoder(this.#suffix, file);
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        if (this.#messages.length < MESSAGES_KEPT) this.#messages += text;
      });
      yield* this.#blocks(child, access === 'file' ? null : rest);
    } finally {
      if (child && child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
        child.kill('SIGKILL');
        await once(child, 'close');
      }
      await file?.close();
      // Not awaited: a sender that is silent would hold up the end.
      bytes.return?.(undefined).catch(() => undefined);
    }
  }

  async *#blocks(child: ChildProcess, input: AsyncIterable<Uint8Array> | null): AsyncGenerator<PcmBlock> {
    const { signal, stallMs = STALL_MS } = this.#options;
    const closed = closing(child);
    let watch: NodeJS.Timeout | undefined;
    let stalled = false;
    const kill = () => child.kill('SIGKILL');
    const stall = () => {
      stalled = true;
      kill();
    };
    signal?.addEventListener('abort', kill, { once: true });
    let fed = input === null;
    const feeding = feed(input, child.stdin!).finally(() => {
      fed = true;
      watch = setTimeout(stall, stallMs);
    });
    // A sender that fails ends the decoder; the failure is thrown where the feeding is awaited.
    feeding.catch(kill);
    try {
      for await (const block of pcmBlocks(child.stdout!)) {
        clearTimeout(watch);
        this.#samples += block.samples.length / block.channels;
        if (this.#samples > LONGEST_RECORDING_S * SAMPLE_RATE_HZ)
          throw new ServiceError('INVALID_MEDIA', `The media is longer than ${LONGEST_RECORDING_S / 3600} hours`);
        yield block;
        clearTimeout(watch);
        if (fed) watch = setTimeout(stall, stallMs);
      }
      await closed;
      signal?.throwIfAborted();
      await feeding;
      if (stalled) throw new ServiceError('INVALID_MEDIA', 'The media could not be decoded in time');
      const damaged = damageCount(this.#messages) > 0;
      if (this.#samples === 0 && (damaged || this.source === null)) throw undecodable(this.#messages);
      if (damaged) this.warnings.push('The media is damaged or cut off in places; what could be decoded was analysed.');
    } finally {
      clearTimeout(watch);
      signal?.removeEventListener('abort', kill);
    }
  }
}

/**
 * Decodes media to 16 kHz PCM as it arrives; only what cannot be read forwards waits for its last byte in a file.
 * @param suffix the extension with its dot. It matters for `.pcm` only (s16le, 16 kHz, mono): all else tells by its bytes.
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

function startDecoder(suffix: string, file: FileHandle | undefined): ChildProcess {
  const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...(file ? [file.fd] : [])];
  return spawn('ffmpeg', decoderArguments(suffix, file !== undefined), { stdio });
}

/** ffmpeg's arguments: media in as a stream, or as a file on descriptor 3; WAV out. */
export function decoderArguments(suffix: string, isFile: boolean): string[] {
  const raw = suffix === '.pcm' ? ['-f', 's16le', '-ar', String(SAMPLE_RATE_HZ), '-ac', '1'] : PROMPT;
  const input = isFile ? ['-i', '/dev/fd/3'] : [...raw, '-i', 'pipe:0'];
  return [
    ...['-hide_banner', '-nostats', '-nostdin', '-loglevel', 'level+info'],
    ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', DEMUXERS, ...input],
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-threads', '1'],
    ...['-af', 'aformat=channel_layouts=mono|stereo', '-ar', String(SAMPLE_RATE_HZ), '-c:a', 'pcm_s16le'],
    ...['-bitexact', '-f', 'wav', '-flush_packets', '1', 'pipe:1'],
  ];
}

/** Resolves when the decoder is gone and its output read. @throws ServiceError when it could not be started. */
function closing(child: ChildProcess): Promise<void> {
  const closed = new Promise<void>((resolve, reject) => {
    child.once('close', () => resolve());
    child.once('error', (cause) =>
      reject(new ServiceError('ANALYSIS_FAILURE', 'The media decoder is not available', { cause })),
    );
  });
  closed.catch(() => undefined);
  return closed;
}

/** Writes all bytes with back-pressure. A decoder that has had enough closes its end: that is no error. */
async function feed(input: AsyncIterable<Uint8Array> | null, stdin: Writable): Promise<void> {
  stdin.on('error', () => undefined);
  if (input) {
    for await (const chunk of input)
      if (stdin.writable) await new Promise<void>((resolve) => stdin.write(chunk, () => resolve()));
  }
  stdin.end();
}

/** The samples of a WAV stream; none when no header comes. */
export async function* pcmBlocks(stdout: Readable): AsyncGenerator<PcmBlock> {
  let rest: Buffer = Buffer.alloc(0);
  let channels: 1 | 2 | null = null;
  for await (const chunk of stdout as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    if (channels === null) {
      const header = readWavHeader(rest);
      if (header === null) continue;
      channels = header.channels;
      rest = rest.subarray(header.dataAt);
    }
    const whole = rest.length - (rest.length % (2 * channels));
    if (whole === 0) continue;
    yield { channels, samples: new Int16Array(rest.buffer.slice(rest.byteOffset, rest.byteOffset + whole)) };
    rest = rest.subarray(whole);
  }
}
