import { SentenceEncoder } from '../models/sentence-encoder.ts';

/** Loaded when it is first asked for; null where it cannot be. */
let encoder: Promise<SentenceEncoder | null> | undefined;

const orNull = <T>(fault: string, made: Promise<T>): Promise<T | null> =>
  made.catch((cause: unknown) => {
    console.error(`${fault}:`, cause);
    return null;
  });

/**
 * What a text says, as one vector (`SentenceEncoder`): emotion is read from it here, key moments in the conversation. Null where
 * the encoder does not load or fails: the reason is logged, and the words are then read without it.
 */
export async function encodeText(text: string): Promise<Float32Array | null> {
  encoder ??= orNull('the sentence encoder does not load', SentenceEncoder.load());
  const loaded = await encoder;
  return loaded && (await orNull('the sentence encoder failed', loaded.encode(text)));
}
