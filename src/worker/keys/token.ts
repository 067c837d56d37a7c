import { isTenantId } from '../../contract/tenants.ts';
import type { Caller } from '../identity/caller.ts';

/**
 * Base 62, because none of its characters needs escaping in a shell or a URL, or interrupts a double-click selection.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const ID_CHARS = 12;
/** 43 base-62 characters carry 256 bits. */
const SECRET_CHARS = 43;
/** `ut_<tenant>_<id>_<secret>`. A longer string is not examined. */
const TOKEN = /^ut_([a-z0-9-]{2,32})_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}$/;
const LONGEST_TOKEN = 3 + 32 + 1 + ID_CHARS + 1 + SECRET_CHARS;
/** `us_<tenant>_<id>_<secret>`. */
const SHARE_TOKEN = /^us_([a-z0-9-]{2,32})_([0-9A-Za-z]{12})_[0-9A-Za-z]{43}$/;
const KEY_ID = /^([a-z0-9-]{2,32})_([0-9A-Za-z]{12})$/;

/** The location of a stored key: its tenant, and its id within the tenant. The public id of a key is `<tenant>_<id>`. */
export interface KeyPlace {
  tenant: string;
  id: string;
}

export const keyIdOf = ({ tenant, id }: KeyPlace): string => `${tenant}_${id}`;

/** The caller as receipts and the audit name it. */
export const callerTitle = ({ tenant, keyId: id, member }: Pick<Caller, 'tenant' | 'keyId' | 'member'>): string =>
  member === undefined ? `key ${keyIdOf({ tenant, id })}` : `person ${member}`;

/** The name of whoever accessed a conversation: the public id of a key, or the operator as the audit names it. */
export const visitorId = (tenant: string, id: string): string =>
  /^operator( |$)/.test(id) ? id : keyIdOf({ tenant, id });

/** Null for a string that is not a key id. */
export const placeOfId = (text: string): KeyPlace | null => placeIn(KEY_ID, text);

/** Null for a string that cannot be a token. The secret is not examined. */
export const placeOfToken = (text: string): KeyPlace | null => placeIn(TOKEN, text);

/** The token of a share, with the tenant and the id of the share. */
export interface ShareToken extends KeyPlace {
  token: string;
}

const shareIdOf = (letters: string): string => `share_${letters}`;

/** Null for a string that cannot be the token of a share. The secret is not examined. */
export function shareInToken(token: string): ShareToken | null {
  const place = placeIn(SHARE_TOKEN, token);
  return place && { tenant: place.tenant, id: shareIdOf(place.id), token };
}

export function newShareToken(tenant: string): ShareToken {
  const letters = newKeyId();
  return { tenant, id: shareIdOf(letters), token: `us_${tenant}_${letters}_${randomLetters(SECRET_CHARS)}` };
}

function placeIn(pattern: RegExp, text: string): KeyPlace | null {
  const [, tenant, id] = (text.length <= LONGEST_TOKEN && pattern.exec(text)) || [];
  return tenant && id && isTenantId(tenant) ? { tenant, id } : null;
}

export const newKeyId = (): string => randomLetters(ID_CHARS);
export const newToken = ({ tenant, id }: KeyPlace): string => `ut_${tenant}_${id}_${randomLetters(SECRET_CHARS)}`;

/** Discards the bytes beyond the last whole multiple of 62, so that every character is equally likely. */
export function randomLetters(count: number, alphabet = ALPHABET): string {
  const fair = 256 - (256 % alphabet.length);
  let letters = '';
  while (letters.length < count)
    for (const byte of crypto.getRandomValues(new Uint8Array(count)))
      if (byte < fair && letters.length < count) letters += alphabet[byte % alphabet.length];
  return letters;
}
