/** The segment of each turn. */
function segmentOf(boundaries: number[], count: number): Int32Array {
  const out = new Int32Array(count);
  const marks = new Set(boundaries);
  let segment = 0;
  for (let i = 0; i < count; i++) out[i] = marks.has(i) ? ++segment : segment;
  return out;
}

/** Half of the mean length of the reference's segments, at least 1. */
const windowOf = (reference: number[], count: number): number =>
  Math.max(1, Math.round(count / (reference.length + 1) / 2));

/**
 * Pk (Beeferman et al. 1999) and WindowDiff (Pevzner & Hearst 2002) of one conversation. Boundaries are turns that open
 * a segment.
 */
export function pkAndWindowDiff(reference: number[], found: number[], count: number): { pk: number; wd: number } {
  const k = windowOf(reference, count);
  const r = segmentOf(reference, count);
  const h = segmentOf(found, count);
  let pk = 0;
  let wd = 0;
  for (let i = 0; i + k < count; i++) {
    const a = r[i + k]! - r[i]!;
    const b = h[i + k]! - h[i]!;
    pk += Number((a === 0) !== (b === 0));
    wd += Number(a !== b);
  }
  const windows = Math.max(1, count - k);
  return { pk: pk / windows, wd: wd / windows };
}

/** Number of boundaries in `found` within `tolerance` turns of one in `reference`. Each is used once, nearest first. */
export function hits(reference: number[], found: number[], tolerance: number): number {
  const pairs = reference
    .flatMap((r) => found.map((f) => [Math.abs(r - f), r, f] as const))
    .filter(([d]) => d <= tolerance)
    .sort((a, b) => a[0] - b[0]);
  const used = new Set<string>();
  let count = 0;
  for (const [, r, f] of pairs)
    if (!used.has(`r${r}`) && !used.has(`f${f}`)) {
      used.add(`r${r}`).add(`f${f}`);
      count++;
    }
  return count;
}

export const TOLERANCES = [0, 1, 3, 5] as const;

/** One conversation with labelled boundaries. */
export interface Labelled {
  turns: string[];
  speakers: string[];
  boundaries: number[];
}

/**
 * Mean Pk and WindowDiff over conversations, F1 over all boundaries at each tolerance, and the mean number of segments.
 */
export function score(docs: Labelled[], segment: (doc: Labelled, index: number) => number[]): number[] {
  let pk = 0;
  let wd = 0;
  let reference = 0;
  let found = 0;
  const matched = TOLERANCES.map(() => 0);
  docs.forEach((doc, index) => {
    const guess = segment(doc, index);
    const one = pkAndWindowDiff(doc.boundaries, guess, doc.turns.length);
    pk += one.pk;
    wd += one.wd;
    reference += doc.boundaries.length;
    found += guess.length;
    TOLERANCES.forEach((t, i) => {
      matched[i]! += hits(doc.boundaries, guess, t);
    });
  });
  const n = Math.max(1, docs.length);
  return [
    pk / n,
    wd / n,
    ...matched.map((m) => (2 * m) / Math.max(1, reference + found)),
    found / n + 1,
    reference / n + 1,
  ];
}
