import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A kind of network failure: connections are reset and refused, or data stops arriving without an error. */
export type NetworkFailure = 'reset' | 'silence';

/** Connections between processes of this machine that can all fail at once, and come back. */
export class BreakableNetwork {
  readonly #servers: Server[] = [];
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  #failure: NetworkFailure | undefined;

  /** @returns an address that forwards bytes to `url` and back */
  async way(url: string): Promise<string> {
    const { hostname, port, pathname } = new URL(url);
    const server = createServer((near) => {
      if (this.#failure === 'reset') return void near.resetAndDestroy();
      const far = connect({ host: hostname, port: Number(port) });
      const pair = [near, far] as const;
      this.#pairs.add(pair);
      for (const [from, to] of [pair, [far, near] as const]) {
        from.on('error', () => to.destroy());
        from.on('close', () => {
          to.destroy();
          this.#pairs.delete(pair);
        });
      }
      if (this.#failure === undefined) carry(pair);
    });
    this.#servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port: own } = server.address() as AddressInfo;
    return `http://127.0.0.1:${own}${pathname === '/' ? '' : pathname}`;
  }

  fail(failure: NetworkFailure): void {
    this.#failure = failure;
    for (const [near, far] of this.#pairs) {
      if (failure === 'reset') near.resetAndDestroy();
      else
        for (const socket of [near, far]) {
          socket.unpipe();
          socket.pause();
        }
    }
  }

  /** Bytes in transit at the time of the failure are lost for good. */
  comeBack(): void {
    this.#failure = undefined;
    for (const [near] of this.#pairs) near.resetAndDestroy();
  }

  async close(): Promise<void> {
    for (const [near, far] of this.#pairs) for (const socket of [near, far]) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

function carry([near, far]: readonly [Socket, Socket]): void {
  near.pipe(far);
  far.pipe(near);
}
