import type { Scope } from '../../contract/keys.ts';
import type { UsageLimits } from '../../contract/tenants.ts';
import type { TokenKind } from '../../contract/tokens.ts';

// Who calls: types alone, so that whatever needs them need not know how callers are found.

/** The one thing that a browser token allows. */
export interface Grant {
  kind: TokenKind;
  /** Of the session, of the conversation that an upload becomes, or of the conversation to read. */
  id: string;
  /** Unix time, ms. */
  expiresAt: number;
}

/** Who calls, once known. */
export interface Caller {
  /** Begins the path of all that is stored for it. */
  tenant: string;
  /** The id of the key within its tenant, never the key. */
  keyId: string;
  /** `configured`: of API_KEYS, `demo`: the public one, `issued`: stored with its tenant. */
  kind: 'configured' | 'demo' | 'issued';
  scopes: readonly Scope[];
  /** What is allowed to the key, and to its tenant, other than the deployment allows. */
  limits: { key: UsageLimits; tenant: UsageLimits };
  /** The one thing that the caller may do who came with a browser token and not with the key. */
  grant?: Grant;
}

/** Which key calls. */
export type CallerName = Pick<Caller, 'tenant' | 'keyId' | 'kind'>;

/** The one who runs the service, or acts for who does. */
export interface Operator {
  /** `operator`, or `operator <address>` of who came through Cloudflare Access. */
  who: string;
  /** Of a session: its id, and when it ends (Unix time, ms). */
  session?: { id: string; expiresAt: number };
}

/** Who acts, and from where. */
export interface Actor {
  /** `operator`, with who signed in where that is known, or `key <id>`. */
  who: string;
  /** The client's address; '' where nobody tells it. */
  address: string;
  requestId: string;
}

/** Who administers. */
export interface Admin extends Actor {
  /** The only tenant it may touch; null for the operator, who may touch all. */
  tenant: string | null;
}
