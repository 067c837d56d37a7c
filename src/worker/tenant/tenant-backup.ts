import type { Env } from '../identity/env.ts';
import type { DueTimes } from '../sqlite/due-times.ts';
import { dumpedLines, isEmpty, loadLines } from '../sqlite/rows.ts';
import { erasedPrefix, redactedPrefix, rowsKey } from '../storage/keys.ts';
import { backupStore } from '../storage/media-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { removeBackup } from '../storage/run-objects.ts';
import { readLines, writeLines } from '../storage/written-lines.ts';
import type { TenantConversations } from './catalogue/tenant-conversations.ts';
import { directoryOf } from './directory.ts';
import type { Erasures } from './erasures.ts';
import type { Profile } from './profile.ts';
import { Removal } from './removal.ts';
import { TENANT_TABLES } from './tables.ts';

/** The parts of the tenant's object that its backup uses. */
interface BackupHost {
  storage: DurableObjectStorage;
  env: Env;
  /** The name of the object. */
  tenant: string;
  due: DueTimes;
  profile: Profile;
  erasures: Erasures;
  conversations: Pick<TenantConversations, 'erase' | 'forgetRow'>;
  /** Whether the tenant has its tables, also while it is being removed. */
  exists: () => boolean;
  /** Called in the turn in which the rows are complete. */
  onLoaded: () => void;
}

/** Writes all rows of one tenant to the bucket of the backup, and brings them back. */
export class TenantBackup {
  readonly #host: BackupHost;
  #isLoading = false;

  constructor(host: BackupHost) {
    this.#host = host;
  }

  /** Whether the rows are being brought back. The tenant does not exist yet. */
  get isLoading(): boolean {
    return this.#isLoading;
  }

  /** False for an unknown tenant, or one that is being removed. */
  async write(): Promise<boolean> {
    const { env, storage, profile, exists } = this.#host;
    const store = backupStore(env);
    if (!store || !exists() || this.#isLeaving) return false;
    const { id } = profile.read();
    const begun = Date.now();
    await writeLines(store, rowsKey(id), dumpedLines(storage.sql));
    // The rows now have what was redacted before they were written.
    for await (const { key, metadata } of store.list(redactedPrefix(id)))
      if (Number(metadata.at) < begun) await store.delete([key]);
    // The tenant was removed in the meantime.
    if (!exists() || this.#isLeaving) await removeBackup(store, id);
    return exists();
  }

  /**
   * Brings back a tenant that does not exist, as its last backup has it. Conversations that were erased since then are
   * erased again, in a tenant that exists as well.
   * @returns whether the tenant is new
   */
  async restore(): Promise<boolean> {
    const { env, profile, erasures, conversations, exists } = this.#host;
    const store = backupStore(env);
    if (!store || this.#isLoading) return false;
    const isNew = !exists() && (await this.#load(store));
    if (!exists()) return false;
    const prefix = erasedPrefix(profile.read().id);
    for await (const { key } of store.list(prefix)) {
      const id = key.slice(prefix.length);
      if (!erasures.has(id)) await conversations.erase(id);
    }
    if (isNew) await this.#forgetRedacted(store);
    return isNew;
  }

  /** Forgets the rows of conversations that were redacted after the backup. Those that are stored are read again. */
  async #forgetRedacted(store: ObjectStore): Promise<void> {
    const { profile, conversations } = this.#host;
    const prefix = redactedPrefix(profile.read().id);
    for await (const { key } of store.list(prefix)) await conversations.forgetRow(key.slice(prefix.length));
  }

  /** False if there is no backup. */
  async #load(store: ObjectStore): Promise<boolean> {
    const { storage, env, tenant, profile, due, onLoaded } = this.#host;
    this.#isLoading = true;
    try {
      const lines = await readLines(store, rowsKey(tenant));
      if (!lines) return false;
      // An interrupted restoration can have left tables.
      if (!isEmpty(storage.sql)) await storage.deleteAll();
      await loadLines(storage.sql, TENANT_TABLES, lines);
      const { id, name, created_at } = profile.read();
      await directoryOf(env).add({ id, name, createdAt: Date.parse(created_at) });
      onLoaded();
    } catch (error) {
      await storage.deleteAll();
      throw error;
    } finally {
      this.#isLoading = false;
    }
    await due.within('tidy', Date.now());
    return true;
  }

  get #isLeaving(): boolean {
    return new Removal(this.#host.storage.sql).actor !== null;
  }
}
