import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';
import type { JobBody } from '../src/contract/jobs.ts';
import { KEY, type TestService } from './service-under-test.ts';

/** Requests JSON from the service under test. */
export async function ask<T>(
  service: Pick<TestService, 'url'>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; headers: Headers; body: T }> {
  const response = await fetch(new URL(path, service.url), {
    method,
    headers: { 'X-API-Key': KEY, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: (text === '' ? null : JSON.parse(text)) as T };
}

/** Headers of an analysis that runs as a job. */
export const ASYNC = { Prefer: 'respond-async' };
export const PATIENCE = { timeout: 30_000, interval: 100 };

/** Waits for a job to end, and returns it. */
export const ended = (service: Pick<TestService, 'url'>, id: string): Promise<JobBody & { utterances?: number }> =>
  vi.waitFor(async () => {
    const { status, body } = await ask<JobBody & { utterances?: number }>(service, 'GET', `/conversations/${id}`);
    if (status !== 200 || ['queued', 'running'].includes(body.status)) throw new Error(JSON.stringify(body));
    return body;
  }, PATIENCE);

/** A receiver of webhooks. */
export interface Receiver {
  url: string;
  /** Called for each message, numbered from 1. Returns the response status. */
  answer: (n: number, headers: IncomingHttpHeaders) => number | Promise<number>;
  got: { headers: IncomingHttpHeaders; body: string }[];
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    receiver.got.push({ headers: request.headers, body });
    response.writeHead(await receiver.answer(receiver.got.length, request.headers)).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    answer: () => 200,
    got: [],
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}
