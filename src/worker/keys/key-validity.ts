import type { Caller } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { configuredCallers } from '../tenant/keys/configured.ts';
import { callerById, keyCacheMs } from './issued.ts';

/** How often the key is checked during work that outlives its request, ms. */
const CHECK_MS = 15_000;

/** The shortest interval between two checks, however short the cache time is. */
const SHORTEST_CHECK_MS = 200;

/**
 * The interval between checks. Together with the cache time, it makes a revocation take effect everywhere within 45 s.
 */
export const checkIntervalMs = (env: Env): number => Math.max(SHORTEST_CHECK_MS, Math.min(CHECK_MS, keyCacheMs(env)));

/** Whether the key that started some work is still valid. */
export async function isStillValid(
  env: Env,
  { tenant, keyId, kind }: Pick<Caller, 'tenant' | 'keyId' | 'kind'>,
): Promise<boolean> {
  if (kind === 'issued') return (await callerById(env, { tenant, id: keyId })) !== null;
  return (await configuredCallers(env)).some((caller) => caller.tenant === tenant && caller.keyId === keyId);
}

/**
 * A signal that fires when the key is no longer valid.
 * @param stop ends the checks
 */
export function untilRevoked(
  env: Env,
  caller: Pick<Caller, 'tenant' | 'keyId' | 'kind'>,
  stop: AbortSignal,
): AbortSignal {
  const revoked = new AbortController();
  const look = async (): Promise<void> => {
    while (!stop.aborted) {
      await scheduler.wait(checkIntervalMs(env), { signal: stop });
      // If the lookup fails, the key counts as valid and is looked up again.
      if (!stop.aborted && !(await isStillValid(env, caller).catch(() => true))) return revoked.abort();
    }
  };
  look().catch(() => undefined);
  return revoked.signal;
}
