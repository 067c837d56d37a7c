import { useEffect, useRef, useState } from 'preact/hooks';
import { conversationQueryOf, LIST_CHOICES, type ListFilters, NO_LIST_FILTER as NONE } from '../../sdk/page-filters.ts';
import type { ConversationQueryInput, ConversationSort } from '../../sdk/wire.ts';
import { capital } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { MOMENT_NAMES } from '../lib/speaker-marks.tsx';
import { SavedViews } from './SavedViews.tsx';

/** Conversations on a page of the list. */
export const PAGE = 50;
/** Pause in typing after which a search starts, ms. */
const TYPING_MS = 250;

type Words<T extends string> = Readonly<Record<T, string>>;

const PERIODS: Words<ListFilters['when']> = {
  '': 'All time',
  '1d': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};
const LENGTHS: Words<ListFilters['length']> = {
  '': 'Any length',
  short: 'Under 5 min',
  medium: '5 to 30 min',
  long: 'Over 30 min',
};
const TONES: Words<ListFilters['tone']> = {
  '': 'Any tone',
  positive: 'Positive',
  neutral: 'Neutral',
  negative: 'Negative',
};
const REVIEWS: Words<ListFilters['reviewed']> = { '': 'Reviewed or not', false: 'To review', true: 'Reviewed' };
const SORTS: Words<ConversationSort> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  longest: 'Longest first',
  shortest: 'Shortest first',
};

export function addressWith(filters: ListFilters): string {
  const given = Object.entries(filters).filter(([name, value]) => value !== NONE[name as keyof ListFilters]);
  return given.length === 0 ? '/app' : `/app?${new URLSearchParams(given)}`;
}

/** Whether some conversations are left out. */
export const isNarrowed = (filters: ListFilters): boolean => addressWith({ ...filters, sort: NONE.sort }) !== '/app';

export const queryOf = (filters: ListFilters, cursor: string | undefined): ConversationQueryInput => ({
  ...conversationQueryOf(filters),
  limit: PAGE,
  totals: 'true',
  cursor,
});

export interface Narrowing {
  filters: ListFilters;
  /** @param isTyping replaces the address, so that Back leaves out what was typed on the way */
  narrow: (change: Partial<ListFilters>, isTyping?: boolean) => void;
}

/** The chosen filters that a phone folds, in words. */
const foldedWords = ({ when, with: moment, length, tone, status, reviewed }: ListFilters): string[] =>
  [
    when && PERIODS[when],
    moment && `with: ${MOMENT_NAMES[moment].toLowerCase()}`,
    length && LENGTHS[length],
    tone && `tone: ${TONES[tone]}`,
    status && `status: ${status}`,
    reviewed && REVIEWS[reviewed],
  ].filter((word) => word !== '');

/** The filters in words, for paper. @param person the name of the person whose conversations are shown */
export function FiltersOnPaper({ filters, person }: { filters: ListFilters; person: string }) {
  if (!isNarrowed(filters)) return null;
  const { q, label } = filters;
  const words = [
    q.trim() && `search: “${q.trim()}”`,
    ...foldedWords(filters),
    filters.person && `with ${person}`,
    label && `label: ${label}`,
  ];
  return <p class="paper">Only {words.filter((word) => word !== '').join(' · ')}</p>;
}

