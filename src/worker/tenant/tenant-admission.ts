import { RpcTarget } from 'cloudflare:workers';
import type { TenantOptions } from '../../contract/options.ts';
import { fail, ok, type Refusal, type Result } from '../../contract/result.ts';
import type { CallerName } from '../identity/caller.ts';
import type { Env } from '../identity/env.ts';
import { Tally } from '../metrics/metrics.ts';
import { inJurisdiction } from '../settings/jurisdiction.ts';
import { settingsOf } from '../settings/settings.ts';
import type { Sql } from '../sqlite/migrations.ts';
import { Admission, type BothLimits, type Once, type UploadReservation } from './admission.ts';
import type { DatabaseSize } from './database-size.ts';
import type { KeyStore } from './keys/key-store.ts';
import { fileBytes, limitsOf } from './limits.ts';
import type { Profile } from './profile.ts';
import type { Usage } from './usage.ts';

/** Longest time from the admission of a live session to its start, ms. */
const STARTING_MS = 20_000;

/** An upload and its analysis, which count as running for as long as the caller holds this object. */
export interface Admitted {
  place: AnalysisReservation;
  /** Size limit of a file, bytes. */
  maxFileBytes: number;
  /** The tenant's settings for its analyses. */
  settings: TenantOptions;
}

export interface AdmittedSession {
  maxBytes: number;
  isOpen: boolean;
  /** The tenant's settings for its analyses. */
  settings: TenantOptions;
}

/** The parts of the tenant's object that admission uses. */
export interface AdmissionHost {
  sql: Sql;
  env: Env;
  exists: () => boolean;
  /** Creates a tenant from the settings on its first call. False for any other unknown tenant. */
  ready: (caller: CallerName) => Promise<boolean>;
  profile: Profile;
  store: KeyStore;
  usage: Usage;
  database: DatabaseSize;
  storedBytes: () => number;
  announcedBytes: () => number;
  waitUntil: (work: Promise<unknown>) => void;
}

/** Admits uploads, analyses and live sessions to one tenant, by the limits of the key, the tenant and the deployment. */
export class TenantAdmission extends RpcTarget {
  readonly #host: AdmissionHost;
  readonly #admission: Admission;
  /** Sessions that wait for a place in the pool, with the latest time at which they start, Unix time, ms. */
  readonly #startingUntil = new Map<string, number>();

  constructor(host: AdmissionHost) {
    super();
    this.#host = host;
    const { sql, usage, storedBytes, announcedBytes, database } = host;
    this.#admission = new Admission(sql, usage, storedBytes, announcedBytes, database);
  }

  /**
   * Reserves an upload and the analysis that follows it. The reservation lasts as long as the caller holds the returned
   * object.
   */
  async admitAnalysis(caller: CallerName, once?: Once, isAnnounced?: boolean): Promise<Result<Admitted>> {
    if (!(await this.#host.ready(caller))) return fail('INVALID_KEY');
    const limits = this.#limitsOf(caller);
    const { maxUploadsPerKey, maxFileBytes } = settingsOf(this.#host.env);
    this.#watchDatabase();
    const entered = this.#admission.enterAnalysis(
      caller.keyId,
      limits,
      maxUploadsPerKey,
      Date.now(),
      once,
      isAnnounced,
    );
    if (!entered.ok) return this.#refused(caller, entered);
    const place = new AnalysisReservation(entered.value);
    return ok({ place, maxFileBytes: fileBytes(limits, maxFileBytes), settings: this.#host.profile.options() });
  }

  /**
   * Counts one more live session. It first detects sessions that ended without reporting it.
   * @param once a token that can open this session; a second call with it returns the same session
   * @returns the size limit of the session, bytes; `isOpen`: it had already been opened
   */
  async admitSession(sessionId: string, caller: CallerName, once?: Once): Promise<Result<AdmittedSession>> {
    if (!(await this.#host.ready(caller))) return fail('INVALID_KEY');
    const limits = this.#limitsOf(caller);
    const maxBytes = fileBytes(limits, settingsOf(this.#host.env).maxSessionBytes);
    const settings = this.#host.profile.options();
    this.#watchDatabase();
    if (once && this.#admission.wasOpened(once)) return ok({ maxBytes, isOpen: true, settings });
    if (this.#admission.refusalOfSession(caller.keyId, limits, Date.now())) await this.#forgetEnded();
    const refusal = this.#admission.refusalOfSession(caller.keyId, limits, Date.now());
    if (refusal) return this.#refused(caller, refusal);
    this.#admission.enterSession(sessionId, caller.keyId, once);
    this.#startingUntil.set(sessionId, Date.now() + STARTING_MS);
    return ok({ maxBytes, isOpen: false, settings });
  }

  /** Stops counting a live session that did not start. Its token can be used again. */
  withdrawSession(sessionId: string, once?: Once): void {
    this.#startingUntil.delete(sessionId);
    if (this.#host.exists()) this.#admission.withdrawSession(sessionId, once);
  }

  /** Stops counting a live session. */
  leaveSession(sessionId: string, keyId: string | undefined, seconds: number): void {
    if (!this.#host.exists()) return;
    this.#admission.leaveSession(sessionId);
    if (keyId !== undefined && seconds > 0) this.#host.usage.addAudio(keyId, seconds, Date.now());
  }

  /** Adds analysed audio to a key's usage. */
  addAudio(keyId: string, seconds: number): void {
    if (this.#host.exists()) this.#host.usage.addAudio(keyId, seconds, Date.now());
  }

  /** Forgets used tokens that have expired. */
  forget(now: number): void {
    this.#admission.forget(now);
  }

  async #forgetEnded(): Promise<void> {
    const now = Date.now();
    for (const [id, until] of this.#startingUntil) if (until < now) this.#startingUntil.delete(id);
    const ids = this.#admission.sessions().filter((id) => !this.#startingUntil.has(id));
    const { env } = this.#host;
    const sessions = inJurisdiction(env, env.LIVE);
    const open = await Promise.all(ids.map((id) => sessions.get(sessions.idFromString(id)).isOpen()));
    for (const [i, id] of ids.entries()) if (!open[i]) this.#admission.leaveSession(id);
  }

  #limitsOf({ kind, keyId }: CallerName): BothLimits {
    const key = this.#host.store.find(keyId)?.limits ?? {};
    return limitsOf(this.#host.env, { kind, limits: { key, tenant: this.#host.profile.read().limits } });
  }

  /** Warns the operator of a database that fills up. */
  #watchDatabase(): void {
    const share = this.#host.database.takeWarning(Date.now());
    if (share === null) return;
    const warning = { level: 'warn', event: 'database_nearly_full', tenant: this.#host.profile.read().id, share };
    console.warn(JSON.stringify(warning));
    const tally = new Tally();
    tally.observe('tenant_database_share', share);
    this.#host.waitUntil(tally.flush(this.#host.env));
  }

  #refused({ keyId }: CallerName, refusal: Refusal): Refusal {
    this.#host.usage.count(keyId, { requests: 0, refusals: 1, lastAt: Date.now() });
    return refusal;
  }
}

/** The reservation of an upload and its analysis. It ends when its holder disposes of it or dies. */
export class AnalysisReservation extends RpcTarget {
  readonly #place: UploadReservation;

  constructor(place: UploadReservation) {
    super();
    this.#place = place;
  }

  /** The upload has ended. */
  received(isWhole: boolean): void {
    this.#place.received(isWhole);
  }

  [Symbol.dispose](): void {
    this.#place.leave();
  }
}
