import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../src/worker/identity/env.ts';
import { LiveSession as Session } from '../src/worker/live/session.ts';

export * from '../src/worker/index.ts';
export { default } from '../src/worker/index.ts';

/** The Worker under test with one addition: a session's object can be evicted in the middle of its work. */
export class LiveSession extends Session {
  crash(): void {
    this.ctx.abort('evicted by a test');
  }
}

/**
 * Stands in for a container: forwards requests to a process, and can be evicted with everything that passes through it,
 * as a deploy or a runtime update evicts a container's object.
 */
export class PipelineContainer extends DurableObject<Env & { CONTAINERS: string }> {
  isHere(): true {
    return true;
  }

  fetch(request: Request): Promise<Response> {
    const containers = this.env.CONTAINERS.split(',');
    const instance = Number(/\d+$/.exec(this.ctx.id.name ?? '')?.[0]);
    const { pathname, search } = new URL(request.url);
    return fetch(new URL(`${pathname}${search}`, containers[instance]), request);
  }

  crash(): void {
    this.ctx.abort('reset by a test');
  }
}
