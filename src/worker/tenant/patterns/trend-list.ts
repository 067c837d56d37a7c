import { ServiceError } from '../../../contract/errors.ts';
import { MOMENT_CATEGORY_NAMES } from '../../../contract/findings.ts';
import { MomentOutcomeSchema, SURE_FROM } from '../../../contract/patterns.ts';
import {
  groupsOf,
  MAX_CELLS,
  MAX_MARKS,
  MEAN_FROM,
  measureRow,
  STAFF_ROLES,
  type TrendCell,
  type TrendExportQuery,
  type TrendGroup,
  type TrendList,
  type TrendMark,
  type TrendMeasure,
  type TrendPerson,
} from '../../../contract/trends.ts';
import type { Sql } from '../../sqlite/migrations.ts';
import { Calendar } from '../filters/calendar.ts';
import { Conditions, conversationConditions, periodOf } from '../filters/conversation-filter.ts';
import { ownConditions } from './pattern-filter.ts';
import { meanOf, quartilesOf, ratioOf } from './statistics.ts';

/** The query of an export has the same members, except for the marks. */
export type TrendRequest = Omit<TrendExportQuery, 'format'> & { marks?: 'true' | 'false' };

/** A value of a conversation as a fraction, and the unsure part of the moments or seconds behind it. */
interface Part {
  above: number;
  below: number;
  unsure: number;
  outOf: number;
}

type Values = Partial<Record<TrendGroup, string | null>>;

/** The values of some groups, with a key that equal ones share. */
interface Place {
  key: string;
  of: Values;
}

/** The part of a conversation in one place; null if the measure is not known. */
interface Share {
  place: Place;
  part: Part | null;
}

type Conversation = [
  ...[n: number, began: number, id: string, language: string | null],
  ...[duration: number, silence: number, unsure: number, spoken: number | null],
];

/** Sums over the conversations that match, in cells. @throws ServiceError INVALID_REQUEST for a bad search, or too many cells */
export function trendList(sql: Sql, query: TrendRequest): TrendList {
  const { measure, tz } = query;
  const groups = groupsOf(query.by);
  const { isRatio = false, unit } = measureRow(measure);
  const conversations = conversationsOf(sql, query);
  const sharesOf = sharesIn(sql, query, groups, conversations);
  const wholes = new ConversationGroups(sql, groups, tz);
  const cells = new Cells(groups);
  const hasMarks = query.marks === 'true';
  /** Number of moments of each conversation. */
  const moments = new Map<number, number>();
  for (const conversation of conversations) {
    const shares = sharesOf(conversation);
    if (hasMarks)
      moments.set(
        conversation[0],
        shares.reduce((sum, { part }) => sum + (part?.above ?? 0), 0),
      );
    for (const whole of wholes.of(conversation))
      for (const { place, part } of shares) cells.at(whole, place).add(conversation[2], part);
  }
  if (hasMarks) addMarks(sql, query, groups, conversations, wholes, cells, moments);
  const names = groups.includes('person') ? namesOfPeople(sql) : new Map<string, string>();
  return {
    measure,
    unit,
    by: groups,
    tz,
    n: conversations.length,
    pending: pendingIn(sql, query),
    cells: cells.inOrder(names).map((cell) => cell.written(isRatio)),
    ...(groups.includes('person') && { people: peopleIn(cells, names) }),
  };
}

/** Conversations whose rows are read together. They take up less than a megabyte, well below the limit on a value. */
const READ_TOGETHER = 250;
/** Moments that are read together. */
const MOMENTS_TOGETHER = 5_000;

/** The conversations that match a query, oldest first. */
function conversationsOf(sql: Sql, query: TrendRequest): Conversation[] {
  const conditions = conversationConditions(query);
  const isSpoken = measureRow(query.measure).of === 'conversation';
  const spoken = '(SELECT sum(spoken) FROM pattern_speakers WHERE pattern_speakers.n = pattern_conversations.n)';
  const columns = `n, began, id, language, duration, silence, unsure, ${isSpoken ? spoken : 'NULL'}`;
  const rows = sql.exec<{ rows: string }>(
    `SELECT json_group_array(json_array(${columns})) AS rows FROM pattern_conversations ${conditions.where} GROUP BY n / ${READ_TOGETHER}`,
    ...conditions.bindings,
  );
  const all = [...rows].flatMap((row) => JSON.parse(row.rows) as Conversation[]);
  return all.sort(([n, began], [m, after]) => began - after || n - m);
}

