const tokens = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

/** F1 of overlapping n-grams (Lin 2004), without stemming or stop words. */
function ngramF1(candidate: string[], reference: string[], n: number): number {
  const grams = (t: string[]) => {
    const out = new Map<string, number>();
    for (let i = 0; i + n <= t.length; i++) {
      const gram = t.slice(i, i + n).join(' ');
      out.set(gram, (out.get(gram) ?? 0) + 1);
    }
    return out;
  };
  const c = grams(candidate);
  const r = grams(reference);
  let shared = 0;
  for (const [gram, count] of c) shared += Math.min(count, r.get(gram) ?? 0);
  return f1(shared, candidate.length - n + 1, reference.length - n + 1);
}

const f1 = (shared: number, found: number, wanted: number): number =>
  shared > 0 && found > 0 && wanted > 0 ? (2 * shared) / (found + wanted) : 0;

/** Length of the longest common subsequence. */
function commonLength(a: string[], b: string[]): number {
  let previous = new Int32Array(b.length + 1);
  for (const x of a) {
    const row = new Int32Array(b.length + 1);
    for (let j = 0; j < b.length; j++) row[j + 1] = x === b[j] ? previous[j]! + 1 : Math.max(previous[j + 1]!, row[j]!);
    previous = row;
  }
  return previous[b.length]!;
}

/** ROUGE-1, ROUGE-2 and ROUGE-L F1 of a candidate against one reference, each from 0 to 1. */
export function rouge(candidate: string, reference: string): [number, number, number] {
  const c = tokens(candidate);
  const r = tokens(reference);
  return [ngramF1(c, r, 1), ngramF1(c, r, 2), f1(commonLength(c, r), c.length, r.length)];
}
