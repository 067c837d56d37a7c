import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, expect, it } from 'vitest';
import { removeNamelessBlobs } from '../../tools/nameless-blobs.ts';

const state = mkdtempSync(join(tmpdir(), 'undertone-blobs-'));
afterAll(() => rmSync(state, { recursive: true, force: true }));

/** The local runtime, as wrangler lays out its state. */
const start = (): Miniflare =>
  new Miniflare({
    ...convertV4MiniflareOptions({
      modules: true,
      script: 'export default { fetch: () => new Response() }',
      r2Buckets: { MEDIA: 'media' },
    }),
    resourcePersistencePath: join(state, 'v3'),
  });

it('removes the bytes that no object and no part of an upload has, and nothing else', async () => {
  expect(removeNamelessBlobs(state)).toBe(0);
  const before = start();
  const bucket = await before.getR2Bucket('MEDIA');
  await bucket.put('whole', 'kept');
  const upload = await bucket.createMultipartUpload('parts');
  const { uploadId } = upload;
  const { partNumber, etag } = await upload.uploadPart(1, 'kept, too');
  await before.dispose();

  const blobs = join(state, 'v3/r2/media/blobs');
  expect(readdirSync(blobs)).toHaveLength(2);
  writeFileSync(join(blobs, 'of-nobody'), 'broken off');
  expect(removeNamelessBlobs(state)).toBe(1);
  expect(removeNamelessBlobs(state)).toBe(0);

  const after = start();
  const again = await after.getR2Bucket('MEDIA');
  expect(await (await again.get('whole'))?.text()).toBe('kept');
  await again.resumeMultipartUpload('parts', uploadId).complete([{ partNumber, etag }]);
  expect(await (await again.get('parts'))?.text()).toBe('kept, too');
  await after.dispose();
});

it('removes nothing where names are kept in another way', () => {
  const other = join(state, 'other');
  mkdirSync(join(other, 'v3/r2/media/blobs'), { recursive: true });
  mkdirSync(join(other, 'v3/r2/miniflare-R2BucketObject'));
  const bytes = join(other, 'v3/r2/media/blobs/of-somebody');
  writeFileSync(bytes, 'a recording');
  expect(removeNamelessBlobs(other)).toBe(0);
  const database = new DatabaseSync(join(other, 'v3/r2/miniflare-R2BucketObject/a.sqlite'));
  database.exec('CREATE TABLE objects_of_a_later_version (bytes TEXT)');
  database.close();
  expect(removeNamelessBlobs(other)).toBe(0);
  expect(existsSync(bytes)).toBe(true);
});
