import { type FleetOptions, SimulatedFleet } from './fleet.ts';
import { HOURS, INPUTS, lengthS, meanLengthS } from './inputs.ts';
import { PRESENT_S, type SimulatedSession } from './machine.ts';

/** One figure of a run. A figure without a limit is only information. */
export interface SimulatedFigure {
  name: string;
  unit: string;
  value: number;
  most?: number;
  least?: number;
}

/** A run under changed assumptions. */
export type FleetChange = Pick<FleetOptions, 'startFactor' | 'speedFactor' | 'beatLoss'>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MEAN_S = meanLengthS();
/** Containers of the scenarios that need a part of a fleet. */
const FLEET = 100;
/** Time until the number of sessions is stable, ms. */
const WARM_MS = 2 * HOUR;

const quantile = (values: readonly number[], q: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
};
const share = <T>(values: readonly T[], isGood: (value: T) => boolean): number =>
  values.length === 0 ? 1 : values.filter(isGood).length / values.length;
const percent = (value: number): number => 100 * value;

/** Share of the estimates that were right within 30 % or 5 s. */
const closeEstimates = ({ estimates }: SimulatedFleet): number =>
  share(estimates, ({ etaS, tookS }) => Math.abs(etaS - tookS) <= Math.max(0.3 * tookS, 5));

/** A day of 10,000 live sessions at the peak, with their conclusions and files beside them. */
export function day(change: FleetChange): SimulatedFigure[] {
  const peak = INPUTS.sessions.value;
  const fleet = new SimulatedFleet({ min: 0, max: Math.ceil(peak / change.speedFactor / 4), ...change });
  const perSecond = (): number => {
    const hour = fleet.now / HOUR;
    const [from, to] = [HOURS[Math.floor(hour) % 24]!, HOURS[(Math.floor(hour) + 1) % 24]!];
    return (peak / MEAN_S) * (from + (to - from) * (hour % 1));
  };
  fleet.arrivals(perSecond, 24 * HOUR, () => fleet.addSession());
  fleet.arrivals(
    () => INPUTS.files.value * perSecond(),
    24 * HOUR,
    () => fleet.addFile('batch', fleet.tenant(), lengthS(fleet.random)),
  );
  let [most, calls, rows, hourCalls, hourRows, held, slots] = [0, 0, 0, 0, 0, 0, 0];
  fleet.onSample = () => {
    most = Math.max(most, fleet.sessions.size);
    held += fleet.sessions.size;
    slots += fleet.machines.size * fleet.slots.live;
  };
  // The longest conversations take more than two hours, and their conclusions as long again.
  for (let hour = 1; hour <= 30; hour++) {
    fleet.events.runUntil(hour * HOUR);
    calls = Math.max(calls, (fleet.calls - hourCalls) / 3600);
    rows = Math.max(rows, (fleet.rows - hourRows) / 3600);
    [hourCalls, hourRows] = [fleet.calls, fleet.rows];
  }
  const asked = fleet.waitsS.length + fleet.refused;
  return [
    { name: 'day: most sessions at once', unit: '', value: most },
    { name: 'day: most containers', unit: '', value: fleet.containers },
    { name: 'day: share of slots in use', unit: '%', value: percent(held / slots) },
    { name: 'day: starts refused', unit: '%', value: percent(fleet.refused / asked), most: 0.5 },
    { name: 'day: a place within 8 s', unit: '%', value: percent(share(fleet.waitsS, (s) => s <= 8)), least: 99.5 },
    { name: 'day: 95 % of final texts within', unit: 's', value: fleet.latency95S, most: 2 },
    { name: 'day: an instance above its slots for', unit: 's', value: fleet.overS, most: 10 },
    { name: 'day: sessions moved though their instance was well', unit: '', value: fleet.needlessMoves, most: 0 },
    {
      name: 'day: concluded within 1 h',
      unit: '%',
      value: percent(share(fleet.concludedS, (s) => s <= 3600)),
      least: 99.95,
    },
    { name: 'day: 95 % of conclusions within', unit: 's', value: quantile(fleet.concludedS, 0.95) },
    { name: 'day: sessions without an end', unit: '', value: fleet.sessions.size + fleet.files.size, most: 0 },
    {
      name: 'day: expected waits within 30 % or 5 s',
      unit: '%',
      value: percent(closeEstimates(fleet)),
      least: 80,
    },
    { name: 'day: work that waited', unit: '', value: fleet.estimates.length },
    { name: 'day: calls of the pool, busiest hour', unit: '/s', value: calls, most: 300 },
    { name: 'day: rows of the pool, busiest hour', unit: '/s', value: rows, most: 5 },
  ];
}

