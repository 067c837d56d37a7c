import { CEPSTRA } from './speaker-features.ts';

/** Gaussians with diagonal covariances, as polynomials: constant + sum over c of x (linear + x quadratic). */
export interface DiagonalGaussians {
  size: number;
  constant: Float64Array;
  /** Row by row, with one number per coefficient. */
  linear: Float64Array;
  quadratic: Float64Array;
}

/**
 * The logarithm of each Gaussian's density at a row of cepstra. Four Gaussians at once take half the time of one by one,
 * because their sums do not wait for each other.
 * @param out receives `size` numbers
 */
export function logDensities(row: Float64Array, gaussians: DiagonalGaussians, out: Float64Array): void {
  const { size, constant, linear, quadratic } = gaussians;
  let g = 0;
  for (; g + 4 <= size; g += 4) {
    let s0 = constant[g]!;
    let s1 = constant[g + 1]!;
    let s2 = constant[g + 2]!;
    let s3 = constant[g + 3]!;
    for (let c = 0, at = g * CEPSTRA; c < CEPSTRA; c++, at++) {
      const x = row[c]!;
      s0 += x * (linear[at]! + x * quadratic[at]!);
      s1 += x * (linear[at + CEPSTRA]! + x * quadratic[at + CEPSTRA]!);
      s2 += x * (linear[at + 2 * CEPSTRA]! + x * quadratic[at + 2 * CEPSTRA]!);
      s3 += x * (linear[at + 3 * CEPSTRA]! + x * quadratic[at + 3 * CEPSTRA]!);
    }
    out[g] = s0;
    out[g + 1] = s1;
    out[g + 2] = s2;
    out[g + 3] = s3;
  }
  for (; g < size; g++) {
    let score = constant[g]!;
    for (let c = 0, at = g * CEPSTRA; c < CEPSTRA; c++, at++) {
      const x = row[c]!;
      score += x * (linear[at]! + x * quadratic[at]!);
    }
    out[g] = score;
  }
}
