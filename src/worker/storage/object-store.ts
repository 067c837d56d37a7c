/**
 * The object storage that the service uses, which is R2 (`r2.ts`) or any store that implements this interface. A call
 * rejects when the storage keeps failing. A missing object is not an error.
 */
export interface ObjectStore {
  /** Writes an object, replacing an earlier one. A stream must have a known length, and its call is not retried. */
  put(key: string, body: ObjectBody, description?: ObjectDescription): Promise<void>;
  /**
   * An object or a range of it. Null when there is no such object.
   * @throws when the range begins after the end
   */
  get(key: string, range?: ByteRange): Promise<StoredObject | null>;
  head(key: string): Promise<ObjectInfo | null>;
  /** All objects with a prefix, in order of keys. @param after only those with a greater key */
  list(prefix: string, after?: string): AsyncIterable<ObjectInfo>;
  /** Deletes any number of objects; missing ones count as deleted. */
  delete(keys: readonly string[]): Promise<void>;
  createMultipartUpload(key: string, description?: ObjectDescription): Promise<MultipartUpload>;
  /** An existing upload, possibly created by another request. This does not call the storage. */
  resumeMultipartUpload(key: string, id: string): MultipartUpload;
}

export type ObjectBody = string | Uint8Array | ReadableStream;

/** A range of bytes that begins at `offset`. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** Metadata of an object. */
export interface ObjectDescription {
  contentType?: string;
  /** Names are lower case. */
  metadata?: Record<string, string>;
}

export interface ObjectInfo {
  key: string;
  /** Size of the whole object, bytes. */
  size: number;
  etag: string;
  uploadedAt: Date;
  contentType: string | undefined;
  metadata: Record<string, string>;
}

export interface StoredObject extends ObjectInfo {
  body: ReadableStream<Uint8Array>;
}

/** The store refused parts, because the upload or a part does not exist or because their sizes do not match. */
export class PartsRefused extends Error {}

/** An object in parts. All parts except the last have the same size of at least `PART_BYTES`. */
export interface MultipartUpload {
  readonly id: string;
  /** @param number from 1, in byte order; a part sent again replaces the earlier one @throws PartsRefused */
  uploadPart(number: number, bytes: Uint8Array | ReadableStream): Promise<UploadedPart>;
  /** @param parts all parts, in order @throws PartsRefused */
  complete(parts: readonly UploadedPart[]): Promise<void>;
  abort(): Promise<void>;
}

export interface UploadedPart {
  number: number;
  etag: string;
}

/** Smallest part that R2 and S3 accept, bytes. */
export const PART_BYTES = 5 * 1024 * 1024;
