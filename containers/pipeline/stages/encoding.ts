import { ENCODING_DIMENSIONS, SENTENCE_DIMENSIONS } from '../../../src/conversation/encoding.ts';
import { poolStates } from '../models/moment-pooling.ts';
import { type ReadText, SentenceEncoder } from '../models/sentence-encoder.ts';

/** The encoder, loaded on first use. Null if it cannot be loaded. */
let encoder: Promise<SentenceEncoder | null> | undefined;

/** The encodings of a text for later stages. */
export interface EncodedText {
  /** Vector that emotion is read from (`SentenceEncoder`). */
  sentence: Float32Array;
  /** The same vector with the features for key moments, used by the conversation (`src/conversation/encoding.ts`). */
  moments: Float32Array;
}

const orNull = <T>(fault: string, made: Promise<T>): Promise<T | null> =>
  made.catch((cause: unknown) => {
    console.error(`${fault}:`, cause);
    return null;
  });

/**
 * Encodes a text. Null if the encoder cannot be loaded or fails. The reason is logged, and the words are read without
 * it.
 */
export async function encodeText(text: string): Promise<EncodedText | null> {
  encoder ??= orNull('the sentence encoder could not be loaded', SentenceEncoder.load());
  const loaded = await encoder;
  const read = loaded && (await orNull('the sentence encoder failed', loaded.read(text)));
  return read && { sentence: read.encoding, moments: momentEncoding(read) };
}

/** The encoding that the conversation reads. */
export function momentEncoding({ encoding, states }: ReadText): Float32Array {
  const joined = new Float32Array(ENCODING_DIMENSIONS);
  joined.set(encoding);
  joined.set(poolStates(states), SENTENCE_DIMENSIONS);
  return joined;
}
