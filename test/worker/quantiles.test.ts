import { expect, it } from 'vitest';
import { HISTOGRAMS, ObservedValues } from '../../src/worker/metrics/histograms.ts';
import { estimatedQuantiles } from '../../src/worker/metrics/quantiles.ts';

it('estimates quantiles within the bucket that has them', () => {
  const values = new ObservedValues();
  for (let i = 0; i < 90; i++) values.add('live_final_seconds', 0.9);
  for (let i = 0; i < 10; i++) values.add('live_final_seconds', 2.5);
  const { median, p95 } = estimatedQuantiles('live_final_seconds', values.drain())!;
  expect(median).toBeGreaterThan(750);
  expect(median).toBeLessThanOrEqual(1_000);
  expect(p95).toBeGreaterThan(2_000);
  expect(p95).toBeLessThanOrEqual(3_000);
});

it('has no quantiles without observations, and the last bound for what lies beyond it', () => {
  expect(estimatedQuantiles('live_final_seconds', [])).toBeNull();
  const values = new ObservedValues();
  values.add('live_final_seconds', 99);
  const last = HISTOGRAMS.live_final_seconds.bounds.at(-1)! * 1000;
  expect(estimatedQuantiles('live_final_seconds', values.drain())).toEqual({ median: last, p95: last });
});
