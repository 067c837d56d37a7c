import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ResultLine } from '../../../src/contract/pipeline.ts';
import { PipelineReader } from '../../../src/worker/pipeline/reader.ts';
import { storeDocuments } from '../../../src/worker/pipeline/store-documents.ts';
import { runKeys } from '../../../src/worker/storage/keys.ts';
import { readObject } from '../../../src/worker/storage/object-reader.ts';
import { objectSink } from '../../../src/worker/storage/object-sink.ts';
import { PART_BYTES } from '../../../src/worker/storage/object-store.ts';
import { R2Store } from '../../../src/worker/storage/r2.ts';
import { itIsAnObjectStore, keysUnder, patterned, textOf } from './contract.ts';

// Replaces workerd's stream of a known length.
Object.assign(globalThis, {
  FixedLengthStream: new Proxy(TransformStream, { construct: () => new TransformStream() }),
});

type Bucket = Awaited<ReturnType<Miniflare['getR2Bucket']>>;
type Upload = Awaited<ReturnType<Bucket['createMultipartUpload']>>;

const WAITS_MS = [1, 1, 1];
/** Objects per page of a test bucket's list. */
const PAGE = 3;
const PASSING = 'We encountered an internal error. Please try again. (10001)';

let runtime: Miniflare;
let bucket: Bucket;
beforeAll(async () => {
  runtime = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: 'export default { fetch: () => new Response() }',
      r2Buckets: ['MEDIA'],
    }),
  );
  bucket = await runtime.getR2Bucket('MEDIA');
});
beforeEach(async () => {
  await bucket.delete((await bucket.list()).objects.map(({ key }) => key));
});
afterAll(() => runtime.dispose());

interface Failure {
  /** `put`, or `uploadPart` of an upload. */
  call: string;
  message: string;
  times: number;
  /** The call succeeds, and only its response is lost. */
  isDone?: boolean;
}

/** A bucket with calls that fail at first, and the number of calls of each kind. */
function failing(...failures: Failure[]): { store: R2Store; calls: Record<string, number> } {
  const left = new Map(failures.map((failure): [string, Failure] => [failure.call, { ...failure }]));
  const calls: Record<string, number> = {};
  const trap = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name: string) {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== 'function') return value;
        // It makes no call, so it cannot fail.
        if (name === 'resumeMultipartUpload') return value.bind(object);
        return async (...given: unknown[]) => {
          calls[name] = (calls[name] ?? 0) + 1;
          const failure = left.get(name);
          const fails = failure && failure.times-- > 0;
          if (fails && !failure.isDone) throw new Error(`${name}: ${failure.message}`);
          if (name === 'list') given = [{ ...(given[0] as object), limit: PAGE }];
          const answer: unknown = await value.apply(object, given);
          if (fails) throw new Error(`${name}: ${failure.message}`);
          return name === 'createMultipartUpload' ? trap(answer as Upload) : answer;
        };
      },
    });
  return { store: new R2Store(trap(bucket), WAITS_MS), calls };
}

describe('R2 as an object storage', () => {
  itIsAnObjectStore(() => failing().store);
});

describe('an object', () => {
  it('is read back with its metadata', async () => {
    const { store } = failing();
    await store.put('a/b', 'whole text', { contentType: 'text/plain', metadata: { of: 'it' } });
    const found = await store.get('a/b');
    const said = { key: 'a/b', size: 10, contentType: 'text/plain', metadata: { of: 'it' } };
    expect(found).toMatchObject(said);
    expect(await new Response(found!.body).text()).toBe('whole text');
    expect(await store.head('a/b')).toMatchObject({ ...said, etag: found!.etag, uploadedAt: found!.uploadedAt });
    expect(await new Response((await store.get('a/b', { offset: 6, length: 3 }))!.body).text()).toBe('tex');
  });

  it('that does not exist is null, and can be deleted', async () => {
    const { store } = failing();
    expect(await store.get('none')).toBeNull();
    expect(await store.head('none')).toBeNull();
    await store.delete(['none']);
    await store.delete([]);
  });

  it('is listed and deleted across pages', async () => {
    const { store, calls } = failing();
    const keys = Array.from({ length: 1005 }, (_, i) => `many/${String(i).padStart(4, '0')}`);
    for (const key of ['other', ...keys.slice(-8)]) await store.put(key, '');
    expect(await keysUnder(store, 'many/')).toEqual(keys.slice(-8));
    expect(calls.list).toBe(3);
    await store.delete(keys);
    expect(calls.delete).toBe(2);
    expect(await keysUnder(store, '')).toEqual(['other']);
  });
});

