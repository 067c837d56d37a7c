import { SentenceEncoder } from '../../containers/pipeline/models/sentence-encoder.ts';
import { projectEncoding } from '../../containers/pipeline/models/sentence-projection.ts';
import { decodeEncoding } from '../../src/contract/encoding.ts';

/** Encodings of texts as they reach the conversation over the wire. */
export type Encodings = ReadonlyMap<string, Float32Array>;

/** Every distinct text, encoded as the pipeline encodes an utterance; about 1.5 ms a text. */
export async function encodeTexts(texts: Iterable<string>): Promise<Encodings> {
  const encoder = await SentenceEncoder.load();
  const encodings = new Map<string, Float32Array>();
  for (const text of new Set(texts)) encodings.set(text, decodeEncoding(projectEncoding(await encoder.encode(text))));
  return encodings;
}
