import service from '../src/worker/index.ts';

export * from '../src/worker/index.ts';

type Handler = NonNullable<typeof service.fetch>;

/**
 * The Worker itself. A body that a response leaves unread is read to its end afterwards, as `wrangler dev` does.
 * Otherwise the local runtime would break the connection.
 */
export default {
  ...service,
  async fetch(...[request, env, context]: Parameters<Handler>): Promise<Response> {
    try {
      return await service.fetch(request, env, context);
    } finally {
      if (request.body !== null && !request.bodyUsed)
        await request.body.pipeTo(new WritableStream()).catch(() => undefined);
    }
  },
} satisfies typeof service;
