/**
 * What the service asks of an object storage, and all it knows of one: R2 today (`r2.ts`), anything that speaks S3
 * another day. Every call may reject when the storage fails for longer than it is worth asking again; what was asked for
 * and is not there is no failure.
 */
export interface ObjectStore {
  /** Writes a whole object over whatever lay there. A stream must be of known length, and is taken only once. */
  put(key: string, body: ObjectBody, description?: ObjectDescription): Promise<void>;
  /** An object, or the bytes of a range of it; null when there is none. @throws when a range begins beyond the end */
  get(key: string, range?: ByteRange): Promise<StoredObject | null>;
  head(key: string): Promise<ObjectInfo | null>;
  /** Every object under a prefix, in order of keys, however many there are. */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** Removes any number of objects; those that are not there count as removed. */
  delete(keys: readonly string[]): Promise<void>;
  createMultipartUpload(key: string, description?: ObjectDescription): Promise<MultipartUpload>;
  /** One that was begun before, perhaps by another request. Asks nothing. */
  resumeMultipartUpload(key: string, id: string): MultipartUpload;
}

export type ObjectBody = string | Uint8Array | ReadableStream;

/** Bytes from `offset` on. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** What is kept beside an object's bytes. */
export interface ObjectDescription {
  contentType?: string;
  /** By names of lower case. */
  metadata?: Record<string, string>;
}

export interface ObjectInfo {
  key: string;
  /** Bytes of the whole object. */
  size: number;
  etag: string;
  uploadedAt: Date;
  contentType: string | undefined;
  metadata: Record<string, string>;
}

export interface StoredObject extends ObjectInfo {
  body: ReadableStream<Uint8Array>;
}

/** The store's verdict on parts: there is no such upload, or no such part, or they do not fit together. */
export class PartsRefused extends Error {}

/** An object that comes in parts: all but the last of the same size, of `PART_BYTES` at least. */
export interface MultipartUpload {
  readonly id: string;
  /**
   * @param number from 1 on, in the order of the bytes; a part sent again replaces the earlier one
   * @throws PartsRefused
   */
  uploadPart(number: number, bytes: Uint8Array | ReadableStream): Promise<UploadedPart>;
  /** @param parts all of them, in order @throws PartsRefused */
  complete(parts: readonly UploadedPart[]): Promise<void>;
  abort(): Promise<void>;
}

export interface UploadedPart {
  number: number;
  etag: string;
}

/** The least size of a part, of R2's and of S3's. */
export const PART_BYTES = 5 * 1024 * 1024;
