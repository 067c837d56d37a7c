import { decodeField, type MultipartError, make, type PartInfo } from 'multipasta';
import { quoted, ServiceError } from '../../contract/errors.ts';
import { withoutBidi } from '../../contract/limits.ts';
import { unknownName } from '../../contract/unknown-names.ts';
import type { Sink } from '../storage/object-sink.ts';
import { readDisposition } from './disposition.ts';
import { type BodyTaker, receiveBody } from './request-body.ts';

/** Allowance for boundaries, part headers and the small text fields around the file, bytes. */
const FRAMING_BYTES = 256 * 1024;
/**
 * Size limit of a text field, bytes. The longest field is a list of words (`LIMITS.listedWords`) in the characters with
 * the longest encoding.
 */
const MAX_FIELD_BYTES = 256 * 1024;
const MAX_PARTS = 20;
const HYPHEN = 45;
/** Number of leading bytes of a file needed to open its sink. */
const HEAD_BYTES = 16;

export interface UploadRules {
  /** The part with the file. */
  fileField: string;
  /** Names of the text fields. */
  textFields: readonly string[];
  maxFileBytes: number;
  /** How long the body may be slower than the minimum rate. */
  stallSeconds: number;
  /** The error for a part that is too large. */
  tooLarge: () => ServiceError;
  /** Opens the sink of the file. @throws ServiceError when the file is not acceptable */
  open: (file: OpenedFile) => Sink;
}

/** The facts known about a file once its first bytes have arrived. */
export interface OpenedFile {
  filename: string;
  /** The `Content-Type` of its part; '' without one. */
  type: string;
  /** Its first `HEAD_BYTES` bytes, or all of them if the file is shorter. */
  head: Uint8Array;
}

export interface Upload {
  /** Text fields by name, wherever they are in the form. */
  fields: Record<string, string>;
  filename: string;
  /** Size of the file, bytes. */
  size: number;
}

/**
 * Streams one file of a multipart/form-data request into a sink as it arrives, with bounded memory. If anything fails,
 * the sink is aborted.
 * @throws ServiceError INVALID_REQUEST, UPLOAD_STALLED, `tooLarge`, or whatever `open` throws
 */
