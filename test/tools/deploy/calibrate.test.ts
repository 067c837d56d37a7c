import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CalibratedService, type CalibrationPlan, calibrate } from '../../../bench/calibration/calibrate.ts';
import { CalibrationSchema, carriedSessions } from '../../../bench/calibration/calibration.ts';
import { InstanceWatch, type WatchedInstance } from '../../../bench/calibration/instance-watch.ts';
import { INPUTS, inputRows, LATENCY, useCalibration } from '../../../bench/simulation/inputs.ts';
import { CONTAINER_HOUR, costOf } from '../../../scripts/deploy/configurations.ts';

const PLAN: CalibrationPlan = { roundTrips: 4, fileS: 600, runs: 3, sessions: [1, 4, 8, 12], liveS: 60, starts: 2 };
const NOW = Date.parse('2026-11-28T12:00:00Z');
const SECOND = 1000;

const instance = (name: string, state: WatchedInstance['state'], used = 0): WatchedInstance => ({
  name,
  state,
  live: { slots: 12, used },
});

/** A service on containers with known figures, in a time of its own. It records every call. */
class FakeService implements CalibratedService {
  readonly url = 'https://undertone.acme.org';
  readonly watch = new InstanceWatch();
  readonly calls: string[] = [];
  readonly #speed = { best: 9, fast: 20 };
  readonly #instances: number;
  readonly #hasContainers: boolean;
  #at = 0;
  #runs = 0;

  constructor(instances = 1, hasContainers = true) {
    this.#instances = instances;
    this.#hasContainers = hasContainers;
  }

  #sees(seconds: number, ...instances: WatchedInstance[]): void {
    this.#at += seconds * SECOND;
    this.watch.saw(instances, this.#at);
  }

  describe = async () => ({ version: '0.3.0', recogniser: 'moonshine-tiny' });

  async roundTrip(to: 'worker' | 'object') {
    this.calls.push(to);
    return to === 'worker' ? 20 : 26;
  }

