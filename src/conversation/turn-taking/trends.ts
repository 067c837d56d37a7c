/** Mean. 0 for an empty list. */
export const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, x) => sum + x, 0) / values.length;

/** Population standard deviation. 0 for an empty list. */
export function standardDeviation(values: number[]): number {
  const m = mean(values);
  return Math.sqrt(mean(values.map((x) => (x - m) ** 2)));
}

/**
 * Number of points that a trend is fitted to. More points are averaged into this many, which limits the pairs to 780.
 */
const MAX_POINTS = 40;
/** Change over the whole conversation below which a value is stable (methods, section 3: |slope n| < .05). */
const STABLE_CHANGE = 0.05;
/** ... or below which it is noise, in standard errors of the mean of one half. */
const NOISE_SD = 1;

/**
 * Theil-Sen change from first to last: the median slope of all pairs, multiplied by the length. Robust to single
 * outliers.
 */
export function robustChange(values: number[]): number {
  const bins = Math.min(values.length, MAX_POINTS);
  const points = Array.from({ length: bins }, (_, i) =>
    mean(values.slice(Math.floor((i * values.length) / bins), Math.floor(((i + 1) * values.length) / bins))),
  );
  const slopes: number[] = [];
  points.forEach((a, i) => {
    for (let j = i + 1; j < points.length; j++) slopes.push(((points[j] ?? 0) - a) / (j - i));
  });
  if (slopes.length === 0) return 0;
  slopes.sort((a, b) => a - b);
  const mid = slopes.length >> 1;
  const slope = slopes.length % 2 ? (slopes[mid] ?? 0) : ((slopes[mid - 1] ?? 0) + (slopes[mid] ?? 0)) / 2;
  return slope * (points.length - 1);
}

/** -1 for falling, 0 for stable, 1 for rising. */
export function direction(values: number[]): -1 | 0 | 1 {
  const change = robustChange(values);
  const noise = (NOISE_SD * standardDeviation(values)) / Math.sqrt(Math.max(1, values.length / 2));
  if (Math.abs(change) < Math.max(STABLE_CHANGE, noise)) return 0;
  return change > 0 ? 1 : -1;
}
