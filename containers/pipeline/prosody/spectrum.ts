import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { slope } from './statistics.ts';

/** Band edges, Hz. Bands are 100 Hz wide up to 1.5 kHz, where the slopes are measured, and 250 Hz wide above. */
const EDGES_HZ = [
  ...Array.from({ length: 15 }, (_, i) => i * 100),
  ...Array.from({ length: 27 }, (_, i) => 1500 + i * 250),
];
const BANDS = EDGES_HZ.length - 1;
/** Frequency below which there is hum and rumble but no voice, Hz. */
const LOWEST_HZ = 50;
/** Power this far below that of the 0.3 to 4 kHz band means that nothing was transmitted, dB. */
const NARROWBAND_DB = 35;

const decibel = (power: number): number => 10 * Math.log10(power + 1e-20);

/** Measures of the long-term average spectrum of a voice. */
export interface VoiceSpectrum {
  alphaRatioDb: number;
  highEnergyRatio: number;
  hammarbergDb: number;
  slope0to500: number;
  slope500to1500: number;
  narrowband: boolean;
}

/** Collects the spectra of one utterance's frames, summed into bands, in arrays that grow and are reused. */
export class SpectrumCollector {
  #bands = new Float64Array(0);
  #centroid = new Float64Array(0);
  #spread = new Float64Array(0);
  #bandOfBin = new Uint8Array(0);

  reset(frames: number): void {
    if (this.#centroid.length < frames) {
      const room = Math.ceil(frames * 1.5);
      this.#bands = new Float64Array(room * BANDS);
      this.#centroid = new Float64Array(room);
      this.#spread = new Float64Array(room);
    }
    this.#bands.fill(0, 0, frames * BANDS);
    this.#centroid.fill(0, 0, frames);
    this.#spread.fill(0, 0, frames);
  }

  /** @param power bins 0..size/2 of one frame, `binHz` apart. */
  add(frame: number, power: Float64Array, binHz: number): void {
    if (this.#bandOfBin.length !== power.length)
      this.#bandOfBin = Uint8Array.from(power, (_, bin) => {
        const above = EDGES_HZ.findIndex((edge) => edge > bin * binHz);
        return above < 0 ? BANDS - 1 : above - 1;
      });
    const bandOfBin = this.#bandOfBin;
    const bands = this.#bands;
    const first = frame * BANDS;
    let total = 0;
    let moment = 0;
    let square = 0;
    for (let bin = Math.ceil(LOWEST_HZ / binHz); bin < power.length; bin++) {
      const p = power[bin]!;
      bands[first + bandOfBin[bin]!]! += p;
      const magnitude = Math.sqrt(p);
      const hz = bin * binHz;
      total += magnitude;
      moment += magnitude * hz;
      square += magnitude * hz * hz;
    }
    if (total === 0) return;
    const centroid = moment / total;
    this.#centroid[frame] = centroid;
    this.#spread[frame] = Math.sqrt(Math.max(0, square / total - centroid * centroid));
  }

  /** @param chosen above 0 for each frame that counts. */
  voiceSpectrum(chosen: ArrayLike<number>): VoiceSpectrum {
    const average = new Float64Array(BANDS);
    for (let frame = 0; frame < chosen.length; frame++) {
      if (chosen[frame] === 0) continue;
      for (let band = 0; band < BANDS; band++) average[band]! += this.#bands[frame * BANDS + band]!;
    }
    const between = (lowHz: number, highHz: number): number =>
      average.reduce((sum, p, band) => (EDGES_HZ[band]! >= lowHz && EDGES_HZ[band + 1]! <= highHz ? sum + p : sum), 0);
    const all = between(0, SAMPLE_RATE_HZ / 2);
    if (all === 0)
      return {
        alphaRatioDb: 0,
        highEnergyRatio: 0,
        hammarbergDb: 0,
        slope0to500: 0,
        slope500to1500: 0,
        narrowband: false,
      };
    const density = (band: number) => decibel(average[band]! / (EDGES_HZ[band + 1]! - EDGES_HZ[band]!));
    const slopeOf = (fromBand: number, toBand: number) => {
      const bands = Array.from({ length: toBand - fromBand }, (_, i) => fromBand + i);
      return slope(
        bands.map((band) => (EDGES_HZ[band]! + EDGES_HZ[band + 1]!) / 2),
        bands.map(density),
      );
    };
    const strongest = (lowHz: number, highHz: number) =>
      Math.max(
        ...Array.from(average, (_, band) => band)
          .filter((b) => EDGES_HZ[b]! >= lowHz && EDGES_HZ[b + 1]! <= highHz)
          .map(density),
      );
    const perHz = (lowHz: number, highHz: number) => between(lowHz, highHz) / (highHz - lowHz);
    return {
      alphaRatioDb: decibel(between(0, 1000)) - decibel(between(1000, 5000)),
      highEnergyRatio: between(1000, SAMPLE_RATE_HZ / 2) / all,
      hammarbergDb: strongest(0, 2000) - strongest(2000, 5000),
      slope0to500: slopeOf(0, 5),
      slope500to1500: slopeOf(5, 15),
      narrowband: decibel(perHz(4250, 8000)) < decibel(perHz(300, 4000)) - NARROWBAND_DB,
    };
  }

  /** Mean centroid, its standard deviation over the frames, and the mean spread, Hz. */
  moments(chosen: Uint8Array): { centroidHz: number; centroidSdHz: number; spreadHz: number } {
    let n = 0;
    let sum = 0;
    let square = 0;
    let spread = 0;
    for (let frame = 0; frame < chosen.length; frame++) {
      const centroid = this.#centroid[frame]!;
      if (chosen[frame] === 0 || centroid === 0) continue;
      n++;
      sum += centroid;
      square += centroid * centroid;
      spread += this.#spread[frame]!;
    }
    if (n === 0) return { centroidHz: 0, centroidSdHz: 0, spreadHz: 0 };
    const middle = sum / n;
    return {
      centroidHz: middle,
      centroidSdHz: Math.sqrt(Math.max(0, square / n - middle * middle)),
      spreadHz: spread / n,
    };
  }
}
