const mel = (hz: number): number => 2595 * Math.log10(1 + hz / 700);
const hertz = (m: number): number => 700 * (10 ** (m / 2595) - 1);

/**
 * Triangular filters, evenly spaced on the mel scale (Davis & Mermelstein 1980; shaped as in HTK and Kaldi) and stored
 * sparsely.
 */
export class MelFilters {
  /** Lower and upper edge of each band, Hz. */
  readonly edges: { low: number; high: number }[];
  readonly #first: Int32Array;
  readonly #weights: Float64Array[];

  constructor(bands: number, fftSize: number, sampleRate: number, low: number, high: number) {
    const step = (mel(high) - mel(low)) / (bands + 1);
    const point = (i: number): number => hertz(mel(low) + i * step);
    this.edges = Array.from({ length: bands }, (_, i) => ({ low: point(i), high: point(i + 2) }));
    this.#first = new Int32Array(bands);
    this.#weights = this.edges.map((edge, i) => {
      const bin = (hz: number): number => (hz * fftSize) / sampleRate;
      const from = Math.ceil(bin(edge.low));
      const to = Math.floor(bin(edge.high));
      this.#first[i] = from;
      return Float64Array.from({ length: Math.max(0, to - from + 1) }, (_, k) => {
        const at = (mel(((from + k) * sampleRate) / fftSize) - mel(low)) / step - i;
        return Math.max(0, Math.min(at, 2 - at));
      });
    });
  }

  get bands(): number {
    return this.#weights.length;
  }

  /** Natural logarithm of each band's energy plus `floor`, written to `out`. */
  logEnergies(power: Float64Array, floor: number, out: Float64Array): void {
    for (let band = 0; band < this.#weights.length; band++) {
      const weights = this.#weights[band]!;
      const first = this.#first[band]!;
      let sum = floor;
      for (let k = 0; k < weights.length; k++) sum += weights[k]! * power[first + k]!;
      out[band] = Math.log(sum);
    }
  }
}
