import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { ConversationQueryInput, MomentCategory } from '../../sdk/wire.ts';
import { capital } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { MOMENT_NAMES } from '../lib/speaker-marks.tsx';

const PAGE = 50;
const DAY_MS = 86_400_000;
/** Pause in typing after which a search starts, ms. */
const TYPING_MS = 250;

const PERIODS = { 'All time': 0, 'Last 24 hours': 1, 'Last 7 days': 7, 'Last 30 days': 30 } as const;
const LENGTHS = {
  'Any length': {},
  'Under 5 min': { max_duration: 300 },
  '5 to 30 min': { min_duration: 300, max_duration: 1800 },
  'Over 30 min': { min_duration: 1800 },
} as const;
type Status = NonNullable<ConversationQueryInput['status']>;
type Sentiment = NonNullable<ConversationQueryInput['sentiment']>;

/** The current search. It is kept while the user visits other pages. */
export const searchedQuery = {
  q: signal(''),
  period: signal<keyof typeof PERIODS>('All time'),
  length: signal<keyof typeof LENGTHS>('Any length'),
  moment: signal<MomentCategory | ''>(''),
  status: signal<Status | ''>(''),
  sentiment: signal<Sentiment | ''>(''),
  label: signal(''),
  reviewed: signal<'' | 'true' | 'false'>(''),
  /** Cursors of the previous pages and of the current one. */
  cursors: signal<string[]>([]),
};
export const isNarrowed = (): boolean =>
  searchedQuery.q.value.trim() !== '' ||
  searchedQuery.period.value !== 'All time' ||
  searchedQuery.length.value !== 'Any length' ||
  [
    searchedQuery.moment,
    searchedQuery.status,
    searchedQuery.sentiment,
    searchedQuery.label,
    searchedQuery.reviewed,
  ].some(({ value }) => value !== '');

export function queryNow(): ConversationQueryInput {
  const { q, period, length, moment, status, sentiment, label, reviewed, cursors } = searchedQuery;
  const days = PERIODS[period.value];
  return {
    limit: PAGE,
    q: q.value.trim() || undefined,
    moment: moment.value || undefined,
    status: status.value || undefined,
    sentiment: sentiment.value || undefined,
    label: label.value || undefined,
    reviewed: reviewed.value || undefined,
    created_after: days > 0 ? new Date(Date.now() - days * DAY_MS).toISOString() : undefined,
    cursor: cursors.value.at(-1),
    ...LENGTHS[length.value],
  };
}

/** The two conversations being chosen for comparison. */
export interface Picking {
  picked: { value: readonly string[] | undefined };
}

/** Shows only the conversations with a label; '' for all. */
export function filterByLabel(label: string): void {
  searchedQuery.cursors.value = [];
  searchedQuery.label.value = label;
}

export function Filters(p: Picking & { found: number | undefined; compare: (a: string, b: string) => void }) {
  const { q, period, length, moment, status, sentiment, label, reviewed, cursors } = searchedQuery;
  const timer = useRef(0);
  const change = <T,>(what: { value: T }, value: T): void => {
    cursors.value = [];
    what.value = value;
  };
  const { picked } = p;
  const [a, b] = picked.value ?? [];
  return (
    <div class="tool">
      <span class="sw">
        <Icon name="search" size={15} />
        <input
          id="search"
          class="inp"
          type="search"
          placeholder="Search titles, names and transcripts"
          aria-label="Search titles, names and transcripts"
          value={q.value}
          onInput={(e) => {
            const { value } = e.currentTarget;
            clearTimeout(timer.current);
            timer.current = window.setTimeout(() => change(q, value), TYPING_MS);
          }}
        />
      </span>
      <Choice
        name="When"
        value={period.value}
        from={Object.keys(PERIODS) as (keyof typeof PERIODS)[]}
        choose={(v) => change(period, v)}
      />
      <Choice
        name="With"
        value={moment.value}
        from={['', ...(Object.keys(MOMENT_NAMES) as MomentCategory[])]}
        word={(v) => (v === '' ? 'All moments' : `With: ${MOMENT_NAMES[v].toLowerCase()}`)}
        choose={(v) => change(moment, v)}
      />
      <Choice
        name="Length"
        value={length.value}
        from={Object.keys(LENGTHS) as (keyof typeof LENGTHS)[]}
        choose={(v) => change(length, v)}
      />
      <Choice
        name="Tone"
        value={sentiment.value}
        from={['', 'positive', 'neutral', 'negative'] as const}
        word={(v) => (v === '' ? 'Any tone' : capital(v))}
        choose={(v) => change(sentiment, v)}
      />
      <Choice
        name="Status"
        value={status.value}
        from={['', 'completed', 'queued', 'running', 'failed', 'cancelled'] as const}
        word={(v) => (v === '' ? 'Any status' : capital(v))}
        choose={(v) => change(status, v)}
      />
      <Choice
        name="Review"
        value={reviewed.value}
        from={['', 'false', 'true'] as const}
        word={(v) => (v === '' ? 'Reviewed or not' : v === 'true' ? 'Reviewed' : 'To review')}
        choose={(v) => change(reviewed, v)}
      />
      {label.value !== '' && (
        <button
          type="button"
          class="btn"
          aria-label={`Remove the filter ${label.value}`}
          onClick={() => filterByLabel('')}
        >
          <span class="ell">Label: {label.value}</span> <Icon name="close" size={13} />
        </button>
      )}
      <span class="sp" />
      {picked.value === undefined ? (
        <button type="button" class="btn ghost" onClick={() => (picked.value = [])}>
          <Icon name="compare" size={16} /> Compare two
        </button>
      ) : (
        <>
          <button type="button" class="btn pri" disabled={!a || !b} onClick={() => a && b && p.compare(a, b)}>
            Compare {picked.value.length} of 2
          </button>
          <button type="button" class="btn ghost" onClick={() => (picked.value = undefined)}>
            Cancel
          </button>
        </>
      )}
      <span class="vh" role="status">
        {p.found === undefined ? '' : `${p.found} conversations`}
      </span>
    </div>
  );
}

function Choice<T extends string>(p: {
  name: string;
  value: T;
  from: readonly T[];
  word?: (value: T) => string;
  choose: (value: T) => void;
}) {
  return (
    <select class="btn" aria-label={p.name} value={p.value} onChange={(e) => p.choose(e.currentTarget.value as T)}>
      {p.from.map((value) => (
        <option key={value} value={value}>
          {p.word ? p.word(value) : value}
        </option>
      ))}
    </select>
  );
}
