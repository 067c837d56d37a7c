/**
 * Discrete Fourier transform of real signals of one power-of-two length, with reused buffers. It uses a complex radix-2
 * transform of half the length, and the standard split into even and odd samples (Press et al., Numerical Recipes,
 * 12.3).
 */
export class RealFourier {
  readonly size: number;
  readonly #half: number;
  readonly #re: Float64Array;
  readonly #im: Float64Array;
  readonly #reversed: Uint16Array;
  /** cos and sin of 2 pi k / size for k < size / 2. */
  readonly #cos: Float64Array;
  readonly #sin: Float64Array;

  /** @param size a power of two, 16 to 65536. */
  constructor(size: number) {
    if (size < 16 || size > 65_536 || (size & (size - 1)) !== 0)
      throw new RangeError(`The size must be a power of two from 16 to 65536, not ${size}`);
    const half = size / 2;
    this.size = size;
    this.#half = half;
    this.#re = new Float64Array(half);
    this.#im = new Float64Array(half);
    this.#cos = Float64Array.from({ length: half }, (_, k) => Math.cos((2 * Math.PI * k) / size));
    this.#sin = Float64Array.from({ length: half }, (_, k) => Math.sin((2 * Math.PI * k) / size));
    this.#reversed = new Uint16Array(half);
    for (let i = 1; i < half; i++) this.#reversed[i] = (this.#reversed[i >> 1]! >> 1) | (i & 1 ? half >> 1 : 0);
  }

