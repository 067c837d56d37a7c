import type { MomentOutcome, MomentQueryInput } from '../../../sdk/wire.ts';
import { daysAfter, mondays } from '../../lib/format.ts';
import { MOMENT_NAMES } from '../../lib/speaker-marks.tsx';
import { USUAL_WEEKS, weeksIn } from '../../lib/weeks.tsx';

/** The filters of Patterns, which are the address of the page. An empty text is no filter. */
export interface PatternFilters {
  weeks: number;
  /** The Mondays of the first chosen week and of the one after the last. Empty: all weeks. */
  from: string;
  to: string;
  category: string;
  outcome: string;
  person: string;
  label: string;
  q: string;
  /** The id of a rule. */
  rule: string;
  /** The id of the moment to hear. */
  at: string;
}

export interface PatternNarrowing {
  filters: PatternFilters;
  /** @param isStep whether this continues the last change, so that Back skips it */
  narrow: (change: Partial<PatternFilters>, isStep?: boolean) => void;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export function filtersIn(query: Readonly<Record<string, string>>): PatternFilters {
  const { category = '', outcome = '', person = '', label = '', q = '', rule = '', at = '' } = query;
  const { weeks, week } = weeksIn(query);
  const [from, to] = week === '' ? [query.from ?? '', query.to ?? ''] : [week, daysAfter(week, 7)];
  const isPeriod = DAY.test(from) && DAY.test(to) && from < to;
  return {
    category: category in MOMENT_NAMES ? category : '',
    outcome,
    weeks,
    ...(isPeriod ? { from, to } : NO_PERIOD),
    ...{ person, label, q, rule, at },
  };
}

export const NO_PERIOD = { from: '', to: '' } as const;

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

/** @param isBrushed whether only the chosen weeks are meant */
export function queryOf(
  { category, outcome, weeks, from, to, person, label, q, rule }: PatternFilters,
  isBrushed: boolean,
): MomentQueryInput {
  return {
    ...(isBrushed && from !== '' ? { from, to } : { from: mondays(weeks)[0]! }),
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(category !== '' && { category }),
    ...(outcome !== '' && { outcome: outcome as MomentOutcome }),
    ...(person !== '' && { person }),
    ...(label !== '' && { label }),
    ...(q !== '' && { q }),
    ...(rule !== '' && { rule }),
  };
}
