import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';

/**
 * V8 collects the old objects of the local runtime only after some ten thousand requests, and knows nothing of the
 * memory beyond its heap that they hold. Until then a runtime grows under any Worker (`npm run bench -- runtime-growth`).
 * With this environment each collection includes the old objects, so what grows is in use.
 */
export const COLLECTING = { MINIFLARE_WORKERD_V8_FLAGS: '--gc-global' } as const;

/**
 * Plain requests that fill the caches of a new Worker, and of a new service. The proxy needs the most: under plain
 * requests it grew from 107 MB after 4,000 to 123 MB after 16,000, and stayed below that for 16,000 more and 8 restarts
 * of the Worker.
 */
const REQUESTS = { worker: 4_000, service: 20_000 };
const LANES = 2;

/** Brings new processes to their level of memory, with requests for `/health` on connections that are kept. */
export async function warmUp(port: number, what: keyof typeof REQUESTS): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: LANES });
  let left = REQUESTS[what];
  const lane = async (): Promise<void> => {
    while (left-- > 0) {
      const [answer] = (await once(get({ port, host: '127.0.0.1', path: '/health', agent }), 'response')) as [
        IncomingMessage,
      ];
      answer.resume();
      await once(answer, 'end');
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  agent.destroy();
}
