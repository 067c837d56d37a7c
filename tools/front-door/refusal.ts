import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../../src/contract/errors.ts';
import { ALLOWED_HEADERS, ALLOWED_METHODS, EXPOSED_HEADERS } from '../../src/worker/http/cors.ts';

/**
 * How long to go on reading when a connection closes while its client is still sending. nginx reads for 30 s, or until
 * 5 s of silence.
 */
const LINGER_MS = { most: 30_000, silence: 5_000 };

const OPEN_CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
};

/** Answers in the service's error shape. A client that is still sending receives it, too. */
export function refuse(answer: ServerResponse, error: ServiceError, id: string): void {
  if (answer.headersSent) {
    answer.destroy();
    return;
  }
  const { headers, body } = told(error, id);
  closeAfterEarly(answer);
  answer.writeHead(error.status, headers).end(body);
  answer.req.resume();
}

/** The same on a connection without a readable request. */
export function refuseConnection(socket: Duplex, error: ServiceError): void {
  const { headers, body } = told(error, randomUUID());
  const lines = Object.entries({ ...headers, Date: new Date().toUTCString(), Connection: 'close' });
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines.map(([name, v]) => `${name}: ${v}`)];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  linger(socket);
}

/** Answers a CORS preflight for any path, as the Worker would. */
export function answerPreflight(answer: ServerResponse, id: string): void {
  closeAfterEarly(answer);
  answer.writeHead(204, {
    ...OPEN_CORS,
    'Access-Control-Allow-Methods': ALLOWED_METHODS.join(','),
    'Access-Control-Allow-Headers': ALLOWED_HEADERS.join(','),
    'X-Request-Id': id,
  });
  answer.end();
  answer.req.resume();
}

function told({ code, detail, retryAfter, status }: ServiceError, id: string) {
  const body = JSON.stringify({ detail, code, request_id: id });
  const headers: OutgoingHttpHeaders = {
    ...OPEN_CORS,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'X-Request-Id': id,
    ...(retryAfter !== undefined && { 'Retry-After': retryAfter }),
    ...(status === 405 && { Allow: ALLOWED_METHODS.join(', ') }),
  };
  return { headers, body };
}

/** An answer that precedes the end of its request is the last on its connection. */
export function closeAfterEarly(answer: ServerResponse): void {
  if (isSending(answer.req)) answer.setHeader('Connection', 'close');
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isSending = (incoming: IncomingMessage): boolean => hasBody(incoming) && !incoming.complete;

const lingering = new WeakSet<Duplex>();

/** Whether this connection has had its last answer. Anything that still arrives is not a request. */
export const isClosing = (socket: Duplex): boolean => lingering.has(socket);

/**
 * Closes a connection in such a way that its last answer arrives: it is ended, and for a while what the client still
 * sends is read and dropped. Closing it immediately would reset the connection and lose the answer.
 */
export function linger(socket: Duplex): void {
  if (isClosing(socket) || socket.destroyed) return;
  lingering.add(socket);
  const silence = setTimeout(() => socket.destroy(), LINGER_MS.silence);
  const most = setTimeout(() => socket.destroy(), LINGER_MS.most);
  socket.on('data', () => silence.refresh());
  socket.once('close', () => {
    clearTimeout(silence);
    clearTimeout(most);
  });
  socket.end();
  socket.resume();
}
