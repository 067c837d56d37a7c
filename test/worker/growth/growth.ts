/** How many times larger the large input is, and how much more time it may take: the double of its size, for noise. */
export const LARGER = 8;
export const MOST_GROWTH = 2 * LARGER;
/** Time below which nothing is said of the small input, ms: what a loaded machine adds to any measurement. */
const FLOOR_MS = 1;
const REPEATS = 3;
const ATTEMPTS = 3;

/** Time of the process, not of the clock: other processes do not count. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const least = (run: () => unknown): number => Math.min(...Array.from({ length: REPEATS }, () => cpuMs(run)));

/**
 * How many times longer something takes for an input `LARGER` times as large.
 * @param prepare makes the input of a size, and what is measured with it
 */
export function growth(prepare: (size: number) => () => unknown, size: number): number {
  const large = prepare(size * LARGER);
  const first = cpuMs(large);
  if (first / FLOOR_MS < MOST_GROWTH) return first / FLOOR_MS;
  const small = prepare(size);
  let best = first / Math.max(FLOOR_MS, least(small));
  for (let attempt = 0; attempt < ATTEMPTS && best >= MOST_GROWTH; attempt++)
    best = Math.min(best, least(large) / Math.max(FLOOR_MS, least(small)));
  return best;
}
