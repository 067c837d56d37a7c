import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect } from 'vitest';
import { ErrorBodySchema } from '../../src/contract/analysis.ts';
import {
  createFrontDoor,
  type FrontDoor,
  type Patience,
  REQUEST_ID_HEADER,
} from '../../tools/front-door/front-door.ts';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export const IMPATIENT: Patience = { headersMs: 1_000, upload: { windowMs: 1_000, leastBytes: 1024 } };

const portOf = (server: Server): number => (server.address() as AddressInfo).port;
const urlOf = (server: Server): string => `http://127.0.0.1:${portOf(server)}`;

/** The bytes that a raw client read until the connection ended; `code` is the error that ended it. */
export interface RawResponse {
  said: string;
  status: number;
  headers: string;
  body: string;
  code: string | undefined;
}

/** The front door between clients, a Worker and a pipeline that a test defines; new before each test. */
export class Doors {
  onWorker!: Listener;
  onPipeline!: Listener;
  /** Free space of the disk, bytes. */
  freeSpace = Number.POSITIVE_INFINITY;
  #servers: Server[] = [];
  #door!: FrontDoor;

  constructor() {
    beforeEach(() => this.#open());
    afterEach(() => {
      for (const server of this.#servers) end(server);
    });
  }

  get port(): number {
    return portOf(this.#door.front);
  }

  get url(): string {
    return urlOf(this.#door.front);
  }

  /** Address at which the Worker reaches the pipeline. */
  get backUrl(): string {
    return urlOf(this.#door.backs[0]!);
  }

  async #open(): Promise<void> {
    this.#servers = [];
    this.freeSpace = Number.POSITIVE_INFINITY;
    this.onWorker = (_, response) => void response.end('from the worker');
    const worker = await this.#listening(
      createServer((request, response) => {
        // As from the Worker, every answer has the id that the front door assigned.
        response.setHeader('X-Request-Id', String(request.headers[REQUEST_ID_HEADER]));
        this.onWorker(request, response);
      }),
    );
    const pipeline = await this.#listening(createServer((request, response) => this.onPipeline(request, response)));
    this.#door = createFrontDoor({
      workerPort: portOf(worker),
      pipelinePorts: [async () => portOf(pipeline)],
      freeSpace: () => this.freeSpace,
      patience: IMPATIENT,
    });
    await this.#listening(this.#door.front);
    for (const back of this.#door.backs) await this.#listening(back);
  }

  async #listening(server: Server): Promise<Server> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    this.#servers.push(server);
    return server;
  }

  endWorker(): void {
    end(this.#servers[0]!);
  }

  /** Sends a text unchanged to the front door. */
  async converse(text: string, more: (socket: Socket) => void = () => undefined): Promise<RawResponse> {
    const socket = connect({ port: this.port, host: '127.0.0.1', allowHalfOpen: true });
    let said = '';
    let code: string | undefined;
    socket.on('error', (error: NodeJS.ErrnoException) => {
      code = error.code;
    });
    socket.on('data', (data) => {
      said += data.toString('latin1');
    });
    socket.write(text, 'latin1');
    more(socket);
    await new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
    socket.destroy();
    const status = Number(/^HTTP\/1.1 (\d+)/.exec(said)?.[1]);
    const headers = said.slice(0, said.indexOf('\r\n\r\n')).toLowerCase();
    const body = said.slice(headers.length + 4);
    return { said, status, headers, body, code };
  }
}

function end(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** Expects the error shape with its headers, as the Worker answers. */
export function expectError({ status, headers, body }: RawResponse, expected: number, code: string) {
  const error = ErrorBodySchema.parse(JSON.parse(body));
  expect({ status, code: error.code }).toEqual({ status: expected, code });
  expect(headers).toContain(`x-request-id: ${error.request_id}`);
  expect(headers).toContain('access-control-allow-origin: *');
  expect(headers).toContain('access-control-expose-headers: x-request-id');
  expect(body).not.toMatch(/\bat \w|node_modules|\/work\//);
}

export const get = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
