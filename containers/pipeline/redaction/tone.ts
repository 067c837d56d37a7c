import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { LevelMeter } from '../audio/levels.ts';
import type { PcmSpool } from '../audio/pcm-spool.ts';

/** The tone that replaces redacted sound: its frequency and its amplitude (-20 dB re full scale). */
const TONE_HZ = 1_000;
const AMPLITUDE = 3_277;
/** Length of its rise and fall, samples: 10 ms, so that it does not click. */
const FADE = SAMPLE_RATE_HZ / 100;
/** Number of samples that are written or read at once. */
const BLOCK = 60 * SAMPLE_RATE_HZ;

/** Overwrites intervals of a recording with a tone, in all channels. */
export async function muteIntervals(spool: PcmSpool, intervals: readonly Interval[]): Promise<void> {
  for (const { start, end } of intervals) {
    const first = Math.max(0, Math.floor(start * SAMPLE_RATE_HZ));
    const last = Math.min(spool.length, Math.ceil(end * SAMPLE_RATE_HZ));
    for (let at = first; at < last; at += BLOCK) {
      const count = Math.min(BLOCK, last - at);
      const samples = new Int16Array(count * spool.channels);
      for (let i = 0; i < count; i++) {
        const n = at + i - first;
        const edge = Math.min(1, (n + 1) / FADE, (last - first - n) / FADE);
        const value = Math.round(AMPLITUDE * edge * Math.sin((2 * Math.PI * TONE_HZ * n) / SAMPLE_RATE_HZ));
        for (let channel = 0; channel < spool.channels; channel++) samples[i * spool.channels + channel] = value;
      }
      await spool.overwrite(at, samples);
    }
  }
}

/** The levels of a recording as it is now. */
export async function levelsOf(spool: PcmSpool): Promise<LevelMeter> {
  const meter = new LevelMeter();
  for (let at = 0; at < spool.length; at += BLOCK)
    meter.push({ channels: spool.channels, samples: await spool.readInterleaved(at, at + BLOCK) });
  return meter;
}
