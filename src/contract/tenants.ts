/**
 * A tenant: a customer of the service with keys, conversations and limits of its own. Its id begins the path of all that
 * is stored for it and stands inside its keys, so it is written in few letters.
 */
const TENANT_ID = /^[a-z0-9][a-z0-9-]{1,31}$/;
/** Words that would be taken for something else: a kind of entry in API_KEYS, folders of the store. */
const RESERVED: readonly string[] = ['sha256', 'pending'];

/** 2 to 32 of `a-z`, `0-9` and `-`, not beginning with `-`. */
export const isTenantId = (text: string): boolean => TENANT_ID.test(text) && !RESERVED.includes(text);
