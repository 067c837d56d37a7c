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

/** Headers of one connection, not of the message (RFC 9110, section 7.6.1); `Expect` is answered here. */
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
/** What miniflare and Cloudflare's edge tell a Worker about a request; nobody else may. */
const PLATFORM_HEADER = /^(mf|cf)-/;
/** They frame the message; a client cannot have them left out by naming them in `Connection`. */
const FRAMING_HEADERS = ['content-length', 'host'];
/** The local runtime cannot build a request of these that has a body. */
const METHODS_WITHOUT_BODY = ['GET', 'HEAD'];

/** Asked again without its body, a request is refused or forgotten within this time. */
const ASK_AGAIN_MS = 5_000;

/** Answers from this status on are small, and passed on once they are whole. */
const FIRST_ERROR = 400;

export interface Onward {
  port: number;
  path: string;
  /** Replaces or adds to what the client sent. */
  headers?: OutgoingHttpHeaders;
  agent?: Agent;
  /** Whether what came back may go to the client; everything may if not given. */
  accepts?: (received: IncomingMessage) => boolean;
  /** No answer came, or none that `accepts` accepts (with its status): answer in its place. */
  onFault: (status?: number) => void;
}

/**
 * Passes one request on and its answer back, both as they come; when either side closes, so does the other. A refusal
 * that comes before the end of the request is passed back at once, and what the client still sends is dropped.
 * @throws TypeError when the headers cannot be sent on
 */
export function forward(incoming: IncomingMessage, answer: ServerResponse, onward: Onward): void {
  const { port, path, agent, accepts, onFault } = onward;
  const method = incoming.method ?? 'GET';
  const takesBody = hasBody(incoming) && !METHODS_WITHOUT_BODY.includes(method);
  // The local runtime fails at a client that takes no encoding it knows; on one machine none is needed.
  const headers = { ...endToEnd(incoming.headers), 'accept-encoding': 'identity', ...onward.headers };
  if (!takesBody) delete headers['content-length'];
  else if (incoming.headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';

  /** Asks the other side; `sent` is then for the body. Without an answer that counts `onNothing` is called, once. */
  const ask = (onNothing: (status?: number) => void): ClientRequest => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: agent ?? false });
    let answered = false;
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
        onNothing(received.statusCode);
      } else {
        const body = await buffer(received).catch(() => undefined);
        if (body === undefined) onNothing();
        else begin(received, () => answer.end(body));
      }
    });
    sent.on('error', () => {
      incoming.unpipe(sent);
      if (!answered) onNothing();
    });
    answer.on('close', () => sent.destroy());
    incoming.on('error', () => sent.destroy());
    // At once: the other side may refuse from the headers alone, and closes a connection on which none come.
    sent.flushHeaders();
    return sent;
  };
  /** Begins the answer, if it was not begun in another way meanwhile. */
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
  const fault = (status?: number): void => {
    if (!answer.destroyed && !answer.headersSent) onFault(status);
  };

  if (takesBody) incoming.pipe(ask(askWithoutBody));
  else {
    incoming.resume();
    // A connection that was kept may be closed just then; what only reads is asked for once more.
    const again = (status?: number): void => {
      if (answer.destroyed || answer.headersSent) return;
      if (METHODS_WITHOUT_BODY.includes(method)) ask(fault).end();
      else fault(status);
    };
    ask(again).end();
  }

  /**
   * workerd closes a connection whose body it does not want as soon as it has answered; a write then fails, at its
   * client or at one of its own parts, and the answer is lost unread. What was refused from the headers alone is refused
   * again, and nothing is written meanwhile.
   */
  function askWithoutBody(): void {
    if (answer.destroyed || answer.headersSent) return;
    incoming.resume();
    const sent = ask(fault);
    const timer = setTimeout(() => sent.destroy(), ASK_AGAIN_MS);
    sent.once('close', () => clearTimeout(timer));
  }
}

/** The headers that belong to the message, without what `Connection` names and what only the platform may say. */
function endToEnd<T extends IncomingMessage['headers']>(headers: T): T {
  const named = (headers.connection ?? '').toLowerCase().split(/[\s,]+/);
  const hop = new Set([...HOP_HEADERS, ...named.filter((name) => !FRAMING_HEADERS.includes(name))]);
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !hop.has(name) && !PLATFORM_HEADER.test(name)),
  ) as T;
}
