import type { Observed } from './histograms.ts';

declare module '../identity/env.ts' {
  interface Env {
    /** Workers Analytics Engine. Only deployments bind it (`scripts/deploy/worker-config.ts`). */
    POINTS?: AnalyticsEngineDataset;
  }
}

/** Increments from one request. */
export interface Counts {
  /** Emitted events by name. */
  events: Record<string, number>;
  /** Summed latency and its number of samples, by agent scope. */
  latency: Record<string, { sumMs: number; count: number }>;
  /** Values observed for the histograms. */
  observed: Observed[];
}

/** Limit on the points of one invocation (developers.cloudflare.com/analytics/analytics-engine/limits/). */
const MAX_POINTS = 250;

/** The name of a series, the values of its labels, and its numbers. */
type Point = [name: string, labels: string[], doubles: number[]];

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/**
 * Writes counts to Workers Analytics Engine, if it is bound. A point has the name of a series as its index and blob 1,
 * the values of its labels as further blobs, the number of values as double 1, their sum as double 2, and the number in
 * each bucket of a histogram as further doubles. Unlike the counts of the one object, points of any number of isolates
 * are written at the same time, keep their time, and cost no request.
 */
export function writePoints(dataset: AnalyticsEngineDataset | undefined, { events, latency, observed }: Counts): void {
  if (!dataset) return;
  const points: Point[] = [
    ...observed.map(({ name, labels, counts, sum }): Point => [name, labels, [total(counts), sum, ...counts]]),
    ...Object.entries(latency).map(
      ([scope, { sumMs, count }]): Point => ['agent_seconds', [scope], [count, sumMs / 1000]],
    ),
    ...Object.entries(events).map(([event, count]): Point => ['events_total', [event], [count]]),
  ];
  for (const [name, labels, doubles] of points.slice(0, MAX_POINTS))
    dataset.writeDataPoint({ indexes: [name], blobs: [name, ...labels], doubles });
}
