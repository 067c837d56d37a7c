import { DurableObject } from 'cloudflare:workers';
import type { ServiceEvent } from '../../contract/events.ts';
import type { Env } from '../identity/env.ts';
import { objectNamed } from '../settings/jurisdiction.ts';
import { type HistogramName, type Observed, ObservedValues } from './histograms.ts';
import { type Counts, writePoints } from './points.ts';

/** All counters since deployment. */
export type Totals = Counts;

declare module '../identity/env.ts' {
  interface Env {
    METRICS: DurableObjectNamespace<Metrics>;
  }
}

/**
 * Counters of the whole service. There is only one object, so that all isolates add to the same counters, and it uses
 * SQLite, so that they persist.
 */
export class Metrics extends DurableObject<Env> {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS events (name TEXT PRIMARY KEY, count INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS latency (scope TEXT PRIMARY KEY, sum_ms REAL NOT NULL, count INTEGER NOT NULL);
      CREATE TABLE IF NOT EXISTS histograms (
        name TEXT NOT NULL, labels TEXT NOT NULL, counts TEXT NOT NULL, sum REAL NOT NULL, PRIMARY KEY (name, labels)
      );
    `);
  }

  add({ events, latency, observed }: Counts): void {
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
    for (const one of observed) this.#observe(one);
  }

  #observe({ name, labels, counts, sum }: Observed): void {
    const { sql } = this.ctx.storage;
    const key = [name, JSON.stringify(labels)] as const;
    const [stored] = sql.exec<StoredHistogram>('SELECT * FROM histograms WHERE name = ? AND labels = ?', ...key);
    const before: number[] = stored ? JSON.parse(stored.counts) : [];
    const after = JSON.stringify(counts.map((count, i) => count + (before[i] ?? 0)));
    sql.exec('INSERT OR REPLACE INTO histograms VALUES (?, ?, ?, ?)', ...key, after, sum + (stored?.sum ?? 0));
  }

  read(): Totals {
    const events = this.ctx.storage.sql.exec<{ name: string; count: number }>('SELECT name, count FROM events');
    const latency = this.ctx.storage.sql.exec<{ scope: string; sumMs: number; count: number }>(
      'SELECT scope, sum_ms AS sumMs, count FROM latency WHERE count > 0',
    );
    const observed = this.ctx.storage.sql.exec<StoredHistogram>('SELECT * FROM histograms ORDER BY name, labels');
    return {
      events: Object.fromEntries([...events].map(({ name, count }) => [name, count])),
      latency: Object.fromEntries([...latency].map(({ scope, sumMs, count }) => [scope, { sumMs, count }])),
      observed: [...observed].map(({ name, labels, counts, sum }) => ({
        name,
        labels: JSON.parse(labels),
        counts: JSON.parse(counts),
        sum,
      })),
    };
  }
}

/** A histogram with one set of label values. The lists are stored as JSON. */
interface StoredHistogram extends Record<string, SqlStorageValue> {
  name: HistogramName;
  labels: string;
  counts: string;
  sum: number;
}

/** The only metrics object. */
export const metricsOf = (env: Env): DurableObjectStub<Metrics> => objectNamed(env, env.METRICS, 'service');

/**
 * Collects the counts of one request. They are sent in one call after the response, and the request does not wait for
 * it.
 */
export class Tally {
  readonly #events: Record<string, number> = {};
  readonly #latency = { sumMs: 0, count: 0 };
  readonly #observations = new ObservedValues();

  /** Counts an event sent to a client. */
  event({ event }: Pick<ServiceEvent, 'event'>): void {
    this.#events[event] = (this.#events[event] ?? 0) + 1;
  }

  /** Adds the processing time of one utterance (`agent_latency_ms.utterance`). */
  utterance(latencyMs: number): void {
    this.#latency.sumMs += latencyMs;
    this.#latency.count += 1;
  }

  /** Adds a value to a histogram. @param labels their values, in the order of the histogram's label names */
  observe(name: HistogramName, value: number, ...labels: string[]): void {
    this.#observations.add(name, value, ...labels);
  }

  /** Sends the counts. Pass its promise to `waitUntil`. A failure is logged, because nothing waits for it. */
  async flush(env: Env): Promise<void> {
    const latency: Counts['latency'] = this.#latency.count > 0 ? { utterance: this.#latency } : {};
    const observed = this.#observations.drain();
    if (Object.keys(this.#events).length === 0 && this.#latency.count === 0 && observed.length === 0) return;
    const counts = { events: this.#events, latency, observed };
    try {
      writePoints(env.POINTS, counts);
      await metricsOf(env).add(counts);
    } catch (error) {
      console.error(
        JSON.stringify({ level: 'error', message: 'the metrics could not be recorded', cause: String(error) }),
      );
    }
  }
}
