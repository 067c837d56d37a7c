import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { MediaExtension } from '../../../src/contract/media.ts';
import type { PipelineLine, SessionPosition } from '../../../src/contract/pipeline.ts';
import type { LiveStages } from './stages.ts';
import { StreamDecoder } from './stream-decoder.ts';
import { LiveTranscriber } from './transcriber.ts';

export interface LiveSessionOptions {
  conversationId: string;
  suffix: MediaExtension;
  /** Their number, when the client knows it. */
  speakers: number | undefined;
}

/** Hears every line from the first on, then as they come. */
export interface LineListener {
  line(line: PipelineLine): void;
  /** No further line will come. */
  end(): void;
}

/**
 * One live session in the pipeline: its bytes are decoded and understood as they come, and kept in a file, over which the
 * whole-file pipeline concludes once the session is finalized. It holds nothing that cannot be made again from the chunks.
 */
export class PipelineSession {
  readonly #options: LiveSessionOptions;
  readonly #stages: LiveStages;
  readonly #folder: string;
  readonly #file: WriteStream;
  readonly #decoder: StreamDecoder;
  readonly #listening: Promise<void>;
  readonly #stopped = new AbortController();
  readonly #listeners = new Set<LineListener>();
  /** All lines but interim ones. */
  readonly #lines: PipelineLine[] = [];
  #taking: Promise<void> = Promise.resolve();
  #nextChunkSeq = 0;
  #isFinalized = false;
  #isOver = false;

  private constructor(options: LiveSessionOptions, stages: LiveStages, folder: string, onLost: () => void) {
    this.#options = options;
    this.#stages = stages;
    this.#folder = folder;
    this.#file = createWriteStream(this.#path);
    this.#file.on('error', (cause) => this.#fail(cause));
    this.#decoder = new StreamDecoder(options.suffix);
    this.#listening = this.#listen();
    this.#listening.catch((cause: unknown) => {
      if (this.#stopped.signal.aborted) return;
      console.error('live transcription stopped:', cause);
      onLost();
    });
  }

  /** @param onLost transcription broke off: nothing more will come of this session, and it should be opened anew. */
  static async open(options: LiveSessionOptions, stages: LiveStages, onLost: () => void): Promise<PipelineSession> {
    return new PipelineSession(options, stages, await mkdtemp(join(tmpdir(), 'undertone-live-')), onLost);
  }

  get position(): SessionPosition {
    return { next_chunk_seq: this.#nextChunkSeq };
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Takes a chunk that is next, and nothing else. @returns false when one is missing before it */
  async take(seq: number, bytes: Uint8Array): Promise<boolean> {
    if (seq > this.#nextChunkSeq) return false;
    if (seq < this.#nextChunkSeq || this.#isFinalized) return true;
    this.#nextChunkSeq++;
    const taken = this.#taking.then(async () => {
      await new Promise((resolve) => this.#file.write(bytes, resolve));
      await this.#decoder.write(bytes);
    });
    this.#taking = taken;
    await taken;
    return true;
  }

  /** No more chunks will come. Idempotent; the conclusion comes as lines. */
  finalize(): void {
    if (this.#isFinalized) return;
    this.#isFinalized = true;
    this.#conclude().catch((cause: unknown) => this.#fail(cause));
  }

  /** @returns stops listening */
  listen(listener: LineListener): () => void {
    for (const line of this.#lines) listener.line(line);
    if (this.#isOver) listener.end();
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Stops all work and leaves no file. */
  async close(): Promise<void> {
    this.#stopped.abort();
    this.#over();
    await this.#decoder.kill();
    await this.#listening.catch(() => undefined);
    this.#file.destroy();
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #path(): string {
    return join(this.#folder, `session${this.#options.suffix}`);
  }

  async #listen(): Promise<void> {
    const transcriber = new LiveTranscriber(this.#stages, this.#options, (line) => this.#say(line));
    try {
      for await (const block of this.#decoder.blocks()) {
        if (this.#stopped.signal.aborted) return;
        await transcriber.push(block);
      }
      if (!this.#stopped.signal.aborted) await transcriber.end();
    } finally {
      transcriber.close();
    }
  }

  async #conclude(): Promise<void> {
    await this.#taking;
    this.#decoder.end();
    await new Promise<void>((resolve) => this.#file.end(resolve));
    const isHeard = await this.#listening.then(
      () => true,
      () => false,
    );
    if (!isHeard || this.#stopped.signal.aborted) return;
    this.#say({ type: 'conclude' });
    const { signal } = this.#stopped;
    for await (const line of this.#stages.analyse({ ...this.#options, path: this.#path }, signal)) this.#say(line);
    this.#over();
  }

  #fail(cause: unknown): void {
    if (this.#stopped.signal.aborted || this.#isOver) return;
    const known = cause instanceof ServiceError ? cause : new ServiceError('LIVE_ASR_FAILURE', undefined, { cause });
    if (known !== cause) console.error('a live session failed', cause);
    this.#say({ type: 'error', code: known.code, message: known.detail });
    this.#over();
  }

  #say(line: PipelineLine): void {
    if (this.#isOver) return;
    if (line.type !== 'partial' && line.type !== 'progress') this.#lines.push(line);
    for (const listener of this.#listeners) listener.line(line);
  }

  #over(): void {
    this.#isOver = true;
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }
}
