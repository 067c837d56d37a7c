import { DurableObject } from 'cloudflare:workers';
import type { Env } from '../src/worker/identity/env.ts';
import { LiveSession } from '../src/worker/live/session.ts';

export * from '../src/worker/index.ts';
export { default } from '../src/worker/index.ts';

/** The Worker under test, with an addition: a session's object can be evicted from memory in the middle of its work. */
class CrashableSession extends LiveSession {
  crash(): void {
    this.ctx.abort('evicted by a test');
  }
}

/**
 * Replaces a container: forwards requests to a process, and can be evicted from memory with its connections, as a
 * deployment or an update of the runtime evicts a container's object.
 */
class ForwardingContainer extends DurableObject<Env & { CONTAINERS: string }> {
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

export { CrashableSession as LiveSession, ForwardingContainer as PipelineContainer };
