/** Decimals of every number that leaves the service: more would tell of the arithmetic, not of the conversation. */
const DECIMALS = 4;

/** A number as it stands on the wire. */
export const rounded = (value: number): number =>
  // Adding 0 makes -0 a plain 0.
  Number.isInteger(value) ? value + 0 : Number(value.toFixed(DECIMALS)) + 0;

/** A value with every number in it as it stands on the wire, however deep. Shares that must sum to 1 come rounded already. */
export function allRounded<T>(value: T): T {
  if (typeof value === 'number') return rounded(value) as T;
  if (Array.isArray(value)) return value.map(allRounded) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, allRounded(part)])) as T;
}
