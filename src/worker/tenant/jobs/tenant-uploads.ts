import { RpcTarget } from 'cloudflare:workers';
import { fail, ok, type Refusal, type Result } from '../../../contract/result.ts';
import type { CallerName } from '../../identity/caller.ts';
import type { Env } from '../../identity/env.ts';
import type { DueTimes } from '../../sqlite/due-times.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { runKeys } from '../../storage/keys.ts';
import { mediaStore } from '../../storage/media-store.ts';
import type { UploadedPart } from '../../storage/object-store.ts';
import { MAX_OPEN, type OpenUpload, type UploadState, UploadTable } from '../upload-table.ts';

/** `Retry-After` of a refusal, seconds. */
const RETRY_AFTER_S = 60;

const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown upload');
const TOO_MANY: Refusal = {
  ...fail('RATE_LIMITED', `This tenant already has ${MAX_OPEN} uploads open, its limit: complete or delete one first`),
  retryAfter: RETRY_AFTER_S,
};

/** The parts of the tenant's object that uploads use. */
export interface UploadsHost {
  sql: Sql;
  due: DueTimes;
  env: Env;
  tenant: string;
  /** Whether the tenant has its tables. */
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: (caller?: CallerName) => Promise<boolean>;
  /** Whether the upload has become a recording. */
  hasJob: (id: string) => boolean;
}

/** The open multipart uploads of one tenant. */
export class TenantUploads extends RpcTarget {
  readonly #host: UploadsHost;
  readonly #table: UploadTable;

  constructor(host: UploadsHost) {
    super();
    this.#host = host;
    this.#table = new UploadTable(host.sql);
  }

  async open(upload: OpenUpload): Promise<Result<UploadState>> {
    if (!(await this.#host.ready())) return fail('INVALID_KEY');
    if (this.#host.hasJob(upload.id)) return UNKNOWN;
    if (!this.#table.open(upload, Date.now())) return TOO_MANY;
    return this.#rescheduled(upload.id);
  }

  async read(id: string): Promise<Result<UploadState>> {
    if (!this.#host.exists()) return UNKNOWN;
    const upload = this.#table.read(id);
    return upload ? ok(upload) : UNKNOWN;
  }

  async addPart(id: string, part: UploadedPart): Promise<Result<UploadState>> {
    if (!this.#host.exists()) return UNKNOWN;
    return this.#table.addPart(id, part, Date.now()) ? this.#rescheduled(id) : UNKNOWN;
  }

  async abort(id: string): Promise<Result<null>> {
    if (!this.#host.exists()) return UNKNOWN;
    const upload = this.#table.read(id);
    if (!upload) return UNKNOWN;
    await this.#remove(upload);
    return ok(null);
  }

  /**
   * Announced bytes of the open uploads. They count as stored, because a tenant could otherwise store any number of
   * parts.
   */
  announcedBytes(): number {
    return this.#host.exists() ? this.#table.announcedBytes() : 0;
  }

  /** Forgets an upload that has become a recording. */
  close(id: string): void {
    this.#table.remove(id);
  }

  /** Removes the uploads that have expired. @returns when the next one expires, Unix time, ms; null for never */
  async removeExpired(now: number): Promise<number | null> {
    for (const upload of this.#table.expired(now)) await this.#remove(upload);
    return this.#table.expiryAt();
  }

  async #rescheduled(id: string): Promise<Result<UploadState>> {
    const at = this.#table.expiryAt();
    if (at !== null) await this.#host.due.within('uploads', at);
    return this.read(id);
  }

  async #remove({ id, multipartId, suffix }: UploadState): Promise<void> {
    const store = mediaStore(this.#host.env);
    const { upload } = runKeys(this.#host.tenant, id, suffix);
    await store
      .resumeMultipartUpload(upload, multipartId)
      .abort()
      .catch(() => undefined);
    // The parts may already have been assembled. The object is kept if it has become a recording in the meantime.
    if (!this.#host.hasJob(id)) await store.delete([upload]);
    this.#table.remove(id);
  }
}
