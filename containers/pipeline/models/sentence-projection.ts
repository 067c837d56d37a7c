import { join } from 'node:path';
import { ENCODING_DIMENSIONS, ENCODING_STEP } from '../../../src/contract/encoding.ts';
import { packInt8 } from '../../../src/contract/packed-int8.ts';
import { unpackWeights } from '../affect/packed-weights.ts';
import { ENCODING_SIZE } from './sentence-encoder.ts';

/**
 * Model card of sentence-projection.bin: the first 128 principal components of the sentence encoder's vectors, int8 with
 * a scale for each component, and the vectors' mean along each. Fitted without any label by `npm run train:projection` on
 * GoEmotions, QMSum and CaSiNo (train), ABCD's sample and the project's own lines for moments (without their test).
 */
export const PROJECTION_PATH = join(import.meta.dirname, 'sentence-projection.bin');

interface Projection {
  /** `ENCODING_SIZE` rows of `ENCODING_DIMENSIONS`. */
  axes: Float32Array;
  mean: Float32Array;
}

let loaded: Projection | null = null;

/** An encoding as it goes to the conversation: its `ENCODING_DIMENSIONS` strongest components (see `decodeEncoding`). */
export function projectEncoding(encoding: Float32Array): string {
  loaded ??= unpackWeights(PROJECTION_PATH) as unknown as Projection;
  const { axes, mean } = loaded;
  const whole = new Int8Array(ENCODING_DIMENSIONS);
  for (let component = 0; component < ENCODING_DIMENSIONS; component++) {
    let sum = -mean[component]!;
    for (let i = 0; i < ENCODING_SIZE; i++) sum += encoding[i]! * axes[i * ENCODING_DIMENSIONS + component]!;
    whole[component] = Math.max(-128, Math.min(127, Math.round(sum / ENCODING_STEP)));
  }
  return packInt8(whole);
}
