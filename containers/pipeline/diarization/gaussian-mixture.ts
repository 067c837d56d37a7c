import { type DiagonalGaussians, logDensities, ROWS_AT_ONCE } from './diagonal-gaussians.ts';
import { CEPSTRA } from './speaker-features.ts';

const FRAMES_PER_COMPONENT = 150;
const MOST_COMPONENTS = 16;
const ITERATIONS = 8;
/**
 * Most frames that a mixture is fitted on, spread evenly. More take longer and change nothing (bench/diarization.ts).
 */
const MOST_FRAMES = 3000;
const VARIANCE_FLOOR = 0.02;
/** Logarithm of a share that changes a score, which is stored with 32 bits, by less than its rounding. */
const NEGLIGIBLE = -17;

/** A mixture of diagonal Gaussians over cepstra. Its log densities are exact to 64-bit rounding. */
export class GaussianMixture {
  readonly #gaussians: DiagonalGaussians;

  private constructor(weights: Float64Array, means: Float64Array, variances: Float64Array) {
    const size = weights.length;
    const constant = new Float64Array(size);
    const linear = new Float64Array(means.length);
    const quadratic = new Float64Array(means.length);
    for (let k = 0; k < size; k++) {
      let sum = Math.log(weights[k]! + 1e-12) - 0.5 * CEPSTRA * Math.log(2 * Math.PI);
      for (let at = k * CEPSTRA; at < (k + 1) * CEPSTRA; at++) {
        sum -= 0.5 * (Math.log(variances[at]!) + means[at]! ** 2 / variances[at]!);
        linear[at] = means[at]! / variances[at]!;
        quadratic[at] = -0.5 / variances[at]!;
      }
      constant[k] = sum;
    }
    this.#gaussians = { size, constant, linear, quadratic };
  }

  /**
   * Fits by expectation-maximisation (Dempster, Laird & Rubin 1977), with one component for every 150 frames, up to 16.
   * It starts from frames that are spread evenly over the given ones.
   * @param rows cepstra row by row.
   * @param frames the rows to fit on, at least one.
   */
  static fit(rows: Float32Array, frames: Int32Array): GaussianMixture {
    const n = Math.min(frames.length, MOST_FRAMES);
    const x = new Float64Array(n * CEPSTRA);
    for (let i = 0; i < n; i++) {
      const from = frames[Math.floor(((i + 0.5) * frames.length) / n)]! * CEPSTRA;
      for (let c = 0; c < CEPSTRA; c++) x[i * CEPSTRA + c] = rows[from + c]!;
    }
    const k = Math.max(1, Math.min(MOST_COMPONENTS, Math.floor(frames.length / FRAMES_PER_COMPONENT)));
    const spread = varianceOf(x, n);
    const floor = spread.map((v) => VARIANCE_FLOOR * v + 1e-4);
    let weights = new Float64Array(k).fill(1 / k);
    const means = new Float64Array(k * CEPSTRA);
    const variances = new Float64Array(k * CEPSTRA);
    for (let j = 0; j < k; j++) {
      const from = Math.floor(((j + 0.5) * n) / k) * CEPSTRA;
      means.set(x.subarray(from, from + CEPSTRA), j * CEPSTRA);
      variances.set(
        spread.map((v) => v + 1e-3),
        j * CEPSTRA,
      );
    }
    for (let i = 0; i < ITERATIONS; i++) {
      weights = new GaussianMixture(weights, means, variances).#maximise(x, n, floor, means, variances);
    }
    return new GaussianMixture(weights, means, variances);
  }

