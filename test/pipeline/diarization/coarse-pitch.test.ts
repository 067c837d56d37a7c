import { expect, test } from 'vitest';
import { CoarsePitch, PITCH_STEP_S } from '../../../containers/pipeline/diarization/coarse-pitch.ts';

const RATE = 16_000;

test('follows the pitch at the same rate after ten minutes, with fewer measurements', () => {
  const values: number[] = [];
  const pitch = new CoarsePitch((hz) => values.push(hz));
  const tone = (hz: number) =>
    Float32Array.from({ length: 10 * RATE }, (_, i) => 0.3 * Math.sin((2 * Math.PI * hz * i) / RATE));
  const [low, high] = [tone(120), tone(200)];
  for (let seconds = 0; seconds < 600; seconds += 10) pitch.push(low);
  const before = values.length;
  pitch.push(high);
  const after = values.slice(before + 10);
  expect(Math.abs(values.length - 610 / PITCH_STEP_S)).toBeLessThan(5);
  expect(Math.max(...after.map((hz) => Math.abs(hz - 200)))).toBeLessThan(2);
  expect(Math.max(...values.slice(10, before - 10).map((hz) => Math.abs(hz - 120)))).toBeLessThan(2);
});
