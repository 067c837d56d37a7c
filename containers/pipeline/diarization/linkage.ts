/** One merge of an agglomerative tree. Leaves are 0 to n-1, and merge number i creates node n + i. */
export interface Merge {
  left: number;
  right: number;
  distance: number;
}

/**
 * Average-link clustering on cosine distance (UPGMA, Sokal & Michener 1958) by the nearest-neighbour chain (Murtagh
 * 1983). Time is proportional to n^2, and memory is 8 n^2 bytes.
 * @param rows n x width; each is first centred over the rows and scaled to unit length.
 * @returns n - 1 merges by increasing distance.
 */
export function averageLinkage(rows: Float32Array, width: number): Merge[] {
  const n = width > 0 ? rows.length / width : 0;
  const distances = cosineDistances(unitRows(rows, width), width);
  const size = new Int32Array(n).fill(1);
  const raw: Merge[] = [];
  const chain: number[] = [];
  for (let left = n; left > 1; left--) {
    if (chain.length === 0) chain.push(size.findIndex((s) => s > 0));
    for (;;) {
      const tip = chain[chain.length - 1]!;
      const before = chain.length > 1 ? chain[chain.length - 2]! : -1;
      let nearest = before;
      let least = before >= 0 ? distances[tip * n + before]! : Number.POSITIVE_INFINITY;
      for (let j = 0; j < n; j++) {
        if (j === tip || size[j] === 0 || distances[tip * n + j]! >= least) continue;
        least = distances[tip * n + j]!;
        nearest = j;
      }
      if (nearest !== before) {
        chain.push(nearest);
        continue;
      }
      chain.length -= 2;
      raw.push({ left: Math.min(tip, nearest), right: Math.max(tip, nearest), distance: least });
      join(distances, size, n, Math.min(tip, nearest), Math.max(tip, nearest));
      break;
    }
  }
  return numbered(raw, n);
}

function unitRows(rows: Float32Array, width: number): Float32Array {
  const n = width > 0 ? rows.length / width : 0;
  const out = Float32Array.from(rows);
  for (let c = 0; c < width; c++) {
    let sum = 0;
    for (let i = c; i < out.length; i += width) sum += out[i]!;
    for (let i = c; i < out.length; i += width) out[i] = out[i]! - sum / n;
  }
  for (let at = 0; at < out.length; at += width) {
    let norm = 0;
    for (let c = 0; c < width; c++) norm += out[at + c]! ** 2;
    const scale = 1 / (Math.sqrt(norm) + 1e-9);
    for (let c = 0; c < width; c++) out[at + c] = out[at + c]! * scale;
  }
  return out;
}

function cosineDistances(rows: Float32Array, width: number): Float32Array {
  const n = width > 0 ? rows.length / width : 0;
  const out = new Float32Array(n * n);
  for (let i = 0; i < n; i++) {
    // Two at once share a load, and their sums do not wait for each other.
    for (let j = 0; j < i; j += 2) {
      let dot = 0;
      let next = 0;
      for (let c = 0, a = i * width, b = j * width; c < width; c++, a++, b++) {
        dot += rows[a]! * rows[b]!;
        next += rows[a]! * rows[b + width]!;
      }
      out[i * n + j] = 1 - dot;
      out[j * n + i] = 1 - dot;
      if (j + 1 === i) break;
      out[i * n + j + 1] = 1 - next;
      out[(j + 1) * n + i] = 1 - next;
    }
  }
  return out;
}

/** Node b is merged into node a. Distances become the average over all pairs of leaves (Lance & Williams 1967). */
function join(distances: Float32Array, size: Int32Array, n: number, a: number, b: number): void {
  const wa = size[a]! / (size[a]! + size[b]!);
  for (let j = 0; j < n; j++) {
    if (size[j] === 0 || j === a || j === b) continue;
    const average = wa * distances[a * n + j]! + (1 - wa) * distances[b * n + j]!;
    distances[a * n + j] = average;
    distances[j * n + a] = average;
  }
  size[a] = size[a]! + size[b]!;
  size[b] = 0;
}

/** Sorts the chain's merges by distance and assigns node numbers. A node is represented by its smallest leaf. */
function numbered(raw: Merge[], n: number): Merge[] {
  const node = Int32Array.from({ length: n }, (_, i) => i);
  const parent = Int32Array.from({ length: n }, (_, i) => i);
  const root = (leaf: number): number => {
    let at = leaf;
    while (parent[at] !== at) at = parent[at]!;
    return at;
  };
  return raw
    .map((merge, order) => ({ merge, order }))
    .sort((a, b) => a.merge.distance - b.merge.distance || a.order - b.order)
    .map(({ merge }, i) => {
      const a = root(merge.left);
      const b = root(merge.right);
      const out = { left: node[a]!, right: node[b]!, distance: merge.distance };
      const into = Math.min(a, b);
      parent[Math.max(a, b)] = into;
      node[into] = n + i;
      return out;
    });
}
