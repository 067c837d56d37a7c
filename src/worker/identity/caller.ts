import type { Scope } from '../../contract/keys.ts';
import type { UsageLimits } from '../../contract/tenants.ts';
import type { TokenKind } from '../../contract/tokens.ts';

// Types of callers, apart from the code that finds them.

/** The one thing that a browser token allows. */
export interface Grant {
  kind: TokenKind;
  /** Id of the session, of the conversation that an upload becomes, or of the conversation to read. */
  id: string;
  /** When it can no longer open anything, Unix time, ms. Work that it opened before then continues to its end. */
  expiresAt: number;
  /** Id of the conversation that the token makes; absent for a token that opens nothing. */
  makes?: string | undefined;
}

/** An authenticated caller. */
export interface Caller {
  /** First segment of every storage key of this tenant. */
  tenant: string;
  /** Id of the key within its tenant; never the key itself. */
  keyId: string;
  /** `configured`: from API_KEYS; `demo`: the public key; `issued`: stored with its tenant. */
  kind: 'configured' | 'demo' | 'issued';
  scopes: readonly Scope[];
  /** Limits of the key and of its tenant that differ from the deployment's. */
  limits: { key: UsageLimits; tenant: UsageLimits };
  /** Set for a caller with a browser token: the one thing it may do. */
  grant?: Grant;
}

/** The key of a caller. */
export type CallerName = Pick<Caller, 'tenant' | 'keyId' | 'kind'>;

/** The person or program that runs the service. */
export interface Operator {
  /** `operator`, or `operator <address>` for one signed in through Cloudflare Access. */
  who: string;
  /** Set for a browser session: its id, and when it expires (Unix time, ms). */
  session?: { id: string; expiresAt: number };
}

/** The author of an audited act, and where it came from. */
export interface Actor {
  /** `operator`, followed by the address when it is known, or `key <id>`. */
  who: string;
  /** The client's address; '' when unknown. */
  address: string;
  requestId: string;
}

/** A caller with access to administration. */
export interface Admin extends Actor {
  /** The only tenant it may change; null for the operator, who may change all. */
  tenant: string | null;
}
