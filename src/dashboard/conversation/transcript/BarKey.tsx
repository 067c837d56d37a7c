import { isMeasured } from '../model.ts';
import type { PageState } from '../state.ts';

/** The key of the marks beside the utterances: above them or, on a phone, in the key of the timeline. */
export function BarKey({ page }: { page: PageState }) {
  const { conversation, hidden } = page;
  if (!conversation.lines.some(({ tone, speaker }) => tone && !hidden.value.has(speaker))) return null;
  return (
    <p class="barkey">
      Bars are tone: above the thin line positive, below negative;{' '}
      {isMeasured(conversation) ? 'thick lively' : 'from the words alone'}; hollow heard badly.
    </p>
  );
}
