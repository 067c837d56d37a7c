import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { ERRORS, ServiceError } from '../../src/contract/errors.ts';
import { ndjsonLine } from '../../src/contract/ndjson.ts';
import {
  ALIVE_MS,
  LEASE_HEADER,
  listsProtocol,
  PIPELINE_PROTOCOL,
  type PipelineLine,
  type PipelineOptions,
  type PipelineReport,
  PROTOCOL_HEADER,
  WEIGHTS_HEADER,
} from '../../src/contract/pipeline.ts';
import { WEIGHTS_ID } from '../../src/conversation/weights-id.ts';
import { BoundedQueue } from './admission.ts';
import { AnalysisOutput } from './analysis-output.ts';
import { Announcer } from './announcement.ts';
import { drained, LiveSessions, writeDocuments } from './live/server-routes.ts';
import { liveStages } from './live/stages.ts';
import { SpeechDetector } from './models/silero.ts';
import { analyse } from './pipeline.ts';
import { engineOf, engines, recogniserOffers } from './recognition/engines.ts';
import { provideProfile } from './recognition/profile/profiled.ts';
import { optionsAndMedia } from './request-body.ts';
import { advertisedUrl, pipelineSettings } from './settings.ts';
import { encodeText } from './stages/encoding.ts';
import { VERSION } from './version.ts';
import { collectGarbage, restartWithMemorySettings } from './workers/memory.ts';
import { WorkerPool } from './workers/pool.ts';
import { ProcessorLoad } from './workers/processor-load.ts';

/** Keep-alive timeout, ms. A shorter one would break uploads that a Worker streams. */
const KEEP_ALIVE_MS = 120_000;
/** How often a draining process checks whether work is still running, ms. */
const DRAIN_LOOK_MS = 100;
/**
 * Seconds before a client that a draining pipeline refused should retry. Another pipeline may have a slot immediately.
 */
const DRAIN_RETRY_AFTER_S = 10;

type MachinePlace = Pick<PipelineReport, 'region' | 'jurisdiction'>;

/** The pipeline's HTTP server, which implements the protocol of src/contract/pipeline.ts. */
export class PipelineServer {
  readonly #pool: WorkerPool;
  readonly #admission = new BoundedQueue();
  readonly #live: LiveSessions;
  readonly #server: Server;
  readonly #token: string;
  readonly #place: MachinePlace;
  /** The responses to analyses, each with the pool's id of its lease. */
  readonly #analyses = new Map<ServerResponse, string | undefined>();
  readonly #load = new ProcessorLoad();
  #isDraining = false;

