import { type CallOptions, type Connection, jsonCall, path } from './connection.ts';
import { UndertoneError } from './error.ts';
import { analysisOptions, type MediaOptions, namedBlob, type ProgressOptions, type Recording } from './media.ts';
import { randomName } from './random-name.ts';
import type { JobStarted, NewUploadRequest, StoredPartRequest, Upload } from './wire.ts';

export interface UploadOptions extends MediaOptions, ProgressOptions {
  /** The id of an upload of the same recording that broke off: only what is missing is sent. */
  resume?: string | undefined;
  /** Told what was opened before anything is sent: its `id` is what `resume` takes, and that of the conversation. */
  onUpload?: ((upload: Upload) => void) | undefined;
  /** Parts on their way at a time; 3 unless told otherwise. */
  parallel?: number | undefined;
  /** Whether the parts go straight to the store, where the deployment offers it. */
  presigned?: boolean | undefined;
}

const PARALLEL = 3;
/** How long the service may take to answer for a part, ms, and how slow a line may be: 16 kB/s. */
const ANSWER_MS = 30_000;
const BYTES_PER_MS = 16;
/** What a store answers to an address whose signature is over, or one that it never knew. */
const SIGNATURE_OVER = [400, 401, 403];

/** Recordings that are sent in parts: large ones, and over lines that break. */
export class Uploads {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Announces a recording. */
  open(upload: NewUploadRequest, { signal }: CallOptions = {}): Promise<Upload> {
    const { headers, ...call } = jsonCall('POST', upload);
    const once = { ...headers, 'Idempotency-Key': randomName() };
    return this.#connection.json('uploads', { ...call, headers: once, repeatable: true, signal });
  }

  /** Which parts it has. */
  get(id: string, { signal }: CallOptions = {}): Promise<Upload> {
    return this.#connection.json(path`uploads/${id}`, { repeatable: true, signal });
  }

  /**
   * Sends all parts that are missing, several at a time, and those that failed again. What was sent stays for a day when it
   * breaks off, also by its signal.
   * @throws UndertoneError; TypeError when nothing names the recording, or `resume` names an upload of another size
   */
  async send(media: Recording, options: UploadOptions = {}): Promise<Upload> {
    const { signal, resume, onUpload, onProgress, parallel = PARALLEL, presigned } = options;
    const { blob, name } = namedBlob(media, options.filename);
    const announced = { filename: name, bytes: blob.size, ...analysisOptions(options), presigned };
    const upload = resume === undefined ? await this.open(announced, { signal }) : await this.get(resume, { signal });
    if (upload.bytes !== blob.size) throw new TypeError('The upload that is to go on is of another recording');
    onUpload?.(upload);

    const had = new Set(upload.parts.map((part) => part.number));
    const missing = Array.from({ length: upload.part_count }, (_, i) => i + 1).filter((number) => !had.has(number));
    let sent = upload.parts.reduce((sum, part) => sum + part.bytes, 0);
    const told = () => onProgress?.({ phase: 'uploading', progress: sent / upload.bytes });
    told();
    const parts = new Parts(this.#connection, upload);
    const failed = new AbortController();
    const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    const sendOnes = async () => {
      for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
        const bytes = blob.slice((number - 1) * upload.part_bytes, number * upload.part_bytes);
        await parts.send(number, bytes, either);
        sent += bytes.size;
        told();
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.max(1, parallel) }, sendOnes));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
    return this.get(upload.id, { signal });
  }

  /** Has it analysed, once all parts are there; may be asked for again. `undertone.wait` gives the result. */
  complete(id: string, { signal }: CallOptions = {}): Promise<JobStarted> {
    const call = { method: 'POST', headers: { Prefer: 'respond-async' }, repeatable: true, signal } as const;
    return this.#connection.json(path`uploads/${id}/complete`, call);
  }

  /** Gives it up: nothing of it stays. */
  abort(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`uploads/${id}`, { method: 'DELETE', repeatable: true, signal });
  }
}

/** The way of one upload's parts: through the service, or to the addresses that it signed. */
class Parts {
  readonly #connection: Connection;
  readonly #id: string;
  #urls: Map<number, string>;

  constructor(connection: Connection, { id, part_urls = [] }: Upload) {
    this.#connection = connection;
    this.#id = id;
    this.#urls = urlsOf(part_urls);
  }

  async send(number: number, part: Blob, signal: AbortSignal): Promise<void> {
    const url = this.#urls.get(number);
    if (url === undefined) {
      await this.#put(path`uploads/${this.#id}/parts/${number}`, part, signal, false);
      return;
    }
    const etag = await this.#store(number, url, part, signal);
    const call = { ...jsonCall('POST', { etag } satisfies StoredPartRequest), repeatable: true, signal };
    await this.#connection.json(path`uploads/${this.#id}/parts/${number}`, call);
  }

  /** @returns the part's ETag */
  async #store(number: number, url: string, part: Blob, signal: AbortSignal): Promise<string> {
    let stored: Response;
    try {
      stored = await this.#put(url, part, signal, true);
    } catch (error) {
      if (!(error instanceof UndertoneError) || !SIGNATURE_OVER.includes(error.status ?? 0)) throw error;
      // The signature stands for an hour: a new one is had by asking.
      const { part_urls = [] } = await this.#connection.json<Upload>(path`uploads/${this.#id}`, {
        repeatable: true,
        signal,
      });
      this.#urls = urlsOf(part_urls);
      stored = await this.#put(this.#urls.get(number) ?? url, part, signal, true);
    }
    const etag = stored.headers.get('ETag');
    if (etag === null) throw new UndertoneError('UNEXPECTED_ANSWER', 'The store names no ETag of the part');
    return etag;
  }

  #put(address: string, part: Blob, signal: AbortSignal, isSigned: boolean): Promise<Response> {
    const timeoutMs = ANSWER_MS + part.size / BYTES_PER_MS;
    const call = { method: 'PUT', body: () => part, repeatable: true, isSigned, timeoutMs, signal } as const;
    return this.#connection.send(address, call);
  }
}

const urlsOf = (urls: NonNullable<Upload['part_urls']>): Map<number, string> =>
  new Map(urls.map(({ number, url }) => [number, url]));
