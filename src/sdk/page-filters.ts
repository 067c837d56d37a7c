import { dayOf, daysAfter, firstDays, mondays } from './days.ts';
import type {
  CommitmentQueryInput,
  CommitmentState,
  ConversationQueryInput,
  ConversationSort,
  JobStatus,
  MomentCategory,
  MomentOutcome,
  MomentQueryInput,
  SentimentLabel,
  View,
} from './wire.ts';
import { MOMENT_CATEGORIES } from './wire.ts';

// The filters in the addresses of the dashboard's pages, which saved views keep, and the queries that they mean. The
// pages read them, and so do the command line and the tools. Unknown filters and values are left out, so that an old
// address still opens.

/** The query of an address, with one value for each name. */
export type AddressQuery = Readonly<Record<string, string>>;

export const addressQueryOf = (query: string): AddressQuery => Object.fromEntries(new URLSearchParams(query));

// Patterns

export const WEEKS = [4, 8, 13, 26] as const;
/** Patterns also looks back on a year. */
export const PATTERN_WEEKS = [...WEEKS, 52] as const;
export const USUAL_WEEKS = 8;
/** Weeks beyond which the columns of Patterns are months. */
const MOST_WEEK_COLUMNS = 13;

/** The columns of Patterns, by their first days. The last one is not over yet. */
export interface PatternColumns {
  span: 'week' | 'month';
  days: string[];
}

/** @param weeks how many of them Patterns looks back on */
export const patternColumns = (weeks: number): PatternColumns =>
  weeks <= MOST_WEEK_COLUMNS
    ? { span: 'week', days: mondays(weeks) }
    : { span: 'month', days: firstDays(Math.round((weeks / 52) * 12)) };
export const NO_PERIOD = { from: '', to: '' } as const;

