import { randomUUID } from 'node:crypto';
import { Agent, createServer, type IncomingMessage, maxHeaderSize, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ServiceError } from '../../src/contract/errors.ts';
import { CLIENT_GONE } from '../../src/contract/pipeline.ts';
import { ALLOWED_METHODS } from '../../src/worker/http/cors.ts';
import { type ForwardFault, forward } from './forward.ts';
import { bringsRecording, type FreeSpace, refusedForSpace, watchSpace } from './free-space.ts';
import { isOwnHost } from './own-hosts.ts';
import { answerPreflight, hasBody, isClosing, linger, refuse, refuseConnection } from './refusal.ts';
import { readTarget } from './request-target.ts';
import { type UploadPace, watchUpload } from './upload-watch.ts';

/**
 * Node's default of 5 s breaks uploads that a Worker starts on a connection that is closing. The pipeline uses the same
 * value.
 */
const KEEP_ALIVE_MS = 120_000;
/** An idle connection to workerd is not reused after this, because workerd closes idle ones after 5 s. */
const REUSE_MS = 3_000;
/** How long the id of a client that left is remembered, ms, for work that has not begun yet. */
const REMEMBER_MS = 60_000;
/** Limits how long a client may hold a connection with an unfinished request. */
const PATIENCE: Patience = { headersMs: 30_000, upload: { windowMs: 60_000, leastBytes: 60 * 1024 } };
/** Retry-After while the Worker is away, s. */
const RETRY_AFTER_S = 5;
const IDEMPOTENT_METHODS = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'];
/** The answer to a request whose own answer was lost, so that nobody knows whether it was carried out. */
export const INTERRUPTED_DETAIL =
  'The service restarted before it answered, so the request may have been carried out. An analysis that had begun goes on, and GET /conversations lists it. Send an Idempotency-Key to be able to repeat a request';
const HOST = /^([\w.-]+|\[[\da-f:.]+\])(:\d{1,5})?$/i;

/**
 * The header in which the front door passes a request id to the Worker. A client's own header is dropped. `npm start`
 * sets REQUEST_ID_HEADER to its name.
 */
export const REQUEST_ID_HEADER = 'x-front-door-request-id';

export interface Patience {
  /** Time limit for the headers of a request, from its first byte or the start of the connection. */
  headersMs: number;
  upload: UploadPace;
}

export interface FrontDoorOptions {
  /** Port of the Worker. */
  workerPort: number;
  /** The port of each pipeline, once it answers. Waits for a pipeline that is restarting. */
  pipelinePorts: readonly (() => Promise<number>)[];
  /** Address or name that clients outside this machine use. By default there are none. */
  host?: string | undefined;
  /** Free space on the disk with the stored data. */
  freeSpace: FreeSpace;
  patience?: Patience;
}

export interface FrontDoor {
  /** Clients connect here. */
  front: Server;
  /** The Worker reaches each pipeline here. */
  backs: Server[];
}

/**
 * Stands in for Cloudflare's edge on a developer's machine. At the edge, a client that leaves aborts its request in the
 * Worker. workerd by itself notices this only at its next write, which for a batch analysis is at the end. Requests
 * therefore pass through here on both sides of the Worker. When a client leaves, the pipeline's work for it is closed,
 * and the Worker, which would start it again, receives the reason.
 *
 * Only the service itself is reachable: requests for its routes pass in, answers with the request's own id pass out
 * (the runtime's have none), and everything else is answered in the service's error shape.
 */
export function createFrontDoor(options: FrontDoorOptions): FrontDoor {
  const { workerPort, pipelinePorts, host, freeSpace, patience = PATIENCE } = options;
  const clients = new Clients();
  const agent = new Agent({ keepAlive: true, timeout: REUSE_MS });

  const receive = (incoming: IncomingMessage, answer: ServerResponse): void => {
    // Data that arrives on a connection after its last answer.
    if (isClosing(incoming.socket)) return;
    const id = randomUUID();
    const fail = (error: ServiceError): void => refuse(answer, error, id);
    const target = admitted(incoming, host);
    if (target === 'preflight') {
      answerPreflight(answer, id);
      return;
    }
    if (target instanceof ServiceError) {
      fail(target);
      return;
    }
    const isRecording = bringsRecording(incoming.method, target.path);
    const refusal = isRecording && refusedForSpace(freeSpace);
    if (refusal) {
      fail(refusal);
      return;
    }

    answer.on('close', () => clients.leave(id, answer.writableFinished));
    try {
      forward(incoming, answer, {
        port: workerPort,
        path: target.path,
        headers: {
          host: incoming.headers.host ?? 'localhost',
          [REQUEST_ID_HEADER]: id,
          // Set as Cloudflare's edge would set it. A client's own header is dropped.
          'cf-connecting-ip': incoming.socket.remoteAddress ?? '',
        },
        // On a reused connection, one that closes before the request is read looks like a crash after it.
        ...(isRepeatable(incoming) && { agent }),
        // A file is not the Worker's answer. If there is none, the Worker answers.
        accepts: ({ headers, statusCode = 0 }) =>
          headers['x-request-id'] === id || (target.isAsset && (statusCode < 300 || statusCode === 304)),
        onFault: (fault) =>
          fail(
            target.isAsset && fault.status === 404
              ? new ServiceError('NOT_FOUND')
              : faultOfRuntime(fault, isRepeatable(incoming)),
          ),
      });
      if (hasBody(incoming)) watchUpload(incoming, patience.upload, () => fail(new ServiceError('UPLOAD_STALLED')));
      if (isRecording && hasBody(incoming)) watchSpace(incoming, freeSpace, fail);
    } catch (cause) {
      fail(new ServiceError('INVALID_REQUEST', 'The request has headers that cannot be passed on', { cause }));
    }
  };

  const front = createServer({
    requestTimeout: 0,
    headersTimeout: patience.headersMs,
    connectionsCheckingInterval: patience.headersMs / 10,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
  });
  front.on('request', receive);
  front.on('checkContinue', (incoming: IncomingMessage, answer: ServerResponse) => {
    const target = admitted(incoming, host);
    if (typeof target === 'object' && 'path' in target && !isClosing(incoming.socket)) answer.writeContinue();
    receive(incoming, answer);
  });
  front.on('checkExpectation', (_, answer: ServerResponse) =>
    refuse(answer, new ServiceError('INVALID_REQUEST', 'Expect may only say 100-continue'), randomUUID()),
  );
  front.on('connect', (_, socket: Duplex) =>
    refuseConnection(socket, new ServiceError('METHOD_NOT_ALLOWED', 'CONNECT is not offered')),
  );
  tellClientErrors(front);

  const backs = pipelinePorts.map((pipelinePort) =>
    createServer({ requestTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS }, async (incoming, answer) => {
      const id = incoming.headers['x-request-id'];
      if (typeof id === 'string' && isAnalysis(incoming)) clients.onLeave(id, answer);
      const port = await pipelinePort();
      if (answer.destroyed || answer.writableEnded) return;
      forward(incoming, answer, { port, path: incoming.url ?? '/', onFault: () => answer.destroy() });
    }),
  );
  for (const server of [front, ...backs])
    server.on('connection', (socket: Socket) => {
      socket.destroySoon = () => linger(socket);
    });
  return { front, backs };
}

