import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { RestartableProcess, workerProcess } from '../../bench/processes.ts';
import { freePort } from '../../scripts/start/machine.ts';
import type { AnalysisResponse } from '../../src/contract/analysis.ts';
import type { UploadBody } from '../../src/contract/uploads.ts';
import { type Receiver, startReceiver } from '../worker/jobs/job-client.ts';
import { TRIES } from './table.ts';

// SIGKILL of the pipeline and of the Worker (`wrangler dev`, its storage kept) in every step of a job, of a webhook and of a
// part upload, ten times each: one result, one message accepted, the object byte-equal. The pipeline recognises nothing: it
// takes its time and says the digest of the bytes it was given.

const KEY = 'jobs-faults-key';
/** A file takes so long in the pipeline. */
const ALONE_MS = 2_000;
/** A killed job is taken up by the alarm of its tenant within 20 s; a machine under load takes its time beside. */
const PATIENCE = { timeout: 180_000, interval: 200 };
const PART_BYTES = 16 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

let folder: string;
let pipeline: RestartableProcess;
let worker: RestartableProcess;
let receiver: Receiver;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-job-faults-'));
  const [pipelinePort, workerPort] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${workerPort}`;
  pipeline = new RestartableProcess(
    () =>
      spawn(process.execPath, ['bench/echo-files.ts'], {
        cwd: join(import.meta.dirname, '../..'),
        env: { ...process.env, PORT: String(pipelinePort), ALONE_MS: String(ALONE_MS) },
        stdio: ['ignore', 'ignore', 'inherit'],
        detached: true,
      }),
    `http://127.0.0.1:${pipelinePort}/healthz`,
  );
  worker = workerProcess(workerPort, folder, {
    RUNTIME_URL: `http://127.0.0.1:${pipelinePort}`,
    API_KEYS: KEY,
    ALLOW_PRIVATE_TARGETS: 'true',
  });
  await Promise.all([pipeline.start(), worker.start()]);
  receiver = await startReceiver();
  await ask('POST', '/webhooks', JSON.stringify({ url: receiver.url }));
}, 300_000);
afterAll(async () => {
  await receiver?.close();
  await worker?.kill();
  await pipeline?.kill();
  rmSync(folder, { recursive: true, force: true });
});

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Asks until there is an answer: a Worker that starts, or is about to be killed, gives none. */
async function ask(
  method: string,
  path: string,
  body?: BodyInit,
  headers: Record<string, string> = {},
): Promise<Response> {
  const json: Record<string, string> = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
  return vi.waitFor(
    () => fetch(url + path, { method, headers: { 'X-API-Key': KEY, ...json, ...headers }, body: body ?? null }),
    PATIENCE,
  );
}

async function kill(victim: RestartableProcess): Promise<void> {
  await victim.kill();
  await victim.start();
}

function formOf(file: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new File([file], 'call.wav'));
  return form;
}

async function start(file: Uint8Array<ArrayBuffer>, key = crypto.randomUUID()): Promise<string> {
  const headers = { Prefer: 'respond-async', 'Idempotency-Key': key };
  const response = await ask('POST', '/analyze', formOf(file), headers);
  expect(response.status).toBe(202);
  return ((await response.json()) as { conversation_id: string }).conversation_id;
}

/** The result of a conversation, once it is there. */
async function resultOf(id: string): Promise<AnalysisResponse> {
  return vi.waitFor(async () => {
    const response = await fetch(`${url}/conversations/${id}`, { headers: { 'X-API-Key': KEY } });
    const body = (await response.json()) as AnalysisResponse & { status?: string };
    if (response.status !== 200 || body.timeline === undefined) throw new Error(JSON.stringify(body).slice(0, 300));
    return body;
  }, PATIENCE);
}

/** What the receiver accepted of a conversation: messages by id, whatever came twice. */
const accepted = (id: string): Set<string> =>
  new Set(
    receiver.got
      .filter(({ body }) => (JSON.parse(body) as { data: { conversation_id: string } }).data.conversation_id === id)
      .map(({ headers, body }) => `${headers['webhook-id']} ${(JSON.parse(body) as { type: string }).type}`),
  );

/** One result, of the bytes that were sent, and one message about it. */
async function expectOneResult(id: string, digest: string): Promise<void> {
  const result = await resultOf(id);
  expect(result.timeline.map(({ text }) => text)).toEqual([`sha256 ${digest}`]);
  await vi.waitFor(() => expect(accepted(id).size).toBeGreaterThan(0), PATIENCE);
  expect([...accepted(id)]).toEqual([expect.stringMatching(/^msg_\S+ analysis\.completed$/)]);
}

