import { type Context, Hono } from 'hono';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { Undertone } from '../../sdk/index.ts';
import type { AppEnv } from '../identity/env.ts';
import { keyIn } from '../keys/access.ts';
import { addressOf } from '../keys/operator.ts';

/** Limit on a message, bytes. Its longest parts are a goal and a URL. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** The service's own request handler. */
export type Fetch = (
  request: Request,
  env: AppEnv['Bindings'],
  context: Context['executionCtx'],
) => Response | Promise<Response>;

/**
 * Tools for language models (Model Context Protocol, streamable HTTP, without sessions). A tool calls the service's own
 * routes with the caller's key; the routes check its scopes, limits and ownership.
 */
export const mcp = (answer: Fetch) =>
  new Hono<AppEnv>().post('/mcp', async (c) => {
    // Loaded with the first message, because the schemas would double the start time of every isolate.
    const { createMcpHandler, undertoneServer } = await import('./mcp-handler.ts');
    const url = new URL('/', c.req.url);
    // The access log records the model's address.
    const address = addressOf(c);
    const own: typeof fetch = async (input, init) => {
      const request = new Request(input, init);
      if (address !== '') request.headers.set('CF-Connecting-IP', address);
      return answer(request, c.env, c.executionCtx);
    };
    const client = new Undertone({ url, key: keyIn(c), fetch: own });
    const server = () => undertoneServer({ client, url, version: SERVICE_VERSION });
    const handler = createMcpHandler(server, { maxRequestBodySize: MAX_MESSAGE_BYTES, maxSubscriptions: 0 });
    return handler.fetch(c.req.raw);
  });