/** A fleet with a share of its slots in use. */
function loaded(change: FleetChange, load: number, extra: Partial<FleetOptions> = {}, files = 0): SimulatedFleet {
  const fleet = new SimulatedFleet({ min: FLEET, max: FLEET, ...change, ...extra });
  const rate = (load * FLEET * fleet.slots.live) / MEAN_S;
  fleet.arrivals(
    () => rate,
    24 * HOUR,
    () => fleet.addSession(),
  );
  if (files > 0)
    fleet.arrivals(
      () => files * rate,
      24 * HOUR,
      () => fleet.addFile('batch', fleet.tenant(), lengthS(fleet.random)),
    );
  fleet.events.runUntil(WARM_MS);
  fleet.latencies.clear();
  fleet.refused = 0;
  fleet.overS = 0;
  return fleet;
}

/** An hour with four fifths of the slots in use. */
export function busy(change: FleetChange): SimulatedFigure[] {
  const fleet = loaded(change, 0.8);
  fleet.events.runUntil(WARM_MS + HOUR);
  return [
    {
      name: '80 % load: p95 of final texts above one session alone',
      unit: 's',
      value: fleet.latency95S - 0.51,
      most: 1,
    },
    { name: '80 % load: an instance above its slots for', unit: 's', value: fleet.overS, most: 10 },
  ];
}

/** Fleets of which three of ten instances are killed: the share of those that catch up in one differs by some percent. */
const KILLS = 6;

interface KillOutcome {
  placeS: number;
  lost: number;
  caughtUp: number;
  /** Sessions that still have no place half an hour later. */
  left: number;
}

/** Three of ten instances end at once. */
function killed(change: FleetChange, extra: Partial<FleetOptions>): KillOutcome {
  const fleet = loaded(change, 0.6, { max: 2 * FLEET, ...extra });
  fleet.awayS.length = 0;
  const lost = fleet.kill(0.3);
  const at = fleet.now;
  fleet.events.runUntil(at + 4 * MINUTE);
  const isBehind = (session: SimulatedSession): boolean => {
    session.machine?.advance(fleet.now);
    const lagS = session.machine?.present.has(session) ? session.machine.lagS : session.backlogS;
    return fleet.sessions.has(session.id) && (session.machine === null || lagS > 2);
  };
  const caughtUp = lost.filter((session) => !isBehind(session)).length;
  fleet.events.runUntil(at + 30 * MINUTE);
  const left = lost.filter((session) => fleet.sessions.has(session.id) && session.machine === null).length;
  return { placeS: quantile(fleet.awayS, 1), lost: lost.length, caughtUp, left };
}

export function kill(change: FleetChange): SimulatedFigure[] {
  const built = Array.from({ length: KILLS }, (_, n) => killed(change, { seed: INPUTS.seed.value + n }));
  const again = killed(change, { replaySpeed: 1 });
  const sum = (of: (outcome: KillOutcome) => number): number => built.reduce((total, one) => total + of(one), 0);
  const shares = built.map(({ caughtUp, lost }) => caughtUp / lost);
  return [
    {
      name: '30 % killed at 60 % load: all have a place within',
      unit: 's',
      value: Math.max(...built.map(({ placeS }) => placeS)),
      most: 15,
    },
    { name: '30 % killed: sessions lost', unit: '', value: sum(({ left }) => left), most: 0 },
    {
      name: `30 % killed: under 2 s of lag within 4 min, ${KILLS} fleets`,
      unit: '%',
      value: percent(sum(({ caughtUp }) => caughtUp) / sum(({ lost }) => lost)),
      least: 95,
    },
    { name: 'the same in the fleet with the fewest', unit: '%', value: percent(Math.min(...shares)) },
    {
      name: 'the same if everything were transcribed again, one fleet',
      unit: '%',
      value: percent(again.caughtUp / again.lost),
    },
  ];
}

/** Every instance is replaced, five at a time. */
export function deploy(change: FleetChange): SimulatedFigure[] {
  const fleet = loaded(change, 0.6, { max: 2 * FLEET });
  const old = [...fleet.machines.keys()];
  const at = fleet.now;
  let doneAt = Number.NaN;
  let lagS = 0;
  let next = 0;
  const look = (): void => {
    const isStarting = fleet.state.instances.some(({ state }) => state === 'starting');
    if (next < old.length && !isStarting) {
      fleet.drain(old.slice(next, next + 5));
      next += 5;
    }
    for (const machine of fleet.machines.values()) {
      machine.advance(fleet.now);
      lagS = Math.max(lagS, machine.lagS);
      for (const { backlogS, of } of machine.behind)
        if (of === null && backlogS > PRESENT_S) lagS = Math.max(lagS, backlogS);
    }
    const left = new Set(fleet.machines.values().filter(({ isDraining }) => isDraining));
    if (next >= old.length && left.size === 0) doneAt = fleet.now;
    else fleet.events.at(fleet.now + 5_000, look);
  };
  look();
  fleet.events.runUntil(at + HOUR);
  return [
    { name: 'deploy at 60 % load: starts refused', unit: '', value: fleet.refused, most: 0 },
    { name: 'deploy: every instance replaced within', unit: 'min', value: (doneAt - at) / MINUTE, most: 20 },
    { name: 'deploy: the longest lag', unit: 's', value: lagS, most: 5 },
  ];
}

