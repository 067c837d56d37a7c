import {
  BEAT_MS,
  type PoolAnswers,
  type PoolCommand,
  type PoolCommandName,
  plan,
  restoredPool,
} from '../../src/worker/pool/plan.ts';
import {
  emptyPool,
  type PoolBeat,
  type PoolEffect,
  type PoolKind,
  type PoolPlace,
  type PoolState,
} from '../../src/worker/pool/pool-state.ts';
import { EventQueue } from './events.ts';
import { chosen, INPUTS, lengthS, randomNumbers, TENANTS } from './inputs.ts';
import { PRESENT_S, type SimulatedFile, SimulatedMachine, type SimulatedSession } from './machine.ts';

/** The assumptions of a run. */
export interface FleetOptions {
  /** Numbers of containers. */
  min: number;
  max: number;
  /** Multiple of the measured time that a container takes to start, and of the measured speed. */
  startFactor: number;
  speedFactor: number;
  /** Share of beats that are lost on their way. */
  beatLoss: number;
  /** Speed of a replay relative to live work, if not the measured one. */
  replaySpeed?: number;
  /** Seed of its random numbers, if not the one of the inputs. */
  seed?: number;
}

/** How often the pool looks at its instances, ms. */
const TICK_MS = 1_000;
/** Interval at which a session that drains asks for another place, ms (containers/pipeline/live/server-routes.ts). */
const MOVE_AGAIN_MS = 30_000;
/** How long a start waits before it is refused, ms. */
const PATIENCE_MS = 8_000;
/** Length of a samples' interval, ms. */
const SAMPLE_MS = 30_000;

/**
 * Calls of a tenant's object for a job (src/worker/jobs/analysis-job.ts): `renew` and `wait` when it waits, `wait` again
 * after each `TURN_MS`; `renew` and the check of its key when it begins; `renew` every `RENEW_MS` while it runs; at its end the
 * minutes of audio, its end twice, its row twice and its conversation.
 */
const CALLS = { waits: 2, waitsAgain: 1, againMs: 900_000, begins: 2, renewMs: 5_000, ends: 6 };

interface WaitingWork {
  placed: (machine: SimulatedMachine) => void;
  refused: (retryAfterS: number) => void;
}

/** A fleet of machines under the pool's own plan, with its clients, in simulated time. */
export class SimulatedFleet {
  readonly events = new EventQueue();
  readonly random: () => number;
  readonly machines = new Map<string, SimulatedMachine>();
  readonly sessions = new Map<string, SimulatedSession>();
  readonly files = new Map<string, SimulatedFile>();
  state: PoolState;
  /** Calls of the pool's object, rows that it writes, and starts of containers. */
  calls = 0;
  /** Calls of the tenants' objects for files. */
  tenantCalls = 0;
  rows = 0;
  containers = 0;
  starts = 0;
  refused = 0;
  /** Waits of new sessions for their place, including repeated attempts, s. */
  readonly waitsS: number[] = [];
  /** Time without a place of sessions that lost theirs, s. */
  readonly awayS: number[] = [];
  /** Longest time that a machine had more sessions than slots, s. */
  overS = 0;
  /** Moves of sessions whose machine was well. */
  needlessMoves = 0;
  /** Time from the end of a session to its result, s. */
  readonly concludedS: number[] = [];
  /** Estimates of waiting work, and how long it then waited, s. */
  readonly estimates: { etaS: number; tookS: number }[] = [];
  /** The estimates of work that still waits, with their times, ms. */
  readonly #estimated = new Map<string, { etaS: number; at: number }[]>();
  /** Seconds of files that each tenant has been given. */
  readonly givenS = new Map<string, number>();
  /** Latencies of the samples, s, each with the number of sessions that had it. */
  readonly latencies = new Map<number, number>();
  onSample: () => void = () => undefined;
  readonly #options: FleetOptions;
  readonly #waiting = new Map<string, WaitingWork>();
  #ids = 0;
  #second = 0;
  /** The machines by the tick in which they beat. */
  readonly #groups = Array.from({ length: BEAT_MS / TICK_MS }, () => new Set<SimulatedMachine>());

