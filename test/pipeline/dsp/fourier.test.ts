import { describe, expect, it } from 'vitest';
import { RealFourier } from '../../../containers/pipeline/dsp/fourier.ts';
import { uniform } from '../../../support/synthetic-voice.ts';

const next = uniform(3);
const signal = Float64Array.from({ length: 64 }, next);

describe('real Fourier transform', () => {
  it('equals the definition of the power spectrum', () => {
    const power = new Float64Array(33);
    new RealFourier(64).power(signal, power);
    for (let k = 0; k <= 32; k++) {
      let re = 0;
      let im = 0;
      signal.forEach((x, n) => {
        re += x * Math.cos((2 * Math.PI * k * n) / 64);
        im -= x * Math.sin((2 * Math.PI * k * n) / 64);
      });
      expect(power[k]).toBeCloseTo(re * re + im * im, 9);
    }
  });

  it('equals the definition of the circular autocorrelation', () => {
    const fourier = new RealFourier(64);
    const power = new Float64Array(33);
    const correlation = new Float64Array(32);
    fourier.power(signal, power);
    fourier.correlation(power, correlation);
    for (let lag = 0; lag < 32; lag++) {
      const known = signal.reduce((sum, x, n) => sum + x * signal[(n + lag) % 64]!, 0);
      expect(correlation[lag]! / 64).toBeCloseTo(known, 9);
    }
  });

  it('refuses a size that is not a power of two', () => {
    expect(() => new RealFourier(48)).toThrow(RangeError);
  });
});
