import { LiveSession as Session } from '../../src/worker/live/session.ts';

export { Directory, default, Metrics, PipelineContainer, Tenant } from '../../src/worker/index.ts';

/** The Worker under test, with one thing added: a session's object can be thrown out of memory in the middle of its work. */
export class LiveSession extends Session {
  crash(): void {
    const { ctx } = this as unknown as { ctx: { abort(reason: string): void } };
    ctx.abort('evicted by a test');
  }
}
