import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { weightsTree } from '../../src/conversation/packed-weights.ts';
import { NameTagger, type TaggerWeights } from '../../src/conversation/redaction/name-tagger.ts';
import { ConversationWeights, TAGGER_FILE, type WeightsName } from '../../src/conversation/weights.ts';

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

let tagger: NameTagger | undefined;

/** The tagger of names and addresses, which all redactions of this process use. */
export function nameTagger(): NameTagger {
  tagger ??= new NameTagger(weightsTree<TaggerWeights>(weightsBytes(TAGGER_FILE)));
  return tagger;
}
