import type { Context } from 'hono';
import { asServiceError, logFault } from '../http/errors.ts';
import { addQuotaHeaders } from '../http/rate-limit.ts';
import type { Caller } from '../identity/caller.ts';
import type { AppEnv, Env } from '../identity/env.ts';
import { type Counted, Meter, type TenantCounts } from '../tenant/keys/meter.ts';
import { limitsOf } from '../tenant/limits.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** How often an isolate reports its counts to the tenants, ms. Other isolates see them with this delay. */
const REPORT_MS = 5_000;

const meter = new Meter();
/** Unix time by which the pending report will have been sent, ms. */
let reportedBy = 0;

/**
 * Counts a request against the key's limits per minute, and adds the quota headers to the response.
 * @throws ServiceError RATE_LIMITED
 */
export function countRequest(c: Context<AppEnv>, caller: Caller): void {
  const own = caller.kind === 'issued' ? caller.limits.tenant : meter.limitsOf(caller.tenant);
  const { key, tenant } = limitsOf(c.env, { ...caller, limits: { ...caller.limits, tenant: own } });
  reportSoon(c);
  const allowed = { key: key.requests_per_minute, tenant: tenant.requests_per_minute };
  addQuotaHeaders(c, meter.take(caller, allowed, Date.now()));
}

/** Counts a refused request. */
export function countRefusal(c: Context<AppEnv>, counted: Counted): void {
  meter.refuse(counted, Date.now());
  reportSoon(c);
}

/**
 * Sends the counts of this isolate. If that fails, the counts are kept and the failure is logged, because nothing waits
 * for it.
 */
export async function reportToTenants(env: Env): Promise<void> {
  await Promise.all(meter.drain(Date.now()).map((counts) => tell(env, counts)));
}

async function tell(env: Env, counts: TenantCounts): Promise<void> {
  try {
    const totals = await tenantOf(env, counts.tenant).count(counts);
    if (totals) meter.acknowledge(counts, totals);
  } catch (error) {
    meter.giveBack(counts);
    logFault(asServiceError(error), { task: 'metering' });
  }
}

/**
 * Keeps one of many requests alive after its response, to report for all of them. If that request dies, its report is
 * lost.
 */
function reportSoon(c: Context<AppEnv>): void {
  const now = Date.now();
  if (now < reportedBy) return;
  reportedBy = now + REPORT_MS;
  c.executionCtx.waitUntil(scheduler.wait(REPORT_MS).then(() => reportToTenants(c.env)));
}
