/** Number of decimals in every number that leaves the service. Further digits would be arithmetic noise. */
const DECIMALS = 4;

/** Rounds a number for the wire. */
export const rounded = (value: number): number =>
  // Adding 0 turns -0 into 0.
  Number.isInteger(value) ? value + 0 : Number(value.toFixed(DECIMALS)) + 0;

/** Rounds every number in a value, at any depth. Shares that must sum to 1 are rounded before this. */
export function allRounded<T>(value: T): T {
  if (typeof value === 'number') return rounded(value) as T;
  if (Array.isArray(value)) return value.map(allRounded) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, allRounded(part)])) as T;
}
