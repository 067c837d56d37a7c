import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { RestartableProcess, workerProcess } from '../../bench/processes.ts';
import type { AnalysisResponse } from '../../src/contract/analysis.ts';
import type { UploadBody } from '../../src/contract/uploads.ts';
import { type Receiver, startReceiver } from '../../support/job-client.ts';
import { freePort } from '../../tools/machine.ts';

export const KEY = 'jobs-faults-key';
/** Time that the pipeline takes for a file. */
export const ALONE_MS = 2_000;
/** The tenant's alarm takes up an orphaned job within 20 s. A machine under load needs more time. */
export const PATIENCE = { timeout: 180_000, interval: 200 };
export const PART_BYTES = 16 * 1024 * 1024;
export const MEBIBYTE = 1024 * 1024;

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function formOf(file: Uint8Array<ArrayBuffer>): FormData {
  const form = new FormData();
  form.set('file', new File([file], 'call.wav'));
  return form;
}

/**
 * The service with jobs: `wrangler dev`, whose storage outlives it, a pipeline that recognises nothing, takes a fixed
 * time and returns the digest of the bytes it received, and a receiver of webhooks.
 */
export class JobService {
  readonly url: string;
  readonly pipeline: RestartableProcess;
  readonly worker: RestartableProcess;
  readonly receiver: Receiver;
  readonly #folder: string;

  private constructor(parts: Pick<JobService, 'url' | 'pipeline' | 'worker' | 'receiver'>, folder: string) {
    this.url = parts.url;
    this.pipeline = parts.pipeline;
    this.worker = parts.worker;
    this.receiver = parts.receiver;
    this.#folder = folder;
  }

  /** @param way maps an address to the one through which the others and the clients reach it */
  static async start(way: (url: string) => Promise<string> = async (url) => url): Promise<JobService> {
    const folder = mkdtempSync(join(tmpdir(), 'undertone-job-faults-'));
    const [pipelinePort, workerPort] = [await freePort(), await freePort()];
    const pipeline = new RestartableProcess(
      () =>
        spawn(process.execPath, ['bench/echo-files.ts'], {
          cwd: join(import.meta.dirname, '../..'),
          env: { ...process.env, PORT: String(pipelinePort), ALONE_MS: String(ALONE_MS) },
          stdio: ['ignore', 'ignore', 'inherit'],
          detached: true,
        }),
      `http://127.0.0.1:${pipelinePort}/healthz`,
    );
    const worker = workerProcess(workerPort, folder, {
      RUNTIME_URL: await way(`http://127.0.0.1:${pipelinePort}`),
      API_KEYS: KEY,
      ALLOW_PRIVATE_TARGETS: 'true',
    });
    await Promise.all([pipeline.start(), worker.start()]);
    const receiver = await startReceiver();
    const url = await way(`http://127.0.0.1:${workerPort}`);
    const service = new JobService({ url, pipeline, worker, receiver }, folder);
    await service.ask('POST', '/webhooks', JSON.stringify({ url: await way(receiver.url) }));
    return service;
  }

  async stop(): Promise<void> {
    await this.receiver.close();
    await this.worker.kill();
    await this.pipeline.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /**
   * Repeats the request until there is an answer, because a Worker that is starting or about to be killed gives none.
   */
  ask(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    const json: Record<string, string> = typeof body === 'string' ? { 'Content-Type': 'application/json' } : {};
    return vi.waitFor(
      () => fetch(this.url + path, { method, headers: { 'X-API-Key': KEY, ...json, ...headers }, body: body ?? null }),
      PATIENCE,
    );
  }

  async begin(file: Uint8Array<ArrayBuffer>, key = crypto.randomUUID()): Promise<string> {
    const headers = { Prefer: 'respond-async', 'Idempotency-Key': key };
    const response = await this.ask('POST', '/analyze', formOf(file), headers);
    expect(response.status).toBe(202);
    return ((await response.json()) as { conversation_id: string }).conversation_id;
  }

  /** Waits until a job is running. */
  running(id: string): Promise<void> {
    return vi.waitFor(async () => {
      const response = await fetch(`${this.url}/conversations/${id}`, { headers: { 'X-API-Key': KEY } });
      const { status } = (await response.json()) as { status?: string };
      if (status === 'queued') throw new Error(status);
    }, PATIENCE);
  }

  /** Waits until an analysis is running. */
  underWay(): Promise<void> {
    return vi.waitFor(async () => {
      const response = await fetch(`${this.url}/conversations?status=processing`, { headers: { 'X-API-Key': KEY } });
      const { conversations } = (await response.json()) as { conversations: unknown[] };
      if (conversations.length === 0) throw new Error('none is under way');
    }, PATIENCE);
  }

  /** The result of a conversation, once it is there. */
  #resultOf(id: string): Promise<AnalysisResponse> {
    return vi.waitFor(async () => {
      const response = await fetch(`${this.url}/conversations/${id}`, { headers: { 'X-API-Key': KEY } });
      const body = (await response.json()) as AnalysisResponse & { status?: string };
      if (response.status !== 200 || body.timeline === undefined) throw new Error(JSON.stringify(body).slice(0, 300));
      return body;
    }, PATIENCE);
  }

