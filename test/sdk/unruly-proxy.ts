import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What the proxy did so far. */
export interface Mischief {
  /** Connections taken, and those of them that were cut. */
  connections: number;
  cut: number;
  /** Connections refused while the line was down. */
  refused: number;
  /** Times the line was cut, went silent, or was down for a while. */
  cuts: number;
  silences: number;
  outages: number;
}

export interface UnrulyProxy {
  url: string;
  did: Mischief;
  close(): void;
}

export interface Unruliness {
  /** Where it leads. */
  target: URL;
  /** How often something goes wrong, ms. */
  everyMs: number;
  /** How long a line stays silent or down, ms. */
  lastsMs: number;
  /** Most that a connection is slower than none, ms; each has its own delay, so that they overtake one another. */
  delayMs: number;
  seed?: number;
}

/** Numbers 0..1, the same for the same seed (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * A line between a client and a service that cuts connections (answers under way are lost), holds them back without a
 * word, is down for a while, and lets later connections overtake earlier ones.
 */
export async function startUnrulyProxy({
  target,
  everyMs,
  lastsMs,
  delayMs,
  seed = 1,
}: Unruliness): Promise<UnrulyProxy> {
  const random = dice(seed);
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

  /** Each piece as much later as the others of its connection: their order stays. In a silence they are lost for good. */
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
        // What was swallowed is missing from each stream: none of them can go on.
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
    close() {
      clearInterval(timer);
      for (const client of open) client.destroy();
      server.close();
    },
  };
}
