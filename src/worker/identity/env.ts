import type { AccessAct } from '../../contract/access-log.ts';
import type { SettingVariables } from '../settings/settings.ts';
import type { Admin, Caller, Operator } from './caller.ts';

/** The part of the Workers AI binding that the service uses. */
export interface WorkersAi {
  run(model: string, input: object): Promise<unknown>;
}

/**
 * The bindings of wrangler.toml. Variables and secrets are declared in `settings.ts`. Each Durable Object and the
 * workflow declares its own binding where it is defined, so this file imports none of them.
 */
export interface Env extends SettingVariables {
  MEDIA: R2Bucket;
  /** Backups. Absent when the deployment makes none. */
  BACKUP?: R2Bucket;
  /** The built dashboard. Absent when a test runs the Worker alone. */
  ASSETS?: Fetcher;
  /** Workers AI, if the operator binds it. */
  AI?: WorkersAi;
}

/** Bindings and request variables of every Hono route. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** The caller and its tenant. `requireAccess` sets them on every route that is not public. */
    caller: Caller;
    tenant: string;
    /**
     * The administrator, and the operator if the administrator is one. `requireAccess` sets them on administration
     * routes.
     */
    admin: Admin;
    operator: Operator;
    /** The conversation that the response shows, for the access log, where the path does not name it. */
    accessed: string | undefined;
    /** The conversations that the request accessed, and how, for the access log, where an entry is made for each. */
    accessedEach: { act: AccessAct; conversations: readonly string[] } | undefined;
    /** The part of the recording that the response has, 0..1, for the access log, where it is not in the headers. */
    part: { from: number; to: number } | undefined;
  };
}
