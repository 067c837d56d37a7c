import { describe, expect, it } from 'vitest';
import { field, numberField, readFields } from '../../../../containers/pipeline/models/protobuf.ts';
import { spliceDecoder } from '../../../../containers/pipeline/recognition/moonshine/decoder-graph.ts';

describe('the splice of the decoder', () => {
  it('refuses a graph that is not the expected one', () => {
    expect(() => spliceDecoder(field(7, field(1, field(4, 'Add'))))).toThrow(RangeError);
    expect(() => spliceDecoder(Uint8Array.of(0x3a, 200))).toThrow(RangeError);
  });
});

describe('protobuf', () => {
  it('reads what it writes', () => {
    const message = Buffer.concat([field(3, 'text'), numberField(1, 300), field(200, new Uint8Array(1000))]);
    const fields = [...readFields(message)];
    expect(fields.map(({ number }) => number)).toEqual([3, 1, 200]);
    expect(Buffer.from(fields[0]!.content).toString()).toBe('text');
    expect(Buffer.concat(fields.map(({ whole }) => whole))).toEqual(message);
  });

  it('refuses a message that ends inside a field', () => {
    expect(() => [...readFields(field(1, 'abc').subarray(0, 3))]).toThrow(RangeError);
  });
});
