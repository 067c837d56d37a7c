import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { seeded } from '../../support/random.ts';

/** The proxy's counters. */
export interface Mischief {
  /** Accepted connections, and how many of them were cut. */
  connections: number;
  cut: number;
  /** Connections refused while the proxy was down. */
  refused: number;
  /** How often connections were cut, went silent, or the proxy was down. */
  cuts: number;
  silences: number;
  outages: number;
}

export interface UnrulyProxy {
  url: string;
  did: Mischief;
  /** Stops all faults. */
  calm(): void;
  close(): void;
}

export interface Unruliness {
  /** The target. */
  target: URL;
  /** Interval of faults, ms. */
  everyMs: number;
  /** Duration of a silence or an outage, ms. */
  lastsMs: number;
  /** Limit of a connection's delay, ms; the delays differ, so that connections overtake one another. */
  delayMs: number;
  seed?: number;
}

/**
 * A proxy between a client and a service. It cuts connections (responses in flight are lost), makes them silent, is
 * down for a while, and lets later connections overtake earlier ones.
 */
export async function startUnrulyProxy({
  target,
  everyMs,
  lastsMs,
  delayMs,
  seed = 1,
}: Unruliness): Promise<UnrulyProxy> {
  const random = seeded(seed);
  const did: Mischief = { connections: 0, cut: 0, refused: 0, cuts: 0, silences: 0, outages: 0 };
  const open = new Set<Socket>();
  let isDown = false;
  let isSilent = false;

  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (isDown) {
      did.refused++;
      client.destroy();
      return;
    }
    did.connections++;
    const upstream = connect(Number(target.port), target.hostname);
    upstream.on('error', () => client.destroy());
    const delay = random() * delayMs;
    carry(client, upstream, delay);
    carry(upstream, client, delay);
    open.add(client);
    client.on('close', () => {
      open.delete(client);
      upstream.destroy();
    });
    upstream.on('close', () => client.destroy());
  });

  /** Delays every piece of a connection equally, which keeps their order. Pieces sent during a silence are lost. */
  function carry(from: Socket, to: Socket, delay: number): void {
    const later = (act: () => void) => setTimeout(() => !isSilent && !to.destroyed && act(), delay);
    from.on('data', (piece) => later(() => to.write(piece)));
    from.on('end', () => later(() => to.end()));
  }

  function cutAll(): void {
    did.cut += open.size;
    for (const client of open) client.resetAndDestroy();
  }

  const mischief = [
    () => {
      did.cuts++;
      cutAll();
    },
    () => {
      did.outages++;
      isDown = true;
      cutAll();
      setTimeout(() => {
        isDown = false;
      }, lastsMs);
    },
    () => {
      did.silences++;
      isSilent = true;
      setTimeout(() => {
        isSilent = false;
        // The lost pieces are missing from every stream, so none can continue.
        cutAll();
      }, lastsMs);
    },
  ];
  let turns = 0;
  const timer = setInterval(() => mischief[turns++ % mischief.length]?.(), everyMs);

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    did,
    calm: () => clearInterval(timer),
    close() {
      clearInterval(timer);
      for (const client of open) client.destroy();
      server.close();
    },
  };
}
