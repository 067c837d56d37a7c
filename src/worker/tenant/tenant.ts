import { DurableObject } from 'cloudflare:workers';
import type { AccessLog, ConversationAccess } from '../../contract/access-log.ts';
import type { AuditList } from '../../contract/audit.ts';
import type { JobBody } from '../../contract/jobs.ts';
import type { DayUsage, KeyBody, KeyPatch, Scope } from '../../contract/keys.ts';
import type { TenantOptions } from '../../contract/options.ts';
import type { AccessLogQuery, ConversationAccessQuery } from '../../contract/queries.ts';
import type { ReceiptQuery, StoredReceipt } from '../../contract/receipts.ts';
import type { RedactionKind } from '../../contract/redaction.ts';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { TenantBody, TenantPatch, UsageLimits } from '../../contract/tenants.ts';
import type { DeliveryBody } from '../../contract/webhooks.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import type { Actor, CallerName } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { objectNamed } from '../settings/jurisdiction.ts';
import { type DueTasks, DueTimes } from '../sqlite/due-times.ts';
import { hasTables, migrate } from '../sqlite/migrations.ts';
import { isoOf } from '../sqlite/values.ts';
import { backupStore, mediaStore } from '../storage/media-store.ts';
import { removeBackup } from '../storage/run-objects.ts';
import { type Accessed, AccessRecords } from './access-log.ts';
import { Audit } from './audit.ts';
import { runsOf } from './catalogue/repeated-runs.ts';
import { TenantConversations } from './catalogue/tenant-conversations.ts';
import { TenantCommitments } from './commitments/tenant-commitments.ts';
import { DatabaseSize } from './database-size.ts';
import { directoryOf } from './directory.ts';
import { Erasures } from './erasures.ts';
import { TenantHolds } from './holds/tenant-holds.ts';
import { TenantJobs } from './jobs/tenant-jobs.ts';
import { configuredCallers } from './keys/configured.ts';
import { KeyStore } from './keys/key-store.ts';
import type { MinuteTotals, TenantCounts } from './keys/meter.ts';
import { type NewStoredKey, TenantKeys } from './keys/tenant-keys.ts';
import { deploymentLimits } from './limits.ts';
import { Minutes } from './minutes.ts';
import { type Overview, overviewOf } from './overview.ts';
import { momentQuotes } from './patterns/moment-list.ts';
import { TenantPatterns } from './patterns/tenant-patterns.ts';
import { knownPeople, TenantPeople } from './people/tenant-people.ts';
import { TenantPlaylists } from './playlists/tenant-playlists.ts';
import { Profile } from './profile.ts';
import { Receipts } from './receipts.ts';
import { TenantRedactions } from './redactions/tenant-redactions.ts';
import { Removal, type Removed } from './removal.ts';
import { TenantRules } from './rules/tenant-rules.ts';
import { TenantShares } from './shares/tenant-shares.ts';
import { TENANT_TABLES } from './tables.ts';
import { TenantAdmission } from './tenant-admission.ts';
import { TenantBackup } from './tenant-backup.ts';
import { TenantMembers } from './tenant-members.ts';
import { Usage } from './usage.ts';
import { TenantViews } from './views/tenant-views.ts';
import { TenantWebhooks } from './webhooks/tenant-webhooks.ts';

const TIDY_MS = 86_400_000;
/** Wait before an interrupted removal is resumed, ms. */
const AGAIN_MS = 60_000;
const UNKNOWN: Result<never> = fail('NOT_FOUND', 'Unknown tenant');

/** Settings chosen when a tenant is created. */
export interface NewTenant {
  name?: string;
  actor?: Actor;
}

/** The part of a key that an isolate caches. `digest` is the HMAC of its token; times are Unix time, ms. */
export interface KeyRecord {
  digest: ArrayBuffer;
  scopes: Scope[];
  limits: { key: UsageLimits; tenant: UsageLimits };
  expiresAt: number | null;
  isRevoked: boolean;
  /** The person whose session it is; null for a key that was issued. */
  member: string | null;
  label: string;
  createdAt: number;
}

declare module '../identity/env.ts' {
  interface Env {
    TENANT: DurableObjectNamespace<Tenant>;
  }
}

