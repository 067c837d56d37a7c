import { CEPSTRA } from './speaker-features.ts';

/** Gaussians with diagonal covariances as polynomials: constant + the sum over c of x (linear + x quadratic). */
export interface DiagonalGaussians {
  size: number;
  constant: Float64Array;
  /** Row by row, with one number per coefficient. */
  linear: Float64Array;
  quadratic: Float64Array;
}

/** Number of rows of cepstra that are evaluated together. */
export const ROWS_AT_ONCE = 4;

/**
 * Natural logarithm of the density of each Gaussian at four rows of cepstra. Four rows take half the time of one by one,
 * because they share the loads of each coefficient and their sums do not wait for each other.
 * @param rows four rows
 * @param out receives `size` numbers for each row
 */
export function logDensities(rows: Float64Array, gaussians: DiagonalGaussians, out: Float64Array): void {
  const { size, constant, linear, quadratic } = gaussians;
  for (let g = 0, at = 0; g < size; g++) {
    let first = constant[g]!;
    let second = first;
    let third = first;
    let fourth = first;
    for (let c = 0; c < CEPSTRA; c++, at++) {
      const l = linear[at]!;
      const q = quadratic[at]!;
      const a = rows[c]!;
      const b = rows[CEPSTRA + c]!;
      const d = rows[2 * CEPSTRA + c]!;
      const e = rows[3 * CEPSTRA + c]!;
      first += a * (l + a * q);
      second += b * (l + b * q);
      third += d * (l + d * q);
      fourth += e * (l + e * q);
    }
    out[g] = first;
    out[size + g] = second;
    out[2 * size + g] = third;
    out[3 * size + g] = fourth;
  }
}
