/** How numbers and words are formatted on every page. */

/** Formats a time as `m:ss`, or as `h:mm:ss` from one hour on. */
export function clock(seconds: number): string {
  const t = Math.max(0, Math.floor(seconds));
  const h = Math.floor(t / 3600);
  const m = Math.floor(t / 60) % 60;
  const s = String(t % 60).padStart(2, '0');
  return h > 0 ? `${h}:${String(m).padStart(2, '0')}:${s}` : `${m}:${s}`;
}

/** The same with tenths of a second: `0:02.7`. */
export function fineClock(seconds: number): string {
  const tenths = Math.max(0, Math.round(seconds * 10));
  return `${clock(Math.floor(tenths / 10))}.${tenths % 10}`;
}

/** A length of time in one unit: "40 s", "12 min", "1.5 h". */
export const timeSpan = (seconds: number): string =>
  seconds < 90
    ? `${Math.round(seconds * 10) / 10} s`
    : seconds < 3600
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 360) / 10} h`;

/** Two decimals, with a typographic minus sign. */
export const two = (value: number): string => signed(value, value.toFixed(2));

/** Two decimals with a sign. */
export const plus = (value: number, digits = 2): string => {
  const text = value.toFixed(digits);
  return Number(text) > 0 ? `+${text}` : signed(value, text);
};

/** A value that rounds to zero has no sign. */
const signed = (value: number, text: string): string =>
  value < 0 ? text.replace('-', Number(text) === 0 ? '' : '−') : text;

/** A whole-number percentage. */
export const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** Shares as whole percentages that add up to 100 (largest remainder method). All are 0 if their sum is 0. */
export function percents(shares: readonly number[]): number[] {
  const total = shares.reduce((sum, share) => sum + share, 0);
  if (total <= 0) return shares.map(() => 0);
  const exact = shares.map((share) => (share / total) * 100);
  const whole = exact.map(Math.floor);
  const missing = 100 - whole.reduce((sum, part) => sum + part, 0);
  const order = exact.map((value, i) => ({ i, rest: value - whole[i]! })).sort((a, b) => b.rest - a.rest);
  for (const { i } of order.slice(0, missing)) whole[i]! += 1;
  return whole;
}

/** Confidence from which something is likely. Below it, it is unsure. */
const LIKELY_FROM = 0.5;
export const isUnsure = (confidence: number): boolean => confidence < LIKELY_FROM;

/** The three words for confidence, and the number of filled bars out of three. */
export function tier(confidence: number): { word: 'sure' | 'likely' | 'unsure'; bars: number } {
  if (confidence >= 0.75) return { word: 'sure', bars: 3 };
  return isUnsure(confidence) ? { word: 'unsure', bars: 1 } : { word: 'likely', bars: 2 };
}

/** "3 declined", "3 declined (1 unsure)", "1 declined (unsure)". */
export const counted = (count: number, unsure: number, word: string): string =>
  `${count} ${word}${unsure === 0 ? '' : unsure === count ? ' (unsure)' : ` (${unsure} unsure)`}`;

/** The words after a count in a small space: ", all unsure" or " (5 unsure)", on one line with it. */
export const unsurePart = (count: number, unsure: number): string =>
  unsure === 0 ? '' : unsure < count ? `\u00a0(${unsure}\u00a0unsure)` : `,\u00a0${count > 1 ? 'all\u00a0' : ''}unsure`;

export const clamp = (x: number, low: number, high: number): number => Math.max(low, Math.min(high, x));

/** Cuts a text at a word boundary and adds an ellipsis. */
export const shortened = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 2).replace(/\s\S*$/, '')} …`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The name of a tenant. That of a key in the settings is named after the key's digest, which says nothing to people. */
export const tenantName = ({ id, name }: { id: string; name: string }): string =>
  name === id && /^[\da-f]{16}$/.test(id) ? `Key in the settings (${id.slice(0, 6)})` : name;

/** Formats a time as "21 Nov 2026, 14:02", in the reader's time zone. */
export const day = (iso: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(iso));

export const bytes = (count: number): string =>
  count < 1024 * 1024 ? `${Math.round(count / 1024)} kB` : `${(count / 1024 / 1024).toFixed(1)} MB`;

/** Formats a time as "21 Nov, 14:02", adding the year unless it is the current one. */
export const shortDay = (iso: string): string => {
  const date = new Date(iso);
  const isThisYear = date.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    ...(!isThisYear && { year: 'numeric' }),
  }).format(date);
};

/** Formats a time as "14:02", with its day unless it is today's. */
export const hourOn = (iso: string, now = new Date()): string =>
  new Date(iso).toDateString() === now.toDateString()
    ? new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(iso))
    : shortDay(iso);

/** The conversations of which a rule cannot tell, as they follow a number of matches. */
export const cannotTell = (unknown: number): string => (unknown === 0 ? '' : `, cannot tell in ${unknown}`);

/** When a recording began; without that, when it reached the service. */
export interface RecordingDate {
  recorded_at: string;
  recorded_at_source: 'given' | 'assumed';
}

/** The word after a date that is not the recording's own. */
const ARRIVED = ' (uploaded)';
const arrived = ({ recorded_at_source }: RecordingDate): string => (recorded_at_source === 'assumed' ? ARRIVED : '');

/** Formats the time of a recording as "21 Nov, 14:02"; where only that of its upload is known, adds a word. */
export const recordedOn = (of: RecordingDate): string => `${shortDay(of.recorded_at)}${arrived(of)}`;

/** The same with its year. */
export const recordedOnDay = (of: RecordingDate): string => `${day(of.recorded_at)}${arrived(of)}`;

/** Formats a day (`2026-11-24`), or the day of a time on the reader's calendar, as "Tue 24 Nov". */
export function dayName(date: string): string {
  const isDay = date.length === 10;
  const at = new Date(isDay ? `${date}T00:00:00Z` : date);
  const isThisYear = at.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(!isThisYear && { year: 'numeric' }),
    ...(isDay && { timeZone: 'UTC' }),
  })
    .format(at)
    .replace(',', '');
}

/** Formats a day (`2026-11-24`) as "24 Nov". */
export const shortDate = (day: string): string =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );

/** Formats the month of a day (`2026-11-24`) as "November 2026". */
export const monthName = (
  day: string,
  parts: Intl.DateTimeFormatOptions = { month: 'long', year: 'numeric' },
): string => new Intl.DateTimeFormat('en-GB', { ...parts, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

/** Formats a time as "just now", "12 s ago", "3 min ago" or "2 h ago", and an older one as a day. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(iso)) / 1000));
  if (seconds === 0) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h ago` : shortDay(iso);
}
