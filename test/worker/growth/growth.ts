/** Ratio of the sizes of the inputs, and the allowed ratio of their times: twice the first, for noise. */
export const LARGER = 8;
export const MOST_GROWTH = 2 * LARGER;
/**
 * If the small input takes less time than this, it is not judged, ms, because a loaded machine adds as much to any
 * measurement.
 */
const FLOOR_MS = 1;
const REPEATS = 3;
const ATTEMPTS = 3;

/** CPU time of the process instead of wall time: other processes do not count. */
function cpuMs(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const least = (run: () => unknown): number => Math.min(...Array.from({ length: REPEATS }, () => cpuMs(run)));

/**
 * Measures how many times longer something takes for an input `LARGER` times as large.
 * @param prepare makes the input of a size, and returns the function to measure
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
