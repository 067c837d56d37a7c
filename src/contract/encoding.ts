import { unpackInt8 } from './packed-int8.ts';

/** Numbers in an encoding. */
export const ENCODING_DIMENSIONS = 256;
/** A step of the wire’s whole numbers. */
export const ENCODING_STEP = 1 / 127;

/**
 * What an utterance's words say as far as it bears on key moments (`UtteranceLine.encoding`), as a vector that
 * `src/conversation/moments/turn-reader.ts` can read: numbers in -1..1.
 * @param encoding base64 of `ENCODING_DIMENSIONS` whole numbers of one byte
 * @throws RangeError when it has another length
 */
export function decodeEncoding(encoding: string): Float32Array {
  const whole = unpackInt8(encoding);
  if (whole.length !== ENCODING_DIMENSIONS) throw new RangeError(`an encoding has ${whole.length} numbers`);
  return Float32Array.from(whole, (value) => value * ENCODING_STEP);
}
