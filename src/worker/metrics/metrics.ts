import { DurableObject } from 'cloudflare:workers';
import type { ServiceEvent } from '../../contract/events.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import type { Env } from '../identity/env.ts';

/** Increments of one request. */
export interface Counts {
  /** Emitted events by name. */
  events: Record<string, number>;
  /** Summed latency and its number of samples, by agent scope. */
  latency: Record<string, { sumMs: number; count: number }>;
}

/** All counters since deployment. */
export interface Totals {
  events: Record<string, number>;
  /** Average latency by agent scope, ms. */
  latencyMs: Record<string, number>;
}

declare module '../identity/env.ts' {
  interface Env {
    METRICS: DurableObjectNamespace<Metrics>;
  }
}

/** Counters of the whole service: one object, so that all isolates add to the same, in SQLite, so that they last. */
export class Metrics extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS events (name TEXT PRIMARY KEY, count INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS latency (scope TEXT PRIMARY KEY, sum_ms REAL NOT NULL, count INTEGER NOT NULL);
    `);
  }

  add({ events, latency }: Counts): void {
    for (const [name, count] of Object.entries(events))
      this.ctx.storage.sql.exec(
        'INSERT INTO events VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET count = count + ?2',
        name,
        count,
      );
    for (const [scope, { sumMs, count }] of Object.entries(latency))
      this.ctx.storage.sql.exec(
        `INSERT INTO latency VALUES (?1, ?2, ?3)
         ON CONFLICT (scope) DO UPDATE SET sum_ms = sum_ms + ?2, count = count + ?3`,
        scope,
        sumMs,
        count,
      );
  }

  read(): Totals {
    const events = this.ctx.storage.sql.exec<{ name: string; count: number }>('SELECT name, count FROM events');
    const latency = this.ctx.storage.sql.exec<{ scope: string; ms: number }>(
      'SELECT scope, sum_ms / count AS ms FROM latency WHERE count > 0',
    );
    return {
      events: Object.fromEntries([...events].map(({ name, count }) => [name, count])),
      latencyMs: Object.fromEntries([...latency].map(({ scope, ms }) => [scope, rounded(ms)])),
    };
  }
}

/** The one metrics object. */
export const metricsOf = (env: Env): DurableObjectStub<Metrics> => env.METRICS.get(env.METRICS.idFromName('service'));

/** Collects the counts of one request, so that it costs one call after the answer and none before. */
export class Tally {
  readonly #events: Record<string, number> = {};
  readonly #latency = { sumMs: 0, count: 0 };

  /** Counts an event sent to a client. */
  event({ event }: Pick<ServiceEvent, 'event'>): void {
    this.#events[event] = (this.#events[event] ?? 0) + 1;
  }

  /** Adds the processing time of one utterance (`agent_latency_ms.utterance`). */
  utterance(latencyMs: number): void {
    this.#latency.sumMs += latencyMs;
    this.#latency.count += 1;
  }

  /** Sends the counts; pass its promise to `waitUntil`. A failure is logged, because nobody awaits this. */
  async flush(env: Env): Promise<void> {
    const latency: Counts['latency'] = this.#latency.count > 0 ? { utterance: this.#latency } : {};
    if (Object.keys(this.#events).length === 0 && this.#latency.count === 0) return;
    try {
      await metricsOf(env).add({ events: this.#events, latency });
    } catch (error) {
      console.error(
        JSON.stringify({ level: 'error', message: 'the metrics could not be recorded', cause: String(error) }),
      );
    }
  }
}