describe('a storage with transient failures', () => {
  it.each([
    ['with a transient error', PASSING],
    ['on the connection', 'Network connection lost.'],
  ])('is retried: %s', async (_, message) => {
    const bytes = patterned(2 * PART_BYTES + 7);
    const { store, calls } = failing(
      { call: 'createMultipartUpload', message, times: 1 },
      { call: 'uploadPart', message, times: 3 },
      { call: 'complete', message, times: 2 },
      { call: 'head', message, times: 1 },
      { call: 'get', message, times: 2 },
    );
    const sink = objectSink(store, 'upload', async () => undefined);
    for (let at = 0; at < bytes.length; at += 1_000_003) await sink.write(bytes.subarray(at, at + 1_000_003));
    await sink.close();
    expect(calls).toMatchObject({ createMultipartUpload: 2, uploadPart: 6, complete: 3 });
    const read = await new Response(await readObject(store, 'upload', new Uint8Array([1, 2]))).bytes();
    expect(Buffer.compare(read, Buffer.concat([new Uint8Array([1, 2]), bytes]))).toBe(0);
  });

  it('is retried for a small object, a list and a deletion', async () => {
    const { store } = failing(
      ...['put', 'list', 'delete'].map((call): Failure => ({ call, message: PASSING, times: 2 })),
    );
    await store.put('small', 'text');
    expect(await textOf(store, 'small')).toBe('text');
    expect(await keysUnder(store, 'sm')).toEqual(['small']);
    await store.delete(['small']);
    expect(await keysUnder(store, '')).toEqual([]);
  });

  it('completes an upload when only the response was lost', async () => {
    const { store, calls } = failing({ call: 'complete', message: PASSING, times: 1, isDone: true });
    const upload = await store.createMultipartUpload('answered');
    await upload.complete([await upload.uploadPart(1, patterned(3))]);
    expect(calls.complete).toBe(2);
    expect((await store.head('answered'))?.size).toBe(3);
  });
});

describe('a document of a result', () => {
  it('is written again after a transient error, with its content type', async () => {
    const { store, calls } = failing({ call: 'put', message: PASSING, times: 2 });
    const bytes = new TextEncoder().encode('{"summary":{}}');
    const result: ResultLine = {
      type: 'result',
      audio_seconds: 1,
      documents: [{ name: 'result.json', parts: [{ bytes: bytes.length }] }],
    };
    const keys = runKeys('tenant', 'run', '.wav');
    await storeDocuments(store, keys, result, new PipelineReader(new Blob([bytes]).stream(), 1_000));
    expect(calls.put).toBe(3);
    const stored = await store.get(keys.documents['result.json']);
    expect(stored?.contentType).toBe('application/json');
    expect(await new Response(stored?.body).text()).toBe('{"summary":{}}');
  });
});

describe('a storage with permanent failures', () => {
  it('is not retried for ever, and a begun upload is aborted', async () => {
    const { store, calls } = failing({ call: 'uploadPart', message: PASSING, times: 99 });
    const sink = objectSink(store, 'upload', async () => undefined);
    await expect(sink.write(patterned(PART_BYTES))).rejects.toThrow('(10001)');
    expect(calls.uploadPart).toBe(1 + WAITS_MS.length);
    await sink.abort();
    expect(calls.abort).toBe(1);
    expect(await keysUnder(store, '')).toEqual([]);
  });

  it('is not retried after a refusal, nor with a stream that was read', async () => {
    const { store, calls } = failing(
      { call: 'head', message: 'The specified bucket does not exist. (10006)', times: 1 },
      { call: 'put', message: PASSING, times: 1 },
    );
    await expect(store.head('x')).rejects.toThrow('(10006)');
    await expect(store.put('x', new Blob(['stream']).stream())).rejects.toThrow('(10001)');
    expect(calls).toEqual({ head: 1, put: 1 });
    const unknown = store.resumeMultipartUpload('x', 'never-begun');
    await expect(unknown.uploadPart(1, patterned(1))).rejects.toThrow('(10024)');
  });
});

it('is the only folder that names R2, apart from the binding', () => {
  const worker = join(import.meta.dirname, '../../../src/worker');
  const files = readdirSync(worker, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  const naming = files.filter((path) => /\bR2[A-Z]\w+|\.MEDIA\b/.test(readFileSync(join(worker, path), 'utf8')));
  expect(naming.filter((path) => !path.startsWith('storage/'))).toEqual(['identity/env.ts']);
  expect(naming.filter((path) => path.startsWith('storage/')).sort()).toEqual([
    'storage/media-store.ts',
    'storage/r2.ts',
  ]);
});
