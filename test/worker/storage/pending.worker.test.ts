import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sweepPending } from '../../../src/worker/storage/pending.ts';
import { R2Store } from '../../../src/worker/storage/r2.ts';
import { sayHalf } from '../../../support/fake-pipeline.ts';
import { clear, form, KEY, startService, type TestService } from '../../../support/service-under-test.ts';

/** Reports that no run has an open job. */
const nobody = async (): Promise<boolean> => false;
const DAY_MS = 24 * 3_600_000;
const BOUNDARY = 'pending';

/** The part of R2 that the tests use. */
interface Marker {
  key: string;
  customMetadata?: Record<string, string>;
}

async function markers(service: TestService): Promise<Marker[]> {
  const { objects } = await (await bucket(service)).list({ prefix: 'pending/', include: ['customMetadata'] });
  return objects;
}

type Bucket = ConstructorParameters<typeof R2Store>[0];
const bucket = async (service: TestService): Promise<Bucket> =>
  (await service.harness.getWorker<{ MEDIA: Bucket }>().getEnv()).MEDIA;

const store = async (service: TestService) => new R2Store(await bucket(service));

const sweep = (service: TestService) =>
  service.harness.getWorker().scheduled({ cron: '17 * * * *', scheduledTime: new Date() });

/** An analysis that runs until it is aborted. */
function analysisUnderWay(service: TestService): { leave: () => void } {
  service.pipeline.answer = sayHalf;
  const abort = new AbortController();
  const init = { method: 'POST', headers: { 'X-API-Key': KEY }, body: form('call.wav', 'media'), signal: abort.signal };
  fetch(new URL('/analyze', service.url), init).catch(() => undefined);
  return { leave: () => abort.abort() };
}

/** An upload of several parts that pauses when the first one is stored. */
function uploadUnderWay(service: TestService): Socket {
  const socket = connect(Number(service.url.port), service.url.hostname);
  socket.on('error', () => undefined);
  socket.write(
    `POST /analyze HTTP/1.1\r\nHost: x\r\nX-API-Key: ${KEY}\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n` +
      `Content-Length: 9000000\r\n\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n`,
  );
  socket.write(Buffer.alloc(5_500_000));
  return socket;
}

describe('a recording that is being received', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterEach(() => clear(service));
  afterAll(() => service.stop());

  it('has a marker until its job is noted', async () => {
    const seen: string[][] = [];
    const say = service.pipeline.answer;
    service.pipeline.answer = async (response, asked) => {
      seen.push((await markers(service)).map(({ key }) => key));
      await say(response, asked);
    };
    const socket = uploadUnderWay(service);
    await vi.waitFor(async () => expect(await markers(service)).toHaveLength(1), 20_000);
    socket.destroy();
    await vi.waitFor(async () => expect(await markers(service)).toEqual([]), 20_000);
    expect((await service.post('/analyze', form('a.wav', 'media'))).status).toBe(200);
    expect(seen).toEqual([[]]);
    service.pipeline.answer = (response) => void response.writeHead(500).end();
    expect((await service.post('/analyze', form('a.wav', 'media'))).status).toBe(500);
    expect((await service.post('/analyze', form('a.wav', ''))).status).toBe(400);
    expect(await markers(service)).toEqual([]);
  });

  it('is not swept while it is received; an abandoned one of yesterday is', async () => {
    const socket = uploadUnderWay(service);
    await vi.waitFor(async () => expect(await markers(service)).toHaveLength(1), 20_000);
    expect(await sweep(service)).toMatchObject({ outcome: 'ok' });
    expect(await sweepPending(await store(service), nobody, Date.now() + DAY_MS - 60_000)).toBe(0);
    expect(await markers(service)).toHaveLength(1);
    expect(await sweepPending(await store(service), nobody, Date.now() + DAY_MS)).toBe(0);
    expect(await service.objects()).toEqual([]);
    socket.destroy();
  });

  it('is not swept while its job is open, however old the marker is', async () => {
    const analysis = analysisUnderWay(service);
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1));
    const [upload = ''] = await service.objects();
    // As if a process had died between recording the job and deleting the marker.
    const directory = upload.slice(0, upload.lastIndexOf('/'));
    await (await bucket(service)).put(`pending/${directory}`, '');
    const asked: string[] = [];
    const isUnderWay = async (tenant: string, id: string) => asked.push(`${tenant}/${id}`) > 0;
    await sweepPending(await store(service), isUnderWay, Date.now() + 2 * DAY_MS);
    expect(asked).toEqual([directory]);
    expect(await service.objects()).toEqual([upload]);
    analysis.leave();
  });

  it('keeps a stored result although its marker is still there', async () => {
    await (await service.post('/analyze', form('a.wav', 'media'))).text();
    const stored = await service.objects();
    const [directory = ''] = /^.*\//.exec(stored[0] ?? '') ?? [];
    await (await bucket(service)).put(`pending/${directory.slice(0, -1)}`, '');
    await sweepPending(await store(service), nobody, Date.now() + 2 * DAY_MS);
    expect(await service.objects()).toEqual(stored);
  });
});

describe('the objects of a service that died', () => {
  let service: TestService;
  // To this service every object belongs to an earlier one.
  beforeAll(async () => {
    service = await startService({ SERVICE_STARTED_AT: new Date(Date.now() + DAY_MS).toISOString() });
  });
  afterEach(() => clear(service));
  afterAll(() => service.stop());

  it('are kept for a job, which a workflow takes over', async () => {
    const analysis = analysisUnderWay(service);
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1));
    const [upload = ''] = await service.objects();
    await (await bucket(service)).put(`pending/${upload.slice(0, upload.lastIndexOf('/'))}`, '');
    expect(await sweep(service)).toMatchObject({ outcome: 'ok' });
    expect(await service.objects()).toEqual([upload]);
    analysis.leave();
  });

  it('are removed: the parts of an upload', async () => {
    const socket = uploadUnderWay(service);
    await vi.waitFor(async () => expect(await markers(service)).toHaveLength(1), 20_000);
    const [{ customMetadata }] = (await markers(service)) as [Marker];
    const parts = (await bucket(service)).resumeMultipartUpload(
      customMetadata?.upload_key ?? '',
      customMetadata?.multipart_id ?? '',
    );
    await parts.uploadPart(2, new Uint8Array(1));
    await sweep(service);
    await expect(parts.uploadPart(2, new Uint8Array(1))).rejects.toThrow(/upload does not exist/);
    expect(await service.objects()).toEqual([]);
    socket.destroy();
  });
});
