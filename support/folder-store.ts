import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ByteRange,
  type MultipartUpload,
  type ObjectBody,
  type ObjectDescription,
  type ObjectInfo,
  type ObjectStore,
  PartsRefused,
  type StoredObject,
} from '../src/worker/storage/object-store.ts';

/** Metadata stored beside the bytes of an object. */
type Description = Pick<ObjectInfo, 'etag' | 'contentType' | 'metadata'>;

const bytesOf = (body: ObjectBody): Promise<Uint8Array<ArrayBuffer>> =>
  new Response(body as BodyInit | ReadableStream<Uint8Array>).bytes();
const etagOf = (bytes: Uint8Array): string => createHash('md5').update(bytes).digest('hex');
/** A file name for a key. File names sort in the same order as the keys. */
const nameOf = (key: string): string => Buffer.from(key).toString('hex');
const keyOf = (name: string): string => Buffer.from(name, 'hex').toString();

/**
 * Objects as files in one folder, for tests and small installations: `objects/<key>`, its `.json`, and
 * `uploads/<id>/<part>`.
 */
export class FolderStore implements ObjectStore {
  readonly #objects: string;
  readonly #uploads: string;

  constructor(folder: string) {
    this.#objects = join(folder, 'objects');
    this.#uploads = join(folder, 'uploads');
  }

  async put(key: string, body: ObjectBody, { contentType, metadata = {} }: ObjectDescription = {}): Promise<void> {
    const bytes = await bytesOf(body);
    await mkdir(this.#objects, { recursive: true });
    await writeFile(join(this.#objects, nameOf(key)), bytes);
    const description: Description = { etag: etagOf(bytes), contentType, metadata };
    await writeFile(join(this.#objects, `${nameOf(key)}.json`), JSON.stringify(description));
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | null> {
    const info = await this.head(key);
    if (!info) return null;
    if (range && range.offset >= info.size) throw new RangeError('the range begins beyond the end of the object');
    const whole = await readFile(join(this.#objects, nameOf(key)));
    const bytes = range ? whole.subarray(range.offset, range.offset + range.length) : whole;
    return { ...info, body: new Blob([new Uint8Array(bytes)]).stream() };
  }

  async head(key: string): Promise<ObjectInfo | null> {
    const path = join(this.#objects, nameOf(key));
    const file = await stat(path).catch(() => undefined);
    if (!file) return null;
    const { etag, contentType, metadata } = JSON.parse(await readFile(`${path}.json`, 'utf8')) as Description;
    return { key, size: file.size, uploadedAt: file.mtime, etag, contentType, metadata };
  }

  async *list(prefix: string, after = ''): AsyncGenerator<ObjectInfo, void> {
    const names = await readdir(this.#objects).catch(() => []);
    for (const name of names.filter((name) => !name.endsWith('.json')).sort()) {
      const isWanted = keyOf(name).startsWith(prefix) && keyOf(name) > after;
      const info = isWanted ? await this.head(keyOf(name)) : null;
      if (info) yield info;
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    for (const key of keys)
      for (const suffix of ['', '.json']) await rm(join(this.#objects, `${nameOf(key)}${suffix}`), { force: true });
  }

  async createMultipartUpload(key: string, description: ObjectDescription = {}): Promise<MultipartUpload> {
    const id = randomUUID();
    await mkdir(join(this.#uploads, id), { recursive: true });
    await writeFile(join(this.#uploads, id, 'description'), JSON.stringify(description));
    return this.resumeMultipartUpload(key, id);
  }

  resumeMultipartUpload(key: string, id: string): MultipartUpload {
    const folder = join(this.#uploads, id);
    const description = async (): Promise<ObjectDescription> => {
      const text = await readFile(join(folder, 'description'), 'utf8').catch(() => {
        throw new PartsRefused('there is no such upload');
      });
      return JSON.parse(text) as ObjectDescription;
    };
    return {
      id,
      uploadPart: async (number, body) => {
        await description();
        const bytes = await bytesOf(body);
        await writeFile(join(folder, String(number)), bytes);
        return { number, etag: etagOf(bytes) };
      },
      complete: async (parts) => {
        const described = await description();
        const all: Buffer[] = [];
        for (const { number, etag } of parts) {
          const bytes = await readFile(join(folder, String(number))).catch(() => undefined);
          if (!bytes || etagOf(bytes) !== etag) throw new PartsRefused(`there is no such part ${number}`);
          all.push(bytes);
        }
        await this.put(key, Buffer.concat(all), described);
        await rm(folder, { recursive: true });
      },
      abort: () => rm(folder, { recursive: true, force: true }),
    };
  }
}