/** From nothing to 300 sessions in a minute. */
function burst(change: FleetChange): SimulatedFigure[] {
  const fleet = new SimulatedFleet({ min: 1, max: 2 * FLEET, ...change });
  fleet.events.runUntil(MINUTE);
  for (let i = 0; i < 300; i++) fleet.events.at(MINUTE + i * 200, () => fleet.addSession('0', 600));
  fleet.events.runUntil(5 * MINUTE);
  return [
    { name: '0 to 300 sessions in 60 s: p95 until a place', unit: 's', value: quantile(fleet.waitsS, 0.95), most: 15 },
  ];
}

/** Five tenants with different numbers of files, on a few instances. */
export function tenants(change: FleetChange): SimulatedFigure[] {
  const fleet = new SimulatedFleet({ min: 4, max: 4, ...change });
  const addFile = (tenant: number): void => fleet.addFile('batch', `t${tenant}`, lengthS(fleet.random));
  fleet.events.runUntil(MINUTE);
  // The pool learns how fast files are analysed.
  for (let i = 0; i < 200; i++) addFile(i % 5);
  while (fleet.files.size > 0) fleet.events.runUntil(fleet.now + MINUTE);
  fleet.givenS.clear();
  for (let i = 0; i < 2000; i++) for (let tenant = 0; tenant < 5; tenant++) if (i % 5 <= tenant) addFile(tenant);
  fleet.events.runUntil(fleet.now + HOUR);
  const given = [...fleet.givenS.values()];
  const sum = given.reduce((all, seconds) => all + seconds, 0);
  const jain = sum ** 2 / (given.length * given.reduce((all, seconds) => all + seconds ** 2, 0));
  fleet.estimates.length = 0;
  while (fleet.files.size > 0) {
    fleet.look(0.05);
    fleet.events.runUntil(fleet.now + 20 * MINUTE);
  }
  return [
    { name: 'five tenants with 1 to 5 times as many files: Jain', unit: '', value: jain, least: 0.9 },
    {
      name: '6,000 files at once: expected waits, asked at any time, within 30 % or 5 s',
      unit: '%',
      value: percent(closeEstimates(fleet)),
      least: 80,
    },
    {
      name: 'the same: within 50 %',
      unit: '%',
      value: percent(share(fleet.estimates, ({ etaS, tookS }) => Math.abs(etaS - tookS) <= 0.5 * tookS)),
      least: 90,
    },
  ];
}

/** 10,000 jobs of one tenant wait for their slots. */
export function queue(change: FleetChange): SimulatedFigure[] {
  const fleet = new SimulatedFleet({ min: FLEET, max: FLEET, ...change });
  fleet.events.runUntil(MINUTE);
  for (let i = 0; i < 10_000; i++) fleet.addFile('batch', 'one', lengthS(fleet.random));
  fleet.events.runUntil(2 * MINUTE);
  const [waiting, calls] = [fleet.state.batch.length, fleet.tenantCalls];
  // As long as a job waits before it asks again.
  fleet.events.runUntil(17 * MINUTE);
  return [
    { name: 'one tenant sends 10,000 jobs: jobs that wait a minute later', unit: '', value: waiting },
    {
      name: "the same: calls of the tenant's object, mean of a quarter of an hour",
      unit: '/s',
      value: (fleet.tenantCalls - calls) / 900,
      most: 100,
    },
  ];
}

/** The pool's object loses its memory at 60 % load. */
export function reset(change: FleetChange): SimulatedFigure[] {
  const fleet = loaded(change, 0.6, {}, INPUTS.files.value);
  const places = new Map([...fleet.sessions].map(([id, { machine }]) => [id, machine?.name]));
  fleet.waitsS.length = 0;
  fleet.needlessMoves = 0;
  fleet.reset();
  fleet.events.runUntil(fleet.now + MINUTE);
  const moved = [...places].filter(([id, name]) => {
    const session = fleet.sessions.get(id);
    return session && session.machine?.name !== name;
  }).length;
  return [
    { name: 'pool reset at 60 % load: sessions that lost their place', unit: '', value: moved, most: 0 },
    { name: 'pool reset: longest wait of a new session', unit: 's', value: quantile(fleet.waitsS, 1), most: 10 },
  ];
}

export const SCENARIOS = { day, busy, kill, deploy, burst, tenants, queue, reset };
