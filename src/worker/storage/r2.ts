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

/** Waits before a call that failed is made again, ms. */
const AGAIN_MS = [100, 400, 1_600];
/** Errors of R2 that pass: internal error, unavailable, the connection broke, too many requests at once. */
const PASSING = ['10001', '10043', '10054', '10058'];
const NO_SUCH_UPLOAD = '10024';
/** R2 deletes so many objects with one call. */
const KEYS_PER_DELETE = 1000;

/** A bucket of R2. What fails there without a verdict is asked for again a few times before it counts as failed. */
export class R2Store implements ObjectStore {
  readonly #bucket: R2Bucket;
  readonly #againMs: readonly number[];

  constructor(bucket: R2Bucket, againMs: readonly number[] = AGAIN_MS) {
    this.#bucket = bucket;
    this.#againMs = againMs;
  }

  async put(key: string, body: ObjectBody, description?: ObjectDescription): Promise<void> {
    await this.#again(() => this.#bucket.put(key, body, optionsOf(description)), body);
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | null> {
    const object = await this.#again(() => this.#bucket.get(key, range && { range }));
    return object && { ...infoOf(object), body: object.body };
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const object = await this.#again(() => this.#bucket.head(key));
    return object && infoOf(object);
  }

  async *list(prefix: string): AsyncGenerator<ObjectInfo, void> {
    for (let cursor: string | undefined; ; ) {
      const options: R2ListOptions = { prefix, cursor, include: ['httpMetadata', 'customMetadata'] };
      const page = await this.#again(() => this.#bucket.list(options));
      yield* page.objects.map(infoOf);
      if (!page.truncated) return;
      cursor = page.cursor;
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (let from = 0; from < keys.length; from += KEYS_PER_DELETE)
      await this.#again(() => this.#bucket.delete(keys.slice(from, from + KEYS_PER_DELETE)));
  }

  async createMultipartUpload(key: string, description?: ObjectDescription): Promise<MultipartUpload> {
    return this.#multipart(await this.#again(() => this.#bucket.createMultipartUpload(key, optionsOf(description))));
  }

  resumeMultipartUpload(key: string, id: string): MultipartUpload {
    return this.#multipart(this.#bucket.resumeMultipartUpload(key, id));
  }

  #multipart(upload: R2MultipartUpload): MultipartUpload {
    return {
      id: upload.uploadId,
      uploadPart: async (number, bytes) => {
        const { etag } = await this.#again(() => upload.uploadPart(number, bytes), bytes).catch(refused);
        return { number, etag };
      },
      complete: (parts) => this.#complete(upload, parts).catch(refused),
      abort: () => this.#again(() => upload.abort()),
    };
  }

  /** An upload whose completion was done and only not heard of is known no more when it is asked for again. */
  async #complete(upload: R2MultipartUpload, parts: readonly UploadedPart[]): Promise<void> {
    const all = parts.map(({ number, etag }) => ({ partNumber: number, etag }));
    let tries = 0;
    await this.#again(async () => {
      try {
        await upload.complete(all);
      } catch (error) {
        const isDone = tries++ > 0 && codeOf(error) === NO_SUCH_UPLOAD && (await this.#bucket.head(upload.key));
        if (!isDone) throw error;
      }
    });
  }

  /** @param taken what the call sends: a stream is used up by the first try */
  async #again<T>(call: () => Promise<T>, taken?: ObjectBody): Promise<T> {
    const waits = taken instanceof ReadableStream ? [] : this.#againMs;
    for (const wait of waits) {
      try {
        return await call();
      } catch (error) {
        if (isVerdict(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    }
    return call();
  }
}

/** R2 names its reason by a number at the end of the message; what breaks on the way there has none. */
const codeOf = (error: unknown): string | undefined => /\((\d{5})\)\s*$/.exec(String(error))?.[1];

/** Asked again, R2 would say the same. */
function isVerdict(error: unknown): boolean {
  const code = codeOf(error);
  return error instanceof TypeError || (code !== undefined && !PASSING.includes(code));
}

function refused(error: unknown): never {
  throw codeOf(error) !== undefined && isVerdict(error) ? new PartsRefused(String(error), { cause: error }) : error;
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