  /**
   * Natural logarithm of the density at each row of cepstra.
   * @param skipped rows whose mark is 1 get 0
   */
  logDensities(rows: Float32Array, skipped?: Uint8Array): Float64Array {
    const out = new Float64Array(rows.length / CEPSTRA);
    const wanted = new Int32Array(out.length);
    let count = 0;
    for (let row = 0; row < out.length; row++) if (!skipped?.[row]) wanted[count++] = row;
    this.#evaluate(rows, wanted.subarray(0, count), (row, terms, highest) => {
      let sum = 0;
      for (let k = 0; k < terms.length; k++) {
        const below = terms[k]! - highest;
        if (below > NEGLIGIBLE) sum += Math.exp(below);
      }
      out[row] = highest + Math.log(sum);
    });
    return out;
  }

  /**
   * Evaluates the components at rows of cepstra.
   * @param use receives each row with the logarithms of its components' densities, in a buffer that is overwritten, and
   *   the highest of them
   */
  #evaluate(
    cepstra: Float32Array | Float64Array,
    wanted: Int32Array,
    use: (row: number, terms: Float64Array, highest: number) => void,
  ): void {
    const rows = new Float64Array(ROWS_AT_ONCE * CEPSTRA);
    const { size } = this.#gaussians;
    const out = new Float64Array(ROWS_AT_ONCE * size);
    const termsOf = Array.from({ length: ROWS_AT_ONCE }, (_, i) => out.subarray(i * size, (i + 1) * size));
    for (let first = 0; first < wanted.length; first += ROWS_AT_ONCE) {
      const count = Math.min(ROWS_AT_ONCE, wanted.length - first);
      for (let i = 0; i < count; i++) {
        const from = wanted[first + i]! * CEPSTRA;
        for (let c = 0; c < CEPSTRA; c++) rows[i * CEPSTRA + c] = cepstra[from + c]!;
      }
      logDensities(rows, this.#gaussians, out);
      for (let i = 0; i < count; i++) {
        const terms = termsOf[i]!;
        let highest = Number.NEGATIVE_INFINITY;
        for (let k = 0; k < size; k++) if (terms[k]! > highest) highest = terms[k]!;
        use(wanted[first + i]!, terms, highest);
      }
    }
  }

  /** One step of expectation-maximisation. It overwrites means and variances, and returns the new weights. */
  #maximise(
    x: Float64Array,
    n: number,
    floor: Float64Array,
    means: Float64Array,
    variances: Float64Array,
  ): Float64Array<ArrayBuffer> {
    const { size } = this.#gaussians;
    const mass = new Float64Array(size).fill(1e-6);
    const first = new Float64Array(means.length);
    const second = new Float64Array(means.length);
    const all = Int32Array.from({ length: n }, (_, i) => i);
    this.#evaluate(x, all, (i, terms, highest) => {
      let sum = 0;
      for (let k = 0; k < size; k++) {
        const density = Math.exp(terms[k]! - highest);
        terms[k] = density;
        sum += density;
      }
      for (let k = 0; k < size; k++) {
        const share = terms[k]! / sum;
        if (share < 1e-4) continue;
        mass[k] = mass[k]! + share;
        for (let c = 0, at = k * CEPSTRA; c < CEPSTRA; c++, at++) {
          const value = x[i * CEPSTRA + c]!;
          first[at] = first[at]! + share * value;
          second[at] = second[at]! + share * value * value;
        }
      }
    });
    let total = 0;
    for (let k = 0; k < size; k++) {
      total += mass[k]!;
      for (let c = 0, at = k * CEPSTRA; c < CEPSTRA; c++, at++) {
        means[at] = first[at]! / mass[k]!;
        variances[at] = Math.max(second[at]! / mass[k]! - means[at]! ** 2, floor[c]!);
      }
    }
    return mass.map((m) => m / total);
  }
}

function varianceOf(x: Float64Array, n: number): Float64Array {
  const out = new Float64Array(CEPSTRA);
  for (let c = 0; c < CEPSTRA; c++) {
    let sum = 0;
    let squares = 0;
    for (let i = c; i < x.length; i += CEPSTRA) {
      sum += x[i]!;
      squares += x[i]! ** 2;
    }
    out[c] = Math.max(0, squares / n - (sum / n) ** 2);
  }
  return out;
}
