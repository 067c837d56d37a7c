import { randomUUID } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';

/** Node's default of 5 s breaks uploads that a Worker begins on a connection about to close; the pipeline uses the same. */
const KEEP_ALIVE_MS = 120_000;
/** A free connection to workerd is not used again after this long: it closes idle ones after 5 s. */
const REUSE_MS = 3_000;
/** How long the id of a client that left is remembered, for work that is still to begin. */
const REMEMBER_MS = 60_000;
/** Headers of one connection, not of the message (RFC 9110, section 7.6.1); `Expect` is answered here. */
const HOP_HEADERS = ['connection', 'keep-alive', 'proxy-connection', 'expect'];

export interface FrontDoorOptions {
  /** Port of the Worker. */
  workerPort: number;
  /** Port of the pipeline, once it answers; a pipeline that is being started again is waited for. */
  pipelinePort: () => Promise<number>;
}

export interface FrontDoor {
  /** Clients come in here. */
  front: Server;
  /** The Worker reaches the pipeline here. */
  back: Server;
}

/**
 * Stands in for Cloudflare's edge on a developer's machine: there, a client that leaves aborts its request in the
 * Worker; workerd alone notices only when it next writes, which a batch analysis does not do before its end. So
 * requests pass here on both sides of the Worker, and when a client leaves, the pipeline's work for it is closed.
 */
export function createFrontDoor({ workerPort, pipelinePort }: FrontDoorOptions): FrontDoor {
  const clients = new Clients();
  const agent = new Agent({ keepAlive: true, timeout: REUSE_MS });

  const front = createServer({ requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS }, (incoming, answer) => {
    const id = requestIdOf(incoming) ?? randomUUID();
    incoming.headers['x-request-id'] = id;
    clients.enter(id);
    answer.on('close', () => clients.leave(id, answer.writableFinished));
    forward(incoming, answer, workerPort, agent);
  });

  const back = createServer({ requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS }, async (incoming, answer) => {
    const id = requestIdOf(incoming);
    if (id !== undefined && isAnalysis(incoming)) clients.onLeave(id, answer);
    const port = await pipelinePort();
    if (!answer.destroyed) forward(incoming, answer, port);
  });
  // Longer than the keep-alive, or Node closes a connection between two requests.
  front.headersTimeout = back.headersTimeout = KEEP_ALIVE_MS + 1000;
  return { front, back };
}

/** Which clients are still there, and what to close when one leaves. */
class Clients {
  readonly #present = new Map<string, number>();
  readonly #left = new Set<string>();
  readonly #work = new Map<string, Set<ServerResponse>>();

  enter(id: string): void {
    this.#present.set(id, (this.#present.get(id) ?? 0) + 1);
  }

  leave(id: string, served: boolean): void {
    const others = (this.#present.get(id) ?? 1) - 1;
    if (others > 0) this.#present.set(id, others);
    else this.#present.delete(id);
    if (served || others > 0) return;
    this.#left.add(id);
    setTimeout(() => this.#left.delete(id), REMEMBER_MS).unref();
    for (const answer of this.#work.get(id) ?? []) answer.destroy();
  }

  onLeave(id: string, answer: ServerResponse): void {
    if (this.#left.has(id)) {
      answer.destroy();
      return;
    }
    const work = this.#work.get(id) ?? new Set();
    this.#work.set(id, work.add(answer));
    answer.on('close', () => {
      work.delete(answer);
      if (work.size === 0) this.#work.delete(id);
    });
  }
}

/** Only the analysis of a file belongs to one request; a live session outlives those that feed it. */
const isAnalysis = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && url?.split('?')[0] === '/analyses';

const requestIdOf = ({ headers }: IncomingMessage): string | undefined => {
  const id = headers['x-request-id'];
  return Array.isArray(id) ? id[0] : id;
};

/** Passes one request on and its answer back, both as they come; when either side closes, so does the other. */
function forward(incoming: IncomingMessage, answer: ServerResponse, port: number, agent?: Agent): void {
  const onward = request({
    host: '127.0.0.1',
    port,
    method: incoming.method,
    path: incoming.url,
    headers: endToEnd(incoming.headers),
    agent: agent ?? false,
  });
  let answered = false;
  onward.on('response', (received) => {
    answered = true;
    answer.writeHead(received.statusCode ?? 502, endToEnd(received.headers));
    answer.flushHeaders();
    received.on('error', () => answer.destroy());
    received.on('aborted', () => answer.destroy());
    received.pipe(answer);
  });
  onward.on('error', () => {
    // An early answer closes the way on while the client still sends: it reads the answer when it has sent the rest.
    incoming.unpipe(onward);
    incoming.resume();
    if (!answered) refuse(answer);
  });
  answer.on('close', () => onward.destroy());
  incoming.on('error', () => onward.destroy());
  incoming.pipe(onward);
}

function refuse(answer: ServerResponse): void {
  if (answer.headersSent) answer.destroy();
  else
    answer
      .writeHead(502, { 'Content-Type': 'application/json' })
      .end(JSON.stringify({ detail: 'The service is starting or stopping', code: 'STREAM_FAILURE', request_id: '' }));
}

const endToEnd = <T extends object>(headers: T): T =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name))) as T;
