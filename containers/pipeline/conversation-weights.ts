import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConversationWeights, type WeightsName } from '../../src/conversation/weights.ts';

/** The folder with the conversation's weights, each with its card. */
export const WEIGHTS_FOLDER = join(import.meta.dirname, '../../src/conversation/weights');

/** Bytes of one weights file. */
export const weightsBytes = (name: WeightsName): Uint8Array => readFileSync(join(WEIGHTS_FOLDER, `${name}.bin`));

let read: ConversationWeights | undefined;

/** The weights that all conversations of this process use. Each file is read once. */
export function conversationWeights(): ConversationWeights {
  read ??= new ConversationWeights({
    'word-vectors': weightsBytes('word-vectors'),
    'noun-shares': weightsBytes('noun-shares'),
    segmentation: weightsBytes('segmentation'),
    moments: weightsBytes('moments'),
    'moments-without-encodings': weightsBytes('moments-without-encodings'),
  });
  return read;
}