  /**
   * Power spectrum |X[k]|^2.
   * @param signal `size` samples.
   * @param power receives bins 0..size/2.
   */
  power(signal: Float64Array, power: Float64Array): void {
    const { size } = this;
    const half = this.#half;
    const re = this.#re;
    const im = this.#im;
    const reversed = this.#reversed;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let i = 0; i < half; i++) {
      const to = reversed[i]!;
      re[to] = signal[2 * i]!;
      im[to] = signal[2 * i + 1]!;
    }
    this.#transform();
    power[0] = (re[0]! + im[0]!) ** 2;
    power[half] = (re[0]! - im[0]!) ** 2;
    for (let k = 1, m = half - 1; k <= m; k++, m--) {
      const evenRe = 0.5 * (re[k]! + re[m]!);
      const evenIm = 0.5 * (im[k]! - im[m]!);
      const oddRe = 0.5 * (im[k]! + im[m]!);
      const oddIm = 0.5 * (re[m]! - re[k]!);
      const c = cos[k]!;
      const s = sin[k]!;
      const turnedRe = c * oddRe + s * oddIm;
      const turnedIm = c * oddIm - s * oddRe;
      const a = evenRe + turnedRe;
      const b = evenIm + turnedIm;
      const d = evenRe - turnedRe;
      const e = evenIm - turnedIm;
      power[k] = a * a + b * b;
      power[size / 2 - k] = d * d + e * e;
    }
  }

  /**
   * Autocorrelation from a power spectrum, which is the inverse transform of a real even sequence. It is not divided by
   * `size`.
   * @param power bins 0..size/2.
   * @param correlation receives lags 0..size/2 - 1.
   */
  correlation(power: Float64Array, correlation: Float64Array): void {
    const half = this.#half;
    const re = this.#re;
    const im = this.#im;
    const reversed = this.#reversed;
    for (let i = 0; i < half; i++) {
      const at = 2 * i;
      const to = reversed[i]!;
      re[to] = power[at <= half ? at : 2 * half - at]!;
      im[to] = power[at + 1 <= half ? at + 1 : 2 * half - at - 1]!;
    }
    this.#transform();
    correlation[0] = re[0]! + im[0]!;
    for (let k = 1, m = half - 1; k <= m; k++, m--) {
      const even = 0.5 * (re[k]! + re[m]!);
      const oddRe = 0.5 * (im[k]! + im[m]!);
      const oddIm = 0.5 * (re[m]! - re[k]!);
      const turned = this.#cos[k]! * oddRe + this.#sin[k]! * oddIm;
      correlation[k] = even + turned;
      correlation[m] = even - turned;
    }
  }

  /** Decimation in time over the bit-reversed buffers. The first two stages need no multiplication. */
  #transform(): void {
    const half = this.#half;
    const re = this.#re;
    const im = this.#im;
    const cos = this.#cos;
    const sin = this.#sin;
    for (let i = 0; i < half; i += 4) {
      const ar = re[i]! + re[i + 1]!;
      const ai = im[i]! + im[i + 1]!;
      const br = re[i]! - re[i + 1]!;
      const bi = im[i]! - im[i + 1]!;
      const cr = re[i + 2]! + re[i + 3]!;
      const ci = im[i + 2]! + im[i + 3]!;
      const dr = re[i + 2]! - re[i + 3]!;
      const di = im[i + 2]! - im[i + 3]!;
      re[i] = ar + cr;
      im[i] = ai + ci;
      re[i + 1] = br + di;
      im[i + 1] = bi - dr;
      re[i + 2] = ar - cr;
      im[i + 2] = ai - ci;
      re[i + 3] = br - di;
      im[i + 3] = bi + dr;
    }
    let span = 4;
    for (; 2 * span < half; span *= 4) this.#twoStages(span);
    if (span === half) return;
    const stride = half / span;
    for (let k = 0; k < span; k++) {
      const c = cos[k * stride]!;
      const s = sin[k * stride]!;
      for (let top = k; top < half; top += 2 * span) {
        const low = top + span;
        const xr = re[low]!;
        const xi = im[low]!;
        const tr = c * xr + s * xi;
        const ti = c * xi - s * xr;
        re[low] = re[top]! - tr;
        im[low] = im[top]! - ti;
        re[top] = re[top]! + tr;
        im[top] = im[top]! + ti;
      }
    }
  }

  /** The stages that join blocks of `span` and of twice that, in one pass over the buffers. */
  #twoStages(span: number): void {
    const half = this.#half;
    const re = this.#re;
    const im = this.#im;
    const cos = this.#cos;
    const sin = this.#sin;
    const stride = half / span;
    for (let k = 0; k < span; k++) {
      const c1 = cos[k * stride]!;
      const s1 = sin[k * stride]!;
      const c2 = cos[(k * stride) / 2]!;
      const s2 = sin[(k * stride) / 2]!;
      const c3 = cos[((k + span) * stride) / 2]!;
      const s3 = sin[((k + span) * stride) / 2]!;
      for (let i0 = k; i0 < half; i0 += 4 * span) {
        const i1 = i0 + span;
        const i2 = i1 + span;
        const i3 = i2 + span;
        const t1r = c1 * re[i1]! + s1 * im[i1]!;
        const t1i = c1 * im[i1]! - s1 * re[i1]!;
        const t3r = c1 * re[i3]! + s1 * im[i3]!;
        const t3i = c1 * im[i3]! - s1 * re[i3]!;
        const ar = re[i0]! + t1r;
        const ai = im[i0]! + t1i;
        const br = re[i0]! - t1r;
        const bi = im[i0]! - t1i;
        const cr = re[i2]! + t3r;
        const ci = im[i2]! + t3i;
        const dr = re[i2]! - t3r;
        const di = im[i2]! - t3i;
        const ur = c2 * cr + s2 * ci;
        const ui = c2 * ci - s2 * cr;
        const vr = c3 * dr + s3 * di;
        const vi = c3 * di - s3 * dr;
        re[i0] = ar + ur;
        im[i0] = ai + ui;
        re[i2] = ar - ur;
        im[i2] = ai - ui;
        re[i1] = br + vr;
        im[i1] = bi + vi;
        re[i3] = br - vr;
        im[i3] = bi - vi;
      }
    }
  }
}
