import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ServiceError } from '../../src/contract/errors.ts';
import { ALLOWED_HEADERS, ALLOWED_METHODS, EXPOSED_HEADERS } from '../../src/worker/http/cors.ts';

/** Of a connection that is closed while its client still sends: nginx reads on for 30 s, for 5 s of silence. */
const LINGER_MS = { most: 30_000, silence: 5_000 };

const OPEN_CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': EXPOSED_HEADERS.join(','),
};

/** Answers in the service's error shape. A client that is still sending receives it too. */
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

/** The same on a connection on which no request could be read. */
export function refuseConnection(socket: Duplex, error: ServiceError): void {
  const { headers, body } = told(error, randomUUID());
  const lines = Object.entries({ ...headers, Date: new Date().toUTCString(), Connection: 'close' });
  const head = [`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`, ...lines.map(([name, v]) => `${name}: ${v}`)];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  linger(socket);
}

/** A browser asks whether it may ask: for any path, as the Worker answers it. */
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

/** An answer that comes before the end of its request is the last on its connection. */
export function closeAfterEarly(answer: ServerResponse): void {
  if (isSending(answer.req)) answer.setHeader('Connection', 'close');
}

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isSending = (incoming: IncomingMessage): boolean => hasBody(incoming) && !incoming.complete;

const lingering = new WeakSet<Duplex>();

/** Whether the last answer on this connection was given; what still comes on it is no request. */
export const isClosing = (socket: Duplex): boolean => lingering.has(socket);

/**
 * Closes a connection so that what was written to it arrives: the end is sent, and what the client still sends is read
 * and dropped for a while. Closing at once would reset the connection, and a reset takes the answer with it.
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
