import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import { closeAfterEarly, hasBody } from './refusal.ts';

/** Hop-by-hop headers (RFC 9110, section 7.6.1). `Expect` is answered here. */
const HOP_HEADERS = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
/** Headers with which miniflare and Cloudflare's edge describe a request. Nobody else may set them. */
const PLATFORM_HEADER = /^(mf|cf)-/;
/** Headers that frame the message. A client cannot have them dropped by listing them in `Connection`. */
const FRAMING_HEADERS = ['content-length', 'host'];
/** The local runtime cannot build such a request with a body. */
const METHODS_WITHOUT_BODY = ['GET', 'HEAD'];

/** A request repeated without its body is refused or forgotten within this time, ms. */
const ASK_AGAIN_MS = 5_000;

/** Answers from this status on are small, and are passed on once they are complete. */
const FIRST_ERROR = 400;

/** Why a request has no acceptable answer. */
export interface ForwardFault {
  /** Status of the answer that came in place of an acceptable one, if there was one. */
  status?: number | undefined;
  /** Whether the other side was reached and the whole request was there to read, so that it may have been carried out. */
  isSent: boolean;
}

export interface Onward {
  port: number;
  path: string;
  /** Replace or extend the client's headers. */
  headers?: OutgoingHttpHeaders;
  agent?: Agent;
  /** Whether an answer may go to the client. By default any may. */
  accepts?: (received: IncomingMessage) => boolean;
  /** Called to answer in its place when there is no acceptable answer. */
  onFault: (fault: ForwardFault) => void;
}

/**
 * Forwards one request and its answer as they arrive. When either side closes, so does the other. A refusal that
 * arrives before the end of the request is passed back immediately, and the rest of the request is dropped.
 * @throws TypeError when the headers cannot be sent
 */
export function forward(incoming: IncomingMessage, answer: ServerResponse, onward: Onward): void {
  const { port, path, agent, accepts, onFault } = onward;
  const method = incoming.method ?? 'GET';
  const takesBody = hasBody(incoming) && !METHODS_WITHOUT_BODY.includes(method);
  // The local runtime fails when a client accepts no encoding that it knows. On a single machine none is needed.
  const headers = { ...endToEnd(incoming.headers), 'accept-encoding': 'identity', ...onward.headers };
  if (!takesBody) delete headers['content-length'];
  else if (incoming.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';

  /** Sends the request. The body is then written to `sent`. Calls `onNothing` once if there is no acceptable answer. */
  const ask = (onNothing: (fault: ForwardFault) => void): ClientRequest => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: agent ?? false });
    let answered = false;
    let isReached = false;
    sent.once('socket', (socket) => {
      isReached = !socket.connecting;
      // On a reused connection it would never be called, and stay.
      if (!isReached)
        socket.once('connect', () => {
          isReached = true;
        });
    });
    const nothing = (status?: number): void => {
      onNothing({ status, isSent: isReached && (!takesBody || incoming.complete) });
    };
    sent.on('response', async (received) => {
      answered = true;
      const isFit = !accepts || accepts(received);
      if (isFit && (received.statusCode ?? 0) < FIRST_ERROR) {
        begin(received, () => stream(received));
        return;
      }
      incoming.unpipe(sent);
      incoming.resume();
      if (!isFit) {
        received.resume();
        nothing(received.statusCode);
      } else {
        const body = await buffer(received).catch(() => undefined);
        if (body === undefined) nothing();
        else begin(received, () => answer.end(body));
      }
    });
    sent.on('error', () => {
      incoming.unpipe(sent);
      if (!answered) nothing();
    });
    answer.on('close', () => sent.destroy());
    incoming.on('error', () => sent.destroy());
    // Sends the headers immediately, because the other side may refuse because of them, and closes a connection without
    // headers.
    sent.flushHeaders();
    return sent;
  };
  /** Begins the answer, unless another one has already begun. */
  const begin = ({ statusCode, headers }: IncomingMessage, goOn: () => void): void => {
    if (answer.headersSent || answer.destroyed) return;
    closeAfterEarly(answer);
    answer.writeHead(statusCode ?? 502, endToEnd(headers));
    goOn();
  };
  const stream = (received: IncomingMessage): void => {
    answer.flushHeaders();
    received.on('error', () => answer.destroy());
    received.on('aborted', () => answer.destroy());
    received.pipe(answer);
  };
  const fail = (fault: ForwardFault): void => {
    if (!answer.destroyed && !answer.headersSent) onFault(fault);
  };

  if (takesBody) incoming.pipe(ask(askWithoutBody));
  else {
    incoming.resume();
    // A reused connection may be closed at that moment. A request without side effects is repeated once.
    const again = (fault: ForwardFault): void => {
      if (answer.destroyed || answer.headersSent) return;
      if (METHODS_WITHOUT_BODY.includes(method)) ask(fail).end();
      else fail(fault);
    };
    ask(again).end();
  }

  /**
   * workerd closes a connection as soon as it has answered without wanting the body. A write then fails at some point,
   * and the answer is lost before it is read. A request that was refused because of its headers alone would be refused
   * again, so it is repeated and nothing is written in the meantime. An answer in the Worker's place to a whole request is
   * no refusal.
   */
  function askWithoutBody(first: ForwardFault): void {
    if (answer.destroyed || answer.headersSent) return;
    incoming.resume();
    if (first.status !== undefined && first.isSent) {
      fail(first);
      return;
    }
    const sent = ask(({ status }) => fail({ ...first, status }));
    const timer = setTimeout(() => sent.destroy(), ASK_AGAIN_MS);
    sent.once('close', () => clearTimeout(timer));
  }
}

/** End-to-end headers, without those that `Connection` names or that only the platform may set. */
function endToEnd<T extends IncomingMessage['headers']>(headers: T): T {
  const named = (headers.connection ?? '').toLowerCase().split(/[\s,]+/);
  const hop = new Set([...HOP_HEADERS, ...named.filter((name) => !FRAMING_HEADERS.includes(name))]);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hop.has(name) && !PLATFORM_HEADER.test(name)),
  ) as T;
}
