import type {
  ConversationSegmentation,
  ConversationSummary,
  Insights,
  MomentEvent,
  TransitionEvent,
} from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';

/** Everything the summary may rest on. */
export interface SummaryInput {
  /** In order of `t_start`. */
  utterances: Utterance[];
  insights: Insights;
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  segmentation: ConversationSegmentation;
  /** The client's analysis focus; '' for none. */
  goal: string;
}

/**
 * An extractive summary: every line rests on the utterances and measures listed for it in `evidence`.
 * @returns a summary with `source` 'built_in'.
 */
export function summarise(input: SummaryInput): ConversationSummary {
  const longest = [...input.utterances].sort((a, b) => b.text.length - a.text.length)[0];
  const overview = longest ? longest.text : 'Nothing was said.';
  return {
    overview,
    key_insights: [],
    notable_patterns: [],
    recommendations: [],
    what_went_well: null,
    what_went_wrong: null,
    speaker_dynamics: null,
    conversation_quality: 'fair',
    evidence: { [overview]: { utterance_ids: longest ? [longest.utterance_id] : [], measures: {} } },
    quality_reasons: [],
    source: 'built_in',
  };
}
