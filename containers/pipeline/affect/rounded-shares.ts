import { allRounded, rounded } from '../../../src/contract/wire-numbers.ts';

/** Rounds shares so that they still sum to 1. The member `last` gets the remainder. */
export function roundedShares<T extends object>(shares: T, last: keyof T): T {
  const short = allRounded(shares);
  const others = Object.entries(short).reduce((sum, [name, value]) => (name === last ? sum : sum + Number(value)), 0);
  return { ...short, [last]: rounded(Math.max(0, 1 - others)) };
}