export async function receiveUpload(request: Request, options: UploadRules): Promise<Upload> {
  const contentType = request.headers.get('Content-Type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw malformed('the body must be multipart/form-data');
  if (!request.body) throw malformed('the request has no body');

  const form = new FormReader(contentType, options);
  const body = {
    stallSeconds: options.stallSeconds,
    maxBytes: options.maxFileBytes + FRAMING_BYTES,
    tooLarge: options.tooLarge,
    endedEarly: (cause: unknown) => malformed('the connection ended before the body did', cause),
  };
  await receiveBody(request, body, form);
  try {
    return await form.finish();
  } catch (error) {
    await form.abort();
    throw error;
  }
}

/**
 * Turns the push parser's callbacks into steps that can be awaited. An epilogue after the closing boundary is read and
 * ignored (RFC 2046, section 5.1.1).
 */
class FormReader implements BodyTaker {
  readonly #parser;
  readonly #options: UploadRules;
  readonly #fields: Record<string, string> = {};
  #fault: ServiceError | undefined;
  #file: { filename: string; type: string } | undefined;
  #sink: Sink | undefined;
  #received: Uint8Array[] = [];
  #size = 0;
  #fileEnded = false;
  #formEnded = false;
  #hyphens: Uint8Array = new Uint8Array(0);

  constructor(contentType: string, options: UploadRules) {
    this.#options = options;
    this.#parser = make({
      headers: { 'content-type': contentType },
      maxParts: MAX_PARTS,
      maxFieldSize: MAX_FIELD_BYTES,
      isFile: (part) => {
        const { name, filename } = dispositionOf(part);
        return filename !== undefined || name === options.fileField;
      },
      onField: (part, value) => this.#onField(part, value),
      onFile: (part) => this.#onFile(part),
      onError: (error) => {
        if (!this.#formEnded) this.#fault ??= malformed(describe(error));
      },
      onDone: () => {
        this.#formEnded = true;
      },
    });
  }

  async take(bytes: Uint8Array): Promise<void> {
    if (this.#formEnded) return;
    // The parser recognises the two hyphens of the closing boundary only when they arrive in the same piece.
    const held = this.#hyphens;
    const end = bytes.length - trailingHyphens(bytes);
    this.#hyphens = bytes.subarray(end);
    this.#parse(() => {
      if (held.length > 0) this.#parser.write(held);
      if (end > 0) this.#parser.write(bytes.subarray(0, end));
    });
    if (this.#fault) throw this.#fault;
    await this.#pass();
  }

  /** Passes the received bytes on to the sink, which is opened once the start of the file has arrived. */
  async #pass(): Promise<void> {
    if (!this.#file || (!this.#sink && this.#size < HEAD_BYTES && !this.#fileEnded)) return;
    this.#sink ??= this.#options.open({ ...this.#file, head: headOf(this.#received) });
    const received = this.#received;
    this.#received = [];
    for (const chunk of received) await this.#sink.write(chunk);
  }

  async finish(): Promise<Upload> {
    this.#parse(() => {
      if (this.#hyphens.length > 0) this.#parser.write(this.#hyphens);
      this.#parser.end();
    });
    if (this.#fault) throw this.#fault;
    if (!this.#formEnded) throw malformed('the multipart body ended early');
    await this.#pass();
    if (!this.#sink || !this.#fileEnded || !this.#file)
      throw malformed(`the field "${this.#options.fileField}" is missing`);
    await this.#sink.close();
    return { fields: this.#fields, filename: this.#file.filename, size: this.#size };
  }

  async abort(): Promise<void> {
    await this.#sink?.abort();
  }

  #onField(part: PartInfo, value: Uint8Array): void {
    if (this.#formEnded) return;
    const { name } = dispositionOf(part);
    const { textFields, fileField } = this.#options;
    const unknown = unknownName('field', [name], [...textFields, fileField]);
    if (unknown !== undefined) this.#fault ??= new ServiceError('INVALID_REQUEST', unknown);
    else this.#fields[name] = decodeField(part, value);
  }

  #onFile(part: PartInfo): (chunk: Uint8Array | null) => void {
    if (this.#formEnded) return () => undefined;
    const { name, filename } = dispositionOf(part);
    if (name !== this.#options.fileField) {
      this.#fault ??= malformed(
        `unexpected file "${quoted(name)}"; the file belongs in the field "${this.#options.fileField}"`,
      );
      return () => undefined;
    }
    if (this.#file) {
      this.#fault ??= malformed(`only one file may be sent in the field "${name}"`);
      return () => undefined;
    }
    this.#file = { filename: withoutBidi(filename ?? ''), type: String(part.headers['content-type'] ?? '') };
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

  /** The parser throws a URIError for a `filename*` that it cannot decode. */
  #parse(step: () => void): void {
    try {
      step();
    } catch (error) {
      if (!this.#formEnded) this.#fault ??= malformed('a part has headers that cannot be read', error);
    }
  }
}

/** The first bytes of a file as one array. */
function headOf(received: readonly Uint8Array[]): Uint8Array {
  const head: number[] = [];
  for (const chunk of received) {
    head.push(...chunk.subarray(0, HEAD_BYTES - head.length));
    if (head.length === HEAD_BYTES) break;
  }
  return Uint8Array.from(head);
}

/** Number of hyphens at the end of the last two bytes. */
const trailingHyphens = (bytes: Uint8Array): number => (bytes.at(-1) !== HYPHEN ? 0 : bytes.at(-2) !== HYPHEN ? 1 : 2);

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
      return 'a part has no Content-Disposition: form-data header';
    case 'ReachedLimit':
      return error.limit === 'MaxParts' ? `more than ${MAX_PARTS} parts` : `a field exceeds ${MAX_FIELD_BYTES} bytes`;
    case 'EndNotReached':
      return 'the multipart body ended early';
  }
}
