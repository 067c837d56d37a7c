/** What a key may be allowed to do. `admin` manages the keys of its own tenant and allows nothing else. */
export const SCOPES = ['analyze', 'read', 'delete', 'live', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

/** What a key may do that was given no scopes. */
export const DEFAULT_SCOPES: readonly Scope[] = ['analyze', 'read', 'delete', 'live'];
