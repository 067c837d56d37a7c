import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type UploadBody, UploadSchema } from '../../../src/contract/uploads.ts';
import { ask } from '../../../support/job-client.ts';
import { startService, type TestService } from '../../../support/service-under-test.ts';

// The local runtime implements enough of S3 to accept signed parts. `npm start` does not expose it.

/** The signed address; the requests go to the runtime's own port. */
const HOST = 'localhost:9';
const BYTES = 20_000_000;

let service: TestService;
beforeAll(async () => {
  service = await startService(
    {
      S3_BUCKET_URL: `http://${HOST}/cdn-cgi/local/r2/s3/undertone-media`,
      S3_ACCESS_KEY_ID: 'local',
      S3_SECRET_ACCESS_KEY: 'local-secret',
    },
    // The table belongs to the last bucket of wrangler.toml, MEDIA.
    '[r2_buckets.local_dev]\nexperimental_s3_credentials = { accessKeyId = "local", secretAccessKey = "local-secret" }',
  );
});
afterAll(() => service.stop());

async function put(url: string, bytes: Uint8Array, method = 'PUT'): Promise<{ status: number; etag: string }> {
  const { pathname, search } = new URL(url);
  const headers = { Host: HOST, 'Content-Length': bytes.length };
  const sent = request({
    port: service.url.port,
    host: service.url.hostname,
    path: pathname + search,
    method,
    headers,
  });
  sent.end(bytes);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  await once(answer, 'end');
  return { status: answer.statusCode ?? 0, etag: answer.headers.etag ?? '' };
}

const open = async (): Promise<UploadBody> =>
  UploadSchema.parse(
    (await ask(service, 'POST', '/uploads', { filename: 'call.wav', bytes: BYTES, presigned: true })).body,
  );

describe('parts that are sent to the store directly', () => {
  it('are recorded by their ETags and assembled to the file', async () => {
    const file = randomBytes(BYTES);
    const upload = await open();
    expect(upload.part_urls?.map(({ number }) => number)).toEqual([1, 2]);
    for (const { number, url } of upload.part_urls ?? []) {
      const { status, etag } = await put(
        url,
        file.subarray((number - 1) * upload.part_bytes, number * upload.part_bytes),
      );
      expect(status).toBe(200);
      expect((await ask(service, 'POST', `/uploads/${upload.id}/parts/${number}`, { etag })).status).toBe(200);
      const left = await ask<UploadBody>(service, 'GET', `/uploads/${upload.id}`);
      expect(left.body.part_urls).toHaveLength(2 - number);
    }
    expect((await ask(service, 'POST', `/uploads/${upload.id}/complete`)).status).toBe(200);
    expect(service.pipeline.seen.at(-1)?.sha256).toBe(createHash('sha256').update(file).digest('hex'));
  });

  it('cannot be put to an address that was not signed', async () => {
    const upload = await open();
    const url = upload.part_urls?.[0]?.url ?? '';
    for (const other of [
      url.replace('partNumber=1', 'partNumber=2'),
      url.replace(/upload\.wav/, 'result.json'),
      url.replace(/X-Amz-Signature=\w{8}/, 'X-Amz-Signature=00000000'),
      url.replace(/[?&]X-Amz-Signature=\w+/, ''),
    ])
      expect((await put(other, new Uint8Array(10))).status).toBeGreaterThanOrEqual(400);
    expect((await put(url, new Uint8Array(0), 'GET')).status).toBeGreaterThanOrEqual(400);
  });

  it('with a wrong ETag or size are refused, and the upload can be started again', async () => {
    const upload = await open();
    for (const number of [1, 2])
      await ask(service, 'POST', `/uploads/${upload.id}/parts/${number}`, { etag: '"none"' });
    const refused = await ask(service, 'POST', `/uploads/${upload.id}/complete`);
    expect(refused).toMatchObject({
      status: 400,
      body: { detail: 'The parts do not form a valid upload: send them again' },
    });
    for (const { number, url } of upload.part_urls ?? []) {
      const { etag } = await put(url, new Uint8Array(number === 1 ? 6_000_000 : 5));
      await ask(service, 'POST', `/uploads/${upload.id}/parts/${number}`, { etag });
    }
    const wrong = await ask(service, 'POST', `/uploads/${upload.id}/complete`);
    expect(wrong).toMatchObject({
      status: 400,
      body: { detail: 'The parts total 6000005 bytes instead of 20000000: start a new upload' },
    });
    expect((await ask(service, 'GET', `/uploads/${upload.id}`)).status).toBe(404);
    expect((await service.objects()).filter((key) => key.includes(upload.id))).toEqual([]);
  });
});
