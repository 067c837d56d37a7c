/**
 * Power spectrum of a real frame by one complex FFT of half its length (packed even/odd samples, radix 2).
 * Cooley & Tukey 1965; the packing is section 12.3 of Numerical Recipes.
 */
export class PowerSpectrum {
  readonly size: number;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;
  readonly #reversed: Uint16Array;

  /** @param size samples in a frame, a power of two from 8 to 65536. */
  constructor(size: number) {
    this.size = size;
    const half = size / 2;
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
    this.#cos = Float64Array.from({ length: half }, (_, i) => Math.cos((2 * Math.PI * i) / size));
    this.#sin = Float64Array.from({ length: half }, (_, i) => Math.sin((2 * Math.PI * i) / size));
    this.#reversed = new Uint16Array(half);
    for (let i = 1; i < half; i++) this.#reversed[i] = (this.#reversed[i >> 1]! >> 1) | (i & 1 ? half >> 1 : 0);
  }

  /** Writes |X[k]|^2 for k = 0..size/2 into `power` (size/2 + 1 values). */
  measure(frame: Float64Array, power: Float64Array): void {
    const half = this.size / 2;
    const re = this.#re;
    const im = this.#im;
    const reversed = this.#reversed;
    for (let i = 0; i < half; i++) {
      const j = reversed[i]!;
      re[j] = frame[2 * i]!;
      im[j] = frame[2 * i + 1]!;
    }
    this.#transform(half);
    const cos = this.#cos;
    const sin = this.#sin;
    power[0] = (re[0]! + im[0]!) ** 2;
    power[half] = (re[0]! - im[0]!) ** 2;
    for (let k = 1; k < half; k++) {
      const m = half - k;
      const evenRe = (re[k]! + re[m]!) / 2;
      const evenIm = (im[k]! - im[m]!) / 2;
      const oddRe = (im[k]! + im[m]!) / 2;
      const oddIm = (re[m]! - re[k]!) / 2;
      const c = cos[k]!;
      const s = sin[k]!;
      const xr = evenRe + c * oddRe + s * oddIm;
      const xi = evenIm + c * oddIm - s * oddRe;
      power[k] = xr * xr + xi * xi;
    }
  }

  #transform(n: number): void {
    const re = this.#re;
    const im = this.#im;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let i = 0; i < n; i += 2) {
      const r = re[i + 1]!;
      const m = im[i + 1]!;
      re[i + 1] = re[i]! - r;
      im[i + 1] = im[i]! - m;
      re[i] = re[i]! + r;
      im[i] = im[i]! + m;
    }
    for (let length = 4; length <= n; length *= 2) {
      const quarter = length / 2;
      const step = this.size / length;
      for (let start = 0; start < n; start += length) {
        for (let k = 0, t = 0; k < quarter; k++, t += step) {
          const a = start + k;
          const b = a + quarter;
          const c = cos[t]!;
          const s = sin[t]!;
          const r = re[b]! * c + im[b]! * s;
          const m = im[b]! * c - re[b]! * s;
          re[b] = re[a]! - r;
          im[b] = im[a]! - m;
          re[a] = re[a]! + r;
          im[a] = im[a]! + m;
        }
      }
    }
  }
}
