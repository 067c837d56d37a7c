import { Unfit } from '../../contract/settings.ts';
import { isTenantId } from '../../contract/tenants.ts';

/** A key in the settings. */
export interface KeyEntry {
  /** Its tenant; undefined for a bare key, which gets a separate tenant. */
  tenant: string | undefined;
  /** The key, or `sha256:<hex>` for the key with that digest. */
  key: string;
}

/** Separators between keys; a JSON list of strings is accepted, too. */
const SEPARATORS = /[\s,"[\]]+/;

/** Reads `key` or `sha256:<hex>`, optionally after `<tenant>:`. @throws Unfit */
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
