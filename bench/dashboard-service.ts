import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { DASHBOARD } from '../scripts/start/dashboard.ts';
import type { ChunkAccepted, LiveSession } from '../src/sdk/wire.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** A stand-in for the service: the built pages, fixed answers, and a live session whose events the bench sends. */
export interface DashboardService {
  origin: string;
  /** Unix time at which the answer for a path started, ms. */
  answeredAt: Map<string, number>;
  /** Sends an event to the consumers of the live session. */
  tell: (event: string, data: unknown) => void;
  close: () => void;
}

/** @param answers the response for each path, as JSON */
export async function startDashboardService(answers: Record<string, unknown>): Promise<DashboardService> {
  const bodies = new Map(Object.entries(answers).map(([path, answer]) => [path, JSON.stringify(answer)]));
  const answeredAt = new Map<string, number>();
  let listener: ServerResponse | undefined;
  let id = 0;
  let chunks = 0;
  let received = 0;
  const say = (response: ServerResponse, body: string): void => {
    response.setHeader('Content-Type', 'application/json').end(body);
  };
  const live: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    '/analyze/live/start': (_, response) => {
      const session: LiveSession = {
        ...{ session_id: 'live', conversation_id: 'live', next_chunk_seq: 0, status: 'ingesting' },
        ...{ chunk_endpoint: '/live/chunk', events_endpoint: '/live/events', control_endpoint: '/live/control' },
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
      };
      say(response, JSON.stringify(session));
    },
    '/live/chunk': (request, response) => {
      request.on('data', (bytes: Buffer) => {
        received += bytes.length;
      });
      request.on('end', () => {
        chunks += 1;
        const accepted: ChunkAccepted = { received_bytes: received, next_chunk_seq: chunks };
        say(response, JSON.stringify(accepted));
      });
    },
    '/live/control': (_, response) => say(response, '{}'),
    '/live/events': (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders();
      listener = response;
    },
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://bench');
    const body = bodies.get(pathname);
    if (body !== undefined) {
      answeredAt.set(pathname, Date.now());
      say(response, body);
    } else if (live[pathname]) live[pathname](request, response);
    else if (pathname.startsWith('/app') || pathname.startsWith('/assets/')) {
      const file = join(DASHBOARD, pathname.startsWith('/app') ? 'index.html' : pathname);
      response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream').end(readFileSync(file));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answeredAt,
    tell(event, data) {
      listener?.write(`id: ${id++}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
