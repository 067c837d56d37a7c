import { MiniLm } from '../models/minilm.ts';
import { poolStates } from '../models/moment-pooling.ts';
import { SentenceEncoder } from '../models/sentence-encoder.ts';

/** Loaded when they are first asked for; null where they cannot be. */
let sentenceEncoder: Promise<SentenceEncoder | null> | undefined;
let minilm: Promise<MiniLm | null> | undefined;

/** What a text says, for those who read it further. */
export interface EncodedText {
  /** As one vector (`SentenceEncoder`): emotion is read from it here. */
  sentence: Float32Array;
  /** What of it bears on key moments, for the conversation (`decodeEncoding`); null without `MiniLm`. */
  onWire: string | null;
}

const orNull = <T>(fault: string, made: Promise<T>): Promise<T | null> =>
  made.catch((cause: unknown) => {
    console.error(`${fault}:`, cause);
    return null;
  });

/**
 * What a text says. Null, or without a part, where a model does not load or fails: the reason is logged, and the words
 * are then read without it.
 */
export async function encodeText(text: string): Promise<EncodedText | null> {
  sentenceEncoder ??= orNull('the sentence encoder does not load', SentenceEncoder.load());
  minilm ??= orNull('MiniLM does not load', MiniLm.load());
  const [whole, pieces] = await Promise.all([sentenceEncoder, minilm]);
  const [read, states] = await Promise.all([
    whole && orNull('the sentence encoder failed', whole.read(text)),
    pieces && orNull('MiniLM failed', pieces.read(text)),
  ]);
  if (!read) return null;
  return { sentence: read.encoding, onWire: states && poolStates({ sentence: read.states, minilm: states }) };
}

/** The member of an utterance's line that carries its encoding. */
export const encodingOnWire = (encoded: EncodedText | null): { encoding?: string } =>
  encoded?.onWire ? { encoding: encoded.onWire } : {};
