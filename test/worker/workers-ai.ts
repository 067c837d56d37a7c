import { WorkerEntrypoint } from 'cloudflare:workers';
import { Buffer } from 'node:buffer';
import type { Env } from '../../src/worker/identity/env.ts';

export * from '../../src/worker/index.ts';

/** Replaces the binding AI: returns the variable `AI_SAYS`, and repeats its input in the text. */
export class FakeAi extends WorkerEntrypoint<{ AI_SAYS: string }> {
  async run(model: string, input: { audio: string | number[] }): Promise<unknown> {
    const { AI_SAYS: says } = this.env;
    if (says === 'nothing') return new Promise((resolve) => setTimeout(resolve, 60_000));
    if (says === 'error') throw new Error('5007: what was said must stand in no log');
    const { audio, ...more } = input;
    const bytes = typeof audio === 'string' ? Buffer.from(audio, 'base64').length : `${audio.length} numbers`;
    const answer: object = JSON.parse(says);
    return { text: JSON.stringify({ model, bytes, ...more }), ...answer };
  }
}

/** Sends requests through the outgoing proxy of the container class. */
export default {
  fetch(
    request: Request,
    _env: Env,
    ctx: { exports: Record<string, (options: object) => { fetch(request: Request): Promise<Response> }> },
  ): Promise<Response> {
    const to = new URL(request.headers.get('X-To')!);
    const { ContainerProxy } = ctx.exports;
    const props = {
      className: 'PipelineContainer',
      containerId: 'c',
      enableInternet: false,
      allowedHosts: request.headers.get('X-Allowed')!.split(','),
      interceptAll: true,
    };
    return ContainerProxy!({ props }).fetch(new Request(to, request));
  },
};
