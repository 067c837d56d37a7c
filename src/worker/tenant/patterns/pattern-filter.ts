import { ServiceError } from '../../../contract/errors.ts';
import type { MomentQuery } from '../../../contract/patterns.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { addOthers, Conditions, type ConversationFilter, periodOf } from '../filters/conversation-filter.ts';

type MomentFilter = Pick<MomentQuery, 'category' | 'min_confidence' | 'speaker' | 'role' | 'outcome'>;

/**
 * Conditions on `pattern_moments`.
 * @throws ServiceError INVALID_REQUEST for a search without words
 */
export function momentConditions(sql: Sql, filter: ConversationFilter & MomentFilter): Conditions {
  const on = periodOf(filter);
  const others = new Conditions();
  addOthers(others, filter);
  if (others.where !== '') {
    // The conversations are looked up once, and not in each of the queries that use these conditions.
    const query = `SELECT json_group_array(n) AS found FROM pattern_conversations ${others.where}`;
    const { found } = sql.exec<{ found: string }>(query, ...others.bindings).one();
    on.and('n IN (SELECT value FROM json_each(?))', found);
  }
  addOwn(on, filter);
  return on;
}

/** Conditions on the moments of conversations that are already known. */
export function ownConditions(filter: MomentFilter): Conditions {
  const on = new Conditions();
  addOwn(on, filter);
  return on;
}

function addOwn(on: Conditions, { category, min_confidence, speaker, role, outcome }: MomentFilter): void {
  on.when('category IN (SELECT value FROM json_each(?))', category && JSON.stringify(category.split(',')));
  on.when('confidence >= ?', min_confidence);
  on.when(`(n, speaker) IN (SELECT n, i FROM pattern_speakers WHERE name = ? OR person = ?)`, speaker);
  on.when('role = ?', role);
  on.when('outcome = ?', outcome);
}

/** A place in a list: when a recording began, its number, and the number of an entry in it. */
export interface Place {
  began: number;
  n: number;
  i: number;
}

/** The cursor after an entry. Times before 1970 are negative. */
export const patternCursor = ({ began, n, i }: Place): string => [began, n, i].join('.');

/** @throws ServiceError INVALID_REQUEST unless it is a cursor */
export function placeOfCursor(cursor: string): Place {
  const [, began, n, i] = /^(-?\d{1,15})\.(\d{1,10})\.(\d{1,10})$/.exec(cursor) ?? [];
  if (began === undefined) throw new ServiceError('INVALID_REQUEST', 'cursor: does not belong to this list');
  return { began: Number(began), n: Number(n), i: Number(i) };
}
