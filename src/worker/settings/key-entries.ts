import { Unfit } from '../../contract/settings.ts';
import { isTenantId } from '../../contract/tenants.ts';

/** A key as the settings name it. */
export interface KeyEntry {
  /** Whose it is; undefined for a bare key, which has a tenant of its own. */
  tenant: string | undefined;
  /** The key, or `sha256:<hex>` for the key with that digest. */
  key: string;
}

/** Between keys; a JSON list of strings is read too. */
const SEPARATORS = /[\s,"[\]]+/;

/** `key` or `sha256:<hex>`, or either behind `<tenant>:`. @throws Unfit */
export function keyEntry(text: string): KeyEntry {
  const prefix = text.slice(0, Math.max(0, text.indexOf(':')));
  const tenant = isTenantId(prefix) ? prefix : undefined;
  const key = tenant === undefined ? text : text.slice(tenant.length + 1);
  if (key === '') throw new Unfit('have a key after each tenant');
  return { tenant, key };
}

export const keyEntries = (text: string): KeyEntry[] =>
  text
    .split(SEPARATORS)
    .filter((entry) => entry !== '')
    .map(keyEntry);
