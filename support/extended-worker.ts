import { DurableObject } from 'cloudflare:workers';
import { AnalysisOptionsSchema } from '../src/contract/options.ts';
import type { Env } from '../src/worker/identity/env.ts';
import { LiveSession } from '../src/worker/live/session.ts';
import { PoolDirectory } from '../src/worker/pool/pool-directory.ts';
import type { Indexed } from '../src/worker/results/card.ts';
import type { StoredRecord } from '../src/worker/results/record.ts';
import type { Sql, SqlValue } from '../src/worker/sqlite/migrations.ts';
import { runKeys } from '../src/worker/storage/keys.ts';
import { Catalogue } from '../src/worker/tenant/catalogue/catalogue.ts';
import { type JobRequest, uploadedSource } from '../src/worker/tenant/jobs/job.ts';
import type { AnalysisOutcome } from '../src/worker/tenant/jobs/job-table.ts';
import { RuleResults } from '../src/worker/tenant/rules/rule-results.ts';
import { Tenant } from '../src/worker/tenant/tenant.ts';

export * from '../src/worker/index.ts';
export { default } from './tested-worker.ts';

// The Worker itself, with additional methods that show or break things that a client cannot.

type Row = Record<string, SqlValue>;

/** The SQLite of an object, which the types in tests do not declare. */
const sqlOf = (object: unknown): Sql => (object as { ctx: { storage: { sql: Sql } } }).ctx.storage.sql;

type LostStorage = Record<'deleteAlarm' | 'deleteAll' | 'sync', () => Promise<void>>;

class CrashableSession extends LiveSession {
  /** Evicts the object from memory while it works. */
  crash(): void {
    this.ctx.abort('evicted by a test');
  }

  /** The stored row of the session. */
  storedState(): string {
    return sqlOf(this).exec<{ state: string }>('SELECT state FROM session').one().state;
  }
}

/**
 * Replaces the container. It forwards requests to a process, and can be evicted from memory with everything that passes
 * through it, as a deployment or a runtime update evicts a container's object.
 */
class ForwardingContainer extends DurableObject<Env & { CONTAINERS: string; CONTAINER_START_MS?: string }> {
  /** Settled when it has started. Without `CONTAINER_START_MS` it always runs. */
  #started: Promise<void> | null = this.env.CONTAINER_START_MS === undefined ? Promise.resolve() : null;

  isHere(): true {
    return true;
  }

  async health(): Promise<string | null> {
    if (!this.#started) return null;
    return (await this.fetch(new Request('http://pipeline/healthz'))).text();
  }

  async fetch(request: Request): Promise<Response> {
    this.#started ??= new Promise((resolve) => setTimeout(resolve, Number(this.env.CONTAINER_START_MS)));
    await this.#started;
    const containers = this.env.CONTAINERS.split(',');
    const instance = Number(/\d+$/.exec(this.ctx.id.name ?? '')?.[0]);
    const { pathname, search } = new URL(request.url);
    return fetch(new URL(`${pathname}${search}`, containers[instance]), request);
  }

  crash(): void {
    this.ctx.abort('reset by a test');
  }
}

class ResettablePool extends PoolDirectory {
  /** Evicts the object from memory while it works. */
  crash(): void {
    this.ctx.abort('reset by a test');
  }
}

class InspectableTenant extends Tenant {
  /** Ends an analysis as a second runner of it would. */
  endJob(id: string, outcome: AnalysisOutcome): Promise<boolean> {
    return this.jobs.end(id, outcome);
  }

  /** Every row of every table, by table name, except the tables of the full-text index. */
  dump(): Record<string, Row[]> {
    const sql = this.#sql;
    const tables = sql.exec<{ name: string }>(
      `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'search%' AND name NOT LIKE '_cf_%'`,
    );
    return Object.fromEntries(
      tables.toArray().map(({ name }) => [name, sql.exec<Row>(`SELECT * FROM "${name}"`).toArray()]),
    );
  }

  /** Empties the catalogue, as if the object had been lost. */
  loseCatalogue(): void {
    const sql = this.#sql;
    for (const table of ['conversations', 'facets', 'texts']) sql.exec(`DELETE FROM ${table}`);
    sql.exec(`INSERT INTO search (search) VALUES ('rebuild')`);
  }

  /** Loses every row and its place in memory. The buckets stay. */
  async loseEverything(): Promise<void> {
    const { storage } = (this as unknown as { ctx: { storage: LostStorage } }).ctx;
    await storage.deleteAlarm();
    await storage.deleteAll();
    await storage.sync();
    this.ctx.abort('lost by a test');
  }

  /** Stores conversations with the indexes of their results, without the results themselves. */
  store(conversations: readonly { record: StoredRecord; indexed: Indexed }[]): void {
    const rules = new RuleResults(this.#sql);
    const catalogue = new Catalogue(
      this.#sql,
      () => null,
      (n, indexed) => {
        this.patterns.index(n, indexed?.patterns ?? null);
        rules.index(n, indexed?.facts ?? null, []);
      },
    );
    for (const { record, indexed } of conversations) catalogue.put(record, indexed, false);
  }

  /** Stores what a live session leaves: while it runs, or after it failed with its recording kept. */
  async live(id: string, media: string, isOver: boolean): Promise<void> {
    const tenant = this.ctx.id.name ?? '';
    const options = AnalysisOptionsSchema.parse({});
    // The caller of an earlier analysis. With an invalid key, this analysis would end.
    const { request } = this.#sql.exec<{ request: string }>('SELECT request FROM jobs LIMIT 1').one();
    const { caller }: JobRequest = JSON.parse(request);
    const about = { requestId: 'r', filename: '', options };
    await this.conversations.begin({ id, mode: 'live', key: caller.keyId, suffix: '.wav', ...about });
    if (!isOver) return;
    const error = { code: 'ANALYSIS_FAILURE', message: 'Analysis failed' } as const;
    await this.env.MEDIA.put(runKeys(tenant, id, '.wav').upload, media);
    const sent = { mode: 'batch', filename: '' } as const;
    const source = uploadedSource('.wav', media.length);
    await this.jobs.addFailed({ tenant, caller, runId: id, requestId: 'r', sent, source, options }, error);
    await this.conversations.end(id, { status: 'failed', ...error });
  }

  /** The status of a workflow. Null if there is none. */
  async workflow(id: string): Promise<string | null> {
    try {
      const instance = await this.env.ANALYSIS.get(id);
      return (await instance.status()).status;
    } catch (error) {
      if (String(error).includes('not_found')) return null;
      throw error;
    }
  }

  get #sql(): Sql {
    return sqlOf(this);
  }
}

export {
  CrashableSession as LiveSession,
  ForwardingContainer as PipelineContainer,
  ForwardingContainer as PipelineContainerB,
  InspectableTenant as Tenant,
  ResettablePool as PoolDirectory,
};
