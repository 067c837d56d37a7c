import { LEVELS_PER_SECOND, type Levels } from '../../../src/contract/media.ts';
import { SAMPLE_RATE_HZ } from './interval.ts';

const WINDOW = SAMPLE_RATE_HZ / LEVELS_PER_SECOND;
const FULL_SCALE = 32_768;
/** Range below full scale that is drawn, dB. Anything quieter is drawn as silence. */
const RANGE_DB = 60;
/** Number of windows allocated initially: one minute. */
const FIRST_ROOM = 60 * LEVELS_PER_SECOND;

/** Levels of a recording over time, for drawing its waveform. One byte for each window and channel. */
export class LevelMeter {
  #channels: Uint8Array[] = [];
  #sums: number[] = [];
  /** Number of complete windows, and of samples in the open one. */
  #windows = 0;
  #open = 0;

  /** Adds the next samples, interleaved. All blocks have the same number of channels. */
  push({ channels, samples }: { channels: 1 | 2; samples: Int16Array }): void {
    if (this.#channels.length === 0) {
      this.#channels = Array.from({ length: channels }, () => new Uint8Array(FIRST_ROOM));
      this.#sums = Array.from({ length: channels }, () => 0);
    }
    for (let at = 0; at < samples.length; ) {
      const end = Math.min(samples.length, at + (WINDOW - this.#open) * channels);
      for (let channel = 0; channel < channels; channel++) {
        let sum = this.#sums[channel]!;
        for (let i = at + channel; i < end; i += channels) sum += samples[i]! * samples[i]!;
        this.#sums[channel] = sum;
      }
      this.#open += (end - at) / channels;
      at = end;
      if (this.#open === WINDOW) this.#closeWindow();
    }
  }

  /** All levels so far, including that of an incomplete window. */
  get levels(): Levels {
    if (this.#open > 0) this.#closeWindow();
    return {
      rate: LEVELS_PER_SECOND,
      channels: this.#channels.map((levels) => Buffer.from(levels.subarray(0, this.#windows)).toString('base64')),
    };
  }

  #closeWindow(): void {
    for (const [channel, sum] of this.#sums.entries()) {
      let levels = this.#channels[channel]!;
      if (this.#windows === levels.length) {
        levels = new Uint8Array(2 * levels.length);
        levels.set(this.#channels[channel]!);
        this.#channels[channel] = levels;
      }
      levels[this.#windows] = levelOf(Math.sqrt(sum / this.#open) / FULL_SCALE);
      this.#sums[channel] = 0;
    }
    this.#windows++;
    this.#open = 0;
  }
}

/** 0 at `RANGE_DB` below full scale or less, 255 at full scale, and linear in dB in between. */
const levelOf = (rms: number): number =>
  Math.round(255 * Math.min(1, Math.max(0, 1 + (20 * Math.log10(rms)) / RANGE_DB)));

/** Level of audible sound (-45 dB), and the share of a recording above which it is more than a click. */
const AUDIBLE = Math.round((255 * (RANGE_DB - 45)) / RANGE_DB);
const AUDIBLE_SHARE = 0.05;

/** Whether a recording has sound other than speech, such as music. */
export const hasSound = ({ channels }: Levels): boolean =>
  channels.some((channel) => {
    const levels = Buffer.from(channel, 'base64');
    return levels.filter((level) => level >= AUDIBLE).length > AUDIBLE_SHARE * levels.length;
  });
