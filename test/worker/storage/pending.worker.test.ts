import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { sweepPending } from '../../../src/worker/storage/pending.ts';
import { R2Store } from '../../../src/worker/storage/r2.ts';
import { sayHalf } from '../../../support/fake-pipeline.ts';
import { clear, form, KEY, startService, type TestService } from '../../../support/service.ts';

/** As if no job was known. */
const nobody = async (): Promise<boolean> => false;
const DAY_MS = 24 * 3_600_000;
const BOUNDARY = 'pending';

/** What the tests use of R2. */
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

/** An analysis that goes on until it is left. */
function analysisUnderWay(service: TestService): { leave: () => void } {
  service.pipeline.answer = sayHalf;
  const abort = new AbortController();
  const init = { method: 'POST', headers: { 'X-API-Key': KEY }, body: form('call.wav', 'media'), signal: abort.signal };
  fetch(new URL('/analyze', service.url), init).catch(() => undefined);
  return { leave: () => abort.abort() };
}

/** An upload of several parts that stands still when the first one is stored. */
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

describe('a recording under way', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService();
  });
  afterEach(() => clear(service));
  afterAll(() => service.stop());

  it('is marked while it comes, and no longer: then a job says that somebody works on it', async () => {
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

  it('is let alone by a sweep while it comes, and one of yesterday is not', async () => {
    const socket = uploadUnderWay(service);
    await vi.waitFor(async () => expect(await markers(service)).toHaveLength(1), 20_000);
    expect(await sweep(service)).toMatchObject({ outcome: 'ok' });
    expect(await sweepPending(await store(service), nobody, Date.now() + DAY_MS - 60_000)).toBe(0);
    expect(await markers(service)).toHaveLength(1);
    expect(await sweepPending(await store(service), nobody, Date.now() + DAY_MS)).toBe(0);
    expect(await service.objects()).toEqual([]);
    socket.destroy();
  });

  it('is let alone while somebody works on it, however old its marker is', async () => {
    const analysis = analysisUnderWay(service);
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1));
    const [upload = ''] = await service.objects();
    // As by a process that died between noting the job and taking the marker away.
    const directory = upload.slice(0, upload.lastIndexOf('/'));
    await (await bucket(service)).put(`pending/${directory}`, '');
    const asked: string[] = [];
    const isUnderWay = async (tenant: string, id: string) => asked.push(`${tenant}/${id}`) > 0;
    await sweepPending(await store(service), isUnderWay, Date.now() + 2 * DAY_MS);
    expect(asked).toEqual([directory]);
    expect(await service.objects()).toEqual([upload]);
    analysis.leave();
  });

  it('keeps a result that was stored, whatever kept its marker', async () => {
    await (await service.post('/analyze', form('a.wav', 'media'))).text();
    const stored = await service.objects();
    const [directory = ''] = /^.*\//.exec(stored[0] ?? '') ?? [];
    await (await bucket(service)).put(`pending/${directory.slice(0, -1)}`, '');
    await sweepPending(await store(service), nobody, Date.now() + 2 * DAY_MS);
    expect(await service.objects()).toEqual(stored);
  });
});

describe('what a service left that died', () => {
  let service: TestService;
  // To this service everything that lies there is of an earlier one.
  beforeAll(async () => {
    service = await startService({ SERVICE_STARTED_AT: new Date(Date.now() + DAY_MS).toISOString() });
  });
  afterEach(() => clear(service));
  afterAll(() => service.stop());

  it('is kept where it is a job: a workflow takes it on', async () => {
    const analysis = analysisUnderWay(service);
    await vi.waitFor(() => expect(service.pipeline.seen).toHaveLength(1));
    const [upload = ''] = await service.objects();
    await (await bucket(service)).put(`pending/${upload.slice(0, upload.lastIndexOf('/'))}`, '');
    expect(await sweep(service)).toMatchObject({ outcome: 'ok' });
    expect(await service.objects()).toEqual([upload]);
    analysis.leave();
  });

  it('is removed: the parts of an upload', async () => {
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
