import { daysAfter, monthAfter } from '../../../sdk/days.ts';
import { type PatternColumns, type PatternFilters, patternColumns, USUAL_WEEKS } from '../../../sdk/page-filters.ts';
import { monthName, shortDate } from '../../lib/format.ts';

/** The filters of Patterns, which are the address of the page. */
export interface PatternNarrowing {
  filters: PatternFilters;
  /** @param isStep whether this continues the last change, so that Back skips it */
  narrow: (change: Partial<PatternFilters>, isStep?: boolean) => void;
}

/** A week or a month of the page. */
export interface PatternColumn {
  from: string;
  /** The day after its last one. */
  to: string;
  /** Its head: "28 Sep", or "Sep". */
  head: string;
  /** "week of 28 Sep", or "September 2026". */
  name: string;
}

/** The columns of the page. @param weeks how many of them it looks back on */
export function columnsOf(weeks: number): { span: PatternColumns['span']; columns: PatternColumn[] } {
  const { span, days } = patternColumns(weeks);
  return {
    span,
    columns: days.map((from, i): PatternColumn => {
      if (span === 'week') return { from, to: daysAfter(from, 7), head: shortDate(from), name: weekName(from) };
      // A year is said where it begins.
      const hasYear = i === 0 || from.slice(5, 7) === '01';
      const head = monthName(from, { month: 'short', ...(hasYear && { year: 'numeric' }) });
      return { from, to: monthAfter(from, 1), head, name: monthName(from) };
    }),
  };
}

const weekName = (monday: string): string => `week of ${shortDate(monday)}`;

/** How far the page looks back, in words. */
export function periodName(weeks: number): string {
  const { span, columns } = columnsOf(weeks);
  return `last ${columns.length} ${span}s`;
}

/** Some neighbouring columns. */
export const periodOf = (first: PatternColumn, last: PatternColumn): Pick<PatternFilters, 'from' | 'to'> =>
  first.from <= last.from ? { from: first.from, to: last.to } : { from: last.from, to: first.to };

/** Whether a column has a day of the chosen ones. */
export const isWithin = ({ from, to }: PatternColumn, chosen: Pick<PatternFilters, 'from' | 'to'>): boolean =>
  from < chosen.to && to > chosen.from;

/** The chosen columns in words. */
export function spanOf({ from, to }: Pick<PatternFilters, 'from' | 'to'>): string {
  if (to === daysAfter(from, 7)) return weekName(from);
  if (from.endsWith('-01') && to === monthAfter(from, 1)) return monthName(from);
  return `${shortDate(from)} to ${shortDate(daysAfter(to, -1))}`;
}

export function addressOf(filters: PatternFilters): string {
  const given = Object.entries(filters).filter(
    ([name, value]) => value !== '' && !(name === 'weeks' && value === USUAL_WEEKS),
  );
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '/app/patterns' : `/app/patterns?${query}`;
}
