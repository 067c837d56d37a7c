import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unpackInt8 } from '../../src/conversation/packed-weights.ts';

it('gives back the bytes that were packed', () => {
  fc.assert(
    fc.property(fc.int8Array(), (bytes) => {
      expect(unpackInt8(Buffer.from(bytes.buffer).toString('base64'))).toEqual(bytes);
    }),
  );
});
