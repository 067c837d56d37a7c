import { momentCategory } from '../../../contract/findings.ts';
import type { InsightSentences } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';

export const insights: InsightSentences = {
  moment: ({ speaker, category, labels, quote }) => {
    const { verb, hasGrounds } = momentCategory(category);
    const about = hasGrounds && labels.length > 0 ? ` (${labels.join(', ')})` : '';
    return say`${{ speaker }} ${verb}${about}: "${quote}"`;
  },
  transition: ({ speaker, from, to, isLasting }) =>
    say`${speaker === undefined ? 'The conversation' : { speaker }} goes from ${from} to ${to}${isLasting ? '' : ' for a moment'}.`,
  hotspot: ({ speaker, signal, score, quote }) =>
    signal === 'load'
      ? say`${{ speaker }}'s cognitive load is high: "${quote}"`
      : say`${{ speaker }} sounds ${signal} (${score.toFixed(2)}): "${quote}"`,
};
