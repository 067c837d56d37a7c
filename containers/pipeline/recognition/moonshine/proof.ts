import type { InferenceSession, Runtime } from '../../models/runtime.ts';
import { isSpliced, MoonshineDecoder } from './decoder.ts';
import type { DecoderShape } from './shape.ts';

/** Any token sequence will do. */
const TOKENS = Array.from({ length: 16 }, (_, i) => 300 + 977 * i);
const FRAMES = 40;
/**
 * Largest difference of log-probabilities. For Moonshine tiny it is .06 with its own rotation and .6 to 3.4 with
 * others.
 */
const MOST_APART = 0.25;

const cacheKey = /^past_key_values\.(\d+)\.decoder\.key$/;

/**
 * Checks a decoder against its declared shape.
 * @param decoder of `Moonshine`
 * @param shipped the decoder as in its file
 * @throws RangeError saying what does not match
 */
export async function proveShape(
  runtime: Runtime,
  decoder: InferenceSession,
  shipped: Uint8Array,
  shape: DecoderShape,
): Promise<void> {
  const keys = decoder.inputMetadata.filter(({ name }) => cacheKey.test(name));
  const [key] = keys;
  if (!key?.isTensor) throw new RangeError('the file is not a Moonshine decoder: it has no input past_key_values');
  const [, heads, , headSize] = key.shape;
  for (const [name, stated, found] of [
    ['layers', shape.layers, keys.length],
    ['heads', shape.heads, heads],
    ['head_size', shape.headSize, headSize],
  ])
    if (stated !== found) throw new RangeError(`${name} is ${found} in the decoder and ${stated} in the profile`);
  if (!isSpliced(decoder)) return;
  const reference = await runtime.createSession(shipped);
  const [ours, theirs] = [await read(runtime, decoder, shape), await read(runtime, reference, shape)];
  const apart = Math.max(...ours.map((value, i) => Math.abs(value - theirs[i]!)));
  if (!(apart < MOST_APART))
    throw new RangeError(
      `rotary is not ${shape.turning}: with it, the modified decoder gives different probabilities from the original`,
    );
}

/** Log-probability of each token of a text, and the most likely token after it, over synthetic frames. */
async function read(runtime: Runtime, session: InferenceSession, shape: DecoderShape): Promise<number[]> {
  const size = shape.heads * shape.headSize;
  const values = Float32Array.from({ length: FRAMES * size }, (_, i) => Math.sin(i * i * 0.37));
  const hidden = new runtime.Tensor('float32', values, [1, FRAMES, size]);
  const decoder = new MoonshineDecoder(runtime, session, shape, hidden, true);
  let step = await decoder.begin();
  const logProbabilities: number[] = [];
  for (const token of TOKENS) {
    logProbabilities.push(step.rows[0]!.logProbabilityOf(token));
    step = await decoder.next(step.state, [0], [token]);
  }
  return [...logProbabilities, ...step.rows[0]!.candidates.slice(0, 1).map(({ logProbability }) => logProbability)];
}
