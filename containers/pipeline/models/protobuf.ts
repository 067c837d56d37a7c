/** A field of a protobuf message (encoding: protobuf.dev/programming-guides/encoding). */
export interface Field {
  number: number;
  /** The whole field, including its tag. */
  whole: Uint8Array;
  /** The content of a length-delimited field. Empty for other kinds. */
  content: Uint8Array;
}

/** @throws RangeError when the bytes are not a well-formed message. */
export function* readFields(message: Uint8Array): Generator<Field> {
  let at = 0;
  const varint = () => {
    let value = 0;
    let weight = 1;
    for (;;) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError('The message is truncated in the middle of a number');
      value += (byte & 127) * weight;
      if (byte < 128) return value;
      weight *= 128;
    }
  };
  while (at < message.length) {
    const start = at;
    const tag = varint();
    let content = message.subarray(at, at);
    switch (tag & 7) {
      case 0:
        varint();
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const length = varint();
        content = message.subarray(at, at + length);
        at += length;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        throw new RangeError(`Unknown wire type ${tag & 7}`);
    }
    if (at > message.length) throw new RangeError('The message is truncated in the middle of a field');
    yield { number: Math.floor(tag / 8), whole: message.subarray(start, at), content };
  }
}

function varintBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  bytes.push(rest);
  return Uint8Array.from(bytes);
}

export const numberField = (number: number, value: number): Uint8Array =>
  Buffer.concat([varintBytes(number * 8), varintBytes(value)]);

export function floatField(number: number, value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return Buffer.concat([varintBytes(number * 8 + 5), bytes]);
}

/** A length-delimited field that consists of parts: a submessage, bytes or text. */
export function field(number: number, ...parts: (Uint8Array | string)[]): Uint8Array {
  const contents = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([varintBytes(number * 8 + 2), varintBytes(length), ...contents]);
}
