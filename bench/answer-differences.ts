import type { Table } from './report.ts';

// The differences between two answers of a service by JSON path, and whether only the wording of a sentence differs.

/**
 * `value`: anything other than the wording of a sentence, such as a number, a missing member, another order or another
 * name.
 */
type DifferenceKind = 'wording' | 'wording and its numbers or quotes' | 'value';

export interface Difference {
  output: string;
  kind: DifferenceKind;
  /**
   * Without array indices: `moments[].summary`. The path of a stream's event begins with its name:
   * `[done].conversation_id`.
   */
  path: string;
  before: string;
  after: string;
}

const EXAMPLES = 10;
const EXCERPT_CHARS = 300;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME_OF_DAY = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z| \d\d:\d\d UTC)/g;
const LATENCY = /("latency_ms": ?)[\d.e+-]+/g;
const LATENCIES = /("agent_latency_ms": ?)\{[^}]*\}/g;

/** Replaces ids by numbers in order of appearance, and removes times of day and latencies. */
export function normalised(text: string): string {
  const ids = new Map<string, number>();
  const numberOf = (id: string): string => {
    if (!ids.has(id)) ids.set(id, ids.size);
    return `<id ${ids.get(id)}>`;
  };
  return text
    .replace(UUID, numberOf)
    .replace(TIME_OF_DAY, '<time>')
    .replace(LATENCY, '$10')
    .replace(LATENCIES, (latencies) => latencies.replace(/(: ?)[\d.e+-]+/g, '$10'));
}

/** Members with people's own words (texts of utterances and quotes), which must never be reworded. */
const QUOTED =
  /(?:timeline\[\]|\[final_transcript\]\.data)\.text$|\.words\[\]|moments\[\]\.evidence|\[moment\]\.data\.evidence/;

const isSentence = (text: string): boolean => /\S\s+\S/.test(text);
const QUOTE = /“[^”]*”|"[^"]*"/g;
/** The evidence of a sentence, which does not depend on its wording. */
const factsIn = (text: string): string => {
  const numbers = text.replace(QUOTE, '').match(/\d+(?:[.,:]\d+)*/g) ?? [];
  const quotes = (text.match(QUOTE) ?? []).map((quote) => quote.slice(1, -1));
  return JSON.stringify([numbers.sort(), quotes.sort()]);
};

function kindOf(path: string, before: unknown, after: unknown): DifferenceKind {
  if (typeof before !== 'string' || typeof after !== 'string' || QUOTED.test(path)) return 'value';
  if (!isSentence(before) && !isSentence(after)) return 'value';
  return factsIn(before) === factsIn(after) ? 'wording' : 'wording and its numbers or quotes';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members named by speaker or utterance share a path. */
const memberPath = (path: string, key: string): string =>
  `${path}${path === '' ? '' : '.'}${key.replace(/^Speaker_\d+$/, 'Speaker_*').replace(/^<id \d+>.*/, '*')}`;

/** The name of a stream's event, or '' for anything else. */
const eventOf = (entry: unknown): string => (isObject(entry) && 'event' in entry ? String(entry.event) : '');

type Found = Omit<Difference, 'output'>;

function* compare(path: string, before: unknown, after: unknown): Generator<Found> {
  const differs = (at: string, a: unknown, b: unknown): Found => ({
    path: at,
    kind: kindOf(at, a, b),
    before: typeof a === 'string' ? a : (JSON.stringify(a) ?? 'absent'),
    after: typeof b === 'string' ? b : (JSON.stringify(b) ?? 'absent'),
  });
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) {
      const at = before.findIndex((entry, i) => JSON.stringify(entry) !== JSON.stringify(after[i]));
      const show = (list: unknown[]): string =>
        `${list.length} entries, ${JSON.stringify(list[at < 0 ? before.length : at]) ?? 'none'}`;
      yield { path: `${path}[] (number of entries)`, kind: 'value', before: show(before), after: show(after) };
    } else
      for (const [i, entry] of before.entries()) {
        const [event, other] = [eventOf(entry), eventOf(after[i])];
        if (event !== other) return yield differs(`${path}[] (order of events)`, event, other);
        yield* compare(`${path}[${event}]`, entry, after[i]);
      }
  } else if (isObject(before) && isObject(after)) {
    const [keys, others] = [Object.keys(before), Object.keys(after)];
    for (const key of new Set([...keys, ...others]))
      if (key in before && key in after) yield* compare(memberPath(path, key), before[key], after[key]);
      else yield { ...differs(memberPath(path, key), before[key], after[key]), kind: 'value' };
    if (keys.length === others.length && keys.every((key) => key in after) && String(keys) !== String(others))
      yield { ...differs(`${path} (order of members)`, String(keys), String(others)), kind: 'value' };
  } else if (before !== after) yield differs(path, before, after);
}

/** The differences between two normalised answers. Both are JSON. */
export function differencesOf(output: string, before: string, after: string): Difference[] {
  if (before === after) return [];
  const found = [...compare('', JSON.parse(before), JSON.parse(after))];
  if (found.length === 0) {
    const at = [...before].findIndex((character, i) => character !== after[i]);
    const near = (text: string): string => text.slice(Math.max(0, at - 40), at + 40);
    found.push({ path: '(the same values in other bytes)', kind: 'value', before: near(before), after: near(after) });
  }
  return found.map((difference) => ({ output, ...difference }));
}

const excerpt = (text: string): string => {
  const line = text.replace(/\s*\n\s*/g, ' / ');
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS)}...` : line;
};

/** The changed part of a sentence without quotes and counts, from the first word that differs to the last. */
function pattern({ before, after }: Difference): string {
  const [a, b] = [before, after].map((text) => text.replace(QUOTE, '“”').replace(/\d+/g, '#').split(/\s+/)) as [
    string[],
    string[],
  ];
  const shorter = Math.min(a.length, b.length);
  let start = 0;
  while (start < shorter && a[start] === b[start]) start++;
  let end = 0;
  while (end < shorter - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a, b].map((words) => words.slice(start, words.length - end).join(' ')).join(' -> ');
}

/** Differences by path with examples. Those that are more than wording come first. */
export function differenceTables(differences: Difference[]): Table[] {
  const order: DifferenceKind[] = ['value', 'wording and its numbers or quotes', 'wording'];
  const groups = [...Map.groupBy(differences, ({ kind, path }) => `${order.indexOf(kind)} ${path}`).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, all]) => ({ ...all[0]!, all, outputs: new Set(all.map(({ output }) => output)).size }));
  const examples = groups.map(({ kind, path, all }): Table => {
    const patterns = new Map(all.toReversed().map((difference) => [pattern(difference), difference]));
    return {
      title: `${kind === 'value' ? '!!! NOT ONLY WORDING' : kind}: ${path}, ${patterns.size} different changes`,
      columns: ['', 'text', 'output'],
      rows: [...patterns.values()].slice(0, EXAMPLES).flatMap(({ before, after, output }) => [
        ['before', excerpt(before), output],
        ['after', excerpt(after), ''],
      ]),
    };
  });
  const overview: Table = {
    title: 'Differences by path',
    columns: ['kind', 'path', 'differences', 'outputs'],
    rows: groups.map(({ kind, path, all, outputs }) => [kind, path, all.length, outputs]),
  };
  return groups.length === 0 ? [] : [overview, ...examples];
}

export const isOnlyWording = (differences: Difference[]): boolean => differences.every(({ kind }) => kind !== 'value');
