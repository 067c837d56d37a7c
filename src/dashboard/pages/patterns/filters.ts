import { daysAfter } from '../../../sdk/days.ts';
import { type PatternFilters, USUAL_WEEKS } from '../../../sdk/page-filters.ts';

/** The filters of Patterns, which are the address of the page. */
export interface PatternNarrowing {
  filters: PatternFilters;
  /** @param isStep whether this continues the last change, so that Back skips it */
  narrow: (change: Partial<PatternFilters>, isStep?: boolean) => void;
}

/** The chosen weeks, by their Mondays. */
export const periodOf = (first: string, last: string): Pick<PatternFilters, 'from' | 'to'> =>
  first <= last ? { from: first, to: daysAfter(last, 7) } : { from: last, to: daysAfter(first, 7) };

export function addressOf(filters: PatternFilters): string {
  const given = Object.entries(filters).filter(
    ([name, value]) => value !== '' && !(name === 'weeks' && value === USUAL_WEEKS),
  );
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? '/app/patterns' : `/app/patterns?${query}`;
}
