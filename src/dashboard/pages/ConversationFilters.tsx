import { useEffect, useRef, useState } from 'preact/hooks';
import type { ConversationQueryInput, ConversationSort, MomentCategory } from '../../sdk/wire.ts';
import { capital } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { MOMENT_NAMES } from '../lib/speaker-marks.tsx';

const PAGE = 50;
const DAY_MS = 86_400_000;
/** Pause in typing after which a search starts, ms. */
const TYPING_MS = 250;

type Words<T extends string> = Readonly<Record<T, string>>;

const PERIODS: Words<'' | '1d' | '7d' | '30d'> = {
  '': 'All time',
  '1d': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
};
const LENGTHS = {
  '': { word: 'Any length', query: {} },
  short: { word: 'Under 5 min', query: { max_duration: 300 } },
  medium: { word: '5 to 30 min', query: { min_duration: 300, max_duration: 1800 } },
  long: { word: 'Over 30 min', query: { min_duration: 1800 } },
} as const;
const TONES: Words<'' | 'positive' | 'neutral' | 'negative'> = {
  '': 'Any tone',
  positive: 'Positive',
  neutral: 'Neutral',
  negative: 'Negative',
};
const STATUSES = ['', 'completed', 'queued', 'running', 'failed', 'cancelled'] as const;
const REVIEWS: Words<'' | 'false' | 'true'> = { '': 'Reviewed or not', false: 'To review', true: 'Reviewed' };
export const SORTS: Words<ConversationSort> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  longest: 'Longest first',
  shortest: 'Shortest first',
};

/** The filters of the list, which are its address. An empty text is no filter. */
export interface ListFilters {
  q: string;
  when: keyof typeof PERIODS;
  with: MomentCategory | '';
  length: keyof typeof LENGTHS;
  tone: keyof typeof TONES;
  status: (typeof STATUSES)[number];
  reviewed: keyof typeof REVIEWS;
  label: string;
  /** The id of a person. */
  person: string;
  sort: ConversationSort;
}

const NONE: ListFilters = {
  q: '',
  when: '',
  with: '',
  length: '',
  tone: '',
  status: '',
  reviewed: '',
  label: '',
  person: '',
  sort: 'newest',
};
/** The filters that have a fixed choice. Other values in an address are left out. */
const CHOICES: Readonly<Partial<Record<keyof ListFilters, readonly string[]>>> = {
  when: Object.keys(PERIODS),
  with: Object.keys(MOMENT_NAMES),
  length: Object.keys(LENGTHS),
  tone: Object.keys(TONES),
  status: STATUSES,
  reviewed: Object.keys(REVIEWS),
  sort: Object.keys(SORTS),
};

/** The filters that a phone folds behind one button. */
const FOLDED = ['when', 'with', 'length', 'tone', 'status', 'reviewed'] as const;

export function filtersIn(query: Readonly<Record<string, string>>): ListFilters {
  const given = Object.entries(query).filter(
    ([name, value]) => name in NONE && (CHOICES[name as keyof ListFilters]?.includes(value) ?? true),
  );
  return { ...NONE, ...Object.fromEntries(given) };
}

export function addressWith(filters: ListFilters): string {
  const given = Object.entries(filters).filter(([name, value]) => value !== NONE[name as keyof ListFilters]);
  return given.length === 0 ? '/app' : `/app?${new URLSearchParams(given)}`;
}

/** Whether some conversations are left out. */
export const isNarrowed = (filters: ListFilters): boolean => addressWith({ ...filters, sort: NONE.sort }) !== '/app';

export function queryOf(filters: ListFilters, cursor: string | undefined): ConversationQueryInput {
  const { q, when, with: moment, length, tone, status, reviewed, label, person, sort } = filters;
  return {
    limit: PAGE,
    totals: 'true',
    sort,
    q: q.trim() || undefined,
    moment: moment || undefined,
    status: status || undefined,
    sentiment: tone || undefined,
    label: label || undefined,
    person: person || undefined,
    reviewed: reviewed || undefined,
    created_after: when === '' ? undefined : new Date(Date.now() - Number.parseInt(when, 10) * DAY_MS).toISOString(),
    cursor,
    ...LENGTHS[length].query,
  };
}

export interface Narrowing {
  filters: ListFilters;
  /** @param isTyping replaces the address, so that Back leaves out what was typed on the way */
  narrow: (change: Partial<ListFilters>, isTyping?: boolean) => void;
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
  const used = FOLDED.filter((name) => filters[name] !== NONE[name]).length;
  // A typed text counts at once when another filter is chosen.
  const narrow = (change: Partial<ListFilters>): void => {
    clearTimeout(timer.current);
    narrowTo({ q: search.current?.value ?? '', ...change });
  };
  return (
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
        class={used > 0 ? 'pill on fold' : 'pill fold'}
        aria-expanded={isUnfolded}
        aria-controls="filters"
        onClick={() => unfold(!isUnfolded)}
      >
        {used > 0 ? `Filters (${used})` : 'Filters'}
      </button>
      <div id="filters" class={isUnfolded ? 'choices open' : 'choices'}>
        <Choice
          name="When"
          value={filters.when}
          from={Object.keys(PERIODS) as ListFilters['when'][]}
          word={(v) => PERIODS[v]}
          choose={(when) => narrow({ when })}
        />
        <Choice
          name="With"
          value={filters.with}
          from={['', ...(Object.keys(MOMENT_NAMES) as MomentCategory[])]}
          word={(v) => (v === '' ? 'All moments' : `With: ${MOMENT_NAMES[v].toLowerCase()}`)}
          choose={(moment) => narrow({ with: moment })}
        />
        <Choice
          name="Length"
          value={filters.length}
          from={Object.keys(LENGTHS) as ListFilters['length'][]}
          word={(v) => LENGTHS[v].word}
          choose={(length) => narrow({ length })}
        />
        <Choice
          name="Tone"
          value={filters.tone}
          from={Object.keys(TONES) as ListFilters['tone'][]}
          word={(v) => TONES[v]}
          choose={(tone) => narrow({ tone })}
        />
        <Choice
          name="Status"
          value={filters.status}
          from={STATUSES}
          word={(v) => (v === '' ? 'Any status' : capital(v))}
          choose={(status) => narrow({ status })}
        />
        <Choice
          name="Review"
          value={filters.reviewed}
          from={Object.keys(REVIEWS) as ListFilters['reviewed'][]}
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
          from={Object.keys(SORTS) as ConversationSort[]}
          word={(v) => SORTS[v]}
          choose={(sort) => narrow({ sort })}
        />
      </span>
      {isNarrowed(filters) && (
        <button
          type="button"
          class="btn sm ghost"
          onClick={() => {
            if (search.current) search.current.value = '';
            narrow({ ...NONE, sort: filters.sort });
          }}
        >
          <Icon name="close" size={13} /> Clear
        </button>
      )}
    </div>
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
