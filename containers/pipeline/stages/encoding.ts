import { ENCODING_DIMENSIONS, SENTENCE_DIMENSIONS } from '../../../src/conversation/encoding.ts';
import { poolStates } from '../models/moment-pooling.ts';
import { type ReadText, SentenceEncoder } from '../models/sentence-encoder.ts';

/** Loaded at first use; null where it cannot be loaded. */
let encoder: Promise<SentenceEncoder | null> | undefined;

/** The encodings of a text for later stages. */
export interface EncodedText {
  /** One vector (`SentenceEncoder`), from which emotion is read here. */
  sentence: Float32Array;
  /** The same vector, and the features for key moments, for the conversation (`src/conversation/encoding.ts`). */
  moments: Float32Array;
}

const orNull = <T>(fault: string, made: Promise<T>): Promise<T | null> =>
  made.catch((cause: unknown) => {
    console.error(`${fault}:`, cause);
    return null;
  });

/**
 * Encodes a text. Null where the encoder does not load or fails: the reason is logged, and the words are then read
 * without it.
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
