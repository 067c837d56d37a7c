import type { Quota } from '../../../contract/errors.ts';
import { ServiceError } from '../../../contract/errors.ts';
import type { UsageLimits } from '../../../contract/tenants.ts';
import type { Caller } from '../../identity/caller.ts';

const MINUTE_MS = 60_000;

/** The caller that a count belongs to. */
export type Counted = Pick<Caller, 'tenant' | 'keyId' | 'kind'>;

/** Counts of one tenant's keys since the last report. `minute`: minutes since the Unix epoch. */
export interface TenantCounts {
  tenant: string;
  kind: Caller['kind'];
  minute: number;
  keys: Record<string, KeyTally>;
}

export interface KeyTally {
  requests: number;
  refusals: number;
  /** Number of requests made during `minute`. */
  inMinute: number;
  /** Unix time, ms. */
  lastAt: number;
}

/** A tenant's totals for one minute: the requests of its keys in all isolates. */
export interface MinuteTotals {
  keys: Record<string, number>;
  tenant: number;
  /** The tenant's limits that differ from the deployment's. */
  limits: UsageLimits;
}

/**
 * Requests of one minute: those counted here and not yet reported, those being reported, and the total of all isolates
 * that the tenant returned.
 */
class MinuteCount {
  unsent = 0;
  sending = 0;
  reported = 0;
  #minute = 0;

  turn(minute: number): void {
    if (this.#minute === minute) return;
    this.#minute = minute;
    this.unsent = this.sending = this.reported = 0;
  }

  get total(): number {
    return this.unsent + this.sending + this.reported;
  }

  acknowledge(total: number): void {
    this.reported = Math.max(this.reported, total);
    this.sending = 0;
  }
}

interface KeyEntry extends Counted {
  minute: MinuteCount;
  requests: number;
  refusals: number;
  lastAt: number;
}

interface TenantEntry {
  minute: MinuteCount;
  limits: UsageLimits;
  lastAt: number;
}

/**
 * Counts requests by key and tenant in one isolate, and enforces the limits per minute. The counts of other isolates
 * are as old as the last exchange with the tenant. The result is exact with one isolate, and lags by a few seconds with
 * many.
 */
export class Meter {
  readonly #keys = new Map<string, KeyEntry>();
  readonly #tenants = new Map<string, TenantEntry>();
  #hasNews = false;

  /** The last known limits of a tenant. */
  limitsOf(tenant: string): UsageLimits {
    return this.#tenants.get(tenant)?.limits ?? {};
  }

  /**
   * Counts one request.
   * @param allowed requests per minute of the key and of its tenant
   * @returns the remaining requests of both
   * @throws ServiceError RATE_LIMITED
   */
  take(counted: Counted, allowed: { key: number; tenant: number }, now: number): Quota[] {
    const key = this.#keyEntry(counted, now);
    const tenant = this.#tenantEntry(counted.tenant, now);
    const resetSeconds = Math.ceil((MINUTE_MS - (now % MINUTE_MS)) / 1000);
    const quota = (name: string, limit: number, used: number): Quota => ({
      name,
      limit,
      remaining: Math.max(0, limit - used),
      windowSeconds: 60,
      resetSeconds,
    });
    const refuse = (what: string, full: Quota): never => {
      key.refusals++;
      const detail = `${what} has reached its limit of ${full.limit} requests a minute`;
      throw new ServiceError('RATE_LIMITED', detail, { retryAfter: resetSeconds, quotas: [full] });
    };
    if (key.minute.total >= allowed.key) refuse('This key', quota('key', allowed.key, key.minute.total));
    if (tenant.minute.total >= allowed.tenant)
      refuse('This tenant', quota('tenant', allowed.tenant, tenant.minute.total));
    key.requests++;
    key.minute.unsent++;
    tenant.minute.unsent++;
    return [quota('key', allowed.key, key.minute.total), quota('tenant', allowed.tenant, tenant.minute.total)];
  }

  /** Counts a refused request. */
  refuse(counted: Counted, now: number): void {
    this.#keyEntry(counted, now).refusals++;
  }

  /** Whether there are counts to report. */
  get hasNews(): boolean {
    return this.#hasNews;
  }

  /** Removes and returns the counts to report, by tenant. Each must be followed by `acknowledge` or `giveBack`. */
  drain(now: number): TenantCounts[] {
    this.#hasNews = false;
    const minute = Math.floor(now / MINUTE_MS);
    const news = new Map<string, TenantCounts>();
    for (const [id, entry] of this.#keys) {
      const { tenant, keyId, kind, requests, refusals, lastAt } = entry;
      entry.minute.turn(minute);
      if (requests === 0 && refusals === 0) {
        if (lastAt < now - 2 * MINUTE_MS) this.#keys.delete(id);
        continue;
      }
      const counts = news.get(tenant) ?? { tenant, kind, minute, keys: {} };
      counts.keys[keyId] = { requests, refusals, inMinute: entry.minute.unsent, lastAt };
      news.set(tenant, counts);
      entry.requests = entry.refusals = 0;
      send(entry.minute);
    }
    for (const [id, entry] of this.#tenants) {
      entry.minute.turn(minute);
      send(entry.minute);
      if (entry.lastAt < now - 2 * MINUTE_MS) this.#tenants.delete(id);
    }
    return [...news.values()];
  }

  /** Called when the tenant has accepted the counts and returned its totals. */
  acknowledge({ tenant, minute, keys }: TenantCounts, totals: MinuteTotals): void {
    const entry = this.#tenants.get(tenant);
    if (entry) {
      entry.limits = totals.limits;
      entry.minute.turn(minute);
      entry.minute.acknowledge(totals.tenant);
    }
    for (const keyId of Object.keys(keys)) {
      const key = this.#keys.get(`${tenant}_${keyId}`);
      key?.minute.turn(minute);
      key?.minute.acknowledge(totals.keys[keyId] ?? 0);
    }
  }

  /** Called when the tenant did not accept the counts. They are reported again with the next ones. */
  giveBack({ tenant, keys }: TenantCounts): void {
    for (const [keyId, { requests, refusals }] of Object.entries(keys)) {
      const key = this.#keys.get(`${tenant}_${keyId}`);
      if (!key) continue;
      key.requests += requests;
      key.refusals += refusals;
      unsend(key.minute);
    }
    const entry = this.#tenants.get(tenant);
    if (entry) unsend(entry.minute);
    this.#hasNews = true;
  }

  #keyEntry({ tenant, keyId, kind }: Counted, now: number): KeyEntry {
    const id = `${tenant}_${keyId}`;
    let entry = this.#keys.get(id);
    if (!entry) {
      entry = { tenant, keyId, kind, minute: new MinuteCount(), requests: 0, refusals: 0, lastAt: now };
      this.#keys.set(id, entry);
    }
    entry.minute.turn(Math.floor(now / MINUTE_MS));
    entry.lastAt = now;
    this.#hasNews = true;
    return entry;
  }

  #tenantEntry(tenant: string, now: number): TenantEntry {
    let entry = this.#tenants.get(tenant);
    if (!entry) {
      entry = { minute: new MinuteCount(), limits: {}, lastAt: now };
      this.#tenants.set(tenant, entry);
    }
    entry.minute.turn(Math.floor(now / MINUTE_MS));
    entry.lastAt = now;
    return entry;
  }
}

function send(minute: MinuteCount): void {
  minute.sending += minute.unsent;
  minute.unsent = 0;
}

function unsend(minute: MinuteCount): void {
  minute.unsent += minute.sending;
  minute.sending = 0;
}
