import type { SettingVariables } from '../settings/settings.ts';
import type { Admin, Caller, Operator } from './caller.ts';

/** The part of the Workers AI binding that is used. */
export interface WorkersAi {
  run(model: string, input: object): Promise<unknown>;
}

/**
 * The bindings of wrangler.toml; its variables, and the secrets an operator sets beside them, are those of `settings.ts`.
 * Each Durable Object, and the workflow, adds its own where it is defined: this file knows none of them.
 */
export interface Env extends SettingVariables {
  MEDIA: R2Bucket;
  /** The built dashboard; absent where a test runs the Worker alone. */
  ASSETS?: Fetcher;
  /** Workers AI, where an operator binds it. */
  AI?: WorkersAi;
}

/** What every Hono route of this Worker knows of a request. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Who calls, and the tenant it belongs to. Set by `requireAccess`, on every route that is not open. */
    caller: Caller;
    tenant: string;
    /** Who administers, and the operator where it is that. Set by `requireAccess`, on the routes of administration. */
    admin: Admin;
    operator: Operator;
  };
}
