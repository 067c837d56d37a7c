/**
 * The part of the runtime's module that test Workers use. The Worker's own types for the module conflict with the
 * browser's, which the tests need.
 */
declare module 'cloudflare:workers' {
  export class DurableObject<Env> {
    constructor(ctx: unknown, env: Env);
    protected readonly ctx: { id: { name?: string }; abort(reason: string): void };
    protected readonly env: Env;
  }
  export class WorkerEntrypoint<Env> {
    protected readonly env: Env;
  }
}
