import { encodeText } from '../../containers/pipeline/stages/encoding.ts';

/** Encodings of texts in the form that the conversation uses. */
export type Encodings = ReadonlyMap<string, Float32Array>;

/** Every distinct text, encoded as the pipeline encodes an utterance. It takes about 5 ms per text. */
export async function encodeTexts(texts: Iterable<string>): Promise<Encodings> {
  const encodings = new Map<string, Float32Array>();
  for (const text of new Set(texts)) {
    const encoded = await encodeText(text);
    if (!encoded) throw new Error('the sentence encoder does not work: no encoding to read');
    encodings.set(text, encoded.moments);
  }
  return encodings;
}
