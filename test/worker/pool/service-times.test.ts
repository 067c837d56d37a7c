import { expect, it } from 'vitest';
import {
  fittedTimes,
  modelledLatencies,
  PIPELINES,
  quantileOf,
  type ServiceTimes,
} from '../../../bench/fleet/service-times.ts';

const KNOWN: ServiceTimes = { fixedMs: 280, workMs: [90, 150, 220, 310, 480], besideShare: 0.09, everyMs: 3_500 };
const SECONDS = 1_200;
const load = (sessions: number) => ({
  sessions,
  seconds: SECONDS,
  latencies: modelledLatencies(KNOWN, sessions, SECONDS),
});

it('times fitted to the lightest and the heaviest load explain those between within a fifth', () => {
  const alone = load(1);
  const times = fittedTimes(
    { ...alone, latencies: Array.from({ length: PIPELINES }, () => alone.latencies).flat() },
    load(6),
  );
  for (const sessions of [2, 3, 4, 5])
    for (const share of [0.5, 0.95]) {
      const known = quantileOf(load(sessions).latencies, share);
      const modelled = quantileOf(modelledLatencies(times, sessions), share);
      expect(Math.abs(modelled / known - 1)).toBeLessThan(0.2);
    }
  expect(times.everyMs).toBeCloseTo(KNOWN.everyMs, -3);
});

it('texts wait longer with more sessions on a thread', () => {
  const at95 = [1, 3, 6].map((sessions) => quantileOf(load(sessions).latencies, 0.95));
  expect(at95[1]).toBeGreaterThan(at95[0]!);
  expect(at95[2]).toBeGreaterThan(at95[1]!);
});
