import type { LayerWeights } from '../../../src/conversation/acts/act-model.ts';
import type { PackedMatrix } from '../../../src/conversation/packed-weights.ts';

export const round = (x: number): number => Math.round(x * 1e4) / 1e4;

/** In whole steps of one byte, the largest of which is 127. */
export function packMatrix(values: Float32Array): PackedMatrix {
  const step = values.reduce((max, v) => Math.max(max, Math.abs(v)), 1e-9) / 127;
  return { step, values: Int8Array.from(values, (v) => Math.round(v / step)) };
}

/** @param weight a row for each input */
export const packLayer = (weight: Float32Array, bias: Float32Array): LayerWeights => ({
  weight: packMatrix(weight),
  bias: bias.map(round),
});
