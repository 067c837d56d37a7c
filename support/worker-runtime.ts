/**
 * Stand-ins for `cloudflare:workers` and `@cloudflare/containers`, for tests that import modules of the Worker into
 * Node.
 */
export class DurableObject {}
export class RpcTarget {}
export class WorkerEntrypoint {}
export class WorkflowEntrypoint {}
export class Container {}
