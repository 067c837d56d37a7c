import { describe, expect, it } from 'vitest';
import { LevelMeter } from '../../../containers/pipeline/audio/levels.ts';
import { LEVELS_PER_SECOND, LevelsSchema } from '../../../src/contract/media.ts';

const RATE = 16_000;
const WINDOW = RATE / LEVELS_PER_SECOND;

/** Levels of samples pushed in blocks, as numbers by channel. */
function levelsOf(channels: 1 | 2, ...blocks: Int16Array[]): number[][] {
  const meter = new LevelMeter();
  for (const samples of blocks) meter.push({ channels, samples });
  const { rate, channels: encoded } = LevelsSchema.parse(meter.levels);
  expect(rate).toBe(LEVELS_PER_SECOND);
  return encoded.map((text) => [...Buffer.from(text, 'base64')]);
}
/** A square wave, whose level is its amplitude. */
const square = (samples: number, amplitude: number): Int16Array =>
  Int16Array.from({ length: samples }, (_, i) => (i % 2 === 0 ? amplitude : -amplitude));
const atDb = (db: number): number => Math.round(32_768 * 10 ** (db / 20));

describe('levels', () => {
  it('are linear in dB from 60 below full scale on', () => {
    for (const [db, level] of [
      [-6, 0.9 * 255],
      [-30, 0.5 * 255],
      [-54, 0.1 * 255],
      [-60, 0],
      [-80, 0],
    ] as const) {
      const [[measured]] = levelsOf(1, square(WINDOW, atDb(db))) as [[number]];
      expect(Math.abs(measured - level), `${db} dB`).toBeLessThanOrEqual(2);
    }
    expect(levelsOf(1, square(WINDOW, -32_768))).toEqual([[255]]);
    expect(levelsOf(1, new Int16Array(WINDOW))).toEqual([[0]]);
  });

  it('come twenty a second, for blocks of any size', () => {
    const sound = Int16Array.from({ length: 10 * WINDOW + 7 }, (_, i) => Math.round(20_000 * Math.sin(i * i)));
    const whole = levelsOf(1, sound);
    expect(whole[0]).toHaveLength(11);
    const pieces: Int16Array[] = [];
    for (let at = 0, size = 1; at < sound.length; at += size, size = (size * 7) % 1009)
      pieces.push(sound.subarray(at, at + size));
    expect(levelsOf(1, ...pieces)).toEqual(whole);
  });

  it('are measured for each channel', () => {
    const [loud, silent] = [square(2 * WINDOW, atDb(-6)), new Int16Array(2 * WINDOW)];
    const both = Int16Array.from({ length: 4 * WINDOW }, (_, i) => (i % 2 === 0 ? loud : silent)[i >> 1]!);
    const [left, right] = levelsOf(2, both);
    expect(left).toEqual(levelsOf(1, loud)[0]);
    expect(right).toEqual([0, 0]);
  });

  it('continue for hours', () => {
    const meter = new LevelMeter();
    const minute = square(60 * RATE, atDb(-30));
    for (let i = 0; i < 5; i++) meter.push({ channels: 1, samples: minute });
    const [levels] = meter.levels.channels.map((text) => Buffer.from(text, 'base64'));
    expect(levels).toHaveLength(5 * 60 * LEVELS_PER_SECOND);
    expect(new Set(levels).size).toBe(1);
  });

  it('are empty without samples', () => {
    expect(new LevelMeter().levels).toEqual({ rate: LEVELS_PER_SECOND, channels: [] });
  });
});
