import { computed, signal } from '@preact/signals';
import { PageAccess } from '../../sdk/access.ts';
import { Commitments } from '../../sdk/commitments.ts';
import { Connection, type UndertoneOptions } from '../../sdk/connection.ts';
import { Conversations } from '../../sdk/conversations.ts';
import { UndertoneError } from '../../sdk/error.ts';
import { Holds } from '../../sdk/holds.ts';
import { Keys, Tenants, Tokens } from '../../sdk/keys.ts';
import { Patterns } from '../../sdk/patterns.ts';
import { People } from '../../sdk/people.ts';
import { Playlists } from '../../sdk/playlists.ts';
import { Redactions } from '../../sdk/redactions.ts';
import { Rules } from '../../sdk/rules.ts';
import { Shares } from '../../sdk/shares.ts';
import { Views } from '../../sdk/views.ts';
import { WebhookEndpoints } from '../../sdk/webhook-endpoints.ts';
import type { CurrentKey, Welcome } from '../../sdk/wire.ts';
import { errorTextOf } from './error-texts.ts';
import { announceSignOut, askOpenTabs, joinOpenTabs } from './open-tabs.ts';
import { sayRetry } from './tip.tsx';

const KEPT = 'undertone.key';
/** Set while an operator is signed in, so that the menu does not jump when a page is loaded. */
const OPERATES = 'undertone.operates';

/** The client for one credential. Pages that send audio load the full client. */
export interface SignedInService {
  commitments: Commitments;
  conversations: Conversations;
  keys: Keys;
  patterns: Patterns;
  people: People;
  playlists: Playlists;
  redactions: Redactions;
  views: Views;
  webhooks: WebhookEndpoints;
  rules: Rules;
  shares: Shares;
  holds: Holds;
  tokens: Tokens;
  tenants: Tenants;
  access: PageAccess;
}

/** Retries are shown to the user, too. */
const onRetry: UndertoneOptions['onRetry'] = ({ error }) => sayRetry(`${errorTextOf(error).what} Retrying.`);

/** The key of a person who signed in with OpenID Connect: none, because the browser sends a cookie. */
const BY_COOKIE = '';

/** @param key a key or a browser token; without it the browser's cookie is used, if there is one */
export const optionsFor = (key: string | undefined, more: Partial<UndertoneOptions> = {}): UndertoneOptions => ({
  url: location.origin,
  onRetry,
  ...(key !== undefined && key !== BY_COOKIE && { key }),
  ...more,
});

export function serviceWith(key: string | undefined, more: Partial<UndertoneOptions> = {}): SignedInService {
  const connection = new Connection(optionsFor(key, more));
  return {
    commitments: new Commitments(connection),
    conversations: new Conversations(connection),
    keys: new Keys(connection),
    patterns: new Patterns(connection),
    people: new People(connection),
    playlists: new Playlists(connection),
    redactions: new Redactions(connection),
    views: new Views(connection),
    webhooks: new WebhookEndpoints(connection),
    rules: new Rules(connection),
    shares: new Shares(connection),
    holds: new Holds(connection),
    tokens: new Tokens(connection),
    tenants: new Tenants(connection),
    access: new PageAccess(connection),
  };
}

/** The key from a link that was opened while another key was signed in. */
export const offeredKey = signal<string | undefined>(undefined);
/** The key stored in this browser. Undefined before signing in. */
export const key = signal<string | undefined>(undefined);
/** Whether another open tab may still pass its key to this one. */
export const isAskingTabs = signal(false);
/** The error with which the service refused the last key. Undefined once a key is signed in. */
export const refusal = signal<unknown>(undefined);
/** The error with which the service cannot be reached at all. Undefined while it responds. */
export const outage = signal<unknown>(undefined);
/** The public information about the service. Undefined until it has loaded. */
export const welcome = signal<Welcome | undefined>(undefined);
/** Whether an operator is signed in. Undefined until this is known. */
export const isOperator = computed(() => welcome.value && welcome.value.operator !== null);

/** Whether an operator was signed in when this browser last asked. */
let operated = false;
try {
  operated = localStorage.getItem(OPERATES) !== null;
} catch {
  // Nothing was stored.
}
/** Whether an operator is signed in, or was until this is known. */
export const mayOperate = (): boolean => isOperator.value ?? operated;

/** The signed-in key as the service knows it. Undefined until it has answered. */
export const currentKey = signal<CurrentKey | undefined>(undefined);

/** The client with the signed-in key. */
export const service = (): SignedInService => serviceWith(key.value);
/** The client of the operator, who is identified by the session cookie. */
export const asOperator = (): SignedInService => serviceWith(undefined);
/** The client of the operator if one is signed in, or else that of a key with access to its tenant's administration. */
export const administration = (): SignedInService => (isOperator.value ? asOperator() : service());
/** @param stays whether to keep the key after the browser session */
export function signInWith(given: string, stays: boolean): void {
  keep(given);
  try {
    if (stays) localStorage.setItem(KEPT, given);
    else localStorage.removeItem(KEPT);
  } catch {
    // The key is kept for this visit only.
  }
}

