const DAY_MS = 86_400_000;

/** A day on the calendar of this machine: `2026-11-24`. */
export const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** The day that is this many days after another one. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The Monday of the week of a day. */
export const mondayOf = (day: string): string => daysAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** The Mondays of the last weeks, oldest first, on the calendar of this machine. */
export function mondays(weeks: number): string[] {
  const last = mondayOf(dayOf(new Date()));
  return Array.from({ length: weeks }, (_, i) => daysAfter(last, -7 * (weeks - 1 - i)));
}
