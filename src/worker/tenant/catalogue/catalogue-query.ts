import type { ConversationQuery, ConversationSort } from '../../../contract/conversations.ts';
import { ServiceError } from '../../../contract/errors.ts';
import { calendarOf } from '../filters/calendar.ts';
import { Conditions, inConversations } from '../filters/conversation-filter.ts';

/** The filters of a query. */
export type CatalogueFilter = Omit<ConversationQuery, 'cursor' | 'limit' | 'sort' | 'totals'>;

/** The conditions of a query, without its words and its place in the list. */
export function conditionsOf(query: CatalogueFilter): Conditions {
  const on = new Conditions();
  const timeOf = (iso: string | undefined) => (iso === undefined ? undefined : Date.parse(iso));
  on.when('created_at > ?', timeOf(query.created_after));
  on.when('created_at < ?', timeOf(query.created_before));
  const isOpen = query.status === 'queued' || query.status === 'running';
  on.when('status = ?', isOpen ? 'processing' : query.status);
  on.when('mode = ?', query.mode);
  on.when('speakers >= ?', query.min_speakers);
  on.when('speakers <= ?', query.max_speakers);
  on.when('duration >= ?', query.min_duration);
  on.when('duration <= ?', query.max_duration);
  on.when('sentiment = ?', query.sentiment);
  on.when(`n IN (SELECT n FROM facets WHERE kind = 'moment' AND value = ?)`, query.moment);
  on.when(`n IN (SELECT n FROM facets WHERE kind = 'label' AND value = ?)`, query.label);
  on.when(
    `n ${query.reviewed === 'true' ? '' : 'NOT '}IN (SELECT n FROM facets WHERE kind = 'review' AND value = ?)`,
    query.reviewed === undefined ? undefined : 'reviewed',
  );
  const { from, to, tz, language, rule, person } = query;
  const calendar = calendarOf(tz);
  on.when('recorded_at >= ?', from && calendar.timeOf(from));
  on.when('recorded_at < ?', to && calendar.timeOf(to));
  on.when(
    `n IN (SELECT n FROM facets WHERE kind = 'person' AND value = ? UNION SELECT n FROM pattern_speakers WHERE name = ?)`,
    person,
  );
  inConversations(on, { tz, language, rule });
  return on;
}

/** Conversations without a length come last in both orders of the length. */
const LEAST = -1;
const MOST = 1e12;

/** The columns of `conversations` that the orders read. */
export interface Placed {
  created_at: number;
  recorded_at: number;
  duration: number | null;
}

interface Order {
  /** SQL of the order, in which no two are equal: creation times are unique. */
  by: string;
  /** SQL of what comes after a place. */
  after: string;
  /** The values of the place of a row, in the order of `after`. */
  placeOf: (row: Placed) => number[];
}

/** How each order is written in SQL. */
export const ORDERS: Readonly<Record<ConversationSort, Order>> = {
  newest: {
    by: 'recorded_at DESC, created_at DESC',
    after: '(recorded_at, created_at) < (?, ?)',
    placeOf: ({ recorded_at, created_at }) => [recorded_at, created_at],
  },
  oldest: {
    by: 'recorded_at, created_at',
    after: '(recorded_at, created_at) > (?, ?)',
    placeOf: ({ recorded_at, created_at }) => [recorded_at, created_at],
  },
  longest: {
    by: `coalesce(duration, ${LEAST}) DESC, created_at DESC`,
    after: `(coalesce(duration, ${LEAST}), created_at) < (?, ?)`,
    placeOf: ({ created_at, duration }) => [duration ?? LEAST, created_at],
  },
  shortest: {
    by: `coalesce(duration, ${MOST}), created_at`,
    after: `(coalesce(duration, ${MOST}), created_at) > (?, ?)`,
    placeOf: ({ created_at, duration }) => [duration ?? MOST, created_at],
  },
};

/** The cursor after a page: the place of its last conversation. */
export const cursorOf = (last: Placed, sort: ConversationSort): string =>
  btoa([sort, ...ORDERS[sort].placeOf(last)].join(' ')).replaceAll('=', '');

/** The place that a cursor names. @throws ServiceError INVALID_REQUEST for one of another list */
export function placeOfCursor(cursor: string, sort: ConversationSort): number[] {
  try {
    const [of, ...place] = atob(cursor).split(' ');
    const values = place.map(Number);
    const { length } = ORDERS[sort].placeOf({ created_at: 0, recorded_at: 0, duration: 0 });
    if (of === sort && values.length === length && values.every(Number.isFinite) && !place.includes('')) return values;
  } catch {
    // The cursor is not base64.
  }
  throw new ServiceError('INVALID_REQUEST', 'cursor: does not belong to this list');
}
