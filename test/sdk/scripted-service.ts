import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Responds to one request; `cut` closes the connection without a response. */
export type ScriptedAnswer = (response: ServerResponse, cut: () => void) => void;

/** A service with prepared responses, one after the other; it repeats the last one. */
export interface ScriptedService {
  url: string;
  seen: Seen[];
  answers: ScriptedAnswer[];
  close(): void;
}

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): ScriptedAnswer =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

export const refuse = (status: number, code: string, headers: Record<string, string> = {}): ScriptedAnswer =>
  json(status, { detail: `No: ${code}`, code, request_id: 'req-1' }, headers);

export const cut: ScriptedAnswer = (_, end) => end();

export async function scriptedService(): Promise<ScriptedService> {
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    service.seen.push({
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(parts).toString('latin1'),
    });
    const answer = service.answers.length > 1 ? service.answers.shift() : service.answers[0];
    answer?.(response, () => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const service: ScriptedService = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: [],
    answers: [],
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return service;
}
