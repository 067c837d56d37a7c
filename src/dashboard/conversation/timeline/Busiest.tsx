import { timeSpan } from '../../lib/format.ts';
import type { PageState } from '../state.ts';
import { busiestOf, longClock, PART_S } from './busy-parts.ts';

/** Leads to the busiest parts of a long conversation, and from there back to the whole. */
export function Busiest({ page }: { page: PageState }) {
  const { conversation, view } = page;
  const { duration } = conversation;
  const parts = busiestOf(conversation);
  if (parts.length === 0) return null;
  const { from, to } = view.value;
  const isPart = to - from < duration - 1;
  return (
    <div class="busy">
      <b>Most moments in {timeSpan(PART_S)}</b>
      {parts.map((part) => (
        <button
          type="button"
          key={part.from}
          class="btn sm"
          aria-pressed={isPart && from === part.from && to === part.to}
          onClick={() => {
            view.value = { from: part.from, to: part.to };
            page.goTo(part.from);
          }}
        >
          at {longClock(part.from)}, {part.count} moments
        </button>
      ))}
      {isPart && (
        <button
          type="button"
          class="btn sm ghost"
          onClick={() => {
            view.value = { from: 0, to: duration };
          }}
        >
          Show all of it
        </button>
      )}
    </div>
  );
}
