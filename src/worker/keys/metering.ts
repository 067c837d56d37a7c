import type { Context } from 'hono';
import { asServiceError, logFault } from '../http/errors.ts';
import { addQuotaHeaders } from '../http/rate-limit.ts';
import type { Caller } from '../identity/caller.ts';
import type { AppEnv, Env } from '../identity/env.ts';
import { type Counted, Meter, type TenantCounts } from '../tenant/keys/meter.ts';
import { limitsOf } from '../tenant/limits.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** An isolate tells the tenants so often what it counted; other isolates are known no later. */
const TELL_MS = 5_000;

const meter = new Meter();
/** When whoever waits to tell will have told. Unix time, ms */
let toldBy = 0;

/**
 * Counts a request of a key against its limits a minute, and tells them in the answer.
 * @throws ServiceError RATE_LIMITED
 */
export function countRequest(c: Context<AppEnv>, caller: Caller): void {
  const own = caller.kind === 'issued' ? caller.limits.tenant : meter.limitsOf(caller.tenant);
  const { key, tenant } = limitsOf(c.env, { ...caller, limits: { ...caller.limits, tenant: own } });
  tellSoon(c);
  const allowed = { key: key.requests_per_minute, tenant: tenant.requests_per_minute };
  addQuotaHeaders(c, meter.take(caller, allowed, Date.now()));
}

/** Counts a request that was refused to a key. */
export function countRefusal(c: Context<AppEnv>, counted: Counted): void {
  meter.refuse(counted, Date.now());
  tellSoon(c);
}

/** Hands over what was counted here. A failure is logged, since nobody waits for it, and the counts are kept. */
export async function reportToTenants(env: Env): Promise<void> {
  await Promise.all(meter.drain(Date.now()).map((counts) => tell(env, counts)));
}

async function tell(env: Env, counts: TenantCounts): Promise<void> {
  try {
    const totals = await tenantOf(env, counts.tenant).count(counts);
    if (totals) meter.hear(counts, totals);
  } catch (error) {
    meter.giveBack(counts);
    logFault(asServiceError(error), { task: 'metering' });
  }
}

/** One request of many stays behind its answer and tells for all. One that died is not waited for. */
function tellSoon(c: Context<AppEnv>): void {
  const now = Date.now();
  if (now < toldBy) return;
  toldBy = now + TELL_MS;
  c.executionCtx.waitUntil(scheduler.wait(TELL_MS).then(() => reportToTenants(c.env)));
}
