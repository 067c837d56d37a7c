import type { Quantiles } from '../../contract/operations.ts';
import { HISTOGRAMS, type HistogramName, type Observed } from './histograms.ts';

/**
 * Median and 95th percentile of a histogram in ms, by linear interpolation within a bucket as in Prometheus'
 * `histogram_quantile`; null without observations. Values beyond the last bound count as that bound.
 */
export function estimatedQuantiles(name: HistogramName, observed: readonly Observed[]): Quantiles | null {
  const { bounds } = HISTOGRAMS[name];
  const own = observed.filter((one) => one.name === name);
  const counts = Array.from({ length: bounds.length + 1 }, (_, i) =>
    own.reduce((sum, one) => sum + (one.counts[i] ?? 0), 0),
  );
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const at = (share: number): number => {
    let below = 0;
    for (const [i, bound] of bounds.entries()) {
      const inBucket = counts[i]!;
      if (below + inBucket >= share * total && inBucket > 0) {
        const from = bounds[i - 1] ?? 0;
        return Math.round((from + ((share * total - below) / inBucket) * (bound - from)) * 1000);
      }
      below += inBucket;
    }
    return bounds.at(-1)! * 1000;
  };
  return { median: at(0.5), p95: at(0.95) };
}
