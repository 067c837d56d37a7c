/** Number of positions between two samples at which the kernel is tabulated. */
const STEPS = 32;

/**
 * Maximum of a sampled band-limited curve by windowed-sinc interpolation (Boersma 1993, section 3; Hanning-windowed as
 * in Praat's NUM_interpolate_sinc). Instead of a search by Brent's method, it reads a table in steps of 1/32 sample and
 * then fits a parabola.
 */
export class SincPeak {
  readonly depth: number;
  /**
   * STEPS rows of 2 * depth weights, for the samples at -depth+1 to depth around the sample to the left of the
   * position.
   */
  readonly #weights: Float64Array;
  /** Position of the last maximum found, in samples. */
  position = 0;

  /** @param depth number of samples used on each side. */
  constructor(depth: number) {
    this.depth = depth;
    this.#weights = new Float64Array(STEPS * 2 * depth);
    for (let step = 0; step < STEPS; step++) {
      const fraction = step / STEPS;
      for (let tap = 0; tap < 2 * depth; tap++) {
        const distance = Math.abs(tap - (depth - 1) - fraction);
        const reach = tap < depth ? depth + fraction : depth + 1 - fraction;
        const sinc = distance === 0 ? 1 : Math.sin(Math.PI * distance) / (Math.PI * distance);
        this.#weights[step * 2 * depth + tap] = sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / reach));
      }
    }
  }

  /**
   * @param curve samples; there must be `depth` of them on both sides of `near` ± 1.
   * @param near first estimate of the maximum's position, in samples.
   * @returns the value at the maximum; its position is then in `position`.
   */
  find(curve: Float64Array, near: number): number {
    let at = Math.round(near * STEPS);
    let middle = this.#value(curve, at);
    let left = this.#value(curve, at - 1);
    let right = this.#value(curve, at + 1);
    for (let moved = 0; moved < STEPS && (left > middle || right > middle); moved++) {
      if (right >= left) {
        at++;
        left = middle;
        middle = right;
        right = this.#value(curve, at + 1);
      } else {
        at--;
        right = middle;
        middle = left;
        left = this.#value(curve, at - 1);
      }
    }
    const bend = 2 * middle - left - right;
    const shift = bend > 0 ? (0.5 * (right - left)) / bend : 0;
    this.position = (at + shift) / STEPS;
    return middle + 0.25 * (right - left) * shift;
  }

  #value(curve: Float64Array, at: number): number {
    const sample = Math.floor(at / STEPS);
    const taps = 2 * this.depth;
    const weights = this.#weights;
    const row = (at - sample * STEPS) * taps;
    const from = sample - this.depth + 1;
    let sum = 0;
    for (let tap = 0; tap < taps; tap++) sum += weights[row + tap]! * curve[from + tap]!;
    return sum;
  }
}
