import { unpackInt8 } from './packed-int8.ts';

/** Numbers in an encoding: 128 for each of four readers. */
export const ENCODING_DIMENSIONS = 512;
/** A step of the wire’s whole numbers. */
export const ENCODING_STEP = 1 / 127;

/**
 * What an utterance's words say as far as it bears on key moments (`UtteranceLine.encoding`), as a vector that
 * `src/conversation/moments/turn-reader.ts` can read: numbers in -1..1.
 * @param encoding base64 of `ENCODING_DIMENSIONS` whole numbers of one byte
 * @returns nothing when it has another length: a pipeline of another version made it
 */
export function decodeEncoding(encoding: string): Float32Array | undefined {
  const whole = unpackInt8(encoding);
  if (whole.length !== ENCODING_DIMENSIONS) return undefined;
  return Float32Array.from(whole, (value) => value * ENCODING_STEP);
}
