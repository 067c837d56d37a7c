import { ServiceError } from '../../../contract/errors.ts';
import type { MomentQuery } from '../../../contract/patterns.ts';
import type { Sql, SqlValue } from '../../sqlite/migrations.ts';
import { searchQuery } from '../catalogue/search-query.ts';
import { Calendar } from './calendar.ts';

/** Conditions joined with AND, and the values bound in them. */
export class Conditions {
  readonly #where: string[] = [];
  readonly bindings: SqlValue[] = [];

  /** Adds a condition with one or several placeholders for the same value; undefined adds none. */
  when(condition: string, value: SqlValue | undefined): void {
    if (value === undefined) return;
    this.#where.push(condition);
    this.bindings.push(...Array.from({ length: condition.split('?').length - 1 }, () => value));
  }

  /** Adds a condition with its own values. */
  and(condition: string, ...values: readonly SqlValue[]): void {
    this.#where.push(condition);
    this.bindings.push(...values);
  }

  copy(): Conditions {
    const copy = new Conditions();
    copy.#where.push(...this.#where);
    copy.bindings.push(...this.bindings);
    return copy;
  }

  /** The clause, which is empty if there are no conditions. */
  get where(): string {
    return this.#where.length > 0 ? `WHERE ${this.#where.join(' AND ')}` : '';
  }
}

export type ConversationFilter = Pick<MomentQuery, 'from' | 'to' | 'tz' | 'label' | 'language' | 'person' | 'rule'> & {
  q?: string | undefined;
};

/** Conditions on `pattern_conversations`. @throws ServiceError INVALID_REQUEST for a search without words */
export function conversationConditions(filter: ConversationFilter): Conditions {
  const on = periodOf(filter);
  addOthers(on, filter);
  return on;
}

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

/** Conditions on when a recording began. */
export function periodOf({ from, to, tz }: ConversationFilter): Conditions {
  const on = new Conditions();
  const calendar = new Calendar(tz);
  on.when('began >= ?', from && calendar.timeOf(from));
  on.when('began < ?', to && calendar.timeOf(to));
  return on;
}

function addOthers(on: Conditions, { language, label, person, rule, q }: ConversationFilter): void {
  on.when(`(language = ? OR substr(language, 1, length(?) + 1) = ? || '-')`, language);
  on.when(`n IN (SELECT n FROM facets WHERE kind = 'label' AND value = ?)`, label);
  on.when('n IN (SELECT n FROM pattern_speakers WHERE name = ? OR person = ?)', person);
  on.when(`n IN (SELECT n FROM rule_results WHERE rule = ? AND outcome = 'matched')`, rule);
  on.when('n IN (SELECT rowid FROM search WHERE search MATCH ?)', q === undefined ? undefined : searchQuery(q));
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
