import { clock, timeSpan } from '../../lib/format.ts';
import type { ConversationView } from '../model.ts';
import type { PageState } from '../state.ts';

/** Length from which the busiest parts of a conversation are named, and that of such a part, s. */
const LONG_S = 5400;
const PART_S = 900;
const MOST = 3;

export interface BusyPart {
  from: number;
  to: number;
  count: number;
}

/** The parts of a long conversation with the most moments and promises, in order of time. None if no part stands out. */
export function busiestOf({ signs, duration }: ConversationView): BusyPart[] {
  if (duration < LONG_S) return [];
  const byPart = Map.groupBy(signs, ({ at }) => Math.floor(at / PART_S));
  const usual = signs.length / Math.ceil(duration / PART_S);
  return [...byPart]
    .map(([n, own]) => ({ from: n * PART_S, to: Math.min(duration, (n + 1) * PART_S), count: own.length }))
    .filter(({ count }) => count > 1 && count > usual)
    .sort((a, b) => b.count - a.count || a.from - b.from)
    .slice(0, MOST)
    .sort((a, b) => a.from - b.from);
}

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
          from {clock(part.from)}: {part.count}
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
