import { ServiceError } from '../../contract/errors.ts';
import { type DocumentSlot, type PipelineLine, PipelineLineSchema, type ResultLine } from '../../contract/pipeline.ts';
import { within } from '../http/deadline.ts';
import { firstFault } from '../http/validation.ts';

/** A line is one event or the material for a language model; what is longer is no line of the pipeline's. */
const LONGEST_LINE = 4 * 1024 * 1024;
const NEW_LINE = 10;

export type Document = ResultLine['documents'][number];
/** Better words for parts of the documents. */
export type RefinedSlots = Partial<Record<DocumentSlot, string>>;

/**
 * Reads what a pipeline tells: lines, and after the line of a result the bytes of its documents, which pass through
 * without being held. The one reader of all modes.
 */
export class PipelineReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #silenceMs: number;
  /** Read and not taken yet. */
  #rest: Uint8Array = new Uint8Array(0);

  /** @param silenceMs a pipeline that says nothing for so long is taken for dead */
  constructor(body: ReadableStream<Uint8Array>, silenceMs: number) {
    this.#reader = body.getReader();
    this.#silenceMs = silenceMs;
  }

  /**
   * The lines, each as soon as it is whole. Ends after `result`, whose documents are then to be taken.
   * @throws ServiceError the code of an `error` line; ANALYSIS_FAILURE for what is not of the contract. Error when the
   * connection breaks or falls silent.
   */
  async *lines(): AsyncGenerator<PipelineLine> {
    const decoder = new TextDecoder();
    for (;;) {
      const bytes = await this.#line();
      if (!bytes) throw new Error('the pipeline stopped before the end');
      const line = understood(decoder.decode(bytes));
      if (line.type === 'error') throw new ServiceError(line.code, line.message);
      yield line;
      if (line.type === 'result') return;
    }
  }

  /** Bytes of a document as it will be written. */
  length({ parts }: Document, refined: RefinedSlots = {}): number {
    return parts.reduce((sum, { bytes, slot }) => sum + (encoded(slot, refined)?.length ?? bytes), 0);
  }

  /** Takes the next document of a result. @throws Error when the connection breaks before its end */
  async write(
    document: Document,
    to: WritableStreamDefaultWriter<Uint8Array>,
    refined: RefinedSlots = {},
  ): Promise<void> {
    for (const { bytes, slot } of document.parts) {
      const better = encoded(slot, refined);
      if (better) await to.write(better);
      await this.#pass(bytes, (piece) => (better ? undefined : to.write(piece)));
    }
    await to.close();
  }

  /** Leaving early closes the connection, which stops the work of a file. */
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
      if (searched > LONGEST_LINE) throw new Error('the pipeline told an endless line');
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
        if (!more) throw new Error('the pipeline stopped within a document');
        this.#rest = more;
      }
      const piece = this.#rest.subarray(0, left);
      this.#rest = this.#rest.subarray(piece.length);
      left -= piece.length;
      await take(piece);
    }
  }

  async #more(): Promise<Uint8Array | undefined> {
    const read = await within(this.#reader.read(), this.#silenceMs);
    if (read === 'late') throw new Error(`the pipeline said nothing for ${this.#silenceMs} ms`);
    return read.done ? undefined : read.value;
  }
}

const encoded = (slot: DocumentSlot | undefined, refined: RefinedSlots): Uint8Array | undefined => {
  const text = slot && refined[slot];
  return text === undefined ? undefined : new TextEncoder().encode(text);
};

/** A pipeline of another version may break the contract; the log then names the first field that does. */
function understood(text: string): PipelineLine {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw broken('not JSON');
  }
  const line = PipelineLineSchema.safeParse(json);
  if (!line.success) throw broken(firstFault(line.error.issues));
  // The header's version vouches for what an event holds.
  return line.data as PipelineLine;
}

const broken = (fault: string): ServiceError =>
  new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the pipeline broke its contract', { cause: new Error(fault) });
