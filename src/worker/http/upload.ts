import { decodeField, type MultipartError, make, type PartInfo } from 'multipasta';
import { ServiceError } from '../../contract/errors.ts';
import { readDisposition } from './disposition.ts';
import type { Sink } from './object-sink.ts';

/** A multipart body is the file and its framing: boundaries, part headers and the small text fields. */
const FRAMING_BYTES = 256 * 1024;
const MAX_FIELD_BYTES = 64 * 1024;
const MAX_PARTS = 20;
/** One read waits for this many bytes, in a buffer twice as large: ten times fewer turns than the default reader. */
const READ_AT_LEAST_BYTES = 128 * 1024;
const READ_BUFFER_BYTES = 256 * 1024;
/** How long a refused body is still read, so that the client, still sending, receives the answer. */
const DRAIN_MS = 60_000;

export interface UploadOptions {
  /** The part that carries the file. */
  fileField: string;
  maxFileBytes: number;
  /** What a part of too many bytes is called. */
  tooLarge: () => ServiceError;
  /** Opens where the file goes. @throws ServiceError when its name is not welcome */
  open: (filename: string) => Sink;
}

export interface Upload {
  /** Text fields by name, wherever they stood. */
  fields: Record<string, string>;
  filename: string;
  /** Bytes of the file. */
  size: number;
}

/**
 * Streams one file of a multipart/form-data request into a sink as it arrives; memory is bounded whatever the size.
 * On any failure the sink is aborted and the rest of the body is read first, since an answer to a half-read body is
 * lost to a connection reset; a body known to be too large from its Content-Length is not touched at all.
 * @throws ServiceError INVALID_REQUEST, `tooLarge`, or whatever `open` throws
 */
export async function receiveUpload(request: Request, options: UploadOptions): Promise<Upload> {
  const contentType = request.headers.get('Content-Type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw malformed('the body must be multipart/form-data');
  if (!request.body) throw malformed('the request has no body');
  if (Number(request.headers.get('Content-Length') ?? 0) > options.maxFileBytes + FRAMING_BYTES)
    throw options.tooLarge();

  const reader = request.body.getReader({ mode: 'byob' });
  const form = new FormReader(contentType, options);
  try {
    for await (const bytes of chunksOf(reader)) await form.take(bytes);
    return await form.finish();
  } catch (error) {
    await form.abort();
    await drain(reader);
    throw error;
  } finally {
    reader.releaseLock();
  }
}

/** Turns the push parser's callbacks into steps that can be awaited. */
class FormReader {
  readonly #parser;
  readonly #options: UploadOptions;
  readonly #fields: Record<string, string> = {};
  #fault: ServiceError | undefined;
  #filename: string | undefined;
  #sink: Sink | undefined;
  #received: Uint8Array[] = [];
  #size = 0;
  #fileEnded = false;
  #formEnded = false;

  constructor(contentType: string, options: UploadOptions) {
    this.#options = options;
    this.#parser = make({
      headers: { 'content-type': contentType },
      maxParts: MAX_PARTS,
      maxFieldSize: MAX_FIELD_BYTES,
      isFile: (part) => {
        const { name, filename } = dispositionOf(part);
        return filename !== undefined || name === options.fileField;
      },
      onField: (part, value) => {
        this.#fields[dispositionOf(part).name] = decodeField(part, value);
      },
      onFile: (part) => this.#onFile(part),
      onError: (error) => {
        this.#fault ??= malformed(describe(error));
      },
      onDone: () => {
        this.#formEnded = true;
      },
    });
  }

  async take(bytes: Uint8Array): Promise<void> {
    this.#parse(() => this.#parser.write(bytes));
    if (this.#fault) throw this.#fault;
    if (this.#filename !== undefined) this.#sink ??= this.#options.open(this.#filename);
    const received = this.#received;
    this.#received = [];
    for (const chunk of received) await this.#sink?.write(chunk);
  }

  async finish(): Promise<Upload> {
    this.#parse(() => this.#parser.end());
    if (this.#fault) throw this.#fault;
    if (!this.#formEnded) throw malformed('the multipart body ended early');
    if (!this.#sink || !this.#fileEnded || this.#filename === undefined)
      throw malformed(`the field "${this.#options.fileField}" is missing`);
    await this.#sink.close();
    return { fields: this.#fields, filename: this.#filename, size: this.#size };
  }

  async abort(): Promise<void> {
    await this.#sink?.abort();
  }

  #onFile(part: PartInfo): (chunk: Uint8Array | null) => void {
    const { name, filename } = dispositionOf(part);
    if (name !== this.#options.fileField) {
      this.#fault ??= malformed(
        `unexpected file "${name}"; the file belongs in the field "${this.#options.fileField}"`,
      );
      return () => undefined;
    }
    if (this.#filename !== undefined) {
      this.#fault ??= malformed(`only one file may be sent in the field "${name}"`);
      return () => undefined;
    }
    this.#filename = filename ?? '';
    return (chunk) => {
      if (chunk === null) this.#fileEnded = true;
      else this.#onBytes(chunk);
    };
  }

  #onBytes(chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > this.#options.maxFileBytes) this.#fault ??= this.#options.tooLarge();
    else this.#received.push(chunk);
  }

  /** The parser throws a URIError for a `filename*` it cannot decode. */
  #parse(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#fault ??= malformed('a part has headers that cannot be read', error);
    }
  }
}

async function* chunksOf(reader: ReadableStreamBYOBReader): AsyncGenerator<Uint8Array> {
  for (;;) {
    const { value, done } = await reader
      .readAtLeast(READ_AT_LEAST_BYTES, new Uint8Array(READ_BUFFER_BYTES))
      .catch((cause: unknown) => {
        throw malformed('the connection ended before the body did', cause);
      });
    if (value && value.length > 0) yield value;
    else if (done) return;
  }
}

async function drain(reader: ReadableStreamBYOBReader): Promise<void> {
  const until = Date.now() + DRAIN_MS;
  try {
    for await (const _ of chunksOf(reader)) if (Date.now() > until) return;
  } catch {
    // The client is gone: nobody is left to answer.
  }
}

const dispositionOf = (part: PartInfo) => readDisposition(String(part.headers['content-disposition'] ?? ''));

const malformed = (detail: string, cause?: unknown): ServiceError =>
  new ServiceError('INVALID_REQUEST', `Malformed multipart body: ${detail}`, { cause });

function describe(error: MultipartError): string {
  switch (error._tag) {
    case 'InvalidBoundary':
      return 'the Content-Type has no usable boundary';
    case 'BadHeaders':
      return 'a part has headers that cannot be read';
    case 'InvalidDisposition':
      return 'a part has no Content-Disposition of form-data';
    case 'ReachedLimit':
      return error.limit === 'MaxParts' ? `more than ${MAX_PARTS} parts` : `a field is over ${MAX_FIELD_BYTES} bytes`;
    case 'EndNotReached':
      return 'the multipart body ended early';
  }
}
