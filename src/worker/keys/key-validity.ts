import type { Caller } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { configuredCallers } from '../tenant/keys/configured.ts';
import { callerById, keyCacheMs } from './issued.ts';

/** What goes on after the request that began it looks so often whether its key still stands. */
const LOOK_MS = 15_000;

/** Not more often than this, however short answers are trusted. */
const LEAST_LOOK_MS = 200;

/** How often to look: with what an isolate trusts, a key that was revoked is known everywhere within 45 s. */
export const lookMs = (env: Env): number => Math.max(LEAST_LOOK_MS, Math.min(LOOK_MS, keyCacheMs(env)));

/** Whether a key that began something may still call. */
export async function isStillValid(
  env: Env,
  { tenant, keyId, kind }: Pick<Caller, 'tenant' | 'keyId' | 'kind'>,
): Promise<boolean> {
  if (kind === 'issued') return (await callerById(env, { tenant, id: keyId })) !== null;
  return (await configuredCallers(env)).some((caller) => caller.tenant === tenant && caller.keyId === keyId);
}

/**
 * A signal that fires when the key stands no more; looks until it is stopped.
 * @param stop ends the looking
 */
export function untilRevoked(
  env: Env,
  caller: Pick<Caller, 'tenant' | 'keyId' | 'kind'>,
  stop: AbortSignal,
): AbortSignal {
  const revoked = new AbortController();
  const look = async (): Promise<void> => {
    while (!stop.aborted) {
      await scheduler.wait(lookMs(env), { signal: stop });
      // Who cannot be asked is asked again.
      if (!stop.aborted && !(await isStillValid(env, caller).catch(() => true))) return revoked.abort();
    }
  };
  look().catch(() => undefined);
  return revoked.signal;
}
