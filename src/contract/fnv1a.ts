/**
 * Hashes whose values are stored: trained weights have a row for each bucket, and databases keep stamps. Another value
 * for a text would make both useless.
 */

/** The hash of an empty text. */
export const FNV_BASIS = 0x811c9dc5;

/**
 * FNV-1a over UTF-16 code units, 32 bits, unsigned (http://www.isthe.com/chongo/tech/comp/fnv). Not for secrets.
 * @param basis the hash to continue from, or a seeded one
 * @param from first code unit that is read
 * @param to the code unit after the last
 */
export function fnv1a(text: string, basis = FNV_BASIS, from = 0, to = text.length): number {
  let hash = basis;
  for (let i = from; i < to; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** Joins two hashes into one, unsigned 32 bits. Their order counts. */
export function joinHashes(a: number, b: number): number {
  const hash = Math.imul(a ^ (b + 0x9e3779b9), 0x85ebca6b);
  return (hash ^ (hash >>> 15)) >>> 0;
}
