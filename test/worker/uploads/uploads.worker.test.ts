import { createHash, randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { AnalysisResponseSchema } from '../../../src/contract/analysis.ts';
import { type UploadBody, UploadSchema } from '../../../src/contract/uploads.ts';
import { partBytesFor, sizeOfPart } from '../../../src/worker/tenant/upload-table.ts';
import { ask } from '../../../support/job-client.ts';
import {
  clear,
  DEMO_KEY,
  KEY,
  OTHER_KEY,
  startService,
  type TestService,
} from '../../../support/service-under-test.ts';

const PART_BYTES = 16 * 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

let service: TestService;
beforeAll(async () => {
  service = await startService({ MAX_FILE_SIZE_MB: '64' });
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const open = (more: object = {}, headers: Record<string, string> = {}) =>
  ask<UploadBody>(service, 'POST', '/uploads', { filename: 'call.wav', bytes: 20_000_000, ...more }, headers);

const send = (id: string, number: number | string, bytes: Uint8Array<ArrayBuffer>, key = KEY) =>
  fetch(new URL(`/uploads/${id}/parts/${number}`, service.url), {
    method: 'PUT',
    headers: { 'X-API-Key': key },
    body: bytes,
  });

const partsOf = (bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>[] =>
  Array.from({ length: Math.ceil(bytes.length / PART_BYTES) }, (_, i) =>
    bytes.slice(i * PART_BYTES, (i + 1) * PART_BYTES),
  );

describe('the sizes of parts', () => {
  it('are equal except the last, stay within the request limit, and are not too many', () => {
    for (const bytes of [1, 5_000_000, PART_BYTES, PART_BYTES + 1, 450 * 2 ** 20, 100 * 2 ** 30]) {
      const upload = { bytes, partBytes: partBytesFor(bytes) };
      const sizes: number[] = [];
      for (let n = 1; sizeOfPart(upload, n) > 0; n++) sizes.push(sizeOfPart(upload, n));
      expect(sizes.reduce((sum, size) => sum + size)).toBe(bytes);
      expect(new Set(sizes.slice(0, -1)).size).toBeLessThan(2);
      expect(Math.max(...sizes)).toBeLessThan(110 * 2 ** 20);
      expect(sizes.length).toBeLessThanOrEqual(10_000);
    }
  });
});

describe('a file in parts', () => {
  it('arrives in any order, one part twice, is assembled, and is analysed', async () => {
    const file = randomBytes(20_000_000);
    const { status, headers, body } = await open({ goal: 'price', speakers: 2 });
    expect(status).toBe(201);
    expect(headers.get('Location')).toBe(`/uploads/${body.id}`);
    expect(UploadSchema.parse(body)).toMatchObject({ part_bytes: PART_BYTES, part_count: 2, parts: [] });
    const [first, second] = partsOf(file);
    expect((await send(body.id, 2, second!)).status).toBe(200);
    expect((await send(body.id, 1, new Uint8Array(PART_BYTES))).status).toBe(200);
    expect((await send(body.id, 1, first!)).status).toBe(200);
    const standing = await ask<UploadBody>(service, 'GET', `/uploads/${body.id}`);
    expect(standing.body.parts).toEqual([
      { number: 1, bytes: PART_BYTES },
      { number: 2, bytes: 20_000_000 - PART_BYTES },
    ]);
    const done = await ask(service, 'POST', `/uploads/${body.id}/complete`);
    expect(done.status).toBe(200);
    const result = AnalysisResponseSchema.parse(done.body);
    expect(result).toMatchObject({ conversation_id: body.id, goal: 'price' });
    expect(service.pipeline.seen).toMatchObject([
      { sha256: sha256(file), bytes: file.length, options: { speakers: 2, suffix: '.wav' } },
    ]);
    expect((await ask(service, 'GET', `/uploads/${body.id}`)).status).toBe(404);
  });

  it('completed twice gets the same response, and is analysed once', async () => {
    const { body } = await open({ bytes: 1000 });
    await send(body.id, 1, randomBytes(1000));
    const first = await ask(service, 'POST', `/uploads/${body.id}/complete`);
    const again = await ask(service, 'POST', `/uploads/${body.id}/complete`);
    expect(again.body).toEqual(first.body);
    expect(service.pipeline.seen).toHaveLength(1);
  });

  it('completed again after another analysis gets the new result, and after its deletion 404', async () => {
    const { body } = await open({ bytes: 1000 });
    await send(body.id, 1, randomBytes(1000));
    const complete = () => ask(service, 'POST', `/uploads/${body.id}/complete`);
    await complete();
    const anew = await ask(service, 'POST', `/conversations/${body.id}/reanalyze`, { goal: 'Second?' });
    expect(anew.status).toBe(200);
    expect(await complete()).toMatchObject({ status: 200, body: { goal: 'Second?' } });
    await ask(service, 'DELETE', `/conversations/${body.id}`);
    expect((await complete()).status).toBe(404);
  });

  it('is not assembled while parts are missing, and completes when they have arrived', async () => {
    const { body } = await open();
    const [first, second] = partsOf(randomBytes(20_000_000));
    await send(body.id, 2, second!);
    const refused = await ask<{ detail: string }>(service, 'POST', `/uploads/${body.id}/complete`);
    expect(refused).toMatchObject({ status: 400, body: { detail: 'Parts are missing: 1' } });
    await send(body.id, 1, first!);
    expect((await ask(service, 'POST', `/uploads/${body.id}/complete`)).status).toBe(200);
  });

  it.each([
    ['a shorter part', 1, PART_BYTES - 1],
    ['a longer part', 1, PART_BYTES + 1],
    ['a last part of full size', 2, PART_BYTES],
    ['an empty part', 1, 0],
  ])('%s is refused, and can be sent again', async (_, number, size) => {
    const { body } = await open();
    const refused = await send(body.id, number, new Uint8Array(size));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ detail: expect.stringMatching(/^Part \d must be \d+ bytes long$/) });
    expect(
      (await send(body.id, number, new Uint8Array(sizeOfPart({ bytes: 20_000_000, partBytes: PART_BYTES }, number))))
        .status,
    ).toBe(200);
    await ask(service, 'DELETE', `/uploads/${body.id}`);
  });

  it.each(['0', '3', '-1', '1.5', 'x', '00001x', '100000'])('has no part %s', async (number) => {
    const { body } = await open();
    const refused = await send(body.id, number, new Uint8Array(10));
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({ detail: 'number: must be from 1 to 2 for this upload' });
  });

  it('leaves nothing when it is aborted', async () => {
    const { body } = await open();
    await send(body.id, 1, new Uint8Array(PART_BYTES));
    expect((await ask(service, 'DELETE', `/uploads/${body.id}`)).status).toBe(204);
    expect((await ask(service, 'DELETE', `/uploads/${body.id}`)).status).toBe(404);
    expect((await send(body.id, 1, new Uint8Array(PART_BYTES))).status).toBe(404);
    expect((await ask(service, 'POST', `/uploads/${body.id}/complete`)).status).toBe(404);
    expect(await service.objects()).toEqual([]);
  });

  it('that was completed is found again by a repeated request, and stays the recording', async () => {
    const key = { 'Idempotency-Key': `whole-${Math.random()}` };
    const file = randomBytes(20_000_000);
    const { body } = await open({}, key);
    for (const [i, part] of partsOf(file).entries()) await send(body.id, i + 1, part);
    const done = await ask(service, 'POST', `/uploads/${body.id}/complete`);
    expect(done.status).toBe(200);
    const again = await open({}, key);
    expect(again).toMatchObject({ status: 201, body: { id: body.id, part_count: 2 } });
    expect(again.headers.get('Location')).toBe(`/conversations/${body.id}`);
    expect(UploadSchema.parse(again.body).parts.map(({ number }) => number)).toEqual([1, 2]);
    expect((await ask(service, 'POST', `/uploads/${body.id}/complete`)).body).toEqual(done.body);
    expect((await ask(service, 'DELETE', `/uploads/${body.id}`)).status).toBe(404);
    const { upload_path } = AnalysisResponseSchema.parse(done.body);
    expect(await service.objects()).toContain(upload_path);
  });

  it('is unknown to other tenants', async () => {
    const { body } = await open();
    expect((await send(body.id, 1, new Uint8Array(PART_BYTES), OTHER_KEY)).status).toBe(404);
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/complete'],
    ] as const) {
      const answer = await ask(service, method, `/uploads/${body.id}${path}`, undefined, { 'X-API-Key': OTHER_KEY });
      expect(answer.status).toBe(404);
    }
  });
});

