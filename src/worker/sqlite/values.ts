/** A new id: its kind and 64 random bits, as in `hold_5b1f20c94e7a8d36`. */
export const newId = (kind: string): string => `${kind}_${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;

/** A stored time (ms since 1970) in ISO 8601. */
export function isoOf(time: number): string;
export function isoOf(time: number | null): string | null;
export function isoOf(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
