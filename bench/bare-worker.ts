// @ts-nocheck: bundled by wrangler, outside the rooms that know workerd's types
import { DurableObject } from 'cloudflare:workers';

/** The lowest possible cost of a chunk: a Worker, a Durable Object, one row. */
export class Store extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env);
    ctx.storage.sql.exec('CREATE TABLE IF NOT EXISTS chunks (seq INTEGER PRIMARY KEY, bytes BLOB NOT NULL)');
  }

  put(seq, bytes) {
    this.ctx.storage.sql.exec('INSERT INTO chunks VALUES (?, ?)', seq, bytes);
  }

  async remove() {
    await this.ctx.storage.deleteAll();
  }
}

export default {
  async fetch(request, env) {
    const [, id, seq] = new URL(request.url).pathname.split('/');
    if (id === 'health') return new Response('ok');
    const store = env.STORE.get(env.STORE.idFromName(id));
    if (request.method === 'DELETE') await store.remove();
    else await store.put(Number(seq), new Uint8Array(await request.arrayBuffer()));
    return new Response('ok');
  },
};
