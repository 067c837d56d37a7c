import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Adds distance to a process. Bytes take a fixed time each way, regardless of their number, and stay in order. */
export interface Distance {
  url: string;
  close(): Promise<void>;
}

/**
 * @param url of a process on this machine
 * @param roundTripMs how long opening a connection takes, as in TCP, and how much each answer is delayed
 */
export async function startDistance(url: string, roundTripMs: number): Promise<Distance> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    carry(near, far, roundTripMs / 2, roundTripMs);
    carry(far, near, roundTripMs / 2, 0);
    for (const socket of [near, far]) {
      sockets.add(socket.setNoDelay());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** @param handshakeMs time before the first byte is sent */
function carry(from: Socket, to: Socket, delayMs: number, handshakeMs: number): void {
  const begun = performance.now();
  /** In transit, in order of time. One timer waits for the first. */
  const under: { due: number; arrive: () => void }[] = [];
  const arrivals = () => {
    while (under[0] && under[0].due <= performance.now()) under.shift()!.arrive();
    if (under[0]) setTimeout(arrivals, Math.max(1, under[0].due - performance.now()));
  };
  const later = (arrive: () => void) => {
    under.push({ due: Math.max(performance.now(), begun + handshakeMs) + delayMs, arrive });
    if (under.length === 1) setTimeout(arrivals, Math.max(1, under[0]!.due - performance.now()));
  };
  from.on('data', (bytes) => later(() => to.writable && to.write(bytes)));
  from.on('end', () => later(() => to.end()));
  from.on('error', () => to.destroy());
  from.on('close', () => later(() => to.destroy()));
}
