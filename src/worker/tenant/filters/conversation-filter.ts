import type { MomentQuery } from '../../../contract/patterns.ts';
import type { SqlValue } from '../../sqlite/migrations.ts';
import { calendarOf } from './calendar.ts';
import { searchQuery } from './search-query.ts';

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

/** Adds that the conversation of a row, by its column `n`, matches a filter. */
export function inConversations(on: Conditions, filter: ConversationFilter): void {
  const { where, bindings } = conversationConditions(filter);
  if (where !== '') on.and(`n IN (SELECT n FROM pattern_conversations ${where})`, ...bindings);
}

/** Conditions on when a recording began. */
export function periodOf(filter: ConversationFilter): Conditions {
  const on = new Conditions();
  const [from, before] = periodBounds(filter);
  on.when('began >= ?', Number.isFinite(from) ? from : undefined);
  on.when('began < ?', Number.isFinite(before) ? before : undefined);
  return on;
}

/** When a recording may have begun, at the earliest and before, Unix time, ms. Infinite where nothing is asked. */
export function periodBounds({ from, to, tz }: ConversationFilter): [from: number, before: number] {
  const calendar = calendarOf(tz);
  const timeOf = (written: string | undefined, otherwise: number): number =>
    written ? calendar.timeOf(written) : otherwise;
  return [timeOf(from, -Infinity), timeOf(to, Infinity)];
}

/** Adds the conditions on `pattern_conversations` that do not concern when a recording began. */
export function addOthers(on: Conditions, { language, label, person, rule, q }: ConversationFilter): void {
  on.when(`(language = ? OR substr(language, 1, length(?) + 1) = ? || '-')`, language);
  on.when(`n IN (SELECT n FROM facets WHERE kind = 'label' AND value = ?)`, label);
  on.when('n IN (SELECT n FROM pattern_speakers WHERE name = ? OR person = ?)', person);
  on.when(`n IN (SELECT n FROM rule_results WHERE rule = ? AND outcome = 'matched')`, rule);
  on.when('n IN (SELECT rowid FROM search WHERE search MATCH ?)', q === undefined ? undefined : searchQuery(q));
}
