import type { Scope } from '../../contract/keys.ts';
import type { FixedOptions } from '../../contract/options.ts';
import type { UsageLimits } from '../../contract/tenants.ts';
import type { GrantKind } from '../../contract/tokens.ts';

// Types of callers, separate from the code that finds them.

/** The one action that a browser token or a share allows. */
export interface Grant {
  kind: GrantKind;
  /** Id of the session, of the conversation that an upload will become, or of the conversation or playlist to read. */
  id: string;
  /** Unix time, ms, after which the token opens nothing new. Work that it opened earlier continues to its end. */
  expiresAt: number;
  /** Id of the conversation that the token creates. Absent for a token that creates none. */
  makes?: string | undefined;
  /** Options that replace those of the page. */
  options?: FixedOptions | undefined;
  /** Id of the share whose token it is. Absent for a browser token. */
  share?: string | undefined;
}

/** An authenticated caller. */
export interface Caller {
  /** First segment of every storage key of this tenant. */
  tenant: string;
  /** Id of the key within its tenant; never the key itself. */
  keyId: string;
  /** `configured`: the key is from API_KEYS. `demo`: it is the public key. `issued`: it is stored with its tenant. */
  kind: 'configured' | 'demo' | 'issued';
  scopes: readonly Scope[];
  /** Limits of the key and of its tenant that differ from the deployment's. */
  limits: { key: UsageLimits; tenant: UsageLimits };
  /** Set for a caller with a browser token: the one action that the token allows. */
  grant?: Grant;
  /** Set for a person who signed in: the e-mail address. The key is that of the session. */
  member?: string | undefined;
}

/** The key of a caller. */
export type CallerName = Pick<Caller, 'tenant' | 'keyId' | 'kind'>;

/** The person or program that runs the service. */
export interface Operator {
  /** `operator`, or `operator <address>` for an operator who signed in through Cloudflare Access. */
  who: string;
  /** Set for a browser session: its id and its expiry (Unix time, ms). */
  session?: { id: string; expiresAt: number };
}

/** The person or key responsible for an audited action, and the address it came from. */
export interface Actor {
  /** `operator`, followed by the address when it is known, or `key <id>`. */
  who: string;
  /** The client's network address, or '' when it is unknown. */
  address: string;
  requestId: string;
}

/** A caller with access to administration. */
export interface Admin extends Actor {
  /** The only tenant that the administrator may change. Null for the operator, who may change all of them. */
  tenant: string | null;
}
