import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { z } from 'zod';
import { ERRORS, ServiceError } from '../../src/contract/errors.ts';
import { MediaExtensionSchema, SpeakersSchema } from '../../src/contract/media.ts';
import { ndjsonLine } from '../../src/contract/ndjson.ts';
import { PIPELINE_PROTOCOL, type PipelineLine } from '../../src/contract/pipeline.ts';
import { Admission } from './admission.ts';
import { LiveSessions } from './live/server-routes.ts';
import { liveStages } from './live/stages.ts';
import { SpeechDetector } from './models/silero.ts';
import { analyse } from './pipeline.ts';
import { encodeText } from './stages/encoding.ts';
import { collectGarbage, restartWithMemorySettings } from './workers/memory.ts';
import { WorkerPool } from './workers/pool.ts';

const PORT = Number(process.env.PORT ?? 8080);
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')));
/** In the container the Worker comes from outside; a developer's machine keeps it to itself (`HOST=127.0.0.1`). */
const HOST = process.env.HOST ?? '0.0.0.0';
/** Shorter ones break uploads streamed by a Worker. */
const KEEP_ALIVE_MS = 120_000;
/** A waiting analysis shows that it lives this often, ms. */
const WAITING_LINE_MS = 5000;
/** After SIGTERM, work under way may take this long, ms. */
const GRACE_MS = 30_000;

const QuerySchema = z.object({
  conversation_id: z.string().min(1),
  suffix: MediaExtensionSchema,
  speakers: SpeakersSchema.optional(),
});

/** The pipeline's HTTP server: the protocol of src/contract/pipeline.ts. */
export class PipelineServer {
  readonly #pool: WorkerPool;
  readonly #admission = new Admission();
  readonly #live: LiveSessions;
  readonly #server: Server;

  constructor(pool: WorkerPool, detector: SpeechDetector) {
    this.#pool = pool;
    this.#live = new LiveSessions(liveStages(pool, detector, this.#admission));
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((cause: unknown) => fail(response, cause));
    });
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
    this.#server.headersTimeout = KEEP_ALIVE_MS + 5000;
    this.#server.requestTimeout = 0;
  }

  static async start(): Promise<PipelineServer> {
    const [pool, detector] = await Promise.all([WorkerPool.start(), SpeechDetector.load(), encodeText('')]);
    collectGarbage();
    return new PipelineServer(pool, detector);
  }

  /** @returns the port it listens on. */
  async listen(port: number, host: string): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, resolve);
    });
    const address = this.#server.address();
    return typeof address === 'object' && address ? address.port : port;
  }

  /** Takes nothing new, lets analyses under way finish for a while, then ends. */
  async close(graceMs = 0): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeIdleConnections();
    const limit = setTimeout(() => this.#server.closeAllConnections(), graceMs);
    await this.#live.close();
    await closed;
    clearTimeout(limit);
    await this.#pool.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A request that breaks off is met where its body is read; the event alone must not end the process.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const url = new URL(request.url ?? '/', 'http://pipeline');
    if (await this.#live.handle(request, response)) return;
    if (url.pathname === '/healthz') json(response, 200, this.#health());
    else if (url.pathname !== '/analyses') throw new ServiceError('NOT_FOUND');
    else if (request.method !== 'POST') throw new ServiceError('METHOD_NOT_ALLOWED');
    else await this.#analyse(url.searchParams, request, response);
  }

  #health() {
    return {
      status: 'ok',
      version,
      protocol: PIPELINE_PROTOCOL,
      running: this.#admission.running,
      waiting: this.#admission.waiting,
      live: this.#live.size,
    };
  }

  async #analyse(params: URLSearchParams, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const query = QuerySchema.safeParse(Object.fromEntries(params));
    if (!query.success)
      throw new ServiceError(
        'INVALID_REQUEST',
        `${query.error.issues[0]?.path.join('.')}: ${query.error.issues[0]?.message}`,
      );
    this.#admission.check();
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new Error('the client is gone'));
    });
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.flushHeaders();
    const leave = await this.#turn(response, gone.signal);
    try {
      const { conversation_id: conversationId, suffix, speakers } = query.data;
      const size = Number(request.headers['content-length']) || undefined;
      const lines = analyse(request, { conversationId, suffix, speakers, size, signal: gone.signal }, this.#pool);
      for await (const line of lines) await write(response, line, gone.signal);
      response.end();
    } finally {
      leave();
      // An analysis may end before all bytes were read; the answer is received only when they are.
      request.resume();
    }
  }

  /** Waits for the analysis's turn, saying so now and then. */
  async #turn(response: ServerResponse, signal: AbortSignal): Promise<() => void> {
    const say = () => response.write(ndjsonLine({ type: 'progress', stage: 'decoding', progress: 0 }));
    say();
    const waiting = setInterval(say, WAITING_LINE_MS);
    try {
      return await this.#admission.enter(signal);
    } finally {
      clearInterval(waiting);
    }
  }
}

/** Writes a line with back-pressure. */
async function write(response: ServerResponse, line: PipelineLine, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (response.write(ndjsonLine(line))) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
  });
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The one exit of errors: what is not a ServiceError is told blandly; its cause goes to the log. */
function fail(response: ServerResponse, cause: unknown): void {
  const error = cause instanceof ServiceError ? cause : new ServiceError('ANALYSIS_FAILURE', undefined, { cause });
  if (response.destroyed) return;
  if (error.status >= 500 && error.code !== 'OVERLOADED') console.error(error);
  if (response.headersSent) {
    response.end(ndjsonLine({ type: 'error', code: error.code, message: error.detail } satisfies PipelineLine));
    return;
  }
  const headers: Record<string, string> = error.retryAfter ? { 'Retry-After': String(error.retryAfter) } : {};
  json(response, ERRORS[error.code].status, { code: error.code, detail: error.detail }, headers);
}

if (import.meta.main) {
  restartWithMemorySettings();
  process.title = 'undertone-pipeline';
  // The last resort: one request's mistake is logged and does not end the others.
  process.on('unhandledRejection', (cause) => console.error('unhandled rejection:', cause));
  const server = await PipelineServer.start();
  const port = await server.listen(PORT, HOST);
  console.log(`pipeline listening on port ${port}`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void server.close(GRACE_MS).then(() => process.exit(0)));
}
