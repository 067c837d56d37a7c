import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { AnalysisResponseSchema, ErrorBodySchema } from '../../../src/contract/analysis.ts';
import { ServiceError } from '../../../src/contract/errors.ts';
import { asServiceError } from '../../../src/worker/http/errors.ts';
import { PART_BYTES } from '../../../src/worker/storage/object-store.ts';
import { R2Store } from '../../../src/worker/storage/r2.ts';
import { clear, form, KEY, startService, type TestService } from '../../../support/service-under-test.ts';

/** The headers of `support/full-disk-worker.ts`, which only a Worker can import. */
const [ROOM_HEADER, OPEN_HEADER] = ['X-Room-For-Parts', 'X-Open-Uploads'];
const MAIN = 'support/full-disk-worker.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({}, '', MAIN);
});
afterEach(() => clear(service));
afterAll(() => service.stop());

const analyze = (bytes: number, headers: Record<string, string> = {}) =>
  service.post('/analyze', form('call.wav', new Uint8Array(bytes)), headers);

async function expectFull(answer: Response): Promise<void> {
  const { code } = ErrorBodySchema.parse(await answer.json());
  expect({ status: answer.status, code }).toEqual({ status: 507, code: 'STORAGE_FULL' });
  expect(answer.headers.get(OPEN_HEADER)).toBe('0');
}

it('is named to the client, whose parts are removed, and is over when there is room', async () => {
  await expectFull(await analyze(3 * PART_BYTES, { [ROOM_HEADER]: '1' }));
  await expectFull(await analyze(1_000, { [ROOM_HEADER]: '0' }));
  expect(await service.objects()).toEqual([]);
  const answer = await analyze(3 * PART_BYTES);
  expect(AnalysisResponseSchema.parse(await answer.json()).utterances).toBeGreaterThan(0);
  expect(answer.headers.get(OPEN_HEADER)).toBe('0');
});

it('is named for a part of an upload, which can be sent again when there is room', async () => {
  const asked = JSON.stringify({ filename: 'call.wav', bytes: 1_000 });
  const opened = await service.post('/uploads', asked, { 'Content-Type': 'application/json' });
  const { id } = (await opened.json()) as { id: string };
  const send = (headers: Record<string, string> = {}) =>
    fetch(new URL(`/uploads/${id}/parts/1`, service.url), {
      method: 'PUT',
      headers: { 'X-API-Key': KEY, ...headers },
      body: new Uint8Array(1_000),
    });
  const full = await send({ [ROOM_HEADER]: '0' });
  expect({ status: full.status, code: ErrorBodySchema.parse(await full.json()).code }).toEqual({
    status: 507,
    code: 'STORAGE_FULL',
  });
  expect((await send()).status).toBe(200);
  expect((await service.post(`/uploads/${id}/complete`, '')).status).toBe(200);
});

it.each(['database or disk is full: SQLITE_FULL', 'write: No space left on device (os error 28)'])(
  'is recognised by its message: %s',
  (message) => {
    const known = asServiceError(new Error(message));
    expect([known.code, known.status]).toEqual(['STORAGE_FULL', 507]);
    // Paths and numbers go to the log only.
    expect(known.detail).toBe(new ServiceError('STORAGE_FULL').detail);
  },
);

it('of the local runtime, which then does not answer, ends the call', async () => {
  let calls = 0;
  const upload = {
    uploadId: 'u',
    uploadPart: () => {
      calls++;
      return new Promise(() => undefined);
    },
  };
  const bucket = { resumeMultipartUpload: () => upload } as unknown as ConstructorParameters<typeof R2Store>[0];
  const store = new R2Store(bucket, [1], 10);
  await expect(store.resumeMultipartUpload('a', 'u').uploadPart(1, new Uint8Array(1))).rejects.toThrow('10 ms');
  expect(calls).toBe(2);
});
