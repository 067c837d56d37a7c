import type { MomentWeights } from './moments/moment-network.ts';
import { weightsTree } from './packed-weights.ts';
import { WordVectors } from './text/word-vectors.ts';
import type { BoundaryModels } from './topics/boundary-classifier.ts';
import { NounShares } from './topics/noun-shares.ts';

/** The files in `weights/` that a segmentation needs. */
export const SEGMENTATION_FILES = ['word-vectors', 'noun-shares', 'segmentation'] as const;
/** The file with which roles are proposed. */
const ROLES_FILE = 'roles';
/** The file with which names and addresses are redacted. */
export const TAGGER_FILE = 'name-tagger';
/** All files, which a conversation, its proposals and its redaction need. */
export const WEIGHTS_FILES = [
  ...SEGMENTATION_FILES,
  ROLES_FILE,
  TAGGER_FILE,
  'moments',
  'moments-without-encodings',
] as const;
export type WeightsName = (typeof WEIGHTS_FILES)[number];
type ConversationWeightsName = Exclude<WeightsName, typeof ROLES_FILE | typeof TAGGER_FILE>;

/** The bytes of weights files, by name; the caller reads them. */
export type WeightsBytes<Name extends WeightsName> = Readonly<Record<Name, Uint8Array>>;

/** The weights that divide a conversation and name its topics. Each file is decoded once, on first use. */
export class SegmentationWeights {
  readonly #files: WeightsBytes<(typeof SEGMENTATION_FILES)[number]>;
  #vectors: WordVectors | undefined;
  #nouns: NounShares | undefined;
  #boundaries: BoundaryModels | undefined;

  constructor(files: WeightsBytes<(typeof SEGMENTATION_FILES)[number]>) {
    this.#files = files;
  }

  get vectors(): WordVectors {
    this.#vectors ??= new WordVectors(weightsTree(this.#files['word-vectors']));
    return this.#vectors;
  }

  get nouns(): NounShares {
    this.#nouns ??= new NounShares(weightsTree(this.#files['noun-shares']), this.vectors);
    return this.#nouns;
  }

  get boundaries(): BoundaryModels {
    this.#boundaries ??= weightsTree<BoundaryModels>(this.#files.segmentation);
    return this.#boundaries;
  }
}

/** The weights of a whole conversation. */
export class ConversationWeights extends SegmentationWeights {
  readonly #files: WeightsBytes<ConversationWeightsName>;
  #moments: MomentWeights | undefined;
  #momentsWithoutEncodings: MomentWeights | undefined;

  constructor(files: WeightsBytes<ConversationWeightsName>) {
    super(files);
    this.#files = files;
  }

  get moments(): MomentWeights {
    this.#moments ??= weightsTree<MomentWeights>(this.#files.moments);
    return this.#moments;
  }

  /** The weights for conversations without encodings. These networks were also trained on turns without encodings. */
  get momentsWithoutEncodings(): MomentWeights {
    this.#momentsWithoutEncodings ??= weightsTree<MomentWeights>(this.#files['moments-without-encodings']);
    return this.#momentsWithoutEncodings;
  }
}
