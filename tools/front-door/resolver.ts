import { lookup } from 'node:dns/promises';
import { createServer, type Server } from 'node:http';

/** Record types of RFC 1035 and 3596, by address family. */
const TYPES = { 4: 1, 6: 28 } as const;
/** Response codes of RFC 1035. */
const STATUS = { known: 0, failed: 2, unknown: 3 } as const;

/**
 * Answers DNS questions as this machine resolves names, including its hosts file and local network, in the format of
 * resolvers over HTTPS (`application/dns-json`), for the setting DNS_RESOLVER_URL.
 */
export const createResolver = (): Server =>
  createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://resolver');
    const family = url.searchParams.get('type') === 'AAAA' ? 6 : 4;
    response.writeHead(200, { 'Content-Type': 'application/dns-json' });
    try {
      const addresses = await lookup(url.searchParams.get('name') ?? '', { all: true, family });
      const records = addresses.map(({ address }) => ({ type: TYPES[family], data: address }));
      response.end(JSON.stringify({ Status: STATUS.known, Answer: records }));
    } catch (error) {
      // The other codes are answers, several of them for a name without addresses of this family.
      const hasFailed = ['EAI_AGAIN', 'EAI_FAIL'].includes((error as NodeJS.ErrnoException).code ?? '');
      response.end(JSON.stringify({ Status: hasFailed ? STATUS.failed : STATUS.unknown, Answer: [] }));
    }
  });
