import type { MediaExtension } from '../../../contract/media.ts';
import type { AnalysisOptions, TenantOptions } from '../../../contract/options.ts';
import { underTenant, withoutAffectOf } from '../../../contract/options.ts';
import { MOST_TEXT_CHARS } from '../../../contract/pipeline.ts';
import { inOrder, type RedactionKind } from '../../../contract/redaction.ts';
import { fail, ok, type Result } from '../../../contract/result.ts';
import type { Env } from '../../identity/env.ts';
import { editedBy, hiddenLabels } from '../../results/edits/edited.ts';
import type { StoredRecord, StoredRedacting } from '../../results/record.ts';
import { writtenTexts } from '../../results/redacted-record.ts';
import type { StoredObjects } from '../../results/stored-objects.ts';
import { settingsOf } from '../../settings/settings.ts';
import { newId } from '../../sqlite/values.ts';
import { runKeys, runOf } from '../../storage/keys.ts';
import type { JobRequest } from '../jobs/job.ts';
import type { Catalogue } from './catalogue.ts';
import type { CatalogueSync, SyncHost } from './catalogue-sync.ts';

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown conversation');

/** The caller of a run. */
export type RunRequest = Pick<JobRequest, 'caller' | 'requestId'>;

export interface AskedRedaction {
  kinds: readonly RedactionKind[];
  /** Name of the caller in a receipt. */
  by: string;
  /** The redaction over a filter that it belongs to, or null. */
  job: string | null;
}

/** The parts of the tenant's object that repeated runs use. */
export interface RunsHost {
  env: Env;
  tenant: string;
  /** Begins a job that a workflow runs. */
  begin: (request: JobRequest) => Promise<Result<unknown>>;
  /** Whether the run's job has not ended. */
  isOpen: (run: string) => Promise<boolean>;
  /** The notes of playlists on pieces of a conversation. */
  notesOn: SyncHost['notesOn'];
  /** The tenant's settings for its analyses. */
  options: () => TenantOptions;
  /** Called for a run that was recorded and could not begin. */
  onRefused: (run: string) => void;
}

/** Further runs over stored recordings: other options, or a redaction. */
export class RepeatedRuns {
  readonly #catalogue: Catalogue;
  readonly #objects: StoredObjects;
  readonly #sync: CatalogueSync;
  readonly #host: RunsHost;

  constructor(catalogue: Catalogue, objects: StoredObjects, sync: CatalogueSync, host: RunsHost) {
    this.#catalogue = catalogue;
    this.#objects = objects;
    this.#sync = sync;
    this.#host = host;
  }

  /** Begins another run over the upload. @returns the run */
  async reanalyze(
    id: string,
    options: AnalysisOptions,
    bytes: number,
    { caller, requestId }: RunRequest,
  ): Promise<Result<string>> {
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    if (found.isHeld) return fail('ON_HOLD');
    const { record } = found;
    const { suffix, filename } = record;
    if (record.status !== 'completed' || suffix === null)
      return fail('NOT_COMPLETED', 'This conversation has no result to replace');
    if (record.redacting) return fail('NOT_COMPLETED', 'This conversation is being redacted');
    const run = runOf(id, runsOf(record).length);
    const source = this.#sourceOf(record, suffix, bytes);
    return this.#rerun({ ...record, lastRun: run }, { caller, requestId, source, options, sent: { filename } });
  }

