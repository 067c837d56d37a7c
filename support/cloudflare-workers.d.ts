/**
 * What test Workers use of the runtime's own module; the Worker's types of it do not go with the browser's, which tests
 * have.
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
