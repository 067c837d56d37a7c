/** A seeded generator of numbers in [0, 1): mulberry32 (Ettinger, public domain). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** `count` standard normal numbers (Box & Muller 1958). */
export function randomVectors(count: number, random: () => number): Float64Array {
  return Float64Array.from(
    { length: count },
    () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random()),
  );
}

/** The integers below n in random order. */
export function shuffled(n: number, random: () => number): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j]!, order[i]!];
  }
  return order;
}

/** One of some things. */
export const pick = <T>(random: () => number, from: readonly T[]): T => from[Math.floor(random() * from.length)]!;

/** A whole number from `least` to `most`. */
export const int = (random: () => number, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

/** Decimal digits. */
export const digits = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => int(random, 0, 9)).join('');