describe('an announced upload', () => {
  it.each([
    [{ filename: 'call.txt' }, 'UNSUPPORTED_MEDIA'],
    [{ bytes: 65 * 2 ** 20 }, 'FILE_TOO_LARGE'],
    [{ bytes: 0 }, 'INVALID_REQUEST'],
    [{ bytes: 1.5 }, 'INVALID_REQUEST'],
    [{ speakers: 9 }, 'INVALID_REQUEST'],
    [{ unknown: true }, 'INVALID_REQUEST'],
    [{ presigned: true }, 'INVALID_REQUEST'],
  ])('as %o is refused', async (more, code) => {
    expect(await open(more)).toMatchObject({ status: 400, body: { code } });
  });

  it('twice with one Idempotency-Key is one upload, and is refused for another file', async () => {
    const key = { 'Idempotency-Key': `open-${Math.random()}` };
    const [first, again] = await Promise.all([open({}, key), open({}, key)]);
    expect(again.body.id).toBe(first.body.id);
    await send(first.body.id, 2, new Uint8Array(20_000_000 - PART_BYTES));
    expect((await open({}, key)).body).toMatchObject({ id: first.body.id, parts: [{ number: 2 }] });
    expect(await open({ bytes: 1 }, key)).toMatchObject({ status: 422, body: { code: 'KEY_REUSED' } });
    expect((await open({}, { ...key, 'X-API-Key': OTHER_KEY })).body.id).not.toBe(first.body.id);
    expect((await open({}, { 'Idempotency-Key': 'with space' })).status).toBe(400);
  });
});