/** A key in a short form: that of an issued key's id and its tenant, or else the first and last characters. */
export function nameOfKey(one: string): string {
  if (one === BY_COOKIE) return welcome.value?.person?.email ?? '';
  const [, tenant, id] = /^ut_([a-z0-9-]+)_.{4}(.{8})_/.exec(one) ?? [];
  if (id) return `…${id}, tenant ${tenant}`;
  return one.length > 16 ? `${one.slice(0, 8)}…${one.slice(-4)}` : one;
}

/**
 * Signs out, also in the other tabs with this key.
 * @param reason the service's refusal of the key, which the sign-in page shows
 */
export function signOut(reason?: unknown): void {
  if (key.value !== undefined) announceSignOut(key.value);
  if (key.value === BY_COOKIE) void leave(reason);
  else {
    forget();
    refusal.value = reason;
  }
}

/** Ends the session of a person. Only then does the page say so, because the next one would find the session again. */
async function leave(reason: unknown): Promise<void> {
  await asOperator()
    .access.signOutPerson()
    .catch(() => undefined);
  forget();
  refusal.value = reason;
  await greet();
}

/** Uses the session of a person, unless this tab has a key. */
function keepPerson(): void {
  if (welcome.peek()?.person && key.peek() === undefined && !isAskingTabs.peek()) keep(BY_COOKIE);
}

/** Loads what the service knows of the key, and signs out if the service refuses it. Pages report other errors when they occur. */
async function checkKey(): Promise<void> {
  const given = key.peek();
  try {
    const known = await serviceWith(given, { retries: 0 }).keys.current();
    if (key.peek() === given) currentKey.value = known;
  } catch (error) {
    if (error instanceof UndertoneError && error.code === 'INVALID_KEY' && key.peek() === given) signOut(error);
  }
}

function keep(given: string): void {
  currentKey.value = undefined;
  key.value = given;
  refusal.value = undefined;
  store(given);
  void checkKey();
}

/** Keeps for the next page whether an operator is signed in. */
function rememberOperator(): void {
  try {
    if (isOperator.peek()) localStorage.setItem(OPERATES, '');
    else localStorage.removeItem(OPERATES);
  } catch {
    // It is asked again at the next visit.
  }
}

function store(given: string): void {
  try {
    sessionStorage.setItem(KEPT, given);
  } catch {
    // It is kept for this visit only.
  }
}

function forget(): void {
  key.value = undefined;
  try {
    sessionStorage.removeItem(KEPT);
    localStorage.removeItem(KEPT);
  } catch {
    // Nothing was stored.
  }
}

/** How often a service that does not respond is asked again, ms. */
const ASK_AGAIN_MS = 10_000;

/** Loads what this browser can use without a key. */
export async function greet(client = asOperator()): Promise<void> {
  try {
    welcome.value = await client.access.welcome();
    outage.value = undefined;
    rememberOperator();
    keepPerson();
  } catch (error) {
    outage.value = error;
  }
}

/** Follows the connection: reports when the browser loses it, and asks until the service responds again. */
export function followConnection(): () => void {
  const lose = (): void => {
    outage.value = new UndertoneError('CONNECTION_FAILED', 'No connection');
  };
  const restore = (): void => void greet();
  const askAgain = (): void => {
    if (outage.peek() !== undefined && navigator.onLine) void greet(serviceWith(undefined, { retries: 0 }));
  };
  const timer = setInterval(askAgain, ASK_AGAIN_MS);
  addEventListener('offline', lose);
  addEventListener('online', restore);
  return () => {
    clearInterval(timer);
    removeEventListener('offline', lose);
    removeEventListener('online', restore);
  };
}

/**
 * Finds the key of this tab: the stored one, or that of another open tab, or the one from a link. The key in a link
 * (`#key=…`, as printed by `npm start`) reaches no server and is removed from the address bar. It does not replace
 * another key without asking.
 */
export function findKey(): void {
  const given = keyOfLink();
  joinOpenTabs({ current: () => key.peek(), forget });
  const settle = (known: string | undefined): void => {
    isAskingTabs.value = false;
    // Somebody may have signed in by now.
    if (key.peek() !== undefined) return;
    if (known !== undefined && given !== undefined && known !== given) offeredKey.value = given;
    const found = known ?? given;
    if (found !== undefined) keep(found);
    else keepPerson();
  };
  const kept = storedKey();
  if (kept !== undefined || location.pathname.startsWith('/app/shared/')) {
    settle(kept);
    return;
  }
  // Stored first, so that opening another page does not lose it.
  if (given !== undefined) store(given);
  isAskingTabs.value = true;
  askOpenTabs(settle);
}

function keyOfLink(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('key');
  if (!given) return undefined;
  history.replaceState(history.state, '', location.pathname + location.search);
  return given;
}

function storedKey(): string | undefined {
  try {
    return sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT) ?? undefined;
  } catch {
    return undefined;
  }
}
