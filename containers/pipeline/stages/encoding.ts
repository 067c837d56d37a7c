import { SentenceEncoder } from '../models/sentence-encoder.ts';
import { projectEncoding } from '../models/sentence-projection.ts';

/** Loaded when it is first asked for; null where it cannot be. */
let encoder: Promise<SentenceEncoder | null> | undefined;

/**
 * What a text says as a vector (`SentenceEncoder.encode`). Null where the model does not load or fails: the reason is
 * logged, and the words are then read without it.
 */
export async function encodeText(text: string): Promise<Float32Array | null> {
  encoder ??= SentenceEncoder.load().catch((cause: unknown) => {
    console.error('the sentence encoder does not load:', cause);
    return null;
  });
  try {
    return (await (await encoder)?.encode(text)) ?? null;
  } catch (cause) {
    console.error('the sentence encoder failed:', cause);
    return null;
  }
}

/** The member of an utterance's line that carries its encoding. */
export const encodingOnWire = (encoding: Float32Array | null): { encoding?: string } =>
  encoding ? { encoding: projectEncoding(encoding) } : {};
