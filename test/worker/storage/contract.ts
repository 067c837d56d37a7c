import { expect, it } from 'vitest';
import { type ObjectStore, PART_BYTES, PartsRefused } from '../../../src/worker/storage/object-store.ts';

/** Made in a plain loop: a slower one leaves the connection to the bucket idle until it is closed. */
export function patterned(length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i++) bytes[i] = i * 31 + (i >> 8);
  return bytes;
}
export const textOf = async (store: ObjectStore, key: string) =>
  new Response((await store.get(key))?.body ?? null).text();
export const keysUnder = async (store: ObjectStore, prefix: string) => {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
};

/**
 * The behaviour that the service relies on in every object storage (`src/worker/storage/object-store.ts`). A new store
 * passes when a test file calls this with it. The file has the `describe`, without which `vitest list` finds no suite.
 * @param open an empty store for each test
 */
export function itIsAnObjectStore(open: () => ObjectStore | Promise<ObjectStore>): void {
  it('returns an object with its description', async () => {
    const store = await open();
    await store.put('a/b', 'whole text', { contentType: 'text/plain', metadata: { of: 'it' } });
    const found = await store.get('a/b');
    const described = { key: 'a/b', size: 10, contentType: 'text/plain', metadata: { of: 'it' } };
    expect(found).toMatchObject(described);
    expect(await new Response(found!.body).text()).toBe('whole text');
    const { etag, uploadedAt } = found!;
    expect(await store.head('a/b')).toMatchObject({ ...described, etag, uploadedAt });
    expect(Math.abs(Date.now() - uploadedAt.getTime())).toBeLessThan(60_000);
  });

  it('returns no description for an object without one', async () => {
    const store = await open();
    await store.put('plain', patterned(3));
    expect(await store.head('plain')).toMatchObject({ size: 3, contentType: undefined, metadata: {} });
  });

  it('replaces an object as a whole, with another etag for other bytes', async () => {
    const store = await open();
    await store.put('x', 'before', { metadata: { of: 'before' } });
    const before = await store.head('x');
    await store.put('x', 'after');
    expect(await textOf(store, 'x')).toBe('after');
    const after = await store.head('x');
    expect(after?.metadata).toEqual({});
    expect(after?.etag).not.toBe(before?.etag);
  });

  it('returns a range of an object, cut at its end, and refuses one beyond it', async () => {
    const store = await open();
    await store.put('x', 'whole text');
    const range = async (offset: number, length: number) =>
      new Response((await store.get('x', { offset, length }))?.body ?? null).text();
    expect(await range(6, 3)).toBe('tex');
    expect(await range(6, 100)).toBe('text');
    expect((await store.get('x', { offset: 6, length: 3 }))?.size).toBe(10);
    await expect(store.get('x', { offset: 11, length: 1 })).rejects.toThrow();
  });

  it('returns null for a key without an object, and removes it without an error', async () => {
    const store = await open();
    expect(await store.get('none')).toBeNull();
    expect(await store.head('none')).toBeNull();
    await store.delete(['none']);
    await store.delete([]);
  });

  it('lists the objects under a prefix in order of keys, and removes many at once', async () => {
    const store = await open();
    const keys = Array.from({ length: 12 }, (_, i) => `many/${String(i).padStart(2, '0')}/part`);
    for (const key of [...keys.toReversed(), 'mane', 'other', 'many.json']) await store.put(key, key);
    expect(await keysUnder(store, 'many/')).toEqual(keys);
    expect(await keysUnder(store, '')).toEqual(['mane', 'many.json', ...keys, 'other']);
    expect(await keysUnder(store, 'none/')).toEqual([]);
    await store.delete([...keys, 'many/missing']);
    expect(await keysUnder(store, '')).toEqual(['mane', 'many.json', 'other']);
    expect(await textOf(store, 'other')).toBe('other');
  });

  it('joins the parts of an upload in order, a part sent twice as it came last', async () => {
    const store = await open();
    const bytes = patterned(2 * PART_BYTES + 7);
    const parts = [0, 1, 2].map((i) => bytes.subarray(i * PART_BYTES, (i + 1) * PART_BYTES));
    const upload = await store.createMultipartUpload('joined', { contentType: 'audio/wav', metadata: { of: 'it' } });
    await upload.uploadPart(2, new Uint8Array(PART_BYTES));
    const third = await upload.uploadPart(3, parts[2]!);
    const resumed = store.resumeMultipartUpload('joined', upload.id);
    const second = await resumed.uploadPart(2, parts[1]!);
    const first = await resumed.uploadPart(1, parts[0]!);
    expect(await store.head('joined')).toBeNull();
    await resumed.complete([first, second, third]);
    const found = await store.get('joined');
    expect(found).toMatchObject({ size: bytes.length, contentType: 'audio/wav', metadata: { of: 'it' } });
    expect(Buffer.compare(await new Response(found!.body).bytes(), bytes)).toBe(0);
  });

  it('refuses parts that it does not have, and an upload that it does not know', async () => {
    const store = await open();
    const upload = await store.createMultipartUpload('refused');
    const part = await upload.uploadPart(1, patterned(3));
    await expect(upload.complete([{ ...part, etag: '0'.repeat(32) }])).rejects.toBeInstanceOf(PartsRefused);
    const unknown = store.resumeMultipartUpload('refused', 'never-begun');
    await expect(unknown.uploadPart(1, patterned(1))).rejects.toBeInstanceOf(PartsRefused);
  });

  it('keeps nothing of an upload that is aborted', async () => {
    const store = await open();
    const upload = await store.createMultipartUpload('aborted');
    const part = await upload.uploadPart(1, patterned(3));
    await upload.abort();
    await expect(upload.complete([part])).rejects.toBeInstanceOf(PartsRefused);
    expect(await keysUnder(store, '')).toEqual([]);
  });
}
