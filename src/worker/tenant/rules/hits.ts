import type { RuleHit } from '../../../contract/rules.ts';
import type { RuleEvidence } from '../../../conversation/rules/evaluation.ts';

/** Hits with the ids of their utterances. */
export const hitsOf = (hits: readonly RuleEvidence[], conversationId: string): RuleHit[] =>
  hits.map(({ utterances, speaker, start, end, quote, spans, isUnsure }) => ({
    utterance_ids: utterances.map((u) => `${conversationId}_utt_${u}`),
    speaker,
    t_start: start,
    t_end: end,
    quote,
    spans,
    ...(isUnsure && { is_unsure: true }),
  }));
