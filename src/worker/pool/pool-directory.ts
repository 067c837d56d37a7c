import { DurableObject } from 'cloudflare:workers';
import { LIMITS } from '../../contract/limits.ts';
import type { PipelineReport } from '../../contract/pipeline.ts';
import type { Announcement } from '../../contract/pool.ts';
import type { Env } from '../identity/env.ts';
import { containerNamed, containerNames } from '../pipeline/container-name.ts';
import { pipelineNames } from '../pipeline/hosts.ts';
import { type PipelineApplication, settingsOf } from '../settings/settings.ts';
import { reportOf, revoke, startInstance } from './instance-calls.ts';
import { JoinedProcesses } from './joined.ts';
import { BEAT_MS, type PoolAnswers, type PoolCommand, type PoolCommandName, plan, restoredPool } from './plan.ts';
import type { PoolEffect, PoolInstance, PoolKind, PoolSettings, PoolState } from './pool-state.ts';
import { sendTurn } from './turn.ts';
import { type PoolRequest, PoolWaiters, type Waiter } from './waiters.ts';

/** How long a request for a place is held open, ms. */
export const HOLD_MS = 10_000;
/** Time limit of a report that is wanted because an instance is quiet, ms. A session hears within 5 s of it. */
const CHECK_MS = 1_500;
/** Interval at which instances that did not answer are asked while live sessions wait that lost theirs, ms. */
const SOUGHT_MS = 1_000;
/** Live sessions that an instance is expected to carry before it reports its slots: two threads, six each. */
const EXPECTED_SESSIONS = 12;
/** Limit on a tenant's files that wait with a client attached. */
const MAX_ATTENDED = 28;
/** `Retry-After` of a file beyond it, and of a request that was withdrawn, s. */
const RETRY_AFTER_S = 15;

export type PoolVerdict =
  /** `others`: further instances that take work, for when this one fails. */
  | { type: 'placed'; instance: string; others: string[] }
  /** The request waits, and must be repeated. `etaS`: how long it is expected to wait, s. */
  | { type: 'waits'; position: number; etaS: number }
  | { type: 'refused'; retryAfterS: number }
  /** A file has no place because no pipeline responds. `others`: the pipelines that there should be. */
  | { type: 'absent'; others: string[] };

/**
 * `unreachable`: no pipeline answers there. `elsewhere`: it is not in the jurisdiction of the deployment. `full`: the pool
 * has reached its limit. None of the three is a member.
 */
export type AnnouncementVerdict = 'member' | 'left' | 'unreachable' | 'elsewhere' | 'full';

/** `silent`: it does not answer now. `gone`: what it held goes elsewhere. */
export type CheckVerdict = 'here' | 'silent' | 'gone';

/** One instance as the operator sees it. */
export interface PoolMember
  extends Pick<PoolInstance, 'name' | 'kind' | 'slots' | 'live' | 'batch' | 'busy' | 'lagMs'> {
  state: PoolInstance['state'] | 'silent';
  rssBytes: number | null;
  beatAt: number;
}

export interface PoolOverview {
  members: PoolMember[];
  /** Files and conclusions that run, that wait, and that could run at once. */
  running: number;
  waiting: number;
  places: number;
  /** Live sessions without a place. */
  waitingLive: number;
}

declare module '../identity/env.ts' {
  interface Env {
    POOL: DurableObjectNamespace<PoolDirectory>;
  }
}

/**
 * The pool of pipelines: a shell around `plan`. It asks the instances for their reports, starts containers, and holds
 * requests open until there is a place. It stores only the names of its containers and of the processes that joined it,
 * and the requests of workflows that wait. Leases are known again from the next reports, and other waiting requests from
 * their repetition. Without work it sleeps.
 */
