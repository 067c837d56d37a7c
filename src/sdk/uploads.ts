import { type CallOptions, type Connection, jsonCall, path } from './connection.ts';
import { UndertoneError } from './error.ts';
import { analysisOptions, type MediaOptions, namedBlob, type ProgressOptions, type Recording } from './media.ts';
import { randomName } from './random-name.ts';
import type { JobStarted, NewUploadRequest, StoredPartRequest, Upload } from './wire.ts';

export interface UploadOptions extends MediaOptions, ProgressOptions {
  /** The id of an interrupted upload of the same recording. Only its missing parts are sent. */
  resume?: string | undefined;
  /**
   * Called with the new upload before anything is sent. Its `id` can be passed to `resume`, and becomes the
   * conversation's id.
   */
  onUpload?: ((upload: Upload) => void) | undefined;
  /** Number of parts that are sent in parallel. The default is 3. */
  parallel?: number | undefined;
  /** Whether parts are sent directly to the object store, if the deployment supports it. */
  presigned?: boolean | undefined;
}

const PARALLEL = 3;
/** Time limit of a part's response, ms, and the slowest supported connection, 16 kB/s. */
const RESPONSE_MS = 30_000;
const BYTES_PER_MS = 16;
/** The statuses with which an object store refuses an expired or unknown signature. */
const SIGNATURE_REFUSED = [400, 401, 403];

/** Manages uploads in parts, for large recordings and bad connections. */
export class Uploads {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Opens an upload. */
  open(upload: NewUploadRequest, { signal }: CallOptions = {}): Promise<Upload> {
    const { headers, ...call } = jsonCall('POST', upload);
    const once = { ...headers, 'Idempotency-Key': randomName() };
    return this.#connection.json('uploads', { ...call, headers: once, repeatable: true, signal });
  }

  /** An upload, with the parts it has received. */
  get(id: string, { signal }: CallOptions = {}): Promise<Upload> {
    return this.#connection.json(path`uploads/${id}`, { repeatable: true, signal });
  }

  /**
   * Sends all missing parts in parallel, and repeats those that fail. If it is interrupted, for instance by its signal,
   * the parts are kept for a day.
   * @throws UndertoneError; TypeError if the recording has no name, or `resume` names an upload of another size
   *
   * @example
   * const { id } = await undertone.uploads.send(file, { filename: 'meeting.mp4' });
   * await undertone.uploads.complete(id);
   * const analysis = await undertone.wait(id);
   */
  async send(media: Recording, options: UploadOptions = {}): Promise<Upload> {
    const { signal, resume, onUpload, onProgress, parallel = PARALLEL, presigned } = options;
    const { blob, name } = namedBlob(media, options.filename);
    const announced = { filename: name, bytes: blob.size, ...analysisOptions(options), presigned };
    const upload = resume === undefined ? await this.open(announced, { signal }) : await this.get(resume, { signal });
    if (upload.bytes !== blob.size)
      throw new TypeError('The upload to resume belongs to a recording of a different size');
    onUpload?.(upload);

    const received = new Set(upload.parts.map((part) => part.number));
    const missing = Array.from({ length: upload.part_count }, (_, i) => i + 1).filter(
      (number) => !received.has(number),
    );
    let sent = upload.parts.reduce((sum, part) => sum + part.bytes, 0);
    const report = () => onProgress?.({ phase: 'uploading', progress: sent / upload.bytes });
    report();
    const parts = new Parts(this.#connection, upload);
    const failed = new AbortController();
    const abort = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    const sendParts = async () => {
      for (let number = missing.shift(); number !== undefined; number = missing.shift()) {
        const bytes = blob.slice((number - 1) * upload.part_bytes, number * upload.part_bytes);
        await parts.send(number, bytes, abort);
        sent += bytes.size;
        report();
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.max(1, parallel) }, sendParts));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
    return this.get(upload.id, { signal });
  }

  /**
   * Starts the analysis once all parts have been received. It is safe to repeat. `undertone.wait` returns the result.
   */
  complete(id: string, { signal }: CallOptions = {}): Promise<JobStarted> {
    const call = { method: 'POST', headers: { Prefer: 'respond-async' }, repeatable: true, signal } as const;
    return this.#connection.json(path`uploads/${id}/complete`, call);
  }

  /** Aborts an upload and deletes its parts. */
  abort(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`uploads/${id}`, { method: 'DELETE', repeatable: true, signal });
  }
}

/** Sends the parts of one upload, through the service or to presigned URLs. */
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
      if (!(error instanceof UndertoneError) || !SIGNATURE_REFUSED.includes(error.status ?? 0)) throw error;
      // Signatures expire after an hour, so new ones are requested.
      const { part_urls = [] } = await this.#connection.json<Upload>(path`uploads/${this.#id}`, {
        repeatable: true,
        signal,
      });
      this.#urls = urlsOf(part_urls);
      stored = await this.#put(this.#urls.get(number) ?? url, part, signal, true);
    }
    const etag = stored.headers.get('ETag');
    if (etag === null) throw new UndertoneError('UNEXPECTED_ANSWER', 'The object store returned no ETag for the part');
    return etag;
  }

  #put(address: string, part: Blob, signal: AbortSignal, isSigned: boolean): Promise<Response> {
    const timeoutMs = RESPONSE_MS + part.size / BYTES_PER_MS;
    const call = { method: 'PUT', body: () => part, repeatable: true, isSigned, timeoutMs, signal } as const;
    return this.#connection.send(address, call);
  }
}

const urlsOf = (urls: NonNullable<Upload['part_urls']>): Map<number, string> =>
  new Map(urls.map(({ number, url }) => [number, url]));
