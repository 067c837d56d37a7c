import { ServiceError } from '../../../contract/errors.ts';
import type { MomentQuery } from '../../../contract/patterns.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import {
  addOthers,
  Conditions,
  type ConversationFilter,
  periodBounds,
  periodOf,
} from '../filters/conversation-filter.ts';
import type { ConversationRow, MomentRow, SpeakerRow } from './pattern-rows.ts';

export type MomentFilter = Pick<MomentQuery, 'category' | 'min_confidence' | 'speaker' | 'role' | 'outcome'>;

/**
 * Conditions on `pattern_moments`.
 * @throws ServiceError INVALID_REQUEST for a search without words
 */
export function momentConditions(sql: Sql, filter: ConversationFilter & MomentFilter): Conditions {
  const on = periodOf(filter);
  on.when('n IN (SELECT value FROM json_each(?))', numbersFor(sql, filter));
  addOwn(on, filter);
  return on;
}

function addOwn(on: Conditions, { category, min_confidence, speaker, role, outcome }: MomentFilter): void {
  // The plus keeps SQLite from sorting all moments of a category, where the newest ones are read in order.
  on.when('+category IN (SELECT value FROM json_each(?))', category && JSON.stringify(category.split(',')));
  on.when('confidence >= ?', min_confidence);
  on.when(`(n, speaker) IN (SELECT n, i FROM pattern_speakers WHERE name = ? OR person = ?)`, speaker);
  on.when('role = ?', role);
  on.when('outcome = ?', outcome);
}

/** Tests a moment in memory, with the speakers of its conversation, by the same conditions. */
export function momentTest({ category, min_confidence, speaker, role, outcome }: MomentFilter) {
  const categories = category?.split(',');
  return (moment: MomentRow, speakers: readonly SpeakerRow[]): boolean => {
    const [, , ofCategory, ofOutcome, ofRole, i, , confidence] = moment;
    if (categories && !categories.includes(ofCategory)) return false;
    if (outcome !== undefined && outcome !== ofOutcome) return false;
    if (role !== undefined && role !== ofRole) return false;
    if (min_confidence !== undefined && confidence < min_confidence) return false;
    if (speaker === undefined) return true;
    const said = speakers[i];
    return said !== undefined && (said.name === speaker || said.person === speaker);
  };
}

/** Tests a conversation in memory. @throws ServiceError INVALID_REQUEST for a search without words */
export function conversationTest(sql: Sql, filter: ConversationFilter) {
  const [from, before] = periodBounds(filter);
  const others = numbersFor(sql, filter);
  const found = others === undefined ? undefined : new Set(JSON.parse(others) as number[]);
  return ([n, began]: ConversationRow): boolean =>
    began >= from && began < before && (found === undefined || found.has(n));
}

/**
 * The numbers of the conversations that match a filter, except for its period, as JSON; undefined if it asks for
 * nothing else. They are looked up once, and not in each query.
 */
function numbersFor(sql: Sql, filter: ConversationFilter): string | undefined {
  const others = new Conditions();
  addOthers(others, filter);
  if (others.where === '') return undefined;
  const query = `SELECT json_group_array(n) AS found FROM pattern_conversations ${others.where}`;
  return sql.exec<{ found: string }>(query, ...others.bindings).one().found;
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
