import { encodeText } from '../../containers/pipeline/stages/encoding.ts';
import { decodeEncoding } from '../../src/contract/encoding.ts';

/** Encodings of texts as they reach the conversation over the wire. */
export type Encodings = ReadonlyMap<string, Float32Array>;

/** Every distinct text, encoded as the pipeline encodes an utterance; about 5 ms a text. */
export async function encodeTexts(texts: Iterable<string>): Promise<Encodings> {
  const encodings = new Map<string, Float32Array>();
  for (const text of new Set(texts)) {
    const encoded = await encodeText(text);
    const encoding = encoded && decodeEncoding(encoded.onWire);
    if (!encoding) throw new Error('the sentence encoder does not work: no encoding to read');
    encodings.set(text, encoding);
  }
  return encodings;
}
