import { daysAfter } from '../../sdk/days.ts';
import type { TrendCell, TrendList, TrendMeasure } from '../../sdk/wire.ts';

/** Conversations of a week from which it has a median. Below that, every conversation is shown by itself. */
export const MEDIAN_FROM = 8;
/** Distance of a week's median from the own median from which it stands out, as a part of the middle half. */
const STANDS_OUT_FROM = 0.8;

/** A measure of timing as a person's page shows it. */
export interface TimingMeasure {
  measure: TrendMeasure;
  name: string;
  description: string;
  /** Property of a conversation without which it is not known. */
  needs: string;
  written: (value: number) => string;
}

const whole = (value: number): string => String(Math.round(value));

export const TIMING: readonly TimingMeasure[] = [
  {
    measure: 'talk_share',
    name: 'Talk share',
    description: 'how much of all speech is theirs',
    needs: 'a speaker label for each voice',
    written: (value) => `${Math.round(value * 100)} %`,
  },
  {
    measure: 'longest_turn',
    name: 'Longest turn',
    description: 'how long they speak at most until somebody else does',
    needs: 'a speaker label for each voice',
    written: (value) => `${value < 10 ? value.toFixed(1) : whole(value)} s`,
  },
  {
    measure: 'patience',
    name: 'Patience',
    description: 'how long they wait before they speak (median)',
    needs: 'a turn after that of somebody else',
    written: (value) => `${value.toFixed(1).replace('-', '−')} s`,
  },
  {
    measure: 'questions',
    name: 'Questions',
    description: 'how many they ask in an hour of their own speech',
    needs: '5 minutes of own speech',
    written: (value) => `${whole(value)}/h`,
  },
  {
    measure: 'pace',
    name: 'Pace',
    description: 'how fast they speak, in words per minute',
    needs: 'own speech',
    written: (value) => `${whole(value)}/min`,
  },
];

/** One conversation, or the median of a day with many. */
export interface PersonPoint {
  /** The conversation; null for a day with many. */
  conversation: string | null;
  value: number;
  /** Conversations that it stands for. */
  n: number;
  day: string;
}

export interface PersonWeek {
  monday: string;
  /** Conversations of the week that have the measure, and those that have too little speech for it. */
  n: number;
  unknown: number;
  points: readonly PersonPoint[];
  /** Null with too few conversations, or where the single values are not known. */
  median: number | null;
}

export interface PersonMeasure extends TimingMeasure {
  weeks: readonly PersonWeek[];
  /** Conversations that have the measure, and those that have too little speech for it. */
  n: number;
  unknown: number;
  /** Lower quartile, median and upper quartile of all these conversations. Null with too few. */
  own: readonly [number, number, number] | null;
}

/** @param trend the measure of one person by day */
export function weeksOf(
  timing: TimingMeasure,
  trend: Pick<TrendList, 'cells' | 'people'>,
  mondays: readonly string[],
): PersonMeasure {
  const weeks = mondays.map((monday): PersonWeek => {
    const end = daysAfter(monday, 7);
    const cells = trend.cells
      .filter(({ group: { day } }) => day && day >= monday && day < end)
      .sort((a, b) => (a.group.day ?? '').localeCompare(b.group.day ?? ''));
    const points = cells.flatMap(pointsOf);
    const singles = points.filter(({ conversation }) => conversation !== null).map(({ value }) => value);
    const n = cells.reduce((sum, cell) => sum + cell.n, 0);
    const unknown = cells.reduce((sum, cell) => sum + cell.n_unknown, 0);
    return { monday, n, unknown, points, median: n >= MEDIAN_FROM && singles.length === n ? medianOf(singles) : null };
  });
  const n = weeks.reduce((sum, week) => sum + week.n, 0);
  const unknown = trend.cells.reduce((sum, cell) => sum + cell.n_unknown, 0);
  const [first, middle, last] = (n >= MEDIAN_FROM && trend.people?.[0]?.quartiles) || [];
  const own =
    first === undefined || middle === undefined || last === undefined ? null : ([first, middle, last] as const);
  return { ...timing, weeks, n, unknown, own };
}

/** The words below the name of a measure: its description, and how many conversations lack what it needs. */
export function noteOf({
  description,
  needs,
  n,
  unknown,
}: Pick<PersonMeasure, 'description' | 'needs' | 'n' | 'unknown'>): string {
  if (unknown === 0) return description;
  const all = n + unknown;
  if (n > 0)
    return `${description} · needs ${needs}; ${unknown} of the ${all} conversations ${unknown === 1 ? 'does' : 'do'} not have it`;
  return `needs ${needs}; ${all === 1 ? 'the only conversation does not have it' : `none of the ${all} conversations has it`}`;
}

/** The places of the points of a week, as shares of its width. Points of one day stand side by side. */
export function placesIn({ monday, points }: Pick<PersonWeek, 'monday' | 'points'>): number[] {
  const byDay = Map.groupBy(points, ({ day }) => day);
  const before = new Map<string, number>();
  return points.map(({ day }) => {
    const at = before.get(day) ?? 0;
    before.set(day, at + 1);
    const days = (Date.parse(day) - Date.parse(monday)) / 86_400_000;
    return (days + (at + 0.5) / byDay.get(day)!.length) / 7;
  });
}

/** The least distance between the places of a week, as a share of its width. */
export const gapOf = (places: readonly number[]): number =>
  Math.min(1, ...places.slice(1).map((place, i) => place - places[i]!));

function pointsOf({ group, values, quartiles, n }: TrendCell): PersonPoint[] {
  const day = group.day ?? '';
  if (values) return values.map(({ conversation_id, value }) => ({ conversation: conversation_id, value, n: 1, day }));
  const median = quartiles?.[1];
  return median === undefined ? [] : [{ conversation: null, value: median, n, day }];
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

export interface Notable {
  monday: string;
  name: string;
  value: string;
  own: string;
}

/** The weeks whose median is far from the person's own. Weeks with few conversations are left out. */
export const notableWeeks = (measures: readonly PersonMeasure[]): Notable[] =>
  measures.flatMap(({ weeks, own, name, written }) => {
    if (!own) return [];
    const [low, middle, high] = own;
    const far = STANDS_OUT_FROM * (high - low);
    return weeks
      .filter(({ median }) => median !== null && far > 0 && Math.abs(median - middle) >= far)
      .map(({ monday, median }) => ({ monday, name, value: written(median ?? 0), own: written(middle) }));
  });

/** The ends of the scale of a measure: its least and its greatest value, never the same. */
export function scaleOf({ weeks, own, written }: PersonMeasure): [low: number, high: number] {
  const values = [...weeks.flatMap(({ points }) => points.map(({ value }) => value)), ...(own ?? [])];
  if (values.length === 0) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Wide enough that the written ends differ from the value.
  const margin = Math.max(0.5, low / 4);
  if (written(low) !== written(high)) return [low, high];
  return [low < 0 ? low - margin : Math.max(0, low - margin), high + margin];
}