  constructor(options: FleetOptions) {
    this.#options = options;
    this.random = randomNumbers(options.seed ?? INPUTS.seed.value);
    this.state = emptyPool({
      application: 'a',
      min: options.min,
      max: options.max,
      slots: this.slots,
      regions: [],
      jurisdiction: null,
    });
    this.#tick();
    this.#sample();
  }

  get slots() {
    const live = Math.max(1, Math.floor(INPUTS.carried.value * this.#options.speedFactor));
    return { live, batch: INPUTS.filesAtOnce.value };
  }

  get now(): number {
    return this.events.now;
  }

  /** A new session, which ends after `seconds`. */
  addSession(tenant = this.tenant(), seconds = lengthS(this.random)): void {
    const id = `s${this.#ids++}`;
    const askedAt = this.now;
    const begin = (machine: SimulatedMachine): void => {
      const { now } = this;
      this.waitsS.push((now - askedAt) / 1000);
      const endsAt = now + seconds * 1000;
      const session: SimulatedSession = {
        ...{ id, tenant, begunAt: now, endsAt, backlogS: 0 },
        ...{ machine: null, lostAt: null, prepared: null, of: null },
      };
      this.sessions.set(id, session);
      this.#put(session, machine);
      this.events.at(endsAt, () => this.#end(session));
    };
    const attempt = (): void => {
      this.#ask(
        { id, kind: 'live', tenant, weight: 0, region: null, patienceMs: PATIENCE_MS },
        begin,
        (retryAfterS) => {
          this.refused++;
          this.events.at(this.now + retryAfterS * 1000, attempt);
        },
      );
    };
    attempt();
  }

  /** A file, or the conclusion of a session. */
  addFile(kind: 'conclude' | 'batch', tenant: string, weightS: number): void {
    const file: SimulatedFile = { id: `f${this.#ids++}`, kind, tenant, weightS, leftS: weightS, machine: null };
    this.files.set(file.id, file);
    const place = this.#ask(
      { id: file.id, kind, tenant, weight: weightS, region: null, patienceMs: null },
      (machine) => {
        for (const { etaS, at } of this.#estimated.get(file.id) ?? [])
          this.estimates.push({ etaS, tookS: (this.now - at) / 1000 });
        this.#estimated.delete(file.id);
        if (kind === 'batch') this.tenantCalls += CALLS.begins;
        if (kind === 'batch') this.givenS.set(tenant, (this.givenS.get(tenant) ?? 0) + weightS);
        this.#put(file, machine);
      },
    );
    this.#estimate(file.id, place);
    if (kind === 'batch' && place.type === 'waits') this.#waitForTurn(file);
  }

  /** The calls of a job that waits for its event, and asks again when it has not come. */
  #waitForTurn(file: SimulatedFile, calls = CALLS.waits): void {
    if (file.machine !== null || !this.files.has(file.id)) return;
    this.tenantCalls += calls;
    this.events.at(this.now + CALLS.againMs, () => this.#waitForTurn(file, CALLS.waitsAgain));
  }

  #estimate(id: string, place: PoolPlace): void {
    if (place.type !== 'waits') return;
    const earlier = this.#estimated.get(id) ?? [];
    this.#estimated.set(id, [...earlier, { etaS: place.etaS, at: this.now }]);
  }

  /** Asks how long a share of the waiting files will still wait. */
  look(share: number): void {
    for (const { id, kind, tenant, machine } of this.files.values())
      if (machine === null && this.random() < share) this.#estimate(id, this.#do({ type: 'look', id, kind, tenant }));
  }

  tenant(): string {
    return chosen(TENANTS, ({ share }) => share, this.random()).id;
  }

  /** Arrivals at a rate of `perSecond()` as a Poisson process, until a time. */
  arrivals(perSecond: () => number, until: number, arrive: () => void): void {
    const next = (): void => {
      const rate = perSecond();
      const waitS = rate > 0 ? -Math.log(1 - this.random()) / rate : 60;
      this.events.at(this.now + waitS * 1000, () => {
        if (this.now > until) return;
        if (rate > 0) arrive();
        next();
      });
    };
    next();
  }

  /** Ends a share of the machines at once. @returns the sessions that they had */
  kill(share: number): SimulatedSession[] {
    const machines = [...this.machines.values()].filter(() => this.random() < share);
    return machines.flatMap((machine) => {
      const isSilent = this.random() < INPUTS.silent.value;
      return this.#lose(machine, isSilent);
    });
  }

  /** Takes machines out of service. After the time for draining, what is still there is lost. */
  drain(names: readonly string[]): void {
    const drained = names.flatMap((name) => this.machines.get(name) ?? []);
    for (const machine of drained) {
      machine.isDraining = true;
      this.events.at(this.now + INPUTS.drainS.value * 1000, () => void this.#lose(machine, false));
    }
    this.#do({ type: 'drain', names });
    for (const machine of drained) {
      for (const session of this.#sessionsOn(machine)) this.#move(session, machine);
      this.#giveUpPrepared(machine);
    }
  }

  /** Sessions that were prepared on this machine stay where they are, and ask for another one. */
  #giveUpPrepared(machine: SimulatedMachine): void {
    for (const prepared of [...machine.present, ...machine.behind]) {
      const { of } = prepared;
      if (!of) continue;
      this.#take(prepared);
      of.prepared = null;
      if (of.machine) this.#move(of, of.machine);
    }
  }

  /** The sessions of a machine, without those that it is prepared for. */
  *#sessionsOn(machine: SimulatedMachine): Generator<SimulatedSession> {
    for (const session of [...machine.present, ...machine.behind]) if (session.of === null) yield session;
  }

  /** Asks for another machine beside the one that drains, and again as long as there is none. */
  #move(session: SimulatedSession, from: SimulatedMachine): void {
    this.events.at(this.now + this.random() * INPUTS.breakS.value * 1000, () => {
      const { id, tenant, begunAt } = session;
      if (session.machine !== from || from.isDead || session.prepared) return;
      const asked = { id, kind: 'live', tenant, weight: 0, region: null, patienceMs: null, lost: null } as const;
      const backlogS = (this.now - begunAt) / 1000;
      const place = this.#do({ type: 'ask', ...asked, leaving: from.name, backlogS });
      const isElsewhere = place.type === 'placed' && place.instance !== from.name;
      const other = isElsewhere ? this.machines.get(place.instance) : undefined;
      if (other) this.#prepare(session, other);
      else this.events.at(this.now + MOVE_AGAIN_MS, () => this.#move(session, from));
    });
  }

  /** The session catches up on another machine, and changes over when it has. */
  #prepare(session: SimulatedSession, machine: SimulatedMachine): void {
    if (session.prepared) this.#take(session.prepared);
    session.prepared = { ...session, machine: null, prepared: null, of: session };
    this.#put(session.prepared, machine);
  }

