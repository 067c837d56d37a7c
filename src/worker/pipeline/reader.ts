import { ServiceError } from '../../contract/errors.ts';
import {
  type DocumentSlot,
  MISSED_SIGNS,
  type PipelineLine,
  PipelineLineSchema,
  type ResultLine,
} from '../../contract/pipeline.ts';
import { within } from '../deadline.ts';
import { firstFault } from '../http/validation.ts';
import type { Sink } from '../storage/object-sink.ts';

/** Limit on the length of a line, bytes. The longest lines are events and the material for a language model. */
const LONGEST_LINE = 4 * 1024 * 1024;
const NEW_LINE = 10;

export type Document = ResultLine['documents'][number];
/** Texts that replace parts of the documents. */
export type RefinedSlots = Partial<Record<DocumentSlot, string>>;

/**
 * Reads a pipeline's response in every mode: the lines and, after the `result` line, the bytes of its documents, which
 * are streamed and never held in memory.
 */
export class PipelineReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #silenceMs: number;
  readonly #onQuiet: () => void;
  /** Time without a byte after which the pipeline is quiet, ms; null if it does not say how often it sends something. */
  #quietMs: number | null = null;
  /** Bytes that were read but not yet consumed. */
  #rest: Uint8Array = new Uint8Array(0);

  /**
   * @param silenceMs time without a byte after which the pipeline is considered dead
   * @param onQuiet called when the pipeline has missed several signs of life, once for each time that it goes quiet
   */
  constructor(body: ReadableStream<Uint8Array>, silenceMs: number, onQuiet: () => void = () => undefined) {
    this.#reader = body.getReader();
    this.#silenceMs = silenceMs;
    this.#onQuiet = onQuiet;
  }

  /**
   * The lines, each as soon as it is complete. They end after `result`, whose documents the caller then writes.
   * @throws ServiceError with the code of an `error` line; ANALYSIS_FAILURE for a line that breaks the contract; Error
   * when the connection is lost or silent
   */
  async *lines(): AsyncGenerator<PipelineLine> {
    const decoder = new TextDecoder();
    for (;;) {
      const bytes = await this.#line();
      if (!bytes) throw new Error('the pipeline stopped before it finished');
      const line = parsedLine(decoder.decode(bytes));
      if (line.type === 'error') throw new ServiceError(line.code, line.message);
      if (line.type === 'alive' && line.next_s !== undefined) this.#quietMs = MISSED_SIGNS * line.next_s * 1000;
      // The bytes of the documents have no signs of life between them.
      if (line.type === 'result') this.#quietMs = null;
      yield line;
      if (line.type === 'result') return;
    }
  }

  /** Writes the next document of a result. @throws Error when the connection is lost before its end */
  async write(document: Document, to: Sink, refined: RefinedSlots = {}): Promise<void> {
    for (const { bytes, slot } of document.parts) {
      const replacement = encoded(slot, refined);
      if (replacement) await to.write(replacement);
      await this.#pass(bytes, (piece) => (replacement ? undefined : to.write(piece)));
    }
    await to.close();
  }

  /** Closes the connection, which stops the analysis of a file. */
  async close(): Promise<void> {
    await this.#reader.cancel().catch(() => undefined);
  }

  async #line(): Promise<Uint8Array | undefined> {
    let searched = 0;
    for (;;) {
      const end = this.#rest.indexOf(NEW_LINE, searched);
      if (end >= 0) {
        const line = this.#rest.subarray(0, end);
        this.#rest = this.#rest.subarray(end + 1);
        return line;
      }
      searched = this.#rest.length;
      if (searched > LONGEST_LINE) throw new Error('the pipeline sent a line that is too long');
      const more = await this.#more();
      if (!more) return undefined;
      const both = new Uint8Array(this.#rest.length + more.length);
      both.set(this.#rest);
      both.set(more, this.#rest.length);
      this.#rest = both;
    }
  }

  async #pass(bytes: number, take: (piece: Uint8Array) => Promise<void> | undefined): Promise<void> {
    for (let left = bytes; left > 0; ) {
      if (this.#rest.length === 0) {
        const more = await this.#more();
        if (!more) throw new Error('the pipeline stopped in the middle of a document');
        this.#rest = more;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      await take(piece);
    }
  }

  async #more(): Promise<Uint8Array | undefined> {
    const reading = this.#reader.read();
    const quietMs = Math.min(this.#quietMs ?? this.#silenceMs, this.#silenceMs);
    let read = await within(reading, quietMs);
    if (read === 'late' && quietMs < this.#silenceMs) {
      this.#onQuiet();
      read = await within(reading, this.#silenceMs - quietMs);
    }
    if (read === 'late') throw new Error(`the pipeline sent nothing for ${this.#silenceMs} ms`);
    return read.done ? undefined : read.value;
  }
}

const encoded = (slot: DocumentSlot | undefined, refined: RefinedSlots): Uint8Array | undefined => {
  const text = slot && refined[slot];
  return text === undefined ? undefined : new TextEncoder().encode(text);
};

/** Parses a line. If it breaks the contract, the first bad field is logged. */
function parsedLine(text: string): PipelineLine {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw broken('not JSON');
  }
  const line = PipelineLineSchema.safeParse(json);
  if (!line.success) throw broken(firstFault(line.error.issues));
  // The data of an event is not checked, because the protocol version covers it.
  return line.data as PipelineLine;
}

const broken = (fault: string): ServiceError =>
  new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the pipeline returned an invalid response', {
    cause: new Error(fault),
  });
