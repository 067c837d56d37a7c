import { Unfit } from '../../contract/settings.ts';
import { isTenantId } from '../../contract/tenants.ts';

/** An entry of a key setting. */
export interface KeyEntry {
  /** Its tenant. Undefined for a bare key, which has a separate tenant. */
  tenant: string | undefined;
  /** The key, or `sha256:<hex>` for the key with that digest. */
  key: string;
}

/** Separators between keys. A JSON list of strings is also accepted. */
const SEPARATORS = /[\s,"[\]]+/;

/** Parses `key` or `sha256:<hex>`, with an optional `<tenant>:` in front. @throws Unfit */
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