/** The filters of Patterns. An empty text does not filter. */
export interface PatternFilters {
  weeks: number;
  /** The first days of the first chosen column and of the one after the last. Empty: all columns. */
  from: string;
  to: string;
  /** One category, or several with commas between. */
  category: string;
  outcome: string;
  person: string;
  label: string;
  q: string;
  /** The id of a rule. */
  rule: string;
  /** The id of the moment to hear. */
  at: string;
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The Monday of one chosen week, or empty for all weeks. */
export const weekIn = ({ week = '' }: AddressQuery): string => (isDay(week) ? week : '');

/** How many weeks a page looks back on. */
export function weeksIn({ weeks = '' }: AddressQuery, choices: readonly number[] = WEEKS): number {
  const count = Number(weeks);
  return choices.includes(count) ? count : USUAL_WEEKS;
}

const isCategory = (text: string): boolean => MOMENT_CATEGORIES.some(({ name }) => name === text);

export function patternFiltersIn(query: AddressQuery): PatternFilters {
  const { category = '', outcome = '', person = '', label = '', q = '', rule = '', at = '' } = query;
  const week = weekIn(query);
  const [from, to] = week !== '' ? [week, daysAfter(week, 7)] : [query.from ?? '', query.to ?? ''];
  const isPeriod = isDay(from) && isDay(to) && from < to;
  return {
    category: category.split(',').every(isCategory) ? category : '',
    outcome,
    weeks: weeksIn(query, PATTERN_WEEKS),
    ...(isPeriod ? { from, to } : NO_PERIOD),
    ...{ person, label, q, rule, at },
  };
}

/** @param isBrushed whether only the chosen columns are meant */
export function momentQueryOf(
  { category, outcome, weeks, from, to, person, label, q, rule }: PatternFilters,
  isBrushed: boolean,
): MomentQueryInput {
  return {
    ...(isBrushed && from !== '' ? { from, to } : { from: patternColumns(weeks).days[0]! }),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(category !== '' && { category }),
    ...(outcome !== '' && { outcome: outcome as MomentOutcome }),
    ...(person !== '' && { person }),
    ...(label !== '' && { label }),
    ...(q !== '' && { q }),
    ...(rule !== '' && { rule }),
  };
}

// Conversations

/** Choices of the length, in seconds. */
const LENGTHS = {
  '': {},
  short: { max_duration: 300 },
  medium: { min_duration: 300, max_duration: 1800 },
  long: { min_duration: 1800 },
} as const;
/** Choices of how far the list looks back, in days. */
const PERIODS = { '': null, '1d': 1, '7d': 7, '30d': 30 } as const;

/** The filters of the list of conversations. An empty text does not filter. */
export interface ListFilters {
  q: string;
  when: keyof typeof PERIODS;
  with: MomentCategory | '';
  length: keyof typeof LENGTHS;
  tone: SentimentLabel | '';
  status: JobStatus | '';
  reviewed: '' | 'false' | 'true';
  label: string;
  /** The id of a person. */
  person: string;
  sort: ConversationSort;
}

export const NO_LIST_FILTER: ListFilters = {
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

/** The filters with a fixed choice. */
export const LIST_CHOICES = {
  when: Object.keys(PERIODS) as ListFilters['when'][],
  with: ['', ...MOMENT_CATEGORIES.map(({ name }) => name)] as ListFilters['with'][],
  length: Object.keys(LENGTHS) as ListFilters['length'][],
  tone: ['', 'positive', 'neutral', 'negative'],
  status: ['', 'completed', 'queued', 'running', 'failed', 'cancelled'],
  reviewed: ['', 'false', 'true'],
  sort: ['newest', 'oldest', 'longest', 'shortest'],
} as const satisfies { [K in keyof ListFilters]?: readonly ListFilters[K][] };

export function listFiltersIn(query: AddressQuery): ListFilters {
  const choices: Readonly<Record<string, readonly string[]>> = LIST_CHOICES;
  const given = Object.entries(query).filter(
    ([name, value]) => Object.hasOwn(NO_LIST_FILTER, name) && (choices[name]?.includes(value) ?? true),
  );
  return { ...NO_LIST_FILTER, ...Object.fromEntries(given) };
}

export function conversationQueryOf(filters: ListFilters): ConversationQueryInput {
  const { q, when, with: moment, length, tone, status, reviewed, label, person, sort } = filters;
  const days = PERIODS[when];
  return {
    sort,
    q: q.trim() || undefined,
    moment: moment || undefined,
    status: status || undefined,
    sentiment: tone || undefined,
    label: label || undefined,
    person: person || undefined,
    reviewed: reviewed || undefined,
    from: days === null ? undefined : new Date(Date.now() - days * 86_400_000).toISOString(),
    ...LENGTHS[length],
  };
}

// Commitments

/** Choices of the status of commitments, and the states that each means. */
export const COMMITMENT_STATES = {
  open: ['open', 'accepted'],
  offered: ['offered'],
  done: ['done'],
  declined: ['declined'],
  all: ['open', 'accepted', 'offered', 'done', 'declined'],
} as const satisfies Record<string, readonly CommitmentState[]>;
/** Choices of the day, as days from today before which they must be due. */
const DUE = { any: null, passed: 0, week: 8, month: 32 } as const;

/** The filters of Commitments. */
export interface CommitmentChoices {
  status: keyof typeof COMMITMENT_STATES;
  due: keyof typeof DUE;
  /** The name of a speaker or the id of a person. Empty: anyone. */
  person: string;
}

export const USUAL_COMMITMENTS: CommitmentChoices = { status: 'open', due: 'any', person: '' };

export function commitmentFiltersIn({ status = '', due = '', person = '' }: AddressQuery): CommitmentChoices {
  return {
    status: Object.hasOwn(COMMITMENT_STATES, status)
      ? (status as CommitmentChoices['status'])
      : USUAL_COMMITMENTS.status,
    due: Object.hasOwn(DUE, due) ? (due as CommitmentChoices['due']) : USUAL_COMMITMENTS.due,
    person,
  };
}

export function commitmentQueryOf({ status, due, person }: CommitmentChoices): CommitmentQueryInput {
  const days = DUE[due];
  return {
    status: COMMITMENT_STATES[status].join(','),
    ...(days !== null && { due_before: daysAfter(dayOf(new Date()), days) }),
    ...(person !== '' && { person }),
  };
}

// Saved views

export type ViewQuery =
  | { page: 'patterns'; query: MomentQueryInput }
  | { page: 'conversations'; query: ConversationQueryInput }
  | { page: 'commitments'; query: CommitmentQueryInput };

/** The list that a saved view shows, and the query for it. */
export function queryOfView({ page, query }: Pick<View, 'page' | 'query'>): ViewQuery {
  const given = addressQueryOf(query);
  if (page === 'patterns') return { page, query: momentQueryOf(patternFiltersIn(given), true) };
  if (page === 'conversations') return { page, query: conversationQueryOf(listFiltersIn(given)) };
  return { page, query: commitmentQueryOf(commitmentFiltersIn(given)) };
}