/** @param person the name of the person whose conversations are shown */
export function Filters({ filters, narrow: narrowTo, person }: Narrowing & { person: string }) {
  const timer = useRef(0);
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = search.current;
    if (field && field !== document.activeElement) field.value = filters.q;
  }, [filters.q]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const [isUnfolded, unfold] = useState(false);
  const used = foldedWords(filters);
  // A typed text counts at once when another filter is chosen.
  const narrow = (change: Partial<ListFilters>): void => {
    clearTimeout(timer.current);
    narrowTo({ q: search.current?.value ?? '', ...change });
  };
  const clear = (): void => {
    if (search.current) search.current.value = '';
    narrow({ ...NONE, sort: filters.sort });
  };
  return (
    <>
      <div class="tool">
        <span class="sw">
          <Icon name="search" size={15} />
          <input
            id="search"
            ref={search}
            class="inp"
            type="search"
            placeholder="Search titles, names and transcripts"
            aria-label="Search titles, names and transcripts"
            defaultValue={filters.q}
            onInput={(e) => {
              const { value } = e.currentTarget;
              clearTimeout(timer.current);
              timer.current = window.setTimeout(() => narrowTo({ q: value }, true), TYPING_MS);
            }}
          />
        </span>
        <button
          type="button"
          class={used.length > 0 ? 'pill on fold' : 'pill fold'}
          aria-expanded={isUnfolded}
          aria-controls="filters"
          onClick={() => unfold(!isUnfolded)}
        >
          <span class="ell">{[used.length > 1 ? `Filters (${used.length})` : 'Filters', ...used].join(' · ')}</span>
        </button>
        <div id="filters" class={isUnfolded ? 'choices open' : 'choices'}>
          <Choice
            name="When"
            value={filters.when}
            from={LIST_CHOICES.when}
            word={(v) => PERIODS[v]}
            choose={(when) => narrow({ when })}
          />
          <Choice
            name="With"
            value={filters.with}
            from={LIST_CHOICES.with}
            word={(v) => (v === '' ? 'All moments' : `With: ${MOMENT_NAMES[v].toLowerCase()}`)}
            choose={(moment) => narrow({ with: moment })}
          />
          <Choice
            name="Length"
            value={filters.length}
            from={LIST_CHOICES.length}
            word={(v) => LENGTHS[v]}
            choose={(length) => narrow({ length })}
          />
          <Choice
            name="Tone"
            value={filters.tone}
            from={LIST_CHOICES.tone}
            word={(v) => TONES[v]}
            choose={(tone) => narrow({ tone })}
          />
          <Choice
            name="Status"
            value={filters.status}
            from={LIST_CHOICES.status}
            word={(v) => (v === '' ? 'Any status' : capital(v))}
            choose={(status) => narrow({ status })}
          />
          <Choice
            name="Review"
            value={filters.reviewed}
            from={LIST_CHOICES.reviewed}
            word={(v) => REVIEWS[v]}
            choose={(reviewed) => narrow({ reviewed })}
          />
        </div>
        {filters.person !== '' && (
          <button
            type="button"
            class="pill on"
            aria-label={`Remove the filter ${person}`}
            onClick={() => narrow({ person: '' })}
          >
            <span class="ell">With {person}</span> <Icon name="close" size={13} />
          </button>
        )}
        {filters.label !== '' && (
          <button
            type="button"
            class="pill on"
            aria-label={`Remove the filter ${filters.label}`}
            onClick={() => narrow({ label: '' })}
          >
            <span class="ell">Label: {filters.label}</span> <Icon name="close" size={13} />
          </button>
        )}
        <span class="narrow1">
          <Choice
            name="Sort"
            value={filters.sort}
            from={LIST_CHOICES.sort}
            word={(v) => SORTS[v]}
            choose={(sort) => narrow({ sort })}
          />
        </span>
      </div>
      <SavedViews path="/app" address={addressWith(filters)} clear={isNarrowed(filters) ? clear : undefined} />
    </>
  );
}

function Choice<T extends string>(p: {
  name: string;
  value: T;
  from: readonly T[];
  word: (value: T) => string;
  choose: (value: T) => void;
}) {
  const isUsed = p.value !== p.from[0];
  return (
    <select
      class={isUsed ? 'pill on' : 'pill'}
      aria-label={p.name}
      value={p.value}
      onChange={(e) => p.choose(e.currentTarget.value as T)}
    >
      {p.from.map((value) => (
        <option key={value} value={value}>
          {p.word(value)}
        </option>
      ))}
    </select>
  );
}