/**
 * Rows of some conversations, as arrays. SQLite writes many of them together as JSON, because each row that is read
 * from a Durable Object's tables one by one costs several microseconds.
 * @param parts numbers of conversations
 * @param from the tables, with conditions on a column `n`
 */
function packed<T extends unknown[]>(
  sql: Sql,
  parts: readonly (readonly number[])[],
  columns: string,
  from: (where: string) => string,
  conditions = new Conditions(),
): T[] {
  const all: T[] = [];
  for (const part of parts) {
    const on = conditions.copy();
    on.and('n IN (SELECT value FROM json_each(?))', JSON.stringify(part));
    const query = `SELECT json_group_array(json_array(${columns})) AS rows FROM ${from(on.where)}`;
    const { rows } = sql.exec<{ rows: string }>(query, ...on.bindings).one();
    for (const row of JSON.parse(rows) as T[]) all.push(row);
  }
  return all;
}

/** Divides conversations into parts. @param sizeOf the rows of a conversation */
function partsOf(conversations: readonly Conversation[], most: number, sizeOf: (n: number) => number): number[][] {
  const parts: number[][] = [];
  let size = most;
  for (const [n] of conversations) {
    const own = sizeOf(n);
    if (own === 0) continue;
    if (size + own > most) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(n);
    size += own;
  }
  return parts;
}

/** The answer of a tenant without conversations. */
export const noTrends = ({ measure, by, tz }: TrendRequest): TrendList => ({
  measure,
  unit: measureRow(measure).unit,
  by: groupsOf(by),
  tz,
  n: 0,
  pending: 0,
  cells: [],
});

/** Finds the values of the groups that hold whole conversations. */
class ConversationGroups {
  readonly #calendar: Calendar;
  readonly #groups: readonly TrendGroup[];
  readonly #labels: ReadonlyMap<number, string[]>;
  readonly #rules: ReadonlyMap<number, string[]>;
  readonly #places = new Places();
  /** The places of a single group, by its value. */
  readonly #single = new Map<string | null, Place[]>();

