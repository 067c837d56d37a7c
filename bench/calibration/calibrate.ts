import { CONFIGURATION_NAMES, CONTAINER_HOUR, costOf } from '../../scripts/deploy/configurations.ts';
import type { Quality } from '../../src/contract/options.ts';
import { quantile } from '../live-stream.ts';
import { CARRIED_MS, type Calibration, carriedSessions } from './calibration.ts';
import type { InstanceWatch } from './instance-watch.ts';

/** A deployed service, as far as its speed can be measured from outside. */
export interface CalibratedService {
  readonly url: string;
  readonly watch: InstanceWatch;
  describe(): Promise<{ version: string; recogniser: string }>;
  /** Milliseconds of one request: to the Worker alone, or to an object of a tenant. */
  roundTrip(to: 'worker' | 'object'): Promise<number>;
  /** Analyses a recording. @returns seconds from its start on a pipeline to its end */
  analyse(seconds: number, quality: Quality): Promise<number>;
  /** Runs live sessions at the pace of speech. @returns ms from each end of speech to its final text */
  live(sessions: number, seconds: number): Promise<number[]>;
  /** Waits until no container runs. @returns false if the service has none, or keeps some running */
  sleeps(): Promise<boolean>;
}

/** How much is measured. */
export interface CalibrationPlan {
  roundTrips: number;
  /** Length of the recording, s, and analyses of it for each quality. */
  fileS: number;
  runs: number;
  /** Numbers of live sessions at once, from the smallest, and the length of each step, s. */
  sessions: readonly number[];
  liveS: number;
  /** Starts of a container from sleep. */
  starts: number;
}

/** About fifty minutes, most of them spent waiting for containers to fall asleep. */
export const HOUR: CalibrationPlan = {
  roundTrips: 200,
  fileS: 600,
  runs: 3,
  sessions: [1, 4, 8, 10, 12, 14, 16],
  liveS: 90,
  starts: 3,
};
/** Half a minute, to see whether it works. Its figures are not a measurement. */
export const SHORT: CalibrationPlan = { roundTrips: 5, fileS: 8, runs: 1, sessions: [1], liveS: 8, starts: 1 };

/** Length of a recording that only starts a container, s. */
const STARTER_S = 8;
const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits));

/** Measures a service step by step. @param say receives a line at each step */
export async function calibrate(
  service: CalibratedService,
  plan: CalibrationPlan,
  now: () => number,
  say: (line: string) => void,
): Promise<Calibration> {
  const { watch } = service;
  const { version, recogniser } = await service.describe();
  say('a first analysis, which may start a container');
  await service.analyse(STARTER_S, 'best');
  say('round trips');
  const trips = { worker: [] as number[], object: [] as number[] };
  for (let i = 0; i < plan.roundTrips; i++)
    for (const to of ['worker', 'object'] as const) trips[to].push(await service.roundTrip(to));
  const speedOf = async (quality: Quality): Promise<number> => {
    const tookS: number[] = [];
    for (let run = 1; run <= plan.runs; run++) {
      say(`${plan.fileS} s of audio as a file, ${quality}, ${run} of ${plan.runs}`);
      tookS.push(await service.analyse(plan.fileS, quality));
    }
    return rounded(plan.fileS / quantile(tookS, 0.5)!, 2);
  };
  const speed = { best: await speedOf('best'), fast: await speedOf('fast') };
  const live: Calibration['live'] = [];
  for (const sessions of plan.sessions) {
    say(`${sessions} live sessions at once`);
    watch.newStep();
    const ms = (await service.live(sessions, plan.liveS)).map(Math.round);
    const [p50, p95] = [quantile(ms, 0.5), quantile(ms, 0.95)];
    live.push({ sessions, instances: Math.max(1, watch.mostInUse), finals: ms.length, p50_ms: p50, p95_ms: p95 });
    if (p95 === null || p95 > CARRIED_MS) break;
  }
  for (let start = 1; start <= plan.starts; start++) {
    say(`start ${start} of ${plan.starts}: waiting until no container runs`);
    if (!(await service.sleeps())) {
      say('the service has no containers, or keeps some running');
      break;
    }
    await service.analyse(STARTER_S, 'best');
  }
  const liveSessions = carriedSessions(live);
  const costs = CONFIGURATION_NAMES.map((name) => {
    const { batch, live: ofLive } = costOf(name, { batchSpeed: speed.best, liveSessions: liveSessions || 1 });
    return [name, { batch: rounded(batch, 6), live: liveSessions === 0 ? null : rounded(ofLive, 6) }];
  });
  const quantiles = (values: number[]) => ({
    p50: rounded(quantile(values, 0.5) ?? 0, 1),
    p95: rounded(quantile(values, 0.95) ?? 0, 1),
  });
  const hours = watch.containerMs / 3_600_000;
  return {
    format: 'undertone-calibration/1',
    url: service.url,
    version,
    at: new Date(now()).toISOString(),
    recogniser,
    round_trip_ms: { worker: quantiles(trips.worker), object: quantiles(trips.object) },
    speed,
    live,
    start_s: watch.startsS.map((seconds) => rounded(seconds, 1)),
    containers: { hours: rounded(hours), dollars: rounded(hours * CONTAINER_HOUR, 4) },
    audio_hour_dollars: Object.fromEntries(costs) as Calibration['audio_hour_dollars'],
  };
}
