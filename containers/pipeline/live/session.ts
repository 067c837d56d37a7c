import type { FileHandle } from 'node:fs/promises';
import { ServiceError } from '../../../src/contract/errors.ts';
import type {
  PipelineLine,
  PipelineOptions,
  SessionPosition,
  TranscriptionLine,
} from '../../../src/contract/pipeline.ts';
import type { Documents } from '../analysis-documents.ts';
import { AnalysisOutput } from '../analysis-output.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { DecoderProcess } from '../media/decoder-process.ts';
import { openScratchFile } from '../scratch-file.ts';
import type { StageLine } from '../stage-lines.ts';
import { TranscriptionCache } from '../stages/transcription-cache.ts';
import type { LiveStages } from './stages.ts';
import { LiveTranscriber } from './transcriber.ts';

/** Receives all stored lines from the first one, and then each new line. */
export interface LineListener {
  line(line: PipelineLine): void;
  /** Called after the last line. If there is a result, its documents follow. */
  end(documents: Documents | undefined): void;
}

/**
 * One live session in the pipeline. Its bytes are decoded and transcribed as they arrive, and stored in a file. Once
 * the session is finalized, the whole-file pipeline analyses that file. All of its state can be recreated from the
 * chunks.
 */
export class PipelineSession {
  readonly #options: PipelineOptions;
  readonly #output: AnalysisOutput;
  readonly #stages: LiveStages;
  /** All bytes received so far. The file is unlinked, so it disappears when this process ends. */
  readonly #file: FileHandle;
  /**
   * Some media cannot be decoded as it arrives, such as an mp4 whose index comes last, and yields no samples. This is
   * not an error while the session runs, because everything is decoded again at the end.
   */
  readonly #decoder: DecoderProcess;
  readonly #listening: Promise<void>;
  readonly #stopped = new AbortController();
  readonly #transcriptions: TranscriptionCache;
  /** Aborted when the final analysis begins, which transcribes everything that has not been prepared by then. */
  readonly #finalized = new AbortController();
  readonly #listeners = new Set<LineListener>();
  /** Every new listener receives these lines. */
  readonly #lines: PipelineLine[] = [];
  #taking: Promise<void> = Promise.resolve();
  #concluding: Promise<void> = Promise.resolve();
  #nextChunkSeq = 0;
  /** Settled when the next chunk arrives, or when no more are accepted. */
  #nextChunk = Promise.withResolvers<void>();
  /** Length of the audio decoded as it arrived, s. */
  #seconds = 0;
  #transcriber: LiveTranscriber | null = null;
  #isFinalized = false;
  #isEnded = false;

