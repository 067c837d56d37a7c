import { fnv1a } from '../../contract/fnv1a.ts';

/** Number of buckets. With 20,000 entries, a bucket has about 20. */
const BUCKETS = 1024;

type Bucket<T> = readonly { readonly key: string; readonly value: T }[];

/**
 * An immutable map from strings, of which a changed copy shares all but one bucket. The pool's plan copies its state at
 * each step, and a fleet has tens of thousands of leases.
 */
export type PersistentTable<T> = readonly (Bucket<T> | undefined)[];

export const emptyTable = <T>(): PersistentTable<T> => new Array<Bucket<T> | undefined>(BUCKETS).fill(undefined);

const bucketOf = (key: string): number => fnv1a(key) % BUCKETS;

export function valueAt<T>(table: PersistentTable<T>, key: string): T | undefined {
  return table[bucketOf(key)]?.find((entry) => entry.key === key)?.value;
}

/** The table with another value for the key, or without the key if the value is undefined. */
export function withValue<T>(table: PersistentTable<T>, key: string, value: T | undefined): PersistentTable<T> {
  const at = bucketOf(key);
  const rest = (table[at] ?? []).filter((entry) => entry.key !== key);
  return table.with(at, value === undefined ? rest : [...rest, { key, value }]);
}