  /** The session goes on where it was prepared, with what it has left to catch up with there. */
  #changeOver(session: SimulatedSession): void {
    const { prepared } = session;
    const machine = prepared?.machine;
    if (!prepared || !machine) return;
    this.#take(prepared);
    this.#take(session);
    session.prepared = null;
    session.lostAt = null;
    session.machine = machine;
    session.backlogS = prepared.backlogS;
    (session.backlogS > PRESENT_S + 1e-3 ? machine.behind : machine.present).add(session);
    machine.liveIds = null;
    this.#schedule(machine);
    if (machine.isDraining) this.#move(session, machine);
  }

  /** The pool's object loses its memory. What waits asks again. */
  reset(): void {
    const waiting = (['live', 'conclude', 'batch'] as const).flatMap((kind) =>
      [...this.state[kind].tenants.values()].flatMap((account) => account.waiting),
    );
    this.state = restoredPool(this.state.settings, this.state.instances, [...waiting, ...this.state.orphans], this.now);
  }

  #lose(machine: SimulatedMachine, isSilent: boolean): SimulatedSession[] {
    if (machine.isDead) return [];
    machine.advance(this.now);
    this.#remove(machine);
    const sessions = [...this.#sessionsOn(machine)];
    this.#giveUpPrepared(machine);
    for (const session of sessions) {
      if (session.prepared) {
        session.machine = null;
        this.#changeOver(session);
        continue;
      }
      session.lostAt = this.now;
      session.machine = null;
      if (!isSilent) this.#askAgain(session, machine.name);
      else this.#waiting.set(session.id, this.#returning(session));
    }
    for (const file of machine.files) {
      file.machine = null;
      if (!isSilent) this.#askAgainForFile(file, machine.name);
      else this.#waiting.set(file.id, { placed: (other) => this.#put(file, other), refused: () => undefined });
    }
    return sessions;
  }

  /** Another machine may get its name. */
  #remove(machine: SimulatedMachine): void {
    machine.isDead = true;
    this.machines.delete(machine.name);
    this.#groupOf(machine).delete(machine);
  }

  #askAgain(session: SimulatedSession, lost: string): void {
    this.events.at(this.now + this.random() * INPUTS.breakS.value * 1000, () => {
      const { id, tenant, begunAt } = session;
      const backlogS = (this.now - begunAt) / 1000;
      const { placed } = this.#returning(session);
      this.#ask({ id, kind: 'live', tenant, weight: 0, region: null, patienceMs: null, lost, backlogS }, placed);
    });
  }

  #askAgainForFile(file: SimulatedFile, lost: string): void {
    this.events.at(this.now + this.random() * INPUTS.breakS.value * 1000, () => {
      const { id, kind, tenant, weightS: weight } = file;
      this.#ask({ id, kind, tenant, weight, region: null, patienceMs: null, lost }, (machine) =>
        this.#put(file, machine),
      );
    });
  }

  #returning(session: SimulatedSession): WaitingWork {
    return {
      placed: (machine) => {
        if (session.lostAt !== null) this.awayS.push((this.now - session.lostAt) / 1000);
        session.lostAt = null;
        this.#put(session, machine);
      },
      refused: () => undefined,
    };
  }

  /** Puts work on a machine. What it had elsewhere is lost there: a session replays, and a file begins again. */
  #put(work: SimulatedSession | SimulatedFile, machine: SimulatedMachine): void {
    const { now } = this;
    this.#take(work);
    machine.advance(now);
    work.machine = machine;
    if ('weightS' in work) {
      work.leftS = work.weightS;
      machine.files.add(work);
      machine.fileIds = null;
    } else {
      const recordedS = (Math.min(now, work.endsAt) - work.begunAt) / 1000;
      work.backlogS = recordedS;
      (recordedS > PRESENT_S ? machine.behind : machine.present).add(work);
      machine.liveIds = null;
    }
    this.#schedule(machine);
  }

  /** Takes work off its machine. */
  #take(work: SimulatedSession | SimulatedFile): void {
    const { machine } = work;
    if (!machine) return;
    machine.advance(this.now);
    work.machine = null;
    if ('weightS' in work) {
      machine.files.delete(work);
      machine.fileIds = null;
    } else {
      machine.present.delete(work);
      machine.behind.delete(work);
      machine.liveIds = null;
    }
    this.#schedule(machine);
  }

  /** Looks at the machine again when something changes by itself. */
  #schedule(machine: SimulatedMachine): void {
    const version = ++machine.version;
    const at = machine.nextAt;
    if (!Number.isFinite(at)) return;
    this.events.at(at, () => {
      if (machine.version !== version || machine.isDead) return;
      machine.advance(this.now);
      for (const session of machine.behind) {
        if (session.backlogS > PRESENT_S + 1e-3) continue;
        machine.behind.delete(session);
        machine.present.add(session);
        this.#caughtUp(session);
        if (session.of) this.#changeOver(session.of);
        const whole = session.of ?? session;
        if (whole.endsAt <= this.now) this.#end(whole);
      }
      for (const file of machine.files) if (file.leftS <= 1e-3) this.#finish(file);
      this.#schedule(machine);
    });
  }

  /** Tells the pool that another session may catch up there. */
  #caughtUp({ id, tenant }: SimulatedSession): void {
    const asked = { id, kind: 'live', tenant, weight: 0, region: null, patienceMs: null, lost: null } as const;
    this.#do({ type: 'ask', ...asked, backlogS: 0 });
  }

  /** Ends a session, once everything that it recorded has been analysed. */
  #end(session: SimulatedSession): void {
    if (!this.sessions.has(session.id) || !session.machine?.present.has(session)) return;
    const { id, tenant, begunAt, endsAt } = session;
    if (session.prepared) this.#take(session.prepared);
    this.#take(session);
    this.sessions.delete(id);
    this.#do({ type: 'release', id, kind: 'live', tenant, isDone: true });
    const file = (endsAt - begunAt) / 1000;
    this.addFile('conclude', tenant, file);
    this.#endings.set(`f${this.#ids - 1}`, endsAt);
  }

  readonly #endings = new Map<string, number>();

  #finish(file: SimulatedFile): void {
    const { id, kind, tenant, weightS } = file;
    if (kind === 'batch') {
      const tookMs = (1000 * weightS * INPUTS.filesAtOnce.value) / INPUTS.conclusionSpeed.value;
      this.tenantCalls += CALLS.ends + tookMs / CALLS.renewMs;
    }
    this.#take(file);
    this.files.delete(id);
    const endedAt = this.#endings.get(id);
    if (endedAt !== undefined) this.concludedS.push((this.now - endedAt) / 1000);
    this.#endings.delete(id);
    this.#do({ type: 'release', id, kind, tenant, isDone: true });
  }

  /** Asks for a place. `placed` runs when there is one, now or later. */
  #ask(
    request: Omit<PoolCommand<'ask'>, 'type'>,
    placed: (machine: SimulatedMachine) => void,
    refused: (retryAfterS: number) => void = () => undefined,
  ): PoolPlace {
    this.#waiting.set(request.id, { placed, refused });
    const place = this.#do({ type: 'ask', ...request });
    if (place.type === 'placed') this.#grant(request.id, 'live', place.instance);
    // One row when it begins to wait, and one when it ends.
    else if (request.kind !== 'live') this.rows += 2;
    return place;
  }

  #grant(id: string, kind: PoolKind, instance: string): void {
    const waiting = this.#waiting.get(id);
    const machine = this.machines.get(instance);
    if (machine && waiting) {
      this.#waiting.delete(id);
      waiting.placed(machine);
    } else if (!machine) {
      // The pool does not know yet that this machine is gone. The work finds out and asks again.
      const session = this.sessions.get(id);
      const file = this.files.get(id);
      const entry = waiting ?? (session ? this.#returning(session) : undefined);
      if (!entry) return;
      this.events.at(this.now + INPUTS.breakS.value * 1000, () => {
        const tenant = session?.tenant ?? file?.tenant ?? '';
        const backlogS = session ? (this.now - session.begunAt) / 1000 : 0;
        const asked = { id, kind: file?.kind ?? ('live' as const), tenant, weight: file?.weightS ?? 0, region: null };
        this.#ask({ ...asked, patienceMs: null, lost: instance, backlogS }, entry.placed, entry.refused);
      });
    } else if (kind === 'live') {
      // The pool moved a session that was well.
      const session = this.sessions.get(id);
      if (!session || session.machine === machine) return;
      if (session.machine?.isDraining) {
        this.#prepare(session, machine!);
        return;
      }
      if (session.lostAt === null) this.needlessMoves++;
      this.#returning(session).placed(machine!);
    } else {
      const file = this.files.get(id);
      if (file && file.machine !== machine) this.#put(file, machine!);
    }
  }

  #do<T extends PoolCommandName>(command: PoolCommand<T>): PoolAnswers[T] {
    if ('beats' in command) this.calls += command.beats.length;
    else if (command.type !== 'tick') this.calls++;
    const { answer, state, effects } = plan(this.state, command, this.now);
    this.state = state;
    for (const effect of effects) this.#perform(effect);
    return answer;
  }

  #perform(effect: PoolEffect): void {
    const later = (ms: number, run: () => void) => this.events.at(this.now + ms, run);
    const callMs = INPUTS.callS.value * 1000;
    if (effect.type === 'granted') later(callMs, () => this.#grant(effect.id, effect.kind, effect.instance));
    else if (effect.type === 'refused') {
      const waiting = this.#waiting.get(effect.id);
      this.#waiting.delete(effect.id);
      waiting?.refused(effect.retryAfterS);
    } else if (effect.type === 'start') this.#start(effect.name);
    else if (effect.type === 'stop') {
      const machine = this.machines.get(effect.name);
      if (machine) this.#remove(machine);
      this.rows++;
    } else if (effect.type === 'probe')
      later(callMs, () => {
        const machine = this.machines.get(effect.name);
        this.calls++;
        if (machine && this.random() >= this.#options.beatLoss)
          this.#do({ type: 'beats', beats: [this.#beat(machine)] });
      });
    else if (effect.type === 'revoke') {
      const session = this.sessions.get(effect.id);
      const work = session ?? this.files.get(effect.id);
      if (work?.machine?.name === effect.name) this.#take(work);
    }
  }

  #start(name: string): void {
    this.starts++;
    this.rows++;
    const startMs = INPUTS.startS.value * this.#options.startFactor * 1000;
    this.events.at(this.now + startMs, () => {
      const { speedFactor, replaySpeed = INPUTS.replay.value } = this.#options;
      const machine = new SimulatedMachine(name, speedFactor, replaySpeed, this.now);
      this.machines.set(name, machine);
      this.#groupOf(machine).add(machine);
      this.#do({ type: 'beats', beats: [this.#beat(machine)] });
    });
  }

  #beat(machine: SimulatedMachine): PoolBeat {
    if (machine.lagS > 0 || machine.demand > 1) machine.advance(this.now);
    machine.liveIds ??= [...machine.present, ...machine.behind].map(({ id }) => id);
    machine.fileIds ??= [...machine.files].map(({ id }) => id);
    return {
      name: machine.name,
      kind: 'container',
      region: null,
      jurisdiction: null,
      isDraining: machine.isDraining,
      slots: this.slots,
      busy: machine.busy,
      lagMs: machine.lagS * 1000,
      live: machine.liveIds,
      batch: machine.fileIds,
    };
  }

  #groupOf({ number }: SimulatedMachine): Set<SimulatedMachine> {
    return this.#groups[number % this.#groups.length]!;
  }

  /** The pool's alarm, and the beats of one group. */
  #tick(): void {
    const beats: PoolBeat[] = [];
    for (const machine of this.#groups[this.#second++ % this.#groups.length]!) {
      if (this.random() >= this.#options.beatLoss) beats.push(this.#beat(machine));
      if (machine.sessions <= this.slots.live) machine.overSince = null;
      else {
        machine.overSince ??= this.now;
        this.overS = Math.max(this.overS, (this.now - machine.overSince) / 1000);
      }
    }
    if (beats.length > 0) this.#do({ type: 'beats', beats });
    this.#do({ type: 'tick' });
    this.events.at(this.now + TICK_MS, () => this.#tick());
  }

  #sample(): void {
    for (const machine of this.machines.values()) {
      const latency = Math.round(machine.latencyS * 100) / 100;
      this.latencies.set(latency, (this.latencies.get(latency) ?? 0) + machine.present.size);
    }
    this.containers = Math.max(this.containers, this.machines.size);
    this.onSample();
    this.events.at(this.now + SAMPLE_MS, () => this.#sample());
  }

  /** The latency that 95 % of the sampled sessions had at most, s. */
  get latency95S(): number {
    let left = 0;
    for (const count of this.latencies.values()) left += 0.95 * count;
    for (const [latency, count] of [...this.latencies].sort(([a], [b]) => a - b)) {
      left -= count;
      if (left <= 0) return latency;
    }
    return Number.NaN;
  }
}
