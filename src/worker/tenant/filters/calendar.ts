const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const QUARTER_MS = HOUR_MS / 4;

/** Limit on the zones whose calendars stay in memory. */
const KEPT_ZONES = 8;
/** Limit on the days that a calendar keeps. */
const KEPT_DAYS = 20_000;
const calendars = new Map<string, Calendar>();

/** The calendar of a time zone. It is kept, because a year takes hundreds of calls to the runtime. @param tz IANA */
export function calendarOf(tz: string): Calendar {
  const known = calendars.get(tz);
  if (known) return known;
  if (calendars.size >= KEPT_ZONES) calendars.clear();
  const calendar = new Calendar(tz);
  calendars.set(tz, calendar);
  return calendar;
}

/** The calendar of one time zone. Days are written YYYY-MM-DD. */
export class Calendar {
  readonly #parts: Intl.DateTimeFormat;
  /** Difference of local time to UTC in each day of UTC, ms; null if it changes on that day. */
  readonly #ofDays = new Map<number, number | null>();
  /** The same in each quarter of an hour. No zone changes its clocks within one. */
  readonly #ofQuarters = new Map<number, number>();
  /** Days as they are written, by the number of the local day. */
  readonly #written = new Map<number, string>();

  /** @param tz IANA */
  constructor(tz: string) {
    this.#parts = new Intl.DateTimeFormat('en-US', {
      ...{ timeZone: tz, hourCycle: 'h23', era: 'short' },
      ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  }

  /** @param at Unix time, ms */
  dayOf(at: number): string {
    return this.#dayOf(this.#localDay(at));
  }

  /** The Monday of its week. */
  weekOf(at: number): string {
    const day = this.#localDay(at);
    // 1 January 1970 was a Thursday.
    return this.#dayOf(day - ((((day + 3) % 7) + 7) % 7));
  }

  /** The first day of its month. */
  monthOf(at: number): string {
    return `${this.dayOf(at).slice(0, 7)}-01`;
  }

  /** The beginning of a day, Unix time, ms. */
  startOf(day: string): number {
    const local = Date.parse(`${day}T00:00:00Z`);
    // The second step corrects the first where the clocks change between the two times.
    const near = local - this.#offset(local);
    return local - this.#offset(near);
  }

  /** An instant with its zone, or the beginning of a day, as Unix time, ms. */
  timeOf(written: string): number {
    return written.length === 10 ? this.startOf(written) : Date.parse(written);
  }

  /** Days from 1 January 1970 to the local day. */
  #localDay(at: number): number {
    return Math.floor((at + this.#offset(at)) / DAY_MS);
  }

  #dayOf(localDay: number): string {
    let written = this.#written.get(localDay);
    if (written === undefined) {
      written = new Date(localDay * DAY_MS).toISOString().slice(0, 10);
      this.#written.set(localDay, written);
    }
    return written;
  }

  /** The difference of local time to UTC, ms. It is worked out once for a day on which no clock changes. */
  #offset(at: number): number {
    const day = Math.floor(at / DAY_MS);
    let offset = this.#ofDays.get(day);
    if (offset === undefined) {
      if (this.#ofDays.size >= KEPT_DAYS)
        for (const known of [this.#ofDays, this.#ofQuarters, this.#written]) known.clear();
      const [first, last] = [this.#worked(day * DAY_MS), this.#worked((day + 1) * DAY_MS - 1000)];
      offset = first === last ? first : null;
      this.#ofDays.set(day, offset);
    }
    if (offset !== null) return offset;
    const quarter = Math.floor(at / QUARTER_MS);
    const known = this.#ofQuarters.get(quarter) ?? this.#worked(quarter * QUARTER_MS);
    this.#ofQuarters.set(quarter, known);
    return known;
  }

  #worked(at: number): number {
    const part = Object.fromEntries(this.#parts.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second) - at;
  }
}
