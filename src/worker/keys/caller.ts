import type { Scope } from '../../contract/keys.ts';

/** Who calls, once known. */
export interface Caller {
  /** Begins the path of all that is stored for it. */
  tenant: string;
  /** The id of the key, never the key. */
  key: string;
  scopes: readonly Scope[];
}