const running = (id: string): Promise<void> =>
  vi.waitFor(async () => {
    const response = await fetch(`${url}/conversations/${id}`, { headers: { 'X-API-Key': KEY } });
    const { status } = (await response.json()) as { status?: string };
    if (status === 'queued') throw new Error(status);
  }, PATIENCE);

const rounds = Array.from({ length: TRIES }, (_, round) => round + 1);

describe('SIGKILL of the Worker', () => {
  it.each(rounds)('while a file comes, %i: sent again under its key, it is analysed once', async () => {
    const [file, key] = [randomBytes(12 * MEBIBYTE), crypto.randomUUID()];
    const broken = brokenUpload(file, key);
    await wait(Math.random() * 300);
    await kill(worker);
    await broken;
    await expectOneResult(await start(file, key), sha256(file));
  });

  it.each(rounds)('while a job waits, %i', async () => {
    const [before, file] = [randomBytes(100_000), randomBytes(100_000)];
    const ids = await Promise.all([start(before), start(randomBytes(100_000)), start(file)]);
    await wait(Math.random() * ALONE_MS);
    await kill(worker);
    await expectOneResult(ids[2]!, sha256(file));
    await expectOneResult(ids[0]!, sha256(before));
  });

  it.each(rounds)('at a random moment of a job, up to its end, %i', async () => {
    const file = randomBytes(100_000);
    const id = await start(file);
    await wait(Math.random() * (ALONE_MS + 800));
    await kill(worker);
    await expectOneResult(id, sha256(file));
  });

  it.each(rounds)('while a request without a key waits for its analysis, %i: it is finished all the same', async () => {
    const file = randomBytes(100_000);
    const known = new Set(receiver.got);
    const answer = fetch(`${url}/analyze`, { method: 'POST', headers: { 'X-API-Key': KEY }, body: formOf(file) });
    const ended = answer.then((response) => response.text()).catch(() => undefined);
    await wait(300 + Math.random() * (ALONE_MS - 500));
    await kill(worker);
    await ended;
    const told = await vi.waitFor(() => {
      const message = receiver.got.find((got) => !known.has(got));
      if (!message) throw new Error('nothing was told yet');
      return JSON.parse(message.body) as { data: { conversation_id: string } };
    }, PATIENCE);
    await expectOneResult(told.data.conversation_id, sha256(file));
  });

  it.each(rounds)('while a webhook is told, %i: it is told again under the same id', async () => {
    const held = Promise.withResolvers<void>();
    const calls: string[] = [];
    receiver.answer = (_, headers) => {
      calls.push(String(headers['webhook-id']));
      if (calls.length > 1) return 200;
      held.resolve();
      return new Promise<number>(() => undefined);
    };
    const file = randomBytes(1000);
    const id = await start(file);
    await held.promise;
    await wait(Math.random() * 500);
    await kill(worker);
    await vi.waitFor(() => expect(calls.length).toBeGreaterThan(1), PATIENCE);
    expect(new Set(calls).size).toBe(1);
    await expectOneResult(id, sha256(file));
  });

  it.each(rounds)('after a webhook has answered, %i: what is told again has the same id', async () => {
    const answered = Promise.withResolvers<void>();
    receiver.answer = () => {
      setTimeout(answered.resolve, Math.random() * 20);
      return 200;
    };
    const file = randomBytes(1000);
    const id = await start(file);
    await answered.promise;
    await kill(worker);
    // What was not noted as delivered is sent again after a few seconds.
    await wait(7_000);
    await expectOneResult(id, sha256(file));
  });
});

describe('SIGKILL of the pipeline', () => {
  it.each(rounds)('at a random moment of a job, %i', async () => {
    const file = randomBytes(100_000);
    const id = await start(file);
    await running(id);
    await wait(Math.random() * (ALONE_MS + 200));
    await kill(pipeline);
    await expectOneResult(id, sha256(file));
  });

  it.each(rounds)('while it stays away for a while, %i', async () => {
    const file = randomBytes(100_000);
    const id = await start(file);
    await wait(Math.random() * ALONE_MS);
    await pipeline.kill();
    await wait(8_000);
    await pipeline.start();
    await expectOneResult(id, sha256(file));
  });
});

