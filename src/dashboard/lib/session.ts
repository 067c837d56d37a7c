import { computed, signal } from '@preact/signals';
import { PageAccess } from '../../sdk/access.ts';
import { Connection, type UndertoneOptions } from '../../sdk/connection.ts';
import { Conversations } from '../../sdk/conversations.ts';
import { Keys, Tenants, Tokens } from '../../sdk/keys.ts';
import type { Welcome } from '../../sdk/wire.ts';
import { errorTextOf } from './error-texts.ts';
import { say } from './tip.tsx';

const KEPT = 'undertone.key';

/** What the pages ask of the service, with one credential; those that send sound take the whole client for it. */
export interface SignedInService {
  conversations: Conversations;
  keys: Keys;
  tokens: Tokens;
  tenants: Tenants;
  access: PageAccess;
}

/** What is tried again by itself is told, too. */
const onRetry: UndertoneOptions['onRetry'] = ({ error }) => say(`${errorTextOf(error).what} It is tried again.`);

/** @param key a key or a browser token; without it the browser's cookie speaks, or nothing */
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

/** The key that this browser was given; undefined before anybody signed in. */
export const key = signal<string | undefined>(readKey());
/** What the service says before anybody signs in; undefined until it was asked. */
export const welcome = signal<Welcome | undefined>(undefined);
/** Whether an operator is signed in; undefined until it is known. */
export const isOperator = computed(() => welcome.value && welcome.value.operator !== null);

/** As whoever holds the key. */
export const service = (): SignedInService => serviceWith(key.value);
/** As the operator, by the session's cookie. */
export const asOperator = (): SignedInService => serviceWith(undefined);
/** Of the operator where one is signed in, else of a key that may administer its tenant. */
export const administration = (): SignedInService => (isOperator.value ? asOperator() : service());
/** @param stays over the end of the browser's session */
export function signInWith(given: string, stays: boolean): void {
  key.value = given;
  try {
    sessionStorage.setItem(KEPT, given);
    if (stays) localStorage.setItem(KEPT, given);
    else localStorage.removeItem(KEPT);
  } catch {
    // It holds until the page is left.
  }
}

export function forgetKey(): void {
  key.value = undefined;
  try {
    sessionStorage.removeItem(KEPT);
    localStorage.removeItem(KEPT);
  } catch {
    // Then nothing was kept.
  }
}

/** Asks what this browser may do without a key. */
export async function greet(): Promise<void> {
  try {
    welcome.value = await asOperator().access.welcome();
  } catch {
    welcome.value ??= { demo_key: null, operator: null };
  }
}

/** A link may hand a key over (`#key=…`, as `npm start` prints one): no server sees it, and the address forgets it. */
function readKey(): string | undefined {
  try {
    const given = new URLSearchParams(location.hash.slice(1)).get('key');
    if (given) {
      sessionStorage.setItem(KEPT, given);
      history.replaceState(history.state, '', location.pathname + location.search);
    }
    return given ?? sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT) ?? undefined;
  } catch {
    return undefined;
  }
}
