import { expect, it } from 'vitest';
import { decodeEncoding, ENCODING_DIMENSIONS, ENCODING_STEP } from '../../src/contract/encoding.ts';
import { packInt8 } from '../../src/contract/packed-int8.ts';

it('reads an encoding as numbers around zero', () => {
  const whole = Int8Array.from({ length: ENCODING_DIMENSIONS }, (_, i) => i - 64);
  const numbers = decodeEncoding(packInt8(whole))!;
  expect(numbers).toHaveLength(ENCODING_DIMENSIONS);
  expect(numbers[0]).toBeCloseTo(-64 * ENCODING_STEP, 6);
  expect(numbers[127]).toBeCloseTo(63 * ENCODING_STEP, 6);
});

it('reads nothing in an encoding of another length', () => {
  expect(decodeEncoding('AAAA')).toBeUndefined();
});
