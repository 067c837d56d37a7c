import type { CommitmentEntry, Due } from '../../sdk/wire.ts';

const NEXT_WEEKDAY = /^(?:(?:on|by|for) )?next (?:mon|tues|wednes|thurs|fri|satur|sun)day\b/i;
const DAY_MS = 86_400_000;
const dayIn = (iso: string, timeZone: string): number =>
  Date.parse(new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(iso)));

/**
 * The other day that words such as "next Tuesday" may mean: the coming Tuesday, or that of the next week, which begins
 * with Sunday or with Monday. Undefined if all of these are one day, or the words are others.
 * @param recordedAt when they were said
 */
export function otherDay({ said, date, from, time_zone }: Due, recordedAt: string): string | undefined {
  if (from !== null || !NEXT_WEEKDAY.test(said)) return undefined;
  const today = dayIn(recordedAt, time_zone);
  const due = Date.parse(date);
  const [saidOn, named] = [new Date(today).getUTCDay(), new Date(due).getUTCDay()];
  const sinceMonday = (weekday: number): number => (weekday + 6) % 7;
  const days = [((named - saidOn + 6) % 7) + 1, 7 + named - saidOn, 7 + sinceMonday(named) - sinceMonday(saidOn)];
  const other = days.find((count) => today + count * DAY_MS !== due);
  return other === undefined ? undefined : new Date(today + other * DAY_MS).toISOString().slice(0, 10);
}

/** Whether the words can also mean a day that has not passed. */
export const mayBeLater = (
  { due, recorded_at }: Pick<CommitmentEntry, 'due' | 'recorded_at'>,
  today: string,
): boolean => due !== null && (otherDay(due, recorded_at) ?? '') >= today;