/**
 * All stored data of one tenant. This is a thin layer over modules that share one SQLite database: it connects them and
 * has one method for each call over RPC, which is why it is long. Nothing is written
 * before the tenant is created, and reading a tenant that does not exist leaves no trace. Each call checks and writes
 * without awaiting in between, so that its changes are stored completely or not at all.
 */
export class Tenant extends DurableObject<Env> {
  readonly #profile: Profile;
  readonly #due: DueTimes;
  readonly #store: KeyStore;
  readonly #keys: TenantKeys;
  readonly #members: TenantMembers;
  readonly #usage: Usage;
  readonly #audit: Audit;
  readonly #access: AccessRecords;
  readonly #admission: TenantAdmission;
  readonly #database: DatabaseSize;
  readonly #minutes = new Minutes();
  readonly #jobs: TenantJobs;
  readonly #webhooks: TenantWebhooks;
  readonly #conversations: TenantConversations;
  readonly #rules: TenantRules;
  readonly #people: TenantPeople;
  readonly #commitments: TenantCommitments;
  readonly #patterns: TenantPatterns;
  readonly #shares: TenantShares;
  readonly #playlists: TenantPlaylists;
  readonly #views: TenantViews;
  readonly #holds: TenantHolds;
  readonly #erasures: Erasures;
  readonly #receipts: Receipts;
  readonly #redactions: TenantRedactions;
  readonly #backup: TenantBackup;
  #exists: boolean;
  /** The tenant is being removed. Work that ends during the removal finds nothing. */
  #isLeaving = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const { sql } = ctx.storage;
    this.#profile = new Profile(sql);
    this.#due = new DueTimes(sql, (at) => ctx.storage.setAlarm(at));
    this.#store = new KeyStore(sql);
    this.#usage = new Usage(sql);
    this.#audit = new Audit(sql);
    this.#access = new AccessRecords(sql);
    this.#receipts = new Receipts(sql);
    this.#database = new DatabaseSize(() => sql.databaseSize);
    this.#keys = new TenantKeys(() => this.#profile.read().id, this.#store, this.#usage, this.#audit);
    const host = {
      sql,
      due: this.#due,
      env,
      tenant: ctx.id.name ?? '',
      exists: () => this.#exists && !this.#isLeaving,
      ready: (caller?: CallerName) => this.#isReady(caller),
    };
    this.#members = new TenantMembers({ ...host, store: this.#store, keys: this.#keys, audit: this.#audit });
    this.#admission = new TenantAdmission({
      ...host,
      profile: this.#profile,
      store: this.#store,
      usage: this.#usage,
      database: this.#database,
      storedBytes: () => this.#conversations.storedBytes,
      announcedBytes: () => this.#jobs.uploads.announcedBytes(),
      waitUntil: (work) => ctx.waitUntil(work),
    });
    this.#erasures = new Erasures(host);
    this.#webhooks = new TenantWebhooks(host);
    const webhooks = this.#webhooks;
    this.#patterns = new TenantPatterns(host);
    this.#playlists = new TenantPlaylists(host);
    this.#views = new TenantViews({ ...host, webhooks, patterns: this.#patterns });
    this.#shares = new TenantShares({ ...host, access: this.#access });
    this.#holds = new TenantHolds({
      ...host,
      audit: this.#audit,
      stateOf: (id) => this.#conversations.stateOf(id),
      onLifted: () => this.#conversations.onLifted(),
    });
    this.#rules = new TenantRules({ ...host, webhooks });
    this.#conversations = new TenantConversations({
      ...host,
      retentionDays: () => this.#profile.read().retention_days,
      begin: (request) => this.#jobs.begin(request, false),
      hasJob: async (run) => (await this.#jobs.read(run)) !== null,
      isOpen: (run) => this.#jobs.isOpen(run),
      options: () => this.#profile.options(),
      isQueued: async (run) => (await this.#jobs.read(run))?.status === 'queued',
      forgetJobs: (runs) => this.#jobs.forgetAll(runs),
      onIndexed: (n, indexed) => {
        this.#rules.index(n, indexed?.facts ?? null);
        this.#commitments.index(n, indexed?.commitments ?? [], indexed?.openQuestions ?? []);
        this.#patterns.index(n, indexed?.patterns ?? null);
      },
      onInstalled: async (id) => {
        await this.#rules.report(id);
        await this.#commitments.report(id);
        await this.#views.report(id);
      },
      quotes: (ids, category) => momentQuotes(sql, ids, category),
      commitmentCounts: (ids) => this.#commitments.counts(ids),
      isOwed: (id) => this.#commitments.isOwed(id),
      isMatched: (id) => this.#rules.isMatched(id),
      isListed: (id) => this.#playlists.isListed(id),
      isShared: (id) => this.#shares.isShared(id),
      isErased: (id) => this.#erasures.has(id),
      onErased: (id) => this.#erasures.add(id),
      onReceipt: (receipt) => this.#receipts.add(receipt),
      notesOn: (id) => this.#playlists.notesOn(id),
      onRedacted: (record, redacted) => {
        this.#jobs.forgetTexts(runsOf(record));
        return {
          notes: this.#playlists.replaceNotes(record.id, redacted),
          messages: this.#webhooks.forgetQuotes(record.id),
        };
      },
      onRedactionDone: async (id, receipt) => {
        await this.#erasures.addRedacted(id);
        this.#receipts.add(receipt);
        if (receipt.redaction_id !== null) await this.#redactions.onEnded(receipt.redaction_id, id, receipt);
      },
      onRedactionFailed: async (id, { job }) => {
        if (job !== null) await this.#redactions.onEnded(job, id, null);
      },
      people: (ids) => knownPeople(host, ids),
    });
    const conversations = this.#conversations;
    this.#commitments = new TenantCommitments({
      ...host,
      conversations,
      webhooks,
      people: (ids) => knownPeople(host, ids),
    });
    this.#people = new TenantPeople({ ...host, conversations });
    this.#jobs = new TenantJobs({ ...host, conversations, webhooks, isHeld: (id) => this.#holds.isHeld(id) });
    this.#redactions = new TenantRedactions({
      ...host,
      conversations,
      isOpen: (run) => this.#jobs.isOpen(run),
      receipts: this.#receipts,
      audit: this.#audit,
    });
    this.#backup = new TenantBackup({
      ...host,
      storage: ctx.storage,
      profile: this.#profile,
      erasures: this.#erasures,
      conversations,
      exists: () => this.#exists,
      onLoaded: () => {
        this.#exists = true;
      },
    });
    this.#exists = hasTables(sql);
    if (this.#exists) ctx.storage.transactionSync(() => migrate(sql, TENANT_TABLES));
  }

  /** Background work of this object by name. Each entry returns when it is next due. */
  get #tasks(): DueTasks {
    return {
      tidy: (now) => {
        const rooms: { forget(now: number): void }[] = [
          ...[this.#store, this.#usage, this.#audit, this.#admission, this.#jobs, this.#shares],
          ...[this.#receipts, this.#redactions],
        ];
        for (const room of rooms) room.forget(now);
        this.#access.forget(now, this.#profile.read().access_log_days);
        return now + TIDY_MS;
      },
      ...this.#jobs.tasks,
      ...this.#webhooks.tasks,
      ...this.#conversations.tasks,
      ...this.#rules.tasks,
      ...this.#people.tasks,
      ...this.#holds.tasks,
      ...this.#erasures.tasks,
      ...this.#redactions.tasks,
      removal: async () => {
        await this.#remove();
        return null;
      },
    };
  }

  /** Work that outlives its request, called as `tenantOf(env, id).jobs.read(…)`. */
  get jobs(): TenantJobs {
    return this.#jobs;
  }

  /** Admission of analyses and live sessions, called as `tenantOf(env, id).admission.admitSession(…)`. */
  get admission(): TenantAdmission {
    return this.#admission;
  }

  /** The people who may sign in, called as `tenantOf(env, id).members.list()`. */
  get members(): TenantMembers {
    return this.#members;
  }

  /** Webhooks of the tenant, called as `tenantOf(env, id).webhooks.list()`. */
  get webhooks(): TenantWebhooks {
    return this.#webhooks;
  }

  /** Rules of the tenant, called as `tenantOf(env, id).rules.list()`. */
  get rules(): TenantRules {
    return this.#rules;
  }

  /** Commitments of the tenant, called as `tenantOf(env, id).commitments.list(…)`. */
  get commitments(): TenantCommitments {
    return this.#commitments;
  }

  /** Moments and lines of all conversations, called as `tenantOf(env, id).patterns.moments(…)`. */
  get patterns(): TenantPatterns {
    return this.#patterns;
  }

  /** Playlists of the tenant, called as `tenantOf(env, id).playlists.list()`. */
  get playlists(): TenantPlaylists {
    return this.#playlists;
  }

  /** Saved views of the tenant, called as `tenantOf(env, id).views.list()`. */
  get views(): TenantViews {
    return this.#views;
  }

  /** Shares of the tenant, called as `tenantOf(env, id).shares.list(…)`. */
  get shares(): TenantShares {
    return this.#shares;
  }

  /** Holds of the tenant, called as `tenantOf(env, id).holds.list(…)`. */
  get holds(): TenantHolds {
    return this.#holds;
  }

  /** Redactions over filters, called as `tenantOf(env, id).redactions.read(…)`. */
  get redactions(): TenantRedactions {
    return this.#redactions;
  }

  /** People of the tenant, called as `tenantOf(env, id).people.list()`. */
  get people(): TenantPeople {
    return this.#people;
  }

  /** Stored conversations of the tenant, called as `tenantOf(env, id).conversations.list(…)`. */
  get conversations(): TenantConversations {
    return this.#conversations;
  }

  /**
   * Creates the tenant unless it exists. It is added to the directory first, so that every existing tenant is listed.
   * @param id the name of this object
   * @param name defaults to the id
   */
  async create(id: string, { name = id, actor }: NewTenant = {}): Promise<TenantBody> {
    if (this.#backup.isLoading) throw new Error('The tenant is being restored');
    if (!this.#exists) {
      const now = Date.now();
      const isDemo = (await configuredCallers(this.env)).some(({ tenant, kind }) => tenant === id && kind === 'demo');
      await directoryOf(this.env).add({ id, name, createdAt: now }, actor);
      this.ctx.storage.transactionSync(() => {
        migrate(this.ctx.storage.sql, TENANT_TABLES);
        this.#profile.introduce(id, name, now);
        if (isDemo) this.#profile.patch({ retention_days: deploymentLimits(this.env).demoRetentionDays });
        if (actor) this.#audit.record(actor, 'tenant.created', id, { name }, now);
      });
      this.#exists = true;
      await this.#due.set('tidy', now + TIDY_MS);
    }
    return this.#profile.read();
  }

  /**
   * Creates a tenant from the settings when it is first used. False when there is no such tenant or it is being
   * removed.
   * @param caller the caller, if known; the tenant of an issued key already exists
   */
  async #isReady(caller?: CallerName): Promise<boolean> {
    if (this.#exists) return new Removal(this.ctx.storage.sql).actor === null;
    if (this.#backup.isLoading) return false;
    const id = caller?.tenant ?? this.ctx.id.name ?? '';
    const isNamed = caller
      ? caller.kind !== 'issued'
      : (await configuredCallers(this.env)).some(({ tenant }) => tenant === id);
    if (isNamed) await this.create(id);
    return isNamed;
  }

  /** Null when the tenant was never created. */
  read(): TenantBody | null {
    return this.#exists ? this.#profile.read() : null;
  }

  async patch(patch: TenantPatch, actor: Actor): Promise<Result<TenantBody>> {
    if (!this.#exists) return UNKNOWN;
    const tenant = this.#profile.patch(patch);
    this.#audit.record(actor, 'tenant.changed', tenant.id, patch, Date.now());
    if (patch.name !== undefined) await directoryOf(this.env).rename(tenant.id, tenant.name);
    if (patch.access_log_days !== undefined) this.#access.forget(Date.now(), tenant.access_log_days);
    if (patch.retention_days !== undefined) await this.#conversations.retain();
    return ok(tenant);
  }

  /**
   * Removes every object and row of the tenant, and its entry in the directory. If this is interrupted, the alarm
   * resumes it. A tenant with holds is not removed.
   */
  async remove(actor: Actor): Promise<Result<Removed>> {
    if (!this.#exists) return UNKNOWN;
    const refusal = this.#holds.refusal;
    if (refusal) return refusal;
    new Removal(this.ctx.storage.sql).begin(actor);
    await this.#due.set('removal', Date.now() + AGAIN_MS);
    const removed = await this.#remove();
    return removed ? { ok: true, value: removed } : UNKNOWN;
  }

  async #remove(): Promise<Removed | null> {
    const removal = new Removal(this.ctx.storage.sql);
    const { actor } = removal;
    if (!actor) return null;
    const { id } = this.#profile.read();
    await this.#jobs.endAll();
    this.#isLeaving = true;
    const removed = await removal.objects(mediaStore(this.env), id);
    const backup = backupStore(this.env);
    if (backup) await removeBackup(backup, id);
    await directoryOf(this.env).remove(id, removed, actor);
    this.#exists = false;
    this.#isLeaving = false;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    return removed;
  }

  /** Writes all rows to the bucket of the backup. False for an unknown tenant, or one that is being removed. */
  async backUp(): Promise<boolean> {
    return this.#backup.write();
  }

  /**
   * Brings back a tenant that does not exist, as its last backup has it, without the conversations that were erased
   * since.
   * @returns false when it exists, or has no backup
   */
  async restore(actor: Actor): Promise<boolean> {
    const isNew = await this.#backup.restore();
    if (isNew) this.#audit.record(actor, 'tenant.restored', this.#profile.read().id, {}, Date.now());
    return isNew;
  }

  /** Whether a conversation was erased. */
  isErased(id: string): boolean {
    return this.#exists && this.#erasures.has(id);
  }

  /**
   * The record that authenticates a key. Null for an unknown key. It writes nothing, because the caller has not proved
   * anything yet.
   */
  key(id: string): KeyRecord | null {
    const key = this.#exists ? this.#store.find(id) : null;
    if (!key) return null;
    const { limits, revokedAt, digest, scopes, expiresAt, member, label, createdAt } = key;
    const { limits: tenant } = this.#profile.read();
    const isRevoked = revokedAt !== null;
    return { digest, scopes, limits: { key: limits, tenant }, expiresAt, isRevoked, member, label, createdAt };
  }

  keys(): KeyBody[] {
    return this.#exists ? this.#keys.list(Date.now()) : [];
  }

  issueKey(key: NewStoredKey, actor: Actor): Result<KeyBody> {
    return this.#exists ? this.#keys.issue(key, actor, Date.now()) : UNKNOWN;
  }

  patchKey(id: string, patch: KeyPatch, actor: Actor): Result<KeyBody> {
    return this.#exists ? this.#keys.patch(id, patch, actor, Date.now()) : UNKNOWN;
  }

  rotateKey(
    id: string,
    next: { id: string; digest: ArrayBuffer },
    overlapSeconds: number,
    actor: Actor,
  ): Result<{ issued: KeyBody; replaces: KeyBody }> {
    return this.#exists ? this.#keys.rotate(id, next, overlapSeconds, actor, Date.now()) : UNKNOWN;
  }

  revokeKey(id: string, actor: Actor): Result<KeyBody> {
    return this.#exists ? this.#keys.revoke(id, actor, Date.now()) : UNKNOWN;
  }

  /** Daily usage of a key since `since` (Unix time, ms). Empty for an unknown key. */
  keyUsage(id: string, since: number): DayUsage[] {
    return this.#exists ? this.#usage.days(id, since) : [];
  }

  /** Time of a key's last call, ISO 8601. Null when the key was never used. */
  lastUse(id: string): string | null {
    return this.#exists ? isoOf(this.#usage.lastUses().get(id) ?? null) : null;
  }

  /** The operator's overview. @param since Unix time, ms */
  overview(since: number): Overview | null {
    if (!this.#exists) return null;
    const overview = overviewOf(this.ctx.storage.sql, this.#conversations.storedBytes, since);
    return { ...overview, databaseShare: this.#database.share };
  }

  /** Repeats a conversation's analysis that failed because of an infrastructure fault, if its recording is kept. */
  async retry(conversationId: string, actor: Actor): Promise<Result<JobBody>> {
    if (!this.#exists) return UNKNOWN;
    const run = (await this.#conversations.find(conversationId))?.record.lastRun ?? conversationId;
    const job = await this.#jobs.read(run);
    if (!job) return fail('NOT_FOUND', 'Unknown conversation');
    if (job.kept_until === null) return fail('NOT_FOUND', 'The recording for this analysis was not kept');
    const retried = await this.#jobs.retry(run);
    if (!retried.ok) return retried;
    this.#audit.record(actor, 'conversation.retried', conversationId, {}, Date.now());
    return ok((await this.#jobs.read(run)) ?? job);
  }

  /** Sends a webhook message again with a full set of attempts. */
  async redeliver(webhook: string, delivery: string, actor: Actor): Promise<Result<DeliveryBody>> {
    if (!this.#exists) return UNKNOWN;
    const sent = await this.#webhooks.redeliver(webhook, delivery);
    if (sent.ok) this.#audit.record(actor, 'delivery.repeated', delivery, { webhook }, Date.now());
    return sent;
  }

  /** Entries before the one with id `before`, newest first. */
  audit(before: number | null, limit: number): AuditList {
    return this.#exists ? this.#audit.list(before, limit) : { entries: [], next_cursor: null };
  }

  /** Receipts of what was deleted or redacted, newest first. */
  receipts(query: ReceiptQuery): { receipts: StoredReceipt[]; next_cursor: string | null } {
    return this.#exists ? this.#receipts.list(query) : { receipts: [], next_cursor: null };
  }

  /** A receipt; null until what it is about has ended. */
  receipt(id: string): StoredReceipt | null {
    return this.#exists ? this.#receipts.find(id) : null;
  }

  /** Redacts a stored conversation; see `TenantConversations.redact`. The audit log records who asked for it. */
  async redact(
    id: string,
    kinds: readonly RedactionKind[],
    caller: CallerName,
    actor: Actor,
  ): Promise<Result<{ run: string; receipt: string }>> {
    const { who: by, requestId } = actor;
    const begun = await this.#conversations.redact(id, { kinds, by, job: null }, { caller, requestId });
    if (begun.ok)
      this.#audit.record(actor, 'redaction.begun', id, { kinds, receipt_id: begun.value.receipt }, Date.now());
    return begun;
  }

  /**
   * Adds a request to the access log.
   * @param each the conversations that get an entry each; absent: the one of the request
   */
  recordAccess(accessed: Accessed, each: readonly (string | null)[] = [accessed.conversation]): void {
    if (!this.#exists) return;
    for (const conversation of each) this.#access.record({ ...accessed, conversation }, Date.now());
  }

  /** Entries of the access log that match the query, newest first. */
  accessLog(query: Omit<AccessLogQuery, 'tenant'>): AccessLog {
    return this.#exists ? this.#access.list(query) : { entries: [], next_cursor: null };
  }

  /** Entries of the access log about a stored conversation, newest first. */
  accessOf(conversation: string, page: ConversationAccessQuery): Result<ConversationAccess> {
    const isStored = this.#exists && this.#conversations.stateOf(conversation) !== null;
    return isStored ? ok(this.#access.of(conversation, page)) : fail('NOT_FOUND', 'Unknown conversation');
  }

  /**
   * Adds the counts of one isolate.
   * @returns the totals of the minute; null when there is no such tenant
   */
  async count({ tenant, kind, minute, keys }: TenantCounts): Promise<MinuteTotals | null> {
    if (!(await this.#isReady({ tenant, kind, keyId: '' }))) return null;
    for (const [key, tally] of Object.entries(keys)) {
      this.#usage.count(key, tally);
      this.#minutes.add(minute, key, tally.inMinute);
    }
    const totals = Object.keys(keys).map((key) => [key, this.#minutes.of(minute, key)]);
    return { keys: Object.fromEntries(totals), tenant: this.#minutes.all(minute), limits: this.#profile.read().limits };
  }

  /** The tenant's settings for its analyses. */
  analysisSettings(): Result<TenantOptions> {
    return this.#exists ? ok(this.#profile.options()) : UNKNOWN;
  }

  override async alarm(): Promise<void> {
    if (!this.#exists) return;
    const errors = await this.#due.run(this.#tasks, Date.now(), () => this.#exists);
    for (const error of errors) logFault(asServiceError(error), { task: 'tenant' });
  }
}

/** The object of a tenant. Each call uses a new stub, because a stub that threw an exception may stay broken. */
export const tenantOf = (env: Env, id: string): DurableObjectStub<Tenant> => objectNamed(env, env.TENANT, id);
