import type { MomentCategory } from '../../../contract/findings.ts';
import type { InsightSentences } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';

const VERBS: Readonly<Record<MomentCategory, string>> = {
  objection: 'objects',
  cta_offered: 'proposes',
  cta_accepted: 'accepts',
  cta_rejected: 'declines',
  topic_shift: 'changes the subject',
};

export const insights: InsightSentences = {
  moment: ({ speaker, category, labels, quote }) => {
    const about = category === 'objection' && labels.length > 0 ? ` (${labels.join(', ')})` : '';
    return say`${{ speaker }} ${VERBS[category]}${about}: "${quote}"`;
  },
  transition: ({ speaker, from, to, isLasting }) =>
    say`${speaker === undefined ? 'The conversation' : { speaker }} goes from ${from} to ${to}${isLasting ? '' : ' for a moment'}.`,
  hotspot: ({ speaker, signal, score, quote }) =>
    signal === 'load'
      ? say`${{ speaker }}'s cognitive load is high: "${quote}"`
      : say`${{ speaker }} sounds ${signal} (${score.toFixed(2)}): "${quote}"`,
};
