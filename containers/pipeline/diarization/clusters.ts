import { keyDistance } from './binary-keys.ts';
import type { Merge } from './linkage.ts';
import type { Span } from './speech-frames.ts';

/** Weight of one semitone of pitch difference in the merge test, and the largest difference that counts. */
const PITCH_WEIGHT = 0.02;
const MOST_SEMITONES = 8;
/** Number of voiced frames (of 10 ms) that a cluster needs before its pitch is compared. */
const PITCH_FRAMES = 50;
/** Pitch is stored as a histogram of quarter semitones above 60 Hz. */
const LOWEST_HZ = 60;
const BINS_PER_OCTAVE = 48;
const PITCH_BINS = BINS_PER_OCTAVE * 3;
/** Fewest windows of a speaker: a fraction of all windows, within bounds. */
const SMALLEST_SHARE = 0.08;
const SMALLEST_MIN = 2;
const SMALLEST_MAX = 5;

/** A set of windows attributed to one voice. */
export interface Cluster {
  windows: number[];
  key: Float32Array;
  pitch: Float32Array;
}

/**
 * A cluster of one window: its key, and the pitch within it (Hz, by speech frame). With null, pitch is not compared.
 */
export function leafCluster(window: number, key: Float32Array, span: Span, pitch: Float32Array | null): Cluster {
  const histogram = new Float32Array(PITCH_BINS);
  for (let t = span.from; pitch && t < span.to; t++) {
    if (pitch[t]! < LOWEST_HZ) continue;
    const bin = Math.floor(Math.log2(pitch[t]! / LOWEST_HZ) * BINS_PER_OCTAVE);
    if (bin < PITCH_BINS) histogram[bin] = histogram[bin]! + 1;
  }
  return { windows: [window], key, pitch: histogram };
}

/** Several clusters merged into one. */
export function union(parts: Cluster[]): Cluster {
  const first = parts[0]!;
  const key = Float32Array.from(first.key);
  const pitch = Float32Array.from(first.pitch);
  for (const part of parts.slice(1)) {
    for (let i = 0; i < key.length; i++) key[i] = key[i]! + part.key[i]!;
    for (let i = 0; i < pitch.length; i++) pitch[i] = pitch[i]! + part.pitch[i]!;
  }
  return { windows: parts.flatMap((part) => part.windows), key, pitch };
}

/** Median pitch in semitones above 60 Hz. Null for less than half a second of voice. */
function medianSemitones(histogram: Float32Array): number | null {
  const total = histogram.reduce((a, b) => a + b, 0);
  if (total <= PITCH_FRAMES) return null;
  let seen = 0;
  const bin = histogram.findIndex((count) => {
    seen += count;
    return seen >= total / 2;
  });
  return (12 * (bin + 0.5)) / BINS_PER_OCTAVE;
}

/**
 * Dissimilarity of two clusters, from the distance of their keys and of their median pitches. 0 means the same, and
 * about 1 unrelated.
 */
export function dissimilarity(a: Cluster, b: Cluster): number {
  const pa = medianSemitones(a.pitch);
  const pb = medianSemitones(b.pitch);
  const semitones = pa === null || pb === null ? 0 : Math.min(MOST_SEMITONES, Math.abs(pa - pb));
  return keyDistance(a.key, b.key) + PITCH_WEIGHT * semitones;
}

/** Number of windows that a cluster needs to count as a speaker. */
function smallestSpeaker(windows: number): number {
  return Math.min(SMALLEST_MAX, Math.max(SMALLEST_MIN, Math.floor(SMALLEST_SHARE * windows)));
}

/**
 * The deepest cut of the tree with `speakers` clusters that are not tiny. Tiny ones are merged with the nearest.
 * Returns fewer when there are fewer windows.
 */
export function cutInto(leaves: Cluster[], tree: Merge[], speakers: number): Cluster[] {
  const wanted = Math.min(speakers, leaves.length);
  for (let least = smallestSpeaker(leaves.length); least > 1; least--) {
    const cut = deepestCut(leaves, tree, wanted, least);
    if (cut) return cut;
  }
  return deepestCut(leaves, tree, wanted, 1) ?? leaves;
}

function deepestCut(leaves: Cluster[], tree: Merge[], wanted: number, least: number): Cluster[] | null {
  const n = leaves.length;
  const sizes = [...leaves.map(() => 1), ...tree.map(() => 0)];
  let big = least <= 1 ? n : 0;
  let deepest = big >= wanted ? 0 : -1;
  for (const [i, { left, right }] of tree.entries()) {
    const together = sizes[left]! + sizes[right]!;
    sizes[n + i] = together;
    big += Number(together >= least) - Number(sizes[left]! >= least) - Number(sizes[right]! >= least);
    if (big >= wanted) deepest = i + 1;
  }
  if (deepest < 0) return null;
  const nodes = new Map<number, Cluster[]>(leaves.map((leaf, i) => [i, [leaf]]));
  for (const [i, { left, right }] of tree.slice(0, deepest).entries()) {
    const into = nodes.get(left)!;
    for (const leaf of nodes.get(right)!) into.push(leaf);
    nodes.set(n + i, into);
    nodes.delete(left);
    nodes.delete(right);
  }
  const bySize = [...nodes.values()].sort((a, b) => b.length - a.length || a[0]!.windows[0]! - b[0]!.windows[0]!);
  return adopted(bySize.slice(0, wanted).map(union), bySize.slice(wanted).map(union));
}

/** The two most similar clusters. Null when there are fewer than two. */
export function closestPair(clusters: Cluster[]): { a: number; b: number; dissimilarity: number } | null {
  let best: { a: number; b: number; dissimilarity: number } | null = null;
  for (let a = 0; a < clusters.length; a++) {
    for (let b = a + 1; b < clusters.length; b++) {
      const distance = dissimilarity(clusters[a]!, clusters[b]!);
      if (!best || distance < best.dissimilarity) best = { a, b, dissimilarity: distance };
    }
  }
  return best;
}

function adopted(big: Cluster[], tiny: Cluster[]): Cluster[] {
  const keys = big.map((cluster) => cluster.key);
  const out = [...big];
  for (const orphan of tiny) {
    const distances = keys.map((key) => keyDistance(orphan.key, key));
    const nearest = distances.indexOf(Math.min(...distances));
    out[nearest] = union([out[nearest]!, orphan]);
  }
  return out;
}
