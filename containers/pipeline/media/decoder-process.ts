import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { FileHandle } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { ServiceError } from '../../../src/contract/errors.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { FFMPEG_LIMITS, formatRefusal, processorRefusal, processorSeconds, soundRefusal } from './decoder-limits.ts';
import { DecoderMessages } from './decoder-messages.ts';
import { readWavHeader } from './wav-header.ts';

/** Decoded audio: 16 kHz, 16 bits, one channel or two interleaved ones. */
export interface PcmBlock {
  channels: 1 | 2;
  samples: Int16Array;
}

/** Interval between checks of the decoder's CPU time, ms. */
const LOOK_EVERY_MS = 500;
/**
 * Demuxers that are allowed for untrusted media. Playlists (hls, concat, dash) are not among them, because they refer
 * to other files and addresses.
 */
const DEMUXERS =
  'wav,w64,rf64,mp3,aac,mov,matroska,webm,ogg,flac,avi,flv,asf,nistsphere,au,aiff,caf,amr,ac3,eac3,dts,mpegts,mpeg,s16le';
/** Makes ffmpeg process the first bytes immediately. `nobuffer` would lose a second of audio. */
const PROMPT = ['-probesize', '32768', '-analyzeduration', '0'];

/** ffmpeg's arguments. Its input is a stream, or a file on descriptor 3, and its output is WAV. */
function decoderArguments(suffix: string, isFile: boolean): string[] {
  const raw = suffix === '.pcm' ? ['-f', 's16le', '-ar', String(SAMPLE_RATE_HZ), '-ac', '1'] : PROMPT;
  const input = isFile ? ['-i', '/dev/fd/3'] : [...raw, '-i', 'pipe:0'];
  return [
    ...['-hide_banner', '-nostats', '-nostdin', '-loglevel', 'level+info', ...FFMPEG_LIMITS],
    ...['-protocol_whitelist', 'file,pipe', '-format_whitelist', DEMUXERS, ...input],
    ...['-map', '0:a:0', '-vn', '-sn', '-dn', '-map_metadata', '-1', '-threads', '1'],
    ...['-af', 'aformat=channel_layouts=mono|stereo', '-ar', String(SAMPLE_RATE_HZ), '-c:a', 'pcm_s16le'],
    ...['-bitexact', '-f', 'wav', '-flush_packets', '1', 'pipe:1'],
  ];
}

export interface DecoderOptions {
  /** Complete media that is read instead of the written bytes. */
  file?: { handle: FileHandle; bytes: number };
  /** CPU time that is allowed for media of any size, s. */
  processorFreeS?: number;
}

/**
 * An ffmpeg process that decodes one recording within the limits of decoder-limits.ts. A process that exceeds one is
 * stopped, and the error names the limit.
 */
export class DecoderProcess {
  readonly #child: ChildProcess;
  readonly #closed: Promise<void>;
  readonly #messages = new DecoderMessages();
  readonly #watch: NodeJS.Timeout;
  #bytes: number;
  #samples = 0;
  #isBroken = false;
  #refusal: ServiceError | undefined;

  /** @param suffix the extension with its dot; it matters only for `.pcm`. */
  constructor(suffix: string, { file, processorFreeS }: DecoderOptions = {}) {
    this.#bytes = file?.bytes ?? 0;
    const stdio: StdioOptions = ['pipe', 'pipe', 'pipe', ...(file ? [file.handle.fd] : [])];
    this.#child = spawn('ffmpeg', decoderArguments(suffix, file !== undefined), { stdio });
    this.#closed = closing(this.#child);
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => this.#takeMessages(text));
    // ffmpeg exits early when it has read enough. Bytes written after that are not needed.
    const broken = () => {
      this.#isBroken = true;
    };
    this.#child.stdin!.on('error', broken);
    this.#child.on('error', broken);
    this.#watch = setInterval(async () => {
      const { pid, exitCode, signalCode } = this.#child;
      if (pid === undefined || exitCode !== null || signalCode !== null) return;
      this.#refuse(processorRefusal(await processorSeconds(pid), this.#bytes, processorFreeS));
    }, LOOK_EVERY_MS);
    this.#closed.finally(() => clearInterval(this.#watch)).catch(() => undefined);
  }

  /** ffmpeg's messages about the media. */
  get messages(): DecoderMessages {
    return this.#messages;
  }

  /** Samples per channel decoded so far. */
  get samples(): number {
    return this.#samples;
  }

  /** Writes the next bytes of the media. Resolves when more can be written. */
  async write(bytes: Uint8Array): Promise<void> {
    const stdin = this.#child.stdin!;
    this.#bytes += bytes.length;
    if (this.#isBroken || stdin.destroyed || stdin.write(bytes)) return;
    const closed = new AbortController();
    try {
      await Promise.race([once(stdin, 'drain', closed), once(stdin, 'close', closed)]);
    } catch {
      this.#isBroken = true;
    } finally {
      closed.abort();
    }
  }

  /** Ends the input. */
  end(): void {
    this.#child.stdin!.end();
  }

  /**
   * The decoded blocks until the decoder ends. @throws ServiceError when a limit was exceeded, or when ffmpeg cannot be
   * run
   */
  async *blocks(): AsyncGenerator<PcmBlock> {
    for await (const block of pcmBlocks(this.#child.stdout!)) {
      this.#samples += block.samples.length / block.channels;
      this.#refuse(soundRefusal(this.#samples / SAMPLE_RATE_HZ, this.#bytes));
      if (this.#refusal) throw this.#refusal;
      yield block;
    }
    await this.#closed;
    if (this.#refusal) throw this.#refusal;
  }

  /** Stops it immediately. Resolves when the process has exited. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#closed.catch(() => undefined);
  }

  #takeMessages(text: string): void {
    const known = this.#messages.source;
    this.#messages.take(text);
    const { source } = this.#messages;
    if (!known && source) this.#refuse(formatRefusal(source));
  }

  #refuse(refusal: ServiceError | undefined): void {
    if (!refusal) return;
    this.#refusal ??= refusal;
    this.#child.kill('SIGKILL');
  }
}

/**
 * Resolves when the decoder has exited and its output has been read. @throws ServiceError when it could not be started
 */
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

/** The samples of a WAV stream. Yields nothing if no header arrives. */
async function* pcmBlocks(stdout: Readable): AsyncGenerator<PcmBlock> {
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
