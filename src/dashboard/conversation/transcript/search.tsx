import { Icon } from '../../lib/icons.tsx';
import { isHard } from '../model.ts';
import type { Filter, PageState } from '../state.ts';
import { Toggle } from '../Toggle.tsx';

export function Search({ page }: { page: PageState }) {
  const { hits, hitAt, query } = page;
  const count = hits.value.length;
  const told = query.value.trim().length < 2 ? '' : count > 0 ? `${hitAt.value + 1} of ${count}` : 'Nothing found';
  return (
    <>
      <label class="srch">
        <Icon name="search" size={16} />
        <input
          type="search"
          id="search"
          placeholder="Search"
          aria-label="Search the transcript"
          value={query.value}
          onInput={(e) => page.look(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === 'Enter') page.step(e.shiftKey ? -1 : 1);
            else if (e.key === 'Escape') {
              page.look('');
              e.currentTarget.blur();
            } else return;
            e.preventDefault();
          }}
        />
      </label>
      <span class="t-lab muted num" aria-live="polite">
        {told}
      </span>
    </>
  );
}

const FILTERS: Readonly<Record<Filter, string>> = {
  questions: 'Questions',
  moments: 'Moments',
  promises: 'Promises',
  hard: 'Hard to hear',
};

/** The number of utterances that a filter leaves, for paper. */
export function FilteredOnPaper({ page }: { page: PageState }) {
  const { filter, shown, conversation } = page;
  if (!filter.value || !shown.value) return null;
  return (
    <p class="paper">
      Only “{FILTERS[filter.value]}”: {shown.value.size} of {conversation.lines.length} utterances
    </p>
  );
}

export function TranscriptFilters({ page }: { page: PageState }) {
  const { lines, pins, promises } = page.conversation;
  const counts: [Filter, number][] = [
    ['questions', lines.filter((line) => line.entry.lexical_markers.is_question).length],
    ['moments', pins.length],
    ['promises', promises.length],
    ['hard', lines.filter(isHard).length],
  ];
  return (
    <span class="filters">
      {counts
        .filter(([, count]) => count > 0)
        .map(([kind, count]) => (
          <button
            type="button"
            class="fch"
            key={kind}
            aria-pressed={page.filter.value === kind}
            onClick={() => {
              page.filter.value = page.filter.peek() === kind ? undefined : kind;
            }}
          >
            {FILTERS[kind]} <span class="num">{count}</span>
          </button>
        ))}
      <Toggle of={page.showsUnsure} kind="fch k" title="Underline words that the recogniser was uncertain about (U)">
        Uncertain words
      </Toggle>
    </span>
  );
}
