import { computed, signal } from '@preact/signals';
import { PageAccess } from '../../sdk/access.ts';
import { Connection, type UndertoneOptions } from '../../sdk/connection.ts';
import { Conversations } from '../../sdk/conversations.ts';
import { Keys, Tenants, Tokens } from '../../sdk/keys.ts';
import type { Welcome } from '../../sdk/wire.ts';
import { errorTextOf } from './error-texts.ts';
import { say } from './tip.tsx';

const KEPT = 'undertone.key';

/** The client with one credential. Pages that send audio load the full client. */
export interface SignedInService {
  conversations: Conversations;
  keys: Keys;
  tokens: Tokens;
  tenants: Tenants;
  access: PageAccess;
}

/** Retries are shown to the user, too. */
const onRetry: UndertoneOptions['onRetry'] = ({ error }) => say(`${errorTextOf(error).what} Retrying.`);

/** @param key a key or a browser token; without it the browser's cookie is used, if there is one */
export const optionsFor = (key: string | undefined, more: Partial<UndertoneOptions> = {}): UndertoneOptions => ({
  url: location.origin,
  onRetry,
  ...(key !== undefined && { key }),
  ...more,
});

export function serviceWith(key: string | undefined, more: Partial<UndertoneOptions> = {}): SignedInService {
  const connection = new Connection(optionsFor(key, more));
  return {
    conversations: new Conversations(connection),
    keys: new Keys(connection),
    tokens: new Tokens(connection),
    tenants: new Tenants(connection),
    access: new PageAccess(connection),
  };
}

/** The key from a link that was opened while another key was signed in. */
export const offeredKey = signal<string | undefined>(undefined);
/** The key stored in this browser. Undefined before signing in. */
export const key = signal<string | undefined>(readKey());
/** The public information about the service. Undefined until it has loaded. */
export const welcome = signal<Welcome | undefined>(undefined);
/** Whether an operator is signed in. Undefined until this is known. */
export const isOperator = computed(() => welcome.value && welcome.value.operator !== null);

/** The client with the signed-in key. */
export const service = (): SignedInService => serviceWith(key.value);
/** The client of the operator, who is identified by the session cookie. */
export const asOperator = (): SignedInService => serviceWith(undefined);
/** The client of the operator if one is signed in, or else that of a key that may administer its tenant. */
export const administration = (): SignedInService => (isOperator.value ? asOperator() : service());
/** @param stays whether to keep the key after the browser session */
export function signInWith(given: string, stays: boolean): void {
  key.value = given;
  try {
    sessionStorage.setItem(KEPT, given);
    if (stays) localStorage.setItem(KEPT, given);
    else localStorage.removeItem(KEPT);
  } catch {
    // It is kept for this visit only.
  }
}

/** A key as people can recognise it: its first and last characters, and its tenant if it is an issued one. */
export function nameOfKey(one: string): string {
  const ends = one.length > 16 ? `${one.slice(0, 8)}…${one.slice(-4)}` : one;
  const tenant = /^ut_([a-z0-9-]{2,32})_/.exec(one)?.[1];
  return tenant === undefined ? ends : `${ends}, tenant ${tenant}`;
}

export function forgetKey(): void {
  key.value = undefined;
  try {
    sessionStorage.removeItem(KEPT);
    localStorage.removeItem(KEPT);
  } catch {
    // Nothing was stored.
  }
}

/** Loads what this browser may do without a key. */
export async function greet(): Promise<void> {
  try {
    welcome.value = await asOperator().access.welcome();
  } catch {
    welcome.value ??= { demo_key: null, operator: null };
  }
}

/**
 * A link may carry a key (`#key=…`, as printed by `npm start`). No server sees it, and it is removed from the address
 * bar. It does not replace another key automatically.
 */
function readKey(): string | undefined {
  try {
    const given = new URLSearchParams(location.hash.slice(1)).get('key');
    const kept = sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT) ?? undefined;
    if (!given) return kept;
    history.replaceState(history.state, '', location.pathname + location.search);
    if (kept !== undefined && kept !== given) {
      offeredKey.value = given;
      return kept;
    }
    sessionStorage.setItem(KEPT, given);
    return given;
  } catch {
    return undefined;
  }
}
