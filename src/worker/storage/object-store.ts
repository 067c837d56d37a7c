/**
 * The object storage that the service uses: R2 (`r2.ts`), or any store behind this interface. A call rejects when the
 * storage keeps failing; a missing object is not an error.
 */
export interface ObjectStore {
  /** Writes an object, over an earlier one. A stream must have a known length, and the call is then not retried. */
  put(key: string, body: ObjectBody, description?: ObjectDescription): Promise<void>;
  /** An object or a range of it; null when there is none. @throws when the range begins beyond the end */
  get(key: string, range?: ByteRange): Promise<StoredObject | null>;
  head(key: string): Promise<ObjectInfo | null>;
  /** All objects with a prefix, in order of keys. */
  list(prefix: string): AsyncIterable<ObjectInfo>;
  /** Deletes any number of objects; missing ones count as deleted. */
  delete(keys: readonly string[]): Promise<void>;
  createMultipartUpload(key: string, description?: ObjectDescription): Promise<MultipartUpload>;
  /** An upload that was created before, perhaps by another request. Makes no call to the storage. */
  resumeMultipartUpload(key: string, id: string): MultipartUpload;
}

export type ObjectBody = string | Uint8Array | ReadableStream;

/** Bytes from `offset` on. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** Metadata of an object. */
export interface ObjectDescription {
  contentType?: string;
  /** Names are in lower case. */
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

/** The store refused parts: there is no such upload or part, or they do not fit together. */
export class PartsRefused extends Error {}

/** An object in parts: all but the last have the same size, at least `PART_BYTES`. */
export interface MultipartUpload {
  readonly id: string;
  /**
   * @param number from 1, in the order of the bytes; a repeated part replaces the earlier one
   * @throws PartsRefused
   */
  uploadPart(number: number, bytes: Uint8Array | ReadableStream): Promise<UploadedPart>;
  /** @param parts all parts, in order @throws PartsRefused */
  complete(parts: readonly UploadedPart[]): Promise<void>;
  abort(): Promise<void>;
}

export interface UploadedPart {
  number: number;
  etag: string;
}

/** Smallest part of R2 and S3, bytes. */
export const PART_BYTES = 5 * 1024 * 1024;
