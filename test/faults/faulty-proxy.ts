import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault that replaces an answer. */
export type Fault =
  /** An answer from a layer in front of the pipeline. */
  | { type: 'answer'; status: number; text: string }
  /** The connection is cut after this many bytes of the answer's body. With -1 it is cut before the answer. */
  | { type: 'cut'; after: number }
  /** The connection goes silent after this many bytes of the answer's body. With -1 there is no answer. */
  | { type: 'silence'; after: number }
  /** Only this many bytes of the request are forwarded before the connection is cut. */
  | { type: 'cut-request'; after: number };

/** A proxy in front of a pipeline that streams everything through, and fails on request. */
export interface FaultyProxy {
  url: string;
  /** Called for each request; undefined forwards it. */
  fault: (method: string, path: string) => Fault | undefined;
  /** Destination of requests; undefined refuses connections, like a process that is not running. */
  upstream: string | undefined;
  /** Rewrites the headers of both sides, by name. */
  rewrite: (headers: IncomingMessage['headers']) => IncomingMessage['headers'];
  close(): Promise<void>;
}

export async function startFaultyProxy(upstream: string): Promise<FaultyProxy> {
  const server = createServer((asked, answer) => {
    const fault = proxy.fault(asked.method ?? '', asked.url ?? '');
    if (!proxy.upstream || (fault?.type === 'cut' && fault.after < 0)) asked.socket.destroy();
    else if (fault?.type === 'answer') {
      asked.resume();
      asked.on('end', () => answer.writeHead(fault.status, { 'Content-Type': 'text/plain' }).end(fault.text));
    } else if (fault?.type === 'silence' && fault.after < 0) asked.resume();
    else handOn(asked, answer, proxy.upstream, proxy.rewrite, fault);
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const proxy: FaultyProxy = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    fault: () => undefined,
    upstream,
    rewrite: (headers) => headers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}

function handOn(
  asked: IncomingMessage,
  answer: ServerResponse,
  upstream: string,
  rewrite: FaultyProxy['rewrite'],
  fault: Fault | undefined,
): void {
  const { method, url, headers } = asked;
  const onwards = request(new URL(url ?? '/', upstream), { method, headers: rewrite(headers) });
  const fail = () => {
    onwards.destroy();
    asked.socket.destroy();
  };
  onwards.on('error', fail);
  asked.on('error', fail);
  answer.on('close', () => {
    if (!answer.writableFinished) onwards.destroy();
  });
  let sent = 0;
  asked.on('data', (bytes: Buffer) => {
    sent += bytes.length;
    if (fault?.type === 'cut-request' && sent > fault.after) fail();
    else onwards.write(bytes);
  });
  asked.on('end', () => onwards.end());
  onwards.on('response', (told) => {
    told.on('error', fail);
    answer.writeHead(told.statusCode ?? 500, rewrite(told.headers));
    answer.flushHeaders();
    let passed = 0;
    told.on('data', (bytes: Buffer) => {
      const room = fault && 'after' in fault && fault.type !== 'cut-request' ? fault.after - passed : bytes.length;
      if (room > 0) answer.write(bytes.subarray(0, room));
      passed += bytes.length;
      if (fault?.type === 'cut' && passed > fault.after) answer.socket?.end(fail);
    });
    told.on('end', () => {
      if (fault?.type !== 'silence') answer.end();
    });
  });
}
