import type { Scope } from '../../contract/keys.ts';
import type { UsageLimits } from '../../contract/tenants.ts';

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
}