  /** Messages that the receiver got about a conversation, by id. Repeated ones count once. */
  #accepted(id: string): Set<string> {
    const messages = this.receiver.got.map(({ headers, body }) => ({ id: headers['webhook-id'], ...messageOf(body) }));
    const own = messages.filter(({ data }) => data.conversation_id === id);
    return new Set(own.map((message) => `${message.id} ${message.type}`));
  }

  /** Expects one result, based on the bytes that were sent, and one message about it. */
  async expectOneResult(id: string, digest: string): Promise<void> {
    const result = await this.#resultOf(id);
    expect(result.timeline.map(({ text }) => text)).toEqual([`sha256 ${digest}`]);
    await vi.waitFor(() => expect(this.#accepted(id).size).toBeGreaterThan(0), PATIENCE);
    expect([...this.#accepted(id)]).toEqual([expect.stringMatching(/^msg_\S+ analysis\.completed$/)]);
  }

  /**
   * The receiver never answers the first message, and accepts the later ones. @returns the ids of all, and a promise of
   * the first
   */
  holdFirstMessage(): { calls: string[]; held: Promise<void> } {
    const held = Promise.withResolvers<void>();
    const calls: string[] = [];
    this.receiver.answer = (_, headers) => {
      calls.push(String(headers['webhook-id']));
      if (calls.length > 1) return 200;
      held.resolve();
      return new Promise<number>(() => undefined);
    };
    return { calls, held: held.promise };
  }

  async announce(bytes: number): Promise<UploadBody> {
    const response = await this.ask('POST', '/uploads', JSON.stringify({ filename: 'call.wav', bytes }));
    return (await response.json()) as UploadBody;
  }

  /** Behaves like a client that starts again: asks what is there, and sends what is missing. */
  async sendMissing(id: string, partOf: (number: number) => Uint8Array<ArrayBuffer>): Promise<void> {
    const upload = (await (await this.ask('GET', `/uploads/${id}`)).json()) as UploadBody;
    const had = new Set(upload.parts.map(({ number }) => number));
    for (let number = 1; number <= upload.part_count; number++)
      if (!had.has(number))
        expect((await this.ask('PUT', `/uploads/${id}/parts/${number}`, partOf(number))).status).toBe(200);
  }

  async complete(id: string): Promise<void> {
    const response = await this.ask('POST', `/uploads/${id}/complete`, undefined, { Prefer: 'respond-async' });
    expect(response.status).toBe(202);
  }

  /** Sends half of a part and breaks the connection, or has it broken. */
  brokenPart(id: string, number: number, part: Uint8Array): Promise<void> {
    const headers = { 'Content-Length': part.length };
    return this.#broken('PUT', `/uploads/${id}/parts/${number}`, headers, part.subarray(0, part.length >> 1));
  }

  /** The same for a form with a file. */
  async brokenUpload(file: Uint8Array<ArrayBuffer>, key: string): Promise<void> {
    const whole = new Request('http://form', { method: 'POST', body: formOf(file) });
    const body = new Uint8Array(await whole.arrayBuffer());
    const headers = {
      'Content-Type': whole.headers.get('Content-Type') ?? '',
      'Content-Length': body.length,
      'Idempotency-Key': key,
    };
    await this.#broken('POST', '/analyze', headers, body.subarray(0, body.length >> 1));
  }

  #broken(method: string, path: string, headers: Record<string, string | number>, sent: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      const post = httpRequest(this.url + path, { method, headers: { 'X-API-Key': KEY, ...headers } });
      post.on('error', () => undefined);
      post.on('close', () => resolve());
      post.write(sent);
      setTimeout(() => post.destroy(), 2_000).unref();
    });
  }
}

const messageOf = (body: string) => JSON.parse(body) as { type: string; data: { conversation_id: string } };