  /**
   * Begins a run that redacts the stored recording, with everything that people wrote about it. On hold, it is refused:
   * it destroys the original.
   * @returns the run, and the id of the receipt that it will have
   */
  async redact(
    id: string,
    { kinds: asked, by, job }: AskedRedaction,
    request: RunRequest,
  ): Promise<Result<{ run: string; receipt: string }>> {
    const seen = this.#sync.findStaying(id);
    const size = seen?.record.suffix ? await this.#objects.uploadSize(id, seen.record.suffix) : null;
    const found = this.#sync.findStaying(id);
    if (!found) return UNKNOWN;
    if (found.isHeld) return fail('ON_HOLD');
    const { record } = found;
    const { suffix, mode, endedAt, options, edits, lastRun, createdAt } = record;
    if (record.status !== 'completed') return fail('NOT_COMPLETED');
    if (record.redacting || record.pending || (lastRun !== id && (await this.#host.isOpen(lastRun))))
      return fail('NOT_COMPLETED', 'A new analysis of this conversation is already running');
    if (suffix === null || size === null) return fail('NOT_FOUND', 'The recording no longer exists');
    // Until then, the session itself still shows its events.
    const eventsUntil = (endedAt ?? createdAt) + settingsOf(this.#host.env).liveTtlMaxSeconds * 1000;
    if (mode === 'live' && eventsUntil > Date.now())
      return fail(
        'NOT_COMPLETED',
        `The events of this live session are still stored: redact it after ${new Date(eventsUntil).toISOString()}`,
      );
    const affect = withoutAffectOf(options.affect, hiddenLabels(editedBy(edits)));
    const given = { recorded_at: new Date(createdAt).toISOString(), ...options, affect };
    const redact = inOrder([...(options.redact ?? []), ...asked]);
    const { goal: _, ...under } = underTenant({ ...given, redact }, this.#host.options());
    const run = runOf(id, runsOf(record).length);
    const redacting: StoredRedacting = { run, receipt: newId('receipt'), kinds: under.redact ?? redact, by, job };
    const begun = await this.#rerun(
      { ...record, lastRun: run, redacting },
      // The texts go to the pipeline when it begins (`writtenTexts`), so that no job has them.
      {
        ...request,
        source: this.#sourceOf(record, suffix, size),
        options: { ...under, goal: '' },
        sent: { filename: '' },
        isRedaction: true,
      },
    );
    return begun.ok ? ok({ run, receipt: redacting.receipt }) : begun;
  }

  /** The texts that people wrote about a conversation, for its redaction. Those beyond a limit are left out. */
  async writtenTexts(id: string): Promise<{ goal: string; texts: string[] }> {
    const record = this.#sync.find(id)?.record;
    if (!record) return { goal: '', texts: [] };
    let left = MOST_TEXT_CHARS;
    const texts = writtenTexts(record, this.#host.notesOn(id)).filter(({ length }) => {
      const fits = length <= left;
      if (fits) left -= length;
      return fits;
    });
    return { goal: record.options.goal, texts };
  }

  #sourceOf({ id, mode }: StoredRecord, suffix: MediaExtension, bytes: number): JobRequest['source'] {
    const key = runKeys(this.#host.tenant, id, suffix).upload;
    return { type: 'upload', suffix, bytes, key, captured: mode === 'live' ? 'whole' : undefined };
  }

  /** Begins the last run of a record. */
  async #rerun(
    record: StoredRecord,
    {
      sent,
      ...request
    }: Omit<JobRequest, 'tenant' | 'runId' | 'sent'> & { sent: Pick<JobRequest['sent'], 'filename'> },
  ): Promise<Result<string>> {
    const { id, lastRun: runId } = record;
    this.#catalogue.put(record);
    await this.#sync.settle(id);
    if (!this.#sync.findStaying(id)) return UNKNOWN;
    const mode = record.mode === 'live' ? 'batch' : record.mode;
    const { tenant } = this.#host;
    const begun = await this.#host.begin({ tenant, runId, sent: { ...sent, mode }, ...request });
    if (!begun.ok) this.#host.onRefused(runId);
    return begun.ok ? ok(runId) : begun;
  }
}

/** The first run of a conversation and its repeated ones. */
export function runsOf({ id, lastRun }: StoredRecord): string[] {
  const repeated = Number(lastRun.slice(id.length + 1));
  return [id, ...Array.from({ length: repeated }, (_, n) => runOf(id, n + 1))];
}
