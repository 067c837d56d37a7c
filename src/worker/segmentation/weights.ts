import nounShares from '../../conversation/weights/noun-shares.bin';
import segmentation from '../../conversation/weights/segmentation.bin';
import wordVectors from '../../conversation/weights/word-vectors.bin';
import { SegmentationWeights } from '../../conversation/weights.ts';

/** Weights for `/segment/conversation`. The Worker has no others. */
export const segmentationWeights = new SegmentationWeights({
  'word-vectors': new Uint8Array(wordVectors),
  'noun-shares': new Uint8Array(nounShares),
  segmentation: new Uint8Array(segmentation),
});