/** The destination of a request, or an answer that needs no Worker. */
function admitted(
  incoming: IncomingMessage,
  host: string | undefined,
): { path: string; isAsset: boolean } | 'preflight' | ServiceError {
  const { method = 'GET', headers } = incoming;
  const target = readTarget(incoming.url ?? '');
  if ('refused' in target) {
    if (target.refused === 'unreadable')
      return new ServiceError('INVALID_REQUEST', 'The target of the request is no path');
    if (method === 'OPTIONS') return 'preflight';
    return new ServiceError('NOT_FOUND');
  }
  if (!ALLOWED_METHODS.includes(method)) return new ServiceError('METHOD_NOT_ALLOWED');
  const isOldClient = incoming.httpVersionMinor === 0 && headers.host === undefined;
  if (isOldClient) return target;
  if (!HOST.test(headers.host ?? '')) return new ServiceError('INVALID_REQUEST', 'Host must name a host');
  return isOwnHost(headers.host ?? '', host) ? target : new ServiceError('WRONG_HOST');
}

/** Whether repeating a request has no further effect (RFC 9110, section 9.2.2). */
const isRepeatable = ({ method = 'GET', headers }: IncomingMessage): boolean =>
  IDEMPOTENT_METHODS.includes(method) || headers['idempotency-key'] !== undefined;

/**
 * The Worker is unreachable or crashed, or its runtime answered in its place. A 503 says that a request had no effect,
 * so one that may have had any gets another status.
 */
function faultOfRuntime({ status, isSent }: ForwardFault, isRepeatable: boolean): ServiceError {
  if (status !== undefined && status >= 400 && status < 500)
    return new ServiceError('INVALID_REQUEST', 'The request cannot be read');
  if (isSent && !isRepeatable) return new ServiceError('ANALYSIS_FAILURE', INTERRUPTED_DETAIL);
  return new ServiceError('OVERLOADED', 'The service is starting again; try again shortly', {
    retryAfter: RETRY_AFTER_S,
  });
}

/** Answers requests that Node cannot parse, which it would answer differently or not at all. */
function tellClientErrors(server: Server): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  for (const event of ['request', 'checkContinue', 'checkExpectation'])
    server.prependListener(event, ({ socket }: IncomingMessage, answer: ServerResponse) => {
      answering.set(socket, answer);
      answer.once('close', () => answering.delete(socket));
    });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (isClosing(socket)) return;
    const answer = answering.get(socket);
    // A connection that carried no data expects no answer.
    if (error.code === 'ECONNRESET' || !socket.writable || socket.bytesRead === 0) socket.destroy();
    else if (!answer) refuseConnection(socket, unreadable(error));
    else if (!answer.req.complete) refuse(answer, unreadable(error), randomUUID());
    else answer.once('close', () => linger(socket));
  });
}

function unreadable({ code }: NodeJS.ErrnoException): ServiceError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('UPLOAD_STALLED', 'The headers of the request did not arrive in time');
  if (code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('INVALID_REQUEST', `The headers of the request exceed ${maxHeaderSize} bytes`);
  return new ServiceError('INVALID_REQUEST', 'The request is not HTTP');
}

/** The clients that left, and what to close for each of them. Every id belongs to one request. */
class Clients {
  readonly #left = new Set<string>();
  readonly #work = new Map<string, ServerResponse>();

  leave(id: string, served: boolean): void {
    if (served) return;
    this.#left.add(id);
    setTimeout(() => this.#left.delete(id), REMEMBER_MS).unref();
    this.#work.get(id)?.destroy();
  }

  onLeave(id: string, answer: ServerResponse): void {
    if (this.#left.has(id)) {
      answer.writeHead(CLIENT_GONE, { Connection: 'close' }).end();
      return;
    }
    this.#work.set(id, answer);
    answer.on('close', () => this.#work.delete(id));
  }
}

/** Only the analysis of a file belongs to a single request. A live session outlives the requests that feed it. */
const isAnalysis = ({ method, url }: IncomingMessage): boolean =>
  method === 'POST' && url?.split('?')[0] === '/analyses';
