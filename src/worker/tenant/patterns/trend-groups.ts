import type { TrendGroup } from '../../../contract/trends.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { type Calendar, calendarOf } from '../filters/calendar.ts';
import type { ConversationRow } from './pattern-rows.ts';

/** The value of each group. */
export type Values = Partial<Record<TrendGroup, string | null>>;

/** The values of some groups, with a key that equal ones share. */
export interface GroupValues {
  key: string;
  of: Values;
}

/** Finds the values of the groups that hold whole conversations. */
export class ConversationGroups {
  readonly #calendar: Calendar;
  readonly #groups: readonly TrendGroup[];
  readonly #labels: ReadonlyMap<number, string[]>;
  readonly #rules: ReadonlyMap<number, string[]>;
  readonly #places = new KnownGroupValues();
  /** The places of a single group, by its value. */
  readonly #single = new Map<string | null, GroupValues[]>();

  constructor(sql: Sql, groups: readonly TrendGroup[], tz: string) {
    this.#calendar = calendarOf(tz);
    this.#groups = groups.filter((group) => !DIVIDING.includes(group));
    const read = (query: string) => {
      const values = new Map<number, string[]>();
      for (const { n, value } of sql.exec<{ n: number; value: string }>(query)) pushTo(values, n, value);
      return values;
    };
    const labels = `SELECT n, value FROM facets WHERE kind = 'label'`;
    const rules = `SELECT n, rule AS value FROM rule_results WHERE outcome = 'matched'`;
    this.#labels = groups.includes('label') ? read(labels) : new Map();
    this.#rules = groups.includes('rule') ? read(rules) : new Map();
  }

  /** Each combination of values under which a conversation is counted. */
  of(conversation: ConversationRow): GroupValues[] {
    const [group] = this.#groups;
    if (group !== undefined && this.#groups.length === 1 && group !== 'label' && group !== 'rule') {
      const [value = null] = this.#valuesOf(group, conversation);
      const known = this.#single.get(value) ?? [this.#places.of(this.#groups, [value])];
      this.#single.set(value, known);
      return known;
    }
    const lists = this.#groups.map((group) => this.#valuesOf(group, conversation));
    return combinations(lists).map((values) => this.#places.of(this.#groups, values));
  }

  #valuesOf(group: TrendGroup, [n, began, , language]: ConversationRow): readonly (string | null)[] {
    if (group === 'day') return [this.#calendar.dayOf(began)];
    if (group === 'week') return [this.#calendar.weekOf(began)];
    if (group === 'month') return [this.#calendar.monthOf(began)];
    if (group === 'language') return [language];
    return (group === 'label' ? this.#labels : this.#rules).get(n) ?? [];
  }
}

/** The groups that divide a conversation. */
const DIVIDING: readonly TrendGroup[] = ['role', 'person', 'category', 'outcome'];

/** Gives equal values of groups the same object. */
export class KnownGroupValues {
  readonly #known = new Map<string, GroupValues>();

  of(groups: readonly TrendGroup[], values: readonly (string | null)[]): GroupValues {
    const key = keyOf(values);
    let place = this.#known.get(key);
    if (!place) {
      place = { key, of: Object.fromEntries(groups.map((group, i) => [group, values[i] ?? null])) };
      this.#known.set(key, place);
    }
    return place;
  }
}

/** The key of values. No value has control characters. */
export const keyOf = (values: readonly (string | null)[]): string =>
  values.map((value) => value ?? '\u0000').join('\u0001');

/** Every combination of a value of each list. */
export const combinations = (lists: readonly (readonly (string | null)[])[]): (string | null)[][] =>
  lists.reduce<(string | null)[][]>((all, list) => all.flatMap((one) => list.map((value) => [...one, value])), [[]]);

export function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}
