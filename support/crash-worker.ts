import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../src/worker/identity/env.ts';
import { LiveSession as Session } from '../src/worker/live/session.ts';

export * from '../src/worker/index.ts';
export { default } from '../src/worker/index.ts';

/** The Worker under test, with one thing added: a session's object can be thrown out of memory in the middle of its work. */
export class LiveSession extends Session {
  crash(): void {
    this.ctx.abort('evicted by a test');
  }
}

/**
 * In a container's place: hands requests on to a process, and can be thrown out of memory as a deploy or an update of the
 * runtime throws out a container's object, with all that passes through it.
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
