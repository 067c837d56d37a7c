const DAY_MS = 86_400_000;

/** A day on the calendar of this machine: `2026-11-24`. */
export const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');

/** The day that is this many days after another one. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The Monday of the week of a day. */
export const mondayOf = (day: string): string => daysAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));

/** The first day of the month that is this many months after that of another day. */
export function monthAfter(day: string, months: number): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}

/** The first days of the last months, oldest first, on the calendar of this machine. */
export function firstDays(months: number): string[] {
  const today = dayOf(new Date());
  return Array.from({ length: months }, (_, i) => monthAfter(today, i + 1 - months));
}

/** The Mondays of the last weeks, oldest first, on the calendar of this machine. */
export function mondays(weeks: number): string[] {
  const last = mondayOf(dayOf(new Date()));
  return Array.from({ length: weeks }, (_, i) => daysAfter(last, -7 * (weeks - 1 - i)));
}
