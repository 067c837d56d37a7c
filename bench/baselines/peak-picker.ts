import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';

/**
 * Baseline: the strongest peak of the normalised autocorrelation of each 40 ms frame. A frame is voiced above .45.
 * There is no path and no interpolation.
 */
export function peakPicker(samples: Float32Array, startS: number, stepS: number, frames: number): Float64Array {
  const half = 0.02 * SAMPLE_RATE_HZ;
  const found = new Float64Array(frames);
  const loudest = samples.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  for (let frame = 0; frame < frames; frame++) {
    const middle = Math.round((startS + frame * stepS) * SAMPLE_RATE_HZ);
    const window = samples.subarray(Math.max(0, middle - half), middle + half);
    if (window.reduce((most, x) => Math.max(most, Math.abs(x)), 0) < 0.03 * loudest) continue;
    let best = 0.45;
    for (let lag = Math.ceil(SAMPLE_RATE_HZ / 600); lag <= SAMPLE_RATE_HZ / 75; lag++) {
      let product = 0;
      let here = 0;
      let there = 0;
      for (let i = 0; i + lag < window.length; i++) {
        product += window[i]! * window[i + lag]!;
        here += window[i]! ** 2;
        there += window[i + lag]! ** 2;
      }
      const r = product / Math.sqrt(here * there || 1);
      if (r > best) {
        best = r;
        found[frame] = SAMPLE_RATE_HZ / lag;
      }
    }
  }
  return found;
}