describe('a part in another way than announced', () => {
  it('is refused by its number, before its bytes are read', async () => {
    const { body } = await open();
    for (const number of [0, 3, 99_999, '1e0', '-1', ' 1'])
      expect((await send(body.id, number, new Uint8Array(10))).status).toBeGreaterThanOrEqual(400);
    expect((await ask<UploadBody>(service, 'GET', `/uploads/${body.id}`)).body.parts).toEqual([]);
  });

  it('is not taken for received because its ETag was sent', async () => {
    const { body } = await open();
    const recorded = await ask(service, 'POST', `/uploads/${body.id}/parts/1`, { etag: '"abc"' });
    expect(recorded).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
    for (const etag of ['', '""', 'a b', '<x>', '"a'])
      expect((await ask(service, 'POST', `/uploads/${body.id}/parts/1`, { etag })).status).toBe(400);
    expect((await ask<UploadBody>(service, 'GET', `/uploads/${body.id}`)).body.parts).toEqual([]);
  });
});

describe('announced bytes', () => {
  it('count as stored, for the demo key too, and do not stop the parts of their own upload', async () => {
    const small = await startService({
      MAX_FILE_SIZE_MB: '2000',
      MAX_STORED_GB_PER_TENANT: '1',
      DEMO_STORED_GB: '1',
      DEMO_FILE_SIZE_MB: '2000',
    });
    try {
      for (const key of [KEY, DEMO_KEY]) {
        const of = { 'X-API-Key': key };
        const announce = () =>
          ask<UploadBody>(small, 'POST', '/uploads', { filename: 'call.wav', bytes: 1_200_000_000 }, of);
        const first = await announce();
        expect({ key, status: first.status }).toEqual({ key, status: 201 });
        expect(await announce()).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
        const { id, part_bytes } = first.body;
        const part = await fetch(new URL(`/uploads/${id}/parts/1`, small.url), {
          method: 'PUT',
          headers: of,
          body: new Uint8Array(part_bytes),
        });
        expect(part.status).toBe(200);
        expect((await ask(small, 'DELETE', `/uploads/${id}`, undefined, of)).status).toBe(204);
        expect((await announce()).status).toBe(201);
      }
    } finally {
      await small.stop();
    }
  });
});
