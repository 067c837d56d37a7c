import { within } from '../deadline.ts';
import {
  type ByteRange,
  type MultipartUpload,
  type ObjectBody,
  type ObjectDescription,
  type ObjectInfo,
  type ObjectStore,
  PartsRefused,
  type StoredObject,
  type UploadedPart,
} from './object-store.ts';

/** Delays before each retry of a failed call, ms. */
const RETRY_MS = [100, 400, 1_600];
/** Time limit of a call with bytes in memory, ms. On a full disk, the local runtime does not always respond. */
const CALL_MS = 30_000;
/** Transient errors of R2: internal error, unavailable, connection lost, too many concurrent requests. */
const TRANSIENT = ['10001', '10043', '10054', '10058'];
const NO_SUCH_UPLOAD = '10024';
/** Number of objects that R2 deletes in one call. */
const KEYS_PER_DELETE = 1000;

/** A bucket of R2. Calls that fail with a transient error are retried a few times. */
export class R2Store implements ObjectStore {
  readonly #bucket: R2Bucket;
  readonly #retryMs: readonly number[];
  readonly #callMs: number;

  constructor(bucket: R2Bucket, retryMs: readonly number[] = RETRY_MS, callMs = CALL_MS) {
    this.#bucket = bucket;
    this.#retryMs = retryMs;
    this.#callMs = callMs;
  }

  async put(key: string, body: ObjectBody, description?: ObjectDescription): Promise<void> {
    await this.#retried(() => this.#bucket.put(key, body, optionsOf(description)), body);
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | null> {
    const object = await this.#retried(() => this.#bucket.get(key, range && { range }));
    return object && { ...infoOf(object), body: object.body };
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const object = await this.#retried(() => this.#bucket.head(key));
    return object && infoOf(object);
  }

  async *list(prefix: string, after?: string): AsyncGenerator<ObjectInfo, void> {
    for (let cursor: string | undefined; ; ) {
      const from = cursor === undefined ? { startAfter: after } : { cursor };
      const options: R2ListOptions = { prefix, ...from, include: ['httpMetadata', 'customMetadata'] };
      const page = await this.#retried(() => this.#bucket.list(options));
      yield* page.objects.map(infoOf);
      if (!page.truncated) return;
      cursor = page.cursor;
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += KEYS_PER_DELETE)
      await this.#retried(() => this.#bucket.delete(keys.slice(from, from + KEYS_PER_DELETE)));
  }

  async createMultipartUpload(key: string, description?: ObjectDescription): Promise<MultipartUpload> {
    return this.#multipart(await this.#retried(() => this.#bucket.createMultipartUpload(key, optionsOf(description))));
  }

  resumeMultipartUpload(key: string, id: string): MultipartUpload {
    return this.#multipart(this.#bucket.resumeMultipartUpload(key, id));
  }

  #multipart(upload: R2MultipartUpload): MultipartUpload {
    return {
      id: upload.uploadId,
      uploadPart: async (number, bytes) => {
        const { etag } = await this.#retried(() => upload.uploadPart(number, bytes), bytes).catch(refused);
        return { number, etag };
      },
      complete: (parts) => this.#complete(upload, parts).catch(refused),
      abort: () => this.#retried(() => upload.abort()),
    };
  }

  /**
   * If the response to a completion was lost, the completion may have succeeded: R2 then no longer knows the upload,
   * but has the object.
   */
  async #complete(upload: R2MultipartUpload, parts: readonly UploadedPart[]): Promise<void> {
    const all = parts.map(({ number, etag }) => ({ partNumber: number, etag }));
    let tries = 0;
    await this.#retried(async () => {
      try {
        await upload.complete(all);
      } catch (error) {
        const isDone = tries++ > 0 && codeOf(error) === NO_SUCH_UPLOAD && (await this.#bucket.head(upload.key));
        if (!isDone) throw error;
      }
    });
  }

  /** @param body the body of the call; a stream cannot be sent twice */
  async #retried<T>(call: () => Promise<T>, body?: ObjectBody): Promise<T> {
    // The time that a stream takes depends on its sender.
    if (body instanceof ReadableStream) return call();
    const tryOnce = async (): Promise<T> => {
      const answer = await within(call(), this.#callMs);
      if (answer === 'late') throw new Error(`the storage did not answer within ${this.#callMs} ms`);
      return answer;
    };
    for (const wait of this.#retryMs) {
      try {
        return await tryOnce();
      } catch (error) {
        if (isFinal(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    return tryOnce();
  }
}

/** The error number at the end of R2's message. The error for a lost connection has none. */
const codeOf = (error: unknown): string | undefined => /\((\d{5})\)\s*$/.exec(String(error))?.[1];

/** Whether a retry would fail in the same way. */
function isFinal(error: unknown): boolean {
  const code = codeOf(error);
  return error instanceof TypeError || (code !== undefined && !TRANSIENT.includes(code));
}

function refused(error: unknown): never {
  throw codeOf(error) !== undefined && isFinal(error) ? new PartsRefused(String(error), { cause: error }) : error;
}

const optionsOf = ({ contentType, metadata }: ObjectDescription = {}): R2PutOptions & R2MultipartOptions => ({
  ...(contentType !== undefined && { httpMetadata: { contentType } }),
  ...(metadata && { customMetadata: metadata }),
});

const infoOf = ({ key, size, etag, uploaded, httpMetadata, customMetadata }: R2Object): ObjectInfo => ({
  key,
  size,
  etag,
  uploadedAt: uploaded,
  contentType: httpMetadata?.contentType,
  metadata: customMetadata ?? {},
});