  /**
   * @param token demanded of every request but `/readyz`; '' for none
   * @param place where this machine is
   */
  constructor(pool: WorkerPool, detector: SpeechDetector, token = '', place: MachinePlace = {}) {
    this.#pool = pool;
    this.#token = token;
    const { region, jurisdiction } = place;
    this.#place = { region, jurisdiction };
    this.#live = new LiveSessions(liveStages(pool, detector, this.#admission));
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((cause: unknown) => fail(request, response, cause));
    });
    this.#server.keepAliveTimeout = KEEP_ALIVE_MS;
    this.#server.headersTimeout = KEEP_ALIVE_MS + 5000;
    this.#server.requestTimeout = 0;
  }

  /** @throws SettingError, ModelFileFault for a recogniser that does not match its profile */
  static async start(): Promise<PipelineServer> {
    const settings = pipelineSettings();
    await provideProfile(settings);
    engines();
    const [pool, detector] = await Promise.all([WorkerPool.start(), SpeechDetector.load(), encodeText('')]);
    collectGarbage();
    return new PipelineServer(pool, detector, settings.token, settings);
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

  /**
   * Accepts nothing new, lets running work finish for at most `limitMs`, asks live sessions to move, and then closes.
   */
  async drain(limitMs: number): Promise<void> {
    this.#isDraining = true;
    this.#live.drain();
    const until = performance.now() + limitMs;
    while (this.#analyses.size + this.#live.size > 0 && performance.now() < until) await pause(DRAIN_LOOK_MS);
    await this.close();
  }

  /** Closes immediately. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    await this.#live.close();
    await closed;
    await this.#pool.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    // A broken request is handled where its body is read. This event must not end the process.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const url = new URL(request.url ?? '/', 'http://pipeline');
    // For a load balancer, which sends no token. A pipeline that loads its models does not listen yet.
    if (url.pathname === '/readyz')
      return json(response, this.#isDraining ? 503 : 200, { status: this.#isDraining ? 'draining' : 'ready' });
    // Without the protocol's header, so that no client gets this as a verdict on its own key.
    if (!this.#isAllowed(request)) throw new ServiceError('INVALID_KEY', 'PIPELINE_TOKEN differs or is missing');
    if (url.pathname === '/healthz') return json(response, 200, this.#health());
    response.setHeader(PROTOCOL_HEADER, PIPELINE_PROTOCOL);
    response.setHeader(WEIGHTS_HEADER, WEIGHTS_ID);
    const spoken = request.headers[PROTOCOL_HEADER.toLowerCase()]?.toString();
    if (!listsProtocol(spoken, PIPELINE_PROTOCOL))
      throw new ServiceError(
        'ANALYSIS_FAILURE',
        `The pipeline uses protocol ${PIPELINE_PROTOCOL} but the Worker uses ${spoken ?? 'an older one'}`,
      );
    if (await this.#live.handle(request, response)) return;
    if (url.pathname !== '/analyses') throw new ServiceError('NOT_FOUND');
    else if (request.method !== 'POST') throw new ServiceError('METHOD_NOT_ALLOWED');
    else await this.#analyse(request, response);
  }

  #isAllowed({ headers: { authorization = '' } }: IncomingMessage): boolean {
    const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
    return this.#token === '' || timingSafeEqual(digestOf(authorization), digestOf(`Bearer ${this.#token}`));
  }

  #health() {
    return {
      version: VERSION,
      protocol: PIPELINE_PROTOCOL,
      running: this.#admission.running,
      waiting: this.#admission.waiting,
      live: this.#live.size,
      recognisers: recogniserOffers(),
      ...this.#report(),
    };
  }

  #report(): PipelineReport {
    return {
      status: this.#isDraining ? 'draining' : 'ok',
      slots: { live: this.#live.limit },
      held: { live: this.#live.ids, batch: [...this.#analyses.values()].filter((lease) => lease !== undefined) },
      busy: this.#load.share(),
      lag_ms: Math.round(this.#live.lagSeconds * 1000),
      rss_bytes: process.memoryUsage.rss(),
      ...this.#place,
    };
  }

  async #analyse(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (this.#isDraining)
      throw new ServiceError('OVERLOADED', 'The pipeline is shutting down', { retryAfter: DRAIN_RETRY_AFTER_S });
    this.#admission.check();
    this.#analyses.set(response, request.headers[LEASE_HEADER.toLowerCase()]?.toString());
    response.once('close', () => this.#analyses.delete(response));
    const { options: asked, media, prefix } = await optionsAndMedia(request);
    const options = { ...asked, recogniser: engineOf(asked.recogniser).id };
    const abandoned = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) abandoned.abort(new Error('the client closed the connection'));
    });
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.flushHeaders();
    const alive = setInterval(() => response.write(ndjsonLine({ type: 'alive' })), ALIVE_MS);
    let leave: (() => void) | undefined;
    try {
      leave = await this.#admission.enter(abandoned.signal);
      await this.#respond(
        options,
        media,
        Number(request.headers['content-length']) - prefix,
        response,
        abandoned.signal,
        () => clearInterval(alive),
      );
    } finally {
      clearInterval(alive);
      leave?.();
      // An analysis can end before all bytes are read, but the client reads the response only after sending them.
      request.resume();
    }
  }

  async #respond(
    options: PipelineOptions,
    media: AsyncIterable<Uint8Array>,
    size: number,
    response: ServerResponse,
    signal: AbortSignal,
    beforeResult: () => void,
  ): Promise<void> {
    const output = new AnalysisOutput({ ...options, live: false });
    for (const line of output.open()) await write(response, line, signal);
    const isStreamed = options.captured !== undefined;
    const request = { options, size: size > 0 ? size : undefined, isStreamed, signal };
    for await (const line of analyse(media, request, this.#pool))
      for (const outputLine of output.take(line)) {
        // The bytes of the documents follow immediately.
        if (outputLine.type === 'result') beforeResult();
        await write(response, outputLine, signal);
      }
    await writeDocuments(response, output.documents);
  }
}

/** Writes a line with back-pressure. */
async function write(response: ServerResponse, line: PipelineLine, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (!response.write(ndjsonLine(line))) await drained(response);
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/**
 * The only place that sends errors. An error other than a ServiceError is reported without detail, and its cause is
 * logged with the Worker's id.
 */
function fail(request: IncomingMessage, response: ServerResponse, cause: unknown): void {
  const error = cause instanceof ServiceError ? cause : new ServiceError('ANALYSIS_FAILURE', undefined, { cause });
  if (response.destroyed) return;
  if (error.status >= 500 && error.code !== 'OVERLOADED')
    // The stack of an error that was thrown on purpose says nothing.
    console.error(`request ${request.headers['x-request-id']} failed:`, error.cause ?? error.detail);
  if (response.headersSent) {
    response.end(ndjsonLine({ type: 'error', code: error.code, message: error.detail } satisfies PipelineLine));
    return;
  }
  const headers: Record<string, string> = error.retryAfter ? { 'Retry-After': String(error.retryAfter) } : {};
  json(response, ERRORS[error.code].status, { code: error.code, detail: error.detail }, headers);
}

if (import.meta.main) {
  const settings = pipelineSettings();
  const { port, host, drainMs } = settings;
  engines(settings);
  restartWithMemorySettings();
  process.title = 'undertone-pipeline';
  // The last resort: a fault in one request is logged and does not end other requests.
  process.on('unhandledRejection', (cause) => console.error('unhandled rejection:', cause));
  let server: PipelineServer | undefined;
  let announcer: Announcer | undefined;
  // PID 1 of a container ignores every signal that it has no listener for.
  const end = async (work: Promise<void> | undefined) => {
    announcer?.drain();
    await work;
    await announcer?.end();
    process.exit(0);
  };
  process.once('SIGTERM', () => void end(server?.drain(drainMs)));
  process.once('SIGINT', () => void end(server?.close()));
  try {
    server = await PipelineServer.start();
  } catch (cause) {
    console.error('the pipeline cannot start:', cause instanceof Error ? cause.message : cause);
    process.exit(1);
  }
  const listening = await server.listen(port, host);
  console.log(`pipeline listening on port ${listening}`);
  const { poolUrl, token } = settings;
  if (poolUrl !== undefined) announcer = Announcer.start({ poolUrl, url: advertisedUrl(settings, listening), token });
}