describe('a file in parts', () => {
  const announce = async (bytes: number): Promise<UploadBody> =>
    (await ask('POST', '/uploads', JSON.stringify({ filename: 'call.wav', bytes }))).json() as Promise<UploadBody>;

  /** As a client that begins anew: it asks what is there, and sends what is missing. */
  async function sendMissing(id: string, partOf: (number: number) => Uint8Array<ArrayBuffer>): Promise<void> {
    const upload = (await (await ask('GET', `/uploads/${id}`)).json()) as UploadBody;
    const had = new Set(upload.parts.map(({ number }) => number));
    for (let number = 1; number <= upload.part_count; number++)
      if (!had.has(number))
        expect((await ask('PUT', `/uploads/${id}/parts/${number}`, partOf(number))).status).toBe(200);
  }

  const complete = async (id: string): Promise<void> => {
    const response = await ask('POST', `/uploads/${id}/complete`, undefined, { Prefer: 'respond-async' });
    expect(response.status).toBe(202);
  };

  it.each(rounds)('goes on after SIGKILL of the Worker in the middle of a part, %i', async () => {
    const file = randomBytes(40 * MEBIBYTE);
    const partOf = (number: number) => file.subarray((number - 1) * PART_BYTES, number * PART_BYTES);
    const upload = await announce(file.length);
    const first = fetch(`${url}/uploads/${upload.id}/parts/1`, {
      method: 'PUT',
      headers: { 'X-API-Key': KEY },
      body: partOf(1),
    }).catch(() => undefined);
    await wait(Math.random() * 400);
    await kill(worker);
    await first;
    await sendMissing(upload.id, partOf);
    await complete(upload.id);
    await expectOneResult(upload.id, sha256(file));
  });

  it.each(rounds)('goes on after SIGKILL of the Worker between its parts, %i', async () => {
    const file = randomBytes(40 * MEBIBYTE);
    const partOf = (number: number) => file.subarray((number - 1) * PART_BYTES, number * PART_BYTES);
    const upload = await announce(file.length);
    expect((await ask('PUT', `/uploads/${upload.id}/parts/3`, partOf(3))).status).toBe(200);
    await kill(worker);
    await sendMissing(upload.id, partOf);
    await complete(upload.id);
    await expectOneResult(upload.id, sha256(file));
  });

  it.each(rounds)('goes on after SIGKILL of the Worker while it is put together, %i', async () => {
    const file = randomBytes(40 * MEBIBYTE);
    const upload = await announce(file.length);
    await sendMissing(upload.id, (number) => file.subarray((number - 1) * PART_BYTES, number * PART_BYTES));
    const first = fetch(`${url}/uploads/${upload.id}/complete`, {
      method: 'POST',
      headers: { 'X-API-Key': KEY, Prefer: 'respond-async' },
    }).catch(() => undefined);
    await wait(Math.random() * 300);
    await kill(worker);
    await first;
    await complete(upload.id);
    await expectOneResult(upload.id, sha256(file));
  });

  it('of 450 MB arrives with two parts failing on the way', async () => {
    const bytes = 450 * MEBIBYTE;
    const upload = await announce(bytes);
    const digest = createHash('sha256');
    const failing = new Set([5, 17]);
    for (let number = 1; number <= upload.part_count; number++) {
      const part = randomBytes(Math.min(upload.part_bytes, bytes - (number - 1) * upload.part_bytes));
      digest.update(part);
      if (failing.has(number)) await brokenPart(upload.id, number, part);
      expect((await ask('PUT', `/uploads/${upload.id}/parts/${number}`, part)).status).toBe(200);
    }
    await complete(upload.id);
    await expectOneResult(upload.id, digest.digest('hex'));
  });
});

/** Begins a request, sends a part of its body and breaks the connection, or has it broken. */
function broken(
  method: string,
  path: string,
  headers: Record<string, string | number>,
  sent: Uint8Array,
): Promise<void> {
  return new Promise((resolve) => {
    const post = httpRequest(url + path, { method, headers: { 'X-API-Key': KEY, ...headers } });
    post.on('error', () => undefined);
    post.on('close', () => resolve());
    post.write(sent);
    setTimeout(() => post.destroy(), 2_000).unref();
  });
}

const brokenPart = (id: string, number: number, part: Uint8Array): Promise<void> =>
  broken(
    'PUT',
    `/uploads/${id}/parts/${number}`,
    { 'Content-Length': part.length },
    part.subarray(0, part.length >> 1),
  );

async function brokenUpload(file: Uint8Array<ArrayBuffer>, key: string): Promise<void> {
  const whole = new Request('http://form', { method: 'POST', body: formOf(file) });
  const body = new Uint8Array(await whole.arrayBuffer());
  const headers = {
    'Content-Type': whole.headers.get('Content-Type') ?? '',
    'Content-Length': body.length,
    'Idempotency-Key': key,
  };
  await broken('POST', '/analyze', headers, body.subarray(0, body.length >> 1));
}