export class PoolDirectory extends DurableObject<Env> {
  #state: PoolState | null = null;
  #isAsleep = true;
  #waking: Promise<void> | null = null;
  #surveying: Promise<void> | null = null;
  #addresses: readonly string[] = [];
  readonly #joined: JoinedProcesses;
  readonly #waiters: PoolWaiters;
  readonly #memory = new Map<string, number>();
  /** Checks in progress, by instance. */
  readonly #checks = new Map<string, Promise<CheckVerdict>>();
  /** Containers whose start is in progress. */
  readonly #starting = new Set<string>();
  /** Whether all instances were asked at least once since it woke. */
  #isSurveyed = false;
  #surveyedAt = 0;
  #alarmAt: number | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#joined = new JoinedProcesses(ctx.storage.kv);
    this.#waiters = new PoolWaiters(ctx.storage.kv);
  }

  /** Asks for a place, and waits for it for a while. Repeat it as long as the verdict is `waits`. */
  async ask(request: PoolRequest): Promise<PoolVerdict> {
    await this.#awake();
    const { id, tenant, isAttended = false, patienceMs, holdMs = HOLD_MS } = request;
    const isKnown = this.#waiters.get(id) !== undefined || this.#placeOf(request).type !== 'none';
    if (!isKnown && isAttended && this.#waiters.attendedOf(tenant) >= MAX_ATTENDED)
      return { type: 'refused', retryAfterS: RETRY_AFTER_S };
    const { holdMs: _, workflow: __, ...asked } = request;
    // With the time that has passed, an instance that was left out takes work again.
    if (this.#do({ type: 'ask', ...asked, region: request.region ?? null }).type === 'waits') {
      this.#do({ type: 'tick' });
      this.#setAlarm();
    }
    const answer = this.#placeOf(request);
    if (answer.type === 'placed') return this.#placed(id, answer.instance);
    const waiter = this.#waiters.add(request);
    if (!this.#isAbsent(request)) await this.#waiters.hold(waiter, Math.min(holdMs, (patienceMs ?? holdMs) + 20));
    // A request without patience left is refused now, not at the next alarm.
    if (patienceMs !== null) this.#do({ type: 'tick' });
    const place = this.#placeOf(request);
    if (place.type === 'placed') return this.#placed(id, place.instance);
    if (place.type === 'waits' && !this.#isAbsent(request)) {
      this.#waiters.keepTurn(waiter);
      return place;
    }
    this.#waiters.forget(id);
    if (place.type === 'none') return { type: 'refused', retryAfterS: waiter.retryAfterS ?? RETRY_AFTER_S };
    this.#do({ type: 'release', ...request, isDone: false });
    return { type: 'absent', others: await this.#possible() };
  }

  /**
   * Asks an instance now, because work that it holds hears nothing from it. All that ask at the same time share one
   * answer, which takes 1.5 s unless the instance is there.
   */
  async check(name: string): Promise<CheckVerdict> {
    await this.#awake();
    const before = this.#checks.get(name);
    if (before) return before;
    const check = this.#check(name).finally(() => this.#checks.delete(name));
    this.#checks.set(name, check);
    return check;
  }

  /** Ends a lease, or the wait for one. `isDone`: the work is complete, so its duration counts. */
  release(id: string, kind: PoolKind, tenant: string, isDone: boolean): void {
    const calls = this.#waiters.get(id)?.calls ?? [];
    if (this.#state) {
      this.#do({ type: 'release', id, kind, tenant, isDone });
      this.#waiters.end(id);
    } else this.#waiters.endUnread(id);
    for (const wake of calls) wake();
  }

  /** The position of a waiting request, and how long it is expected to wait; null for any other. */
  look(id: string, kind: PoolKind, tenant: string): { position: number; etaS: number } | null {
    const place = this.#state && this.#do({ type: 'look', id, kind, tenant });
    return place?.type === 'waits' ? { position: place.position, etaS: place.etaS } : null;
  }

  /**
   * A pipeline joins the pool, stays in it, or leaves it. A new one must answer. What waits for a place gets those of
   * the new one at once.
   */
  async announce({ url, status }: Announcement): Promise<AnnouncementVerdict> {
    if (status === 'ended') {
      this.#forget(url);
      return 'left';
    }
    const isNew = !this.#joined.has(url);
    const report = isNew ? await reportOf(this.env, url) : null;
    if (isNew && report === null) return 'unreachable';
    const { jurisdiction } = settingsOf(this.env);
    if (report && jurisdiction !== undefined && report.jurisdiction !== jurisdiction) return 'elsewhere';
    if (isNew && this.#joined.urls.length >= LIMITS.poolMembers) return 'full';
    this.#joined.renew(url);
    if (this.#isAsleep) return 'member';
    const known = this.#instance(url);
    if (report) this.#report(url, report);
    else if (!known || (status === 'draining' && known.state === 'ready')) void this.#hear(url);
    return 'member';
  }

  /** The addresses of the pipelines that joined the pool themselves. */
  announced(): string[] {
    return this.#joined.present;
  }

  /** The instances and their load. */
  async read(): Promise<PoolOverview> {
    await this.#awake();
    if (!this.#isSurveyed) await this.#survey();
    const { instances, orphans, live, conclude, batch } = this.#state!;
    const members = instances.map(({ name, kind, state, isSilent, slots, busy, lagMs, beatAt, live, batch }) => ({
      ...{ name, kind, slots, live, batch, busy, lagMs, beatAt },
      state: isSilent ? ('silent' as const) : state,
      rssBytes: this.#memory.get(name) ?? null,
    }));
    const liveOrphans = orphans.filter(({ kind }) => kind === 'live').length;
    return {
      members,
      running: members.reduce((sum, { batch }) => sum + batch, 0),
      waiting: conclude.length + batch.length + orphans.length - liveOrphans,
      places: members.reduce((sum, { state, slots }) => sum + (state === 'ready' ? slots.batch : 0), 0),
      waitingLive: live.length + liveOrphans,
    };
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    if (this.#isAsleep && this.#state) return;
    await this.#awake();
    if (Date.now() - this.#surveyedAt >= BEAT_MS - SOUGHT_MS / 2) await this.#survey();
    else for (const name of this.#processes) if (!this.#instance(name)) void this.#hear(name);
    this.#forgetSilent();
    this.#do({ type: 'tick' });
    for (const { id, kind, tenant } of this.#waiters.overdue(Date.now())) this.release(id, kind, tenant, false);
    this.#isAsleep = !this.#hasWork();
  }

  /** There is one object for each application, named after it. */
  get #application(): PipelineApplication {
    return this.ctx.id.name === 'b' ? 'b' : 'a';
  }

  #hasWork(): boolean {
    const { instances, orphans } = this.#state!;
    const isBusy = instances.some(({ kind, leases }) => kind === 'container' || leases.length > 0);
    return isBusy || this.#waiters.size > 0 || orphans.length > 0;
  }

  /** Makes sure that the instances are known, and are asked for their reports from now on. */
  async #awake(): Promise<void> {
    if (this.#isAsleep) {
      this.#waking ??= this.#wake().finally(() => {
        this.#waking = null;
      });
      await this.#waking;
    }
    this.#setAlarm();
  }

  async #wake(): Promise<void> {
    const { addresses, containers } = await pipelineNames(this.env);
    const { poolMin, poolRegions, jurisdiction = null, analysesPerPipeline } = settingsOf(this.env);
    const settings: PoolSettings = {
      application: this.#application,
      min: Math.min(poolMin, containers),
      max: containers,
      slots: { live: EXPECTED_SESSIONS, batch: analysesPerPipeline },
      regions: poolRegions,
      jurisdiction,
    };
    this.#addresses = addresses;
    this.#forgetSilent();
    const stored = containers > 0 ? (this.ctx.storage.kv.get<string[]>('containers') ?? []) : [];
    const known = [
      ...this.#processes.map((name) => ({ name, kind: 'address' as const, region: null })),
      ...stored.map((name) => ({ name, kind: 'container' as const, region: containerNamed(name)?.region ?? null })),
    ];
    const { finished } = this.#state ?? {};
    const waiting = this.#waiters.storedTurns();
    this.#state = { ...restoredPool(settings, known, waiting, Date.now()), ...(finished && { finished }) };
    this.#isSurveyed = false;
    this.#isAsleep = false;
    void this.#survey();
  }

  /**
   * Tells the workflow of a request that has a place. One that cannot be told has ended, or asks again later. The request
   * stays stored until the workflow asks for its place, so that after a reset in between it is told again.
   */
  async #giveTurn(waiter: Waiter): Promise<void> {
    const { workflow, id, kind, tenant } = waiter.request;
    if (workflow === undefined || waiter.calls.size > 0) return;
    this.#waiters.forget(id);
    try {
      await sendTurn(this.env, workflow);
    } catch (cause) {
      console.warn(JSON.stringify({ level: 'warn', task: 'pool', conversation_id: id, cause: String(cause) }));
      this.release(id, kind, tenant, false);
    }
  }

  /** Asks all instances for their reports. */
  #survey(): Promise<void> {
    this.#surveying ??= this.#askAll().finally(() => {
      this.#surveying = null;
    });
    return this.#surveying;
  }

  async #askAll(): Promise<void> {
    this.#surveyedAt = Date.now();
    const known = this.#state!.instances.map(({ name }) => name).filter((name) => !this.#starting.has(name));
    await Promise.all([...new Set([...this.#processes, ...known])].map((name) => this.#hear(name)));
    this.#isSurveyed = true;
    this.#wakeAbsent();
  }

  async #hear(name: string): Promise<void> {
    const report = await reportOf(this.env, name);
    if (report === null) this.#do({ type: 'unanswered', name });
    else this.#report(name, report);
  }

  async #check(name: string): Promise<CheckVerdict> {
    const instance = this.#instance(name);
    if (!instance) return 'gone';
    // After a reset, the survey in progress asks it.
    if (instance.state === 'starting') return 'here';
    const until = Date.now() + CHECK_MS;
    const report = await reportOf(this.env, name, CHECK_MS);
    if (report) {
      this.#report(name, report);
      return 'here';
    }
    this.#do({ type: 'unanswered', name });
    // A connection that is refused takes no time, and those who ask repeat it.
    await new Promise((resolve) => setTimeout(resolve, until - Date.now()));
    this.#do({ type: 'tick' });
    return this.#instance(name) ? 'silent' : 'gone';
  }

  /** All processes: those of the settings, and those that joined. */
  get #processes(): string[] {
    return [...new Set([...this.#addresses, ...this.#joined.urls])];
  }

  /** Whether a process that joined no longer announces itself. It takes nothing new, and is forgotten once it is empty. */
  #isOverdue(name: string): boolean {
    return this.#joined.isOverdue(name) && !this.#addresses.includes(name);
  }

  #forgetSilent(): void {
    for (const url of this.#joined.urls)
      if (this.#isOverdue(url) && !this.#instance(url)?.leases.length) this.#forget(url);
  }

  #forget(url: string): void {
    this.#joined.remove(url);
    if (this.#state && !this.#addresses.includes(url)) this.#do({ type: 'leave', name: url });
  }

  #instance(name: string): PoolInstance | undefined {
    return this.#state?.instances.find((instance) => instance.name === name);
  }

  #report(name: string, report: PipelineReport): void {
    const { status, slots, held, busy = 0, lag_ms: lagMs = 0, rss_bytes: rss } = report;
    const { settings } = this.#state!;
    const container = containerNamed(name);
    // An older pipeline does not report what it holds.
    const leases = this.#instance(name)?.leases ?? [];
    const idsOf = (isLive: boolean) => leases.filter(({ kind }) => (kind === 'live') === isLive).map(({ id }) => id);
    if (rss === undefined) this.#memory.delete(name);
    else this.#memory.set(name, rss);
    const beat = {
      name,
      kind: container ? ('container' as const) : ('address' as const),
      region: (container ? container.region : report.region) ?? null,
      // The platform keeps containers of the application there.
      jurisdiction: (container ? settings.jurisdiction : report.jurisdiction) ?? null,
      isDraining: status === 'draining' || this.#isOverdue(name),
      slots: { ...settings.slots, ...slots },
      busy,
      lagMs,
      live: held?.live ?? idsOf(true),
      batch: held?.batch ?? idsOf(false),
    };
    this.#do({ type: 'beats', beats: [beat] });
  }

  async #start(name: string): Promise<void> {
    this.#starting.add(name);
    try {
      const report = await startInstance(this.env, name);
      if ('isRateLimited' in report) {
        this.#do({ type: 'start_failed', name, ...report });
        this.#wakeAbsent();
      } else this.#report(name, report);
    } finally {
      this.#starting.delete(name);
    }
  }

  #do<T extends PoolCommandName>(command: PoolCommand<T>): PoolAnswers[T] {
    const before = this.#state!;
    const { answer, state, effects } = plan(before, command, Date.now());
    this.#state = state;
    if (state.index !== before.index) this.#store(state);
    for (const effect of effects) this.#perform(effect);
    return answer;
  }

  #store({ instances }: PoolState): void {
    const names = instances.filter(({ kind }) => kind === 'container').map(({ name }) => name);
    if (this.#state!.settings.max > 0) this.ctx.storage.kv.put('containers', names);
    for (const name of this.#memory.keys()) if (!this.#state!.index.has(name)) this.#memory.delete(name);
  }

  #perform(effect: PoolEffect): void {
    if (effect.type === 'granted') {
      const waiter = this.#waiters.get(effect.id);
      this.#waiters.wake(effect.id);
      if (waiter) void this.#giveTurn(waiter);
    } else if (effect.type === 'refused') {
      const waiter = this.#waiters.get(effect.id);
      if (waiter) waiter.retryAfterS = effect.retryAfterS;
      this.#waiters.wake(effect.id);
    } else if (effect.type === 'start') void this.#start(effect.name);
    else if (effect.type === 'probe') void this.#hear(effect.name);
    else if (effect.type === 'revoke') void revoke(this.env, effect.name, effect.id);
    // A session whose instance is gone asks for itself. A container that is not needed falls asleep by itself.
  }

  #wakeAbsent(): void {
    this.#waiters.wakeAll((request) => this.#isAbsent(request));
  }

  #placed(id: string, instance: string): PoolVerdict {
    this.#waiters.end(id);
    const others = this.#state!.instances.filter(({ name, state }) => state === 'ready' && name !== instance);
    return { type: 'placed', instance, others: others.map(({ name }) => name) };
  }

  #placeOf({ id, kind, tenant }: PoolRequest): PoolAnswers['look'] {
    return this.#do({ type: 'look', id, kind, tenant });
  }

  /** Whether a request cannot get a place because no instance responds or starts. Only a file learns this. */
  #isAbsent({ kind }: PoolRequest): boolean {
    if (kind !== 'batch' || !this.#isSurveyed) return false;
    return this.#state!.instances.every(({ isSilent }) => isSilent);
  }

  /** The pipelines that there should be. Of a process that does not respond, nobody knows where it is. */
  async #possible(): Promise<string[]> {
    const { addresses, containers } = await pipelineNames(this.env);
    const { poolRegions, jurisdiction } = settingsOf(this.env);
    const processes = jurisdiction === undefined ? new Set([...addresses, ...this.announced()]) : [];
    return [...processes, ...containerNames(this.#application, containers, poolRegions)];
  }

  #setAlarm(): void {
    if (this.#isAsleep) return;
    // A pipeline that was lost may be back before its next report is due.
    const at = Date.now() + (this.#state!.orphans.length > 0 ? SOUGHT_MS : BEAT_MS);
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at);
  }
}
