import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import type { Edit } from '../../../src/contract/conversations.ts';
import { editedBy } from '../../../src/worker/results/edits/edited.ts';
import { applied } from '../../../src/worker/results/edits/edited-result.ts';

/** A result with edits applied, with the service's weights. */
export const appliedTo = (result: AnalysisResponse, ...edits: Edit[]): AnalysisResponse =>
  applied(result, editedBy(edits), conversationWeights());