  async analyse(seconds: number, quality: 'best' | 'fast') {
    this.calls.push(`${seconds} ${quality}`);
    if (this.#runs++ === 0 || this.#isAsleep) {
      this.#sees(0, instance('a-0', 'starting'));
      this.#sees(7, instance('a-0', 'ready'));
      this.#isAsleep = false;
    }
    // One run of three is slow.
    return (seconds / this.#speed[quality]) * (this.#runs % 3 === 0 ? 2 : 1);
  }
  #isAsleep = false;

  async live(sessions: number) {
    this.calls.push(`${sessions} live`);
    const used = Array.from({ length: this.#instances }, (_, i) => instance(`a-${i}`, 'ready', sessions));
    this.#sees(60, ...used);
    // 100 ms for each session on a pipeline, and twice that at the slow end.
    const ms = (100 * sessions) / this.#instances;
    return [...Array(18).fill(ms), 2 * ms, 2 * ms];
  }

  async sleeps() {
    this.calls.push('sleeps');
    if (!this.#hasContainers) return false;
    this.#sees(0);
    this.#isAsleep = true;
    return true;
  }
}

const calibrated = async (service: FakeService) => {
  const found = await calibrate(
    service,
    PLAN,
    () => NOW,
    () => undefined,
  );
  return CalibrationSchema.parse(JSON.parse(JSON.stringify(found)));
};

describe('a calibration', () => {
  it('prints the figures of the service, and its cost at list prices', async () => {
    const service = new FakeService();
    const found = await calibrated(service);
    expect(found).toMatchObject({
      url: 'https://undertone.acme.org',
      at: '2026-11-28T12:00:00.000Z',
      round_trip_ms: { worker: { p50: 20, p95: 20 }, object: { p50: 26, p95: 26 } },
      speed: { best: 9, fast: 20 },
      start_s: [7, 7, 7],
    });
    expect(found.live.map(({ sessions, p95_ms }) => [sessions, p95_ms])).toEqual([
      [1, 200],
      [4, 800],
      [8, 1600],
      [12, 2400],
    ]);
    expect(carriedSessions(found.live)).toBe(8);
    const { batch, live } = costOf('built-in', { batchSpeed: 9, liveSessions: 8 });
    expect(batch).toBeCloseTo(CONTAINER_HOUR / 9, 9);
    expect(live - batch).toBeGreaterThan(CONTAINER_HOUR / 8);
    expect(found.audio_hour_dollars['built-in'].batch).toBeCloseTo(batch, 5);
    expect(found.audio_hour_dollars['built-in'].live).toBeCloseTo(live, 5);
    // Four steps of a minute and three starts of 7 s on one container.
    expect(found.containers.hours).toBeCloseTo((4 * 60 + 3 * 7) / 3600, 2);
    expect(found.containers.dollars).toBeCloseTo((CONTAINER_HOUR * (4 * 60 + 3 * 7)) / 3600, 3);
  });

  it('counts the sessions of each pipeline, where several share them', async () => {
    const found = await calibrated(new FakeService(2));
    expect(found.live.at(-1)).toMatchObject({ sessions: 12, instances: 2, p95_ms: 1200 });
    expect(carriedSessions(found.live)).toBe(6);
  });

  it('ends without starts where there are no containers', async () => {
    const service = new FakeService(1, false);
    await calibrated(service);
    expect(service.calls.filter((call) => call === 'sleeps')).toHaveLength(1);
    expect(service.calls.at(-1)).toBe('sleeps');
  });

  it('carries nothing without texts, or with late ones', () => {
    const step = { sessions: 1, instances: 1, finals: 0, p50_ms: null, p95_ms: null };
    expect(carriedSessions([])).toBe(0);
    expect(carriedSessions([step, { ...step, sessions: 2, p95_ms: 100 }])).toBe(0);
  });
});

describe('the watch of the pool', () => {
  it('counts neither a start that fails nor a process elsewhere', () => {
    const watch = new InstanceWatch();
    watch.saw([instance('a-0', 'starting'), instance('http://10.0.0.1:8080', 'starting')], 0);
    watch.saw([instance('http://10.0.0.1:8080', 'ready')], 5 * SECOND);
    watch.saw([instance('a-0', 'starting')], 6 * SECOND);
    watch.saw([instance('a-0', 'draining')], 9 * SECOND);
    watch.saw([instance('a-0', 'ready')], 10 * SECOND);
    expect(watch.startsS).toEqual([]);
    expect(watch.containerMs).toBe(5 * SECOND);
  });
});

describe('the inputs of the simulation', () => {
  const before = structuredClone({ INPUTS, LATENCY });
  beforeAll(async () => useCalibration(await calibrated(new FakeService())));
  afterAll(() => {
    Object.assign(INPUTS, before.INPUTS);
    LATENCY.splice(0, LATENCY.length, ...before.LATENCY);
  });

  it('are those of a calibration, with their origin', () => {
    const given = (name: keyof typeof INPUTS) => [INPUTS[name].value, INPUTS[name].origin];
    const origin = 'calibrated: https://undertone.acme.org, 2026-11-28';
    expect(given('carried')).toEqual([8, origin]);
    expect(given('conclusionSpeed')).toEqual([9, origin]);
    expect(given('callS')).toEqual([0.006, origin]);
    expect(given('startS')).toEqual([7, origin]);
    expect(INPUTS.silent).toEqual(before.INPUTS.silent);
    expect(LATENCY).toEqual([
      [0, 0.2],
      [1 / 8, 0.2],
      [4 / 8, 0.8],
      [1, 1.6],
    ]);
    const printed = inputRows().find(([name]) => name === 'latency, 95 %');
    expect(printed).toEqual(['latency, 95 %', '0.2 s with 1, 0.8 s with 4, 1.6 s with 8', `${origin}; linear between`]);
  });

  it('stay without a session that the service carries', async () => {
    const found = await calibrated(new FakeService());
    expect(() => useCalibration({ ...found, live: [] })).toThrow('carries no live session');
  });
});
