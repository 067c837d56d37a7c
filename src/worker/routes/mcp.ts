import { type Context, Hono } from 'hono';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { Undertone } from '../../sdk/index.ts';
import type { AppEnv } from '../identity/env.ts';
import { keyIn } from '../keys/access.ts';

/** Most bytes of a message: a goal and an address. */
const MAX_MESSAGE_BYTES = 64 * 1024;

/** Answers a request as the service does. */
export type Fetch = (
  request: Request,
  env: AppEnv['Bindings'],
  context: Context['executionCtx'],
) => Response | Promise<Response>;

/**
 * Tools for language models (Model Context Protocol, streamable HTTP, without sessions). Each tool calls the service's own
 * routes with the caller's key: scopes, limits and what belongs to whom are decided there, and nowhere else.
 */
export const mcp = (answer: Fetch) =>
  new Hono<AppEnv>().post('/mcp', async (c) => {
    // Loaded with the first message: their schemas are half of what a start would cost all others.
    const { createMcpHandler, undertoneServer } = await import('./mcp-handler.ts');
    const url = new URL('/', c.req.url);
    const own: typeof fetch = async (input, init) => answer(new Request(input, init), c.env, c.executionCtx);
    const client = new Undertone({ url, key: keyIn(c), fetch: own });
    const server = () => undertoneServer({ client, url, version: SERVICE_VERSION });
    const handler = createMcpHandler(server, { maxRequestBodySize: MAX_MESSAGE_BYTES, maxSubscriptions: 0 });
    return handler.fetch(c.req.raw);
  });
