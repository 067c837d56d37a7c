import type { Estimate } from '../../../contract/trends.ts';

/** Probability that an interval contains the value. */
const LEVEL = 0.95;

/**
 * The mean of some values with its interval by Student's t distribution (Student 1908).
 * @param values at least two
 */
export function meanOf(values: readonly number[]): Estimate {
  const n = values.length;
  const mean = sum(values) / n;
  const variance = sum(values.map((value) => (value - mean) ** 2)) / (n - 1);
  return estimate(mean, Math.sqrt(variance / n), n);
}

/**
 * A pooled ratio, the sum of `above` divided by the sum of `below`, with its interval. The conversations are the
 * sample, so that utterances of the same one do not count as independent: the linearised variance of a ratio estimator
 * (Cochran 1977, Sampling Techniques, equation 6.4, without correction for a finite population).
 * @param above at least two
 * @param below of the same length, none of them 0
 */
export function ratioOf(above: readonly number[], below: readonly number[]): Estimate {
  const n = above.length;
  const total = sum(below);
  const ratio = sum(above) / total;
  const variance = sum(above.map((value, i) => (value - ratio * below[i]!) ** 2)) / (n - 1);
  return estimate(ratio, Math.sqrt(variance / n) / (total / n), n);
}

/** The quartiles, interpolated linearly (Hyndman & Fan 1996, type 7). */
export function quartilesOf(values: readonly number[]): [number, number, number] {
  const sorted = [...values].sort((a, b) => a - b);
  const quantile = (share: number): number => {
    const at = share * (sorted.length - 1);
    const low = Math.floor(at);
    const [before, after] = [sorted[low]!, sorted[Math.min(low + 1, sorted.length - 1)]!];
    return before + (at - low) * (after - before);
  };
  return [quantile(0.25), quantile(0.5), quantile(0.75)];
}

const estimate = (value: number, error: number, n: number): Estimate => {
  const half = studentQuantile(n - 1) * error;
  return { value, from: value - half, to: value + half };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const quantiles = new Map<number, number>();

/** The quantile of Student's t distribution for a two-sided interval. @param degrees of freedom, at least 1 */
export function studentQuantile(degrees: number): number {
  let quantile = quantiles.get(degrees);
  if (quantile === undefined) {
    let [low, high] = [0, 1];
    while (outside(high, degrees) > 1 - LEVEL) high *= 2;
    // Sixty halvings reach the precision of a number.
    for (let i = 0; i < 60; i++) {
      const middle = (low + high) / 2;
      if (outside(middle, degrees) > 1 - LEVEL) low = middle;
      else high = middle;
    }
    quantile = (low + high) / 2;
    quantiles.set(degrees, quantile);
  }
  return quantile;
}

/** The probability of a value beyond ±t: the regularised incomplete beta function I_x(degrees / 2, 1 / 2). */
function outside(t: number, degrees: number): number {
  const x = degrees / (degrees + t * t);
  const [a, b] = [degrees / 2, 0.5];
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x));
  return x < (a + 1) / (a + b + 2) ? (front * fraction(x, a, b)) / a : 1 - (front * fraction(1 - x, b, a)) / b;
}

/** The continued fraction of the incomplete beta function (Press et al. 2007, Numerical Recipes, section 6.4). */
function fraction(x: number, a: number, b: number): number {
  const away = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value);
  let c = 1;
  let d = 1 / away(1 - ((a + b) * x) / (a + 1));
  let result = d;
  for (let m = 1; m <= 10_000; m++) {
    for (const term of [
      (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m)),
      (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1)),
    ]) {
      d = 1 / away(1 + term * d);
      c = away(1 + term / c);
      result *= d * c;
    }
    if (Math.abs(d * c - 1) < 1e-16) break;
  }
  return result;
}

/** The logarithm of the gamma function by Stirling's series, after a shift to where it converges. */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 12; z++) shift += Math.log(z);
  const series = 1 / (12 * z) - 1 / (360 * z ** 3) + 1 / (1260 * z ** 5) - 1 / (1680 * z ** 7) + 1 / (1188 * z ** 9);
  return (z - 0.5) * Math.log(z) - z + 0.5 * Math.log(2 * Math.PI) + series - shift;
}
