import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** One answer as received. */
export interface RawAnswer {
  status: number;
  /** Names in lower case; repeated headers are joined by commas. */
  headers: Map<string, string>;
  /** Decompressed, if it was compressed. */
  body: Buffer;
  /** False when the connection was left or broke before its end. */
  complete: boolean;
}

interface Reading {
  answer: RawAnswer;
  parts: Buffer[];
  /** Number of remaining bytes of the body or its current chunk. Undefined: until the connection ends. */
  left: number | undefined;
  isChunked: boolean;
}

const NO_BODY = new Set([204, 304]);

const UNPACK: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

function unpacked(body: Buffer, { headers }: RawAnswer): Buffer {
  const unpack = UNPACK[headers.get('content-encoding') ?? ''];
  try {
    return unpack && body.length > 0 ? unpack(body) : body;
  } catch {
    // It was cut off.
    return body;
  }
}

/** Reads the answers of one connection, as strictly as a proxy should. */
export class AnswerReader {
  readonly answers: RawAnswer[] = [];
  /** Bytes that are not an HTTP answer. */
  garbage = '';
  readonly #isHead: boolean;
  #rest: Buffer = Buffer.alloc(0);
  #reading: Reading | undefined;

  constructor(firstMethod: string) {
    this.#isHead = firstMethod === 'HEAD';
  }

  push(bytes: Buffer): void {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    while (this.garbage === '' && (this.#reading ? this.#readBody(this.#reading) : this.#readHead()));
  }

  /** No more bytes will arrive. */
  end(): void {
    const reading = this.#reading;
    if (!reading) {
      if (this.#rest.length > 0) this.garbage ||= this.#rest.toString('latin1').slice(0, 200);
      return;
    }
    this.#finish(reading, reading.left === undefined && !reading.isChunked);
  }

  /** Whether an answer has begun but not ended. */
  get isWithinAnswer(): boolean {
    return this.#reading !== undefined;
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) {
      const start = this.#rest.toString('latin1', 0, 7);
      if (!'HTTP/1.'.startsWith(start)) this.garbage = this.#rest.toString('latin1').slice(0, 200);
      return false;
    }
    const [first = '', ...lines] = this.#rest.toString('latin1', 0, end).split('\r\n');
    const status = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1];
    if (status === undefined) {
      this.garbage = first.slice(0, 200) || '(an empty line)';
      return false;
    }
    this.#rest = this.#rest.subarray(end + 4);
    if (status === '100') return true;
    const headers = new Map<string, string>();
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^:]*):[ \t]*(.*?)[ \t]*$/.exec(line) ?? [];
      const key = name.toLowerCase();
      headers.set(key, headers.has(key) ? `${headers.get(key)}, ${value}` : value);
    }
    const answer = { status: Number(status), headers, body: Buffer.alloc(0), complete: false };
    const isChunked = /chunked/i.test(headers.get('transfer-encoding') ?? '');
    const length = headers.get('content-length');
    const isEmpty = NO_BODY.has(answer.status) || (this.#isHead && this.answers.length === 0);
    const left = isEmpty ? 0 : isChunked || length === undefined ? undefined : Number(length);
    this.#reading = { answer, parts: [], left, isChunked: isChunked && !isEmpty };
    return true;
  }

  /** False when more bytes are needed. */
  #readBody(reading: Reading): boolean {
    if (reading.isChunked && reading.left === undefined) {
      const from = reading.parts.length > 0 ? 2 : 0;
      const end = this.#rest.indexOf('\r\n', from);
      if (end < 0) return false;
      const size = Number.parseInt(this.#rest.toString('latin1', from, end), 16);
      // The last chunk has no bytes. No trailers are expected after it.
      const next = end + (size === 0 ? 4 : 2);
      if (this.#rest.length < next) return false;
      this.#rest = this.#rest.subarray(next);
      if (size === 0) {
        this.#finish(reading, true);
        return true;
      }
      reading.left = size;
    }
    const taken = this.#rest.subarray(0, reading.left ?? this.#rest.length);
    this.#rest = this.#rest.subarray(taken.length);
    reading.parts.push(taken);
    if (reading.left === undefined) return false;
    reading.left -= taken.length;
    if (reading.left > 0) return false;
    if (reading.isChunked) {
      reading.left = undefined;
      return true;
    }
    this.#finish(reading, true);
    return true;
  }

  #finish({ answer, parts }: Reading, complete: boolean): void {
    this.answers.push({ ...answer, body: unpacked(Buffer.concat(parts), answer), complete });
    this.#reading = undefined;
  }
}
