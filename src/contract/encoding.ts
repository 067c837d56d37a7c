import { unpackInt8 } from './packed-int8.ts';

/** Numbers in an encoding on the wire: the first principal components of the sentence encoder's 512. */
export const ENCODING_DIMENSIONS = 128;
/** A step of the wire’s whole numbers: -128..127 holds the strongest component of 2,000 texts kept from the fit (npm run train:projection). */
export const ENCODING_STEP = 1 / 160;

/**
 * What an utterance's words say as a vector (`UtteranceLine.encoding`): its distances and angles are, but for rounding
 * and the components left out, those of the sentence encoder's vectors around their mean.
 * @param encoding base64 of `ENCODING_DIMENSIONS` whole numbers of one byte
 * @throws RangeError when it has another length
 */
export function decodeEncoding(encoding: string): Float32Array {
  const whole = unpackInt8(encoding);
  if (whole.length !== ENCODING_DIMENSIONS) throw new RangeError(`an encoding has ${whole.length} numbers`);
  return Float32Array.from(whole, (value) => value * ENCODING_STEP);
}
