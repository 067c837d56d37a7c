import { AnalysisOptionsSchema } from '../../../src/contract/options.ts';
import type { Sql, SqlValue } from '../../../src/worker/sqlite/migrations.ts';
import { runKeys } from '../../../src/worker/storage/keys.ts';
import { type JobRequest, uploadedSource } from '../../../src/worker/tenant/jobs/job.ts';
import { Tenant } from '../../../src/worker/tenant/tenant.ts';

export * from '../../../src/worker/index.ts';
export { default } from '../../../src/worker/index.ts';

type Row = Record<string, SqlValue>;

/**
 * The Worker under test, with additions: tests can read all tables and workflows of a tenant, and lose its catalogue.
 */
class DumpableTenant extends Tenant {
  /** Every row of every table by the table's name, without the tables of the search index. */
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

  /** Adds a live session: open, or failed by a machine with its recording kept. */
  async live(id: string, media: string, isOver: boolean): Promise<void> {
    const tenant = this.ctx.id.name ?? '';
    const options = AnalysisOptionsSchema.parse({});
    // The caller of an earlier job: the job would end if its key were not valid.
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

  /** Status of a workflow; null when there is none. */
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
    const { ctx } = this as unknown as { ctx: { storage: { sql: Sql } } };
    return ctx.storage.sql;
  }
}

export { DumpableTenant as Tenant };