  private constructor(options: PipelineOptions, stages: LiveStages, file: FileHandle, onLost: () => void) {
    this.#options = options;
    this.#output = new AnalysisOutput({ ...options, live: true });
    this.#stages = stages;
    this.#file = file;
    const isRedacted = (options.redact ?? []).length > 0;
    this.#transcriptions = new TranscriptionCache(isRedacted ? undefined : (line) => this.#send(line));
    this.#decoder = new DecoderProcess(options.suffix);
    this.#listening = this.#listen();
    this.#listening.catch((cause: unknown) => {
      if (this.#stopped.signal.aborted) return;
      // Feeding the session again would lead to the same error.
      if (cause instanceof ServiceError && cause.code === 'INVALID_MEDIA') return this.#fail(cause);
      console.error(`live transcription of ${options.conversation_id} stopped:`, cause);
      onLost();
    });
  }

  /**
   * @param onLost called when transcription has failed; this session then produces nothing more and should be
   * reopened.
   */
  static async open(options: PipelineOptions, stages: LiveStages, onLost: () => void): Promise<PipelineSession> {
    return new PipelineSession(options, stages, await openScratchFile(), onLost);
  }

  get position(): SessionPosition {
    return { next_chunk_seq: this.#nextChunkSeq };
  }

  get isFinalized(): boolean {
    return this.#isFinalized;
  }

  /** How far transcription is behind the decoded audio, s. */
  get lagSeconds(): number {
    return this.#isFinalized ? 0 : Math.max(0, this.#seconds - (this.#transcriber?.transcribedSeconds ?? 0));
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0;
  }

  /** Takes what another process transcribed of this session. Call it before the first chunk. */
  recall(transcriptions: readonly TranscriptionLine[]): void {
    this.#transcriptions.recall(transcriptions);
  }

  /**
   * Accepts a chunk when it is the next one. An early chunk waits for those before it.
   * @param abandoned aborted when the caller no longer waits
   * @returns false when the chunk was not accepted
   */
  async take(seq: number, bytes: Uint8Array, abandoned: AbortSignal): Promise<boolean> {
    if (seq > this.#nextChunkSeq) await this.#chunksBefore(seq, abandoned);
    if (seq > this.#nextChunkSeq) return false;
    if (seq < this.#nextChunkSeq || this.#isFinalized) return true;
    this.#nextChunkSeq++;
    this.#nextChunk.resolve();
    this.#nextChunk = Promise.withResolvers();
    const taken = this.#taking.then(async () => {
      await this.#file.appendFile(bytes);
      await this.#decoder.write(bytes);
    });
    this.#taking = taken;
    try {
      await taken;
    } catch (cause) {
      this.#fail(cause);
    }
    return true;
  }

  /** Waits for the earlier chunks, for as long as the caller waits and the session is open. */
  async #chunksBefore(seq: number, abandoned: AbortSignal): Promise<void> {
    const left = new Promise((resolve) => abandoned.addEventListener('abort', resolve, { once: true }));
    while (seq > this.#nextChunkSeq && !abandoned.aborted && !this.#stopped.signal.aborted)
      await Promise.race([this.#nextChunk.promise, left]);
  }

  /** Ends the input. Idempotent. The final analysis is sent as lines. */
  finalize(): void {
    if (this.#isFinalized) return;
    this.#isFinalized = true;
    this.#concluding = this.#conclude().catch((cause: unknown) => this.#fail(cause));
  }

  /** @returns a function that stops listening */
  listen(listener: LineListener): () => void {
    for (const line of this.#lines) listener.line(line);
    if (this.#isEnded) listener.end(this.#output.documents);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Asks the listeners to move the session elsewhere. A finalized session needs no more input and stays here. */
  askToMove(): void {
    if (!this.#isFinalized) for (const listener of this.#listeners) listener.line({ type: 'moving' });
  }

  /** Stops all work and removes the file. */
  async close(): Promise<void> {
    this.#stopped.abort();
    this.#finalized.abort();
    this.#nextChunk.resolve();
    this.#end();
    await this.#decoder.kill();
    await this.#listening.catch(() => undefined);
    await this.#concluding;
    await this.#taking.catch(() => undefined);
    await this.#file.close();
  }

  async #listen(): Promise<void> {
    const known = this.#transcriptions;
    const recogniser = this.#stages.openRecogniser(this.#options, known, this.#finalized.signal);
    const stages: LiveStages = {
      ...this.#stages,
      openSpeakers: (speakers) => this.#stages.openSpeakers(speakers, known),
      measureVoice: (task) => known.voice(task, this.#stages.measureVoice),
    };
    const transcriber = new LiveTranscriber(stages, this.#options, recogniser, (line) => this.#process(line));
    this.#transcriber = transcriber;
    try {
      for await (const block of this.#decoder.blocks()) {
        if (this.#stopped.signal.aborted) return;
        this.#seconds += block.samples.length / block.channels / SAMPLE_RATE_HZ;
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
    const isTranscribed = await this.#listening.then(
      () => true,
      () => false,
    );
    if (!isTranscribed || this.#stopped.signal.aborted) return;
    this.#finalized.abort();
    this.#process({ type: 'conclude', ...(this.#seconds > 0 && { seconds: this.#seconds }) });
    const whole = { options: this.#options, file: this.#file, transcriptions: this.#transcriptions };
    for await (const line of this.#stages.analyse(whole, this.#stopped.signal)) this.#process(line);
    this.#end();
  }

  #fail(cause: unknown): void {
    if (this.#stopped.signal.aborted || this.#isEnded) return;
    const error = cause instanceof ServiceError ? cause : new ServiceError('LIVE_ASR_FAILURE', undefined, { cause });
    if (error !== cause) console.error(`the live session of ${this.#options.conversation_id} failed:`, cause);
    this.#send({ type: 'error', code: error.code, message: error.detail });
    this.#end();
  }

  #process(line: StageLine): void {
    for (const output of this.#output.take(line)) this.#send(output);
  }

  #send(line: PipelineLine): void {
    if (this.#isEnded) return;
    if (line.type !== 'event' || line.n !== undefined) this.#lines.push(line);
    for (const listener of this.#listeners) listener.line(line);
  }

  #end(): void {
    this.#isEnded = true;
    for (const listener of this.#listeners) listener.end(this.#output.documents);
    this.#listeners.clear();
  }
}