  constructor(sql: Sql, groups: readonly TrendGroup[], tz: string) {
    this.#calendar = new Calendar(tz);
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
  of(conversation: Conversation): Place[] {
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

  #valuesOf(group: TrendGroup, [n, began, , language]: Conversation): readonly (string | null)[] {
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
class Places {
  readonly #known = new Map<string, Place>();

  of(groups: readonly TrendGroup[], values: readonly (string | null)[]): Place {
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
const keyOf = (values: readonly (string | null)[]): string => values.map((value) => value ?? '\u0000').join('\u0001');

/** Every combination of a value of each list. */
const combinations = (lists: readonly (readonly (string | null)[])[]): (string | null)[][] =>
  lists.reduce<(string | null)[][]>((all, list) => all.flatMap((one) => list.map((value) => [...one, value])), [[]]);

function pushTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Reads what a measure is taken from, and returns the shares of each conversation. */
function sharesIn(
  sql: Sql,
  query: TrendRequest,
  groups: readonly TrendGroup[],
  conversations: readonly Conversation[],
): (conversation: Conversation) => Share[] {
  const { of } = measureRow(query.measure);
  const place: Place = { key: '', of: {} };
  if (of === 'conversation')
    return (conversation) => [{ place, part: partOfConversation(query.measure, conversation) }];
  const parts = partsOf(conversations, READ_TOGETHER, () => 1);
  return of === 'moment' ? momentShares(sql, query, groups, parts) : speakerShares(sql, query, groups, parts);
}

function partOfConversation(
  measure: TrendMeasure,
  [, , , , duration, silence, unsure, spoken]: Conversation,
): Part | null {
  const sure = { unsure, outOf: spoken ?? 0 };
  if (measure === 'duration') return { above: duration, below: 1, ...sure };
  return duration > 0 ? { above: silence, below: duration, ...sure } : null;
}

const ALL_OUTCOMES = MomentOutcomeSchema.options;
function momentShares(sql: Sql, query: TrendRequest, groups: readonly TrendGroup[], parts: readonly number[][]) {
  const conditions = ownConditions(query);
  const divided = groups.filter((group) => group === 'category' || group === 'outcome' || group === 'role');
  const rows = packed<[n: number, count: number, unsure: number, ...values: (string | null)[]]>(
    sql,
    parts,
    ['n', 'count', 'unsure', ...divided].join(', '),
    (where) => `(SELECT ${['n', 'count(*) AS count', `sum(confidence < ${SURE_FROM}) AS unsure`, ...divided].join(', ')}
      FROM pattern_moments INDEXED BY pattern_moments_of ${where} GROUP BY ${['n', ...divided].join(', ')})`,
    conditions,
  );
  const counts = new Map<number, Map<string, [count: number, unsure: number]>>();
  for (const [n, count, unsure, ...values] of rows) {
    const own = counts.get(n) ?? new Map<string, [number, number]>();
    counts.set(n, own.set(keyOf(values), [count, unsure]));
  }
  const places = new Places();
  const placesOf = (roles: readonly (string | null)[]): Place[] => {
    const lists = divided.map((group) =>
      group === 'role'
        ? roles
        : group === 'category'
          ? (query.category?.split(',') ?? MOMENT_CATEGORY_NAMES)
          : query.outcome === undefined
            ? ALL_OUTCOMES
            : [query.outcome],
    );
    return combinations(lists).map((values) => places.of(divided, values));
  };
  const rolesOf = divided.includes('role') ? rolesIn(sql, parts, query.role) : undefined;
  const everywhere = placesOf([]);
  const isRatio = measureRow(query.measure).isRatio === true;
  return ([n, , , , duration]: Conversation): Share[] => {
    const below = isRatio ? duration / 3600 : 1;
    const own = counts.get(n);
    return (rolesOf ? placesOf(rolesOf.get(n) ?? []) : everywhere).map((place) => {
      const [count, unsure] = own?.get(place.key) ?? NONE;
      if (count === 0 && !isRatio) return { place, part: NO_MOMENTS };
      return { place, part: below > 0 ? { above: count, below, unsure, outOf: count } : null };
    });
  };
}
const NONE = [0, 0] as const;
const NO_MOMENTS: Part = { above: 0, below: 1, unsure: 0, outOf: 0 };

/** The roles in each conversation. @param only a role; undefined for all */
function rolesIn(sql: Sql, parts: readonly number[][], only: string | undefined): Map<number, (string | null)[]> {
  const roles = new Map<number, (string | null)[]>();
  for (const [n, role] of packed<[n: number, role: string | null]>(
    sql,
    parts,
    'n, role',
    (where) => `(SELECT DISTINCT n, role FROM pattern_speakers ${where})`,
  ))
    if (only === undefined || role === only) pushTo(roles, n, role);
  return roles;
}

/** The columns of a speaker from which a measure is taken. */
const SPEAKER_COLUMNS = {
  tone: ['tone', 'toned'],
  talk_share: ['talk', 'ratio'],
  longest_turn: ['longest'],
  patience: ['patience'],
  questions: ['questions', 'talk'],
  pace: ['words', 'talk'],
} as const;
type SpeakerMeasure = keyof typeof SPEAKER_COLUMNS;
const isOfSpeakers = (measure: TrendMeasure): measure is SpeakerMeasure => Object.hasOwn(SPEAKER_COLUMNS, measure);

/**
 * A speaker with the columns of the measure: the first, and the second if it has one. The name and the person are null
 * where a query does not need them.
 */
type Speaker = [
  ...[n: number, name: string | null, person: string | null, role: string | null, unsure: number, spoken: number],
  ...[first: number | null, second: number | null],
];

function speakerShares(sql: Sql, query: TrendRequest, groups: readonly TrendGroup[], parts: readonly number[][]) {
  const { measure } = query;
  if (!isOfSpeakers(measure)) throw new Error(`${measure} is not a measure of speakers`);
  const [first, second = 'NULL'] = SPEAKER_COLUMNS[measure];
  const isFiltered = query.speaker !== undefined || query.person !== undefined;
  const name = isFiltered ? 'name' : 'NULL';
  const person = isFiltered || groups.includes('person') ? 'person' : 'NULL';
  const rows = packed<Speaker>(
    sql,
    parts,
    `n, ${name}, ${person}, role, unsure, spoken, ${first}, ${second}`,
    (where) => `pattern_speakers ${where}`,
  );
  const speakers = new Map<number, Speaker[]>();
  for (const row of rows) pushTo(speakers, row[0], row);
  const divided = groups.filter((group) => group === 'role' || group === 'person');
  const places = new Places();
  return ([n]: Conversation): Share[] => {
    const all = speakers.get(n) ?? [];
    const chosen = new Map<Place, Speaker[]>();
    for (const speaker of all) {
      const [, , person, role] = speaker;
      if (!isChosen(speaker, query) || (person === null && divided.includes('person'))) continue;
      const values = divided.map((group) => (group === 'role' ? role : person));
      pushTo(chosen, places.of(divided, values), speaker);
    }
    return [...chosen].map(([place, own]) => ({ place, part: partOfSpeakers(measure, own, all) }));
  };
}

/** Whether a measure is taken from a speaker. The tone of staff is never worked out, nor that of the person asked for. */
function isChosen([, name, person, role]: Speaker, query: TrendRequest): boolean {
  if (query.speaker !== undefined && query.speaker !== name && query.speaker !== person) return false;
  if (query.role !== undefined && query.role !== role) return false;
  if (query.measure !== 'tone') return true;
  if (role !== null && STAFF_ROLES.includes(role)) return false;
  return query.person === undefined || (query.person !== name && query.person !== person);
}

function partOfSpeakers(measure: SpeakerMeasure, own: readonly Speaker[], all: readonly Speaker[]): Part | null {
  const sum = (column: 4 | 5 | 6 | 7, of = own) => of.reduce((total, speaker) => total + (speaker[column] ?? 0), 0);
  const fraction = (above: number, below: number): Part | null =>
    below > 0 ? { above, below, unsure: sum(4), outOf: sum(5) } : null;
  const known = own.flatMap(([, , , , , , value]) => value ?? []);
  switch (measure) {
    case 'tone':
      return fraction(sum(6), sum(7));
    case 'talk_share':
      return own.some(([, , , , , , , ratio]) => ratio === null) ? null : fraction(sum(6), sum(6, all));
    case 'questions':
      return fraction(sum(6), sum(7) / 3600);
    case 'pace':
      return fraction(sum(6), sum(7) / 60);
    case 'longest_turn':
      return known.length === 0 ? null : fraction(Math.max(...known), 1);
    case 'patience':
      return known.length === 0 ? null : fraction(known.reduce((total, gap) => total + gap, 0) / known.length, 1);
  }
}

class Cell {
  readonly of: Values;
  readonly conversations: string[] = [];
  readonly #above: number[] = [];
  readonly #below: number[] = [];
  #unsure = 0;
  #outOf = 0;
  #unknown = 0;
  marks: TrendMark[] | undefined;

  constructor(of: Values) {
    this.of = of;
  }

  add(conversation: string, part: Part | null): void {
    if (!part) {
      this.#unknown++;
      return;
    }
    this.conversations.push(conversation);
    this.#above.push(part.above);
    this.#below.push(part.below);
    this.#unsure += part.unsure;
    this.#outOf += part.outOf;
  }

  get values(): number[] {
    return this.#above.map((above, i) => above / this.#below[i]!);
  }

  written(isRatio: boolean): TrendCell {
    const { values, conversations } = this;
    const hasMean = values.length >= MEAN_FROM;
    return {
      group: this.of,
      n: values.length,
      n_unknown: this.#unknown,
      sum: isRatio ? null : this.#above.reduce((sum, above) => sum + above, 0),
      unsure: this.#unsure,
      unsure_share: hasMean && this.#outOf > 0 ? Math.min(1, this.#unsure / this.#outOf) : null,
      mean: hasMean ? meanOf(values) : null,
      pooled: hasMean && isRatio ? ratioOf(this.#above, this.#below) : null,
      quartiles: hasMean ? quartilesOf(values) : null,
      values: hasMean ? null : conversations.map((id, i) => ({ conversation_id: id, value: values[i]! })),
      ...(this.marks && { marks: this.marks }),
    };
  }
}

class Cells {
  readonly #groups: readonly TrendGroup[];
  readonly #cells = new Map<Place, Map<string, Cell>>();
  #size = 0;

  constructor(groups: readonly TrendGroup[]) {
    this.#groups = groups;
  }

  /** The cell of a whole conversation's place and of a place that divides it. */
  at(whole: Place, part: Place): Cell {
    let cell = this.find(whole, part.key);
    if (!cell) {
      if (this.#size >= MAX_CELLS)
        throw new ServiceError('INVALID_REQUEST', `by: gives more than ${MAX_CELLS} cells; choose a shorter period`);
      const of = { ...whole.of, ...part.of };
      cell = new Cell(Object.fromEntries(this.#groups.map((group) => [group, of[group] ?? null])));
      const row = this.#cells.get(whole) ?? new Map<string, Cell>();
      this.#cells.set(whole, row.set(part.key, cell));
      this.#size++;
    }
    return cell;
  }

  find(whole: Place, part: string): Cell | undefined {
    return this.#cells.get(whole)?.get(part);
  }

  /** By the value of each group; those without a value last. People are ordered by name. */
  inOrder(names: ReadonlyMap<string, string>): Cell[] {
    const shown = (cell: Cell, group: TrendGroup): string | null => {
      const value = cell.of[group] ?? null;
      return group === 'person' && value !== null ? `${names.get(value) ?? ''}\n${value}` : value;
    };
    return [...this.#cells.values()]
      .flatMap((row) => [...row.values()])
      .sort((a, b) => {
        for (const group of this.#groups) {
          const [one, other] = [shown(a, group), shown(b, group)];
          if (one === other) continue;
          if (one === null || other === null) return one === null ? 1 : -1;
          return one < other ? -1 : 1;
        }
        return 0;
      });
  }
}

/** The first moments of each cell, sure ones first. */
function addMarks(
  sql: Sql,
  query: TrendRequest,
  groups: readonly TrendGroup[],
  conversations: readonly Conversation[],
  wholes: ConversationGroups,
  cells: Cells,
  counts: ReadonlyMap<number, number>,
): void {
  for (const cell of cells.inOrder(new Map())) cell.marks = [];
  const conditions = ownConditions(query);
  const divided = groups.filter((group) => DIVIDING.includes(group));
  const rows = packed<[n: number, i: number, id: string, start: number, p: number, ...values: (string | null)[]]>(
    sql,
    partsOf(conversations, MOMENTS_TOGETHER, (n) => counts.get(n) ?? 0),
    ['n', 'i', 'id', 'start', 'confidence', ...divided].join(', '),
    (where) => `pattern_moments INDEXED BY pattern_moments_of ${where}`,
    conditions,
  );
  const moments = new Map<number, typeof rows>();
  for (const row of rows) pushTo(moments, row[0], row);
  for (const own of moments.values()) own.sort(([, i], [, j]) => i - j);
  for (const isSure of [true, false])
    for (const conversation of conversations) {
      const own = moments.get(conversation[0]);
      if (!own) continue;
      for (const whole of wholes.of(conversation))
        for (const [, , id, start, p, ...values] of own) {
          if (p >= SURE_FROM !== isSure) continue;
          const marks = cells.find(whole, keyOf(values))?.marks;
          if (marks && marks.length < MAX_MARKS)
            marks.push({ moment_id: id, conversation_id: conversation[2], t: start / 1000, p });
        }
    }
}

/** The names of people, as in their newest conversation. */
function namesOfPeople(sql: Sql): Map<string, string> {
  const rows = sql.exec<{ person: string; name: string }>(
    `SELECT person, name FROM pattern_speakers JOIN pattern_conversations USING (n) WHERE person IS NOT NULL ORDER BY began, n`,
  );
  return new Map([...rows].map(({ person, name }) => [person, name]));
}

function peopleIn(cells: Cells, names: ReadonlyMap<string, string>): TrendPerson[] {
  const values = new Map<string, Map<string, number>>();
  for (const cell of cells.inOrder(names)) {
    const { person } = cell.of;
    if (typeof person !== 'string') continue;
    const own = values.get(person) ?? new Map<string, number>();
    const numbers = cell.values;
    for (const [i, conversation] of cell.conversations.entries()) own.set(conversation, numbers[i]!);
    values.set(person, own);
  }
  const people = [...values].map(([person, own]) => ({
    person,
    name: names.get(person) ?? '',
    n: own.size,
    quartiles: own.size === 0 ? null : quartilesOf([...own.values()]),
  }));
  return people.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.person < b.person ? -1 : 1));
}

/** Conversations of the period that are still being analysed, or whose result is not in the index. */
function pendingIn(sql: Sql, query: TrendRequest): number {
  const period = periodOf(query);
  const { pending } = sql
    .exec<{ pending: number }>(
      `SELECT count(*) AS pending FROM (SELECT created_at AS began FROM conversations WHERE status IN ('processing', 'completed')
       AND n NOT IN (SELECT n FROM pattern_conversations)) ${period.where}`,
      ...period.bindings,
    )
    .one();
  return pending;
}
