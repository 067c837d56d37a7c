import fc from 'fast-check';
import { expect, it } from 'vitest';
import { packInt8, unpackInt8 } from '../../src/contract/packed-int8.ts';

it('packs bytes as base64 and gives them back', () => {
  fc.assert(
    fc.property(fc.int8Array(), (bytes) => {
      const base64 = Buffer.from(bytes.buffer).toString('base64');
      expect(packInt8(bytes)).toBe(base64);
      expect(unpackInt8(base64)).toEqual(bytes);
    }),
  );
});
