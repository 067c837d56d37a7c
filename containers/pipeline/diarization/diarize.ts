import type { Interval } from '../audio/interval.ts';
import { BinaryKeys } from './binary-keys.ts';
import { type Cluster, cutInto, leafCluster, mergeAlike } from './clusters.ts';
import { averageLinkage } from './linkage.ts';
import { principalComponents } from './principal-components.ts';
import { resegment } from './resegmentation.ts';
import { FRAMES_PER_SECOND, type SpeakerFeatures } from './speaker-features.ts';
import { type SpeechFrames, speechFrames } from './speech-frames.ts';
import type { Diarization, Turn } from './turns.ts';
import { clusteringWindows, vote } from './windows.ts';

export const MOST_SPEAKERS = 8;
const COMPONENTS = 20;
const MERGE_THRESHOLD = 0.68;

export interface DiarizeOptions {
  /** The number of speakers when it is known, 1..8. */
  speakers?: number;
}

/**
 * Who spoke when in a whole recording.
 * @param features of the whole recording.
 * @param speech regions in order, without overlap, seconds.
 */
export function diarize(features: SpeakerFeatures, speech: Interval[], options: DiarizeOptions = {}): Diarization {
  const frames = speechFrames(features, speech);
  if (frames.frame.length === 0) return { turns: [], speakers: { count: 0, confidence: 1, source: 'estimated' } };
  const windows = clusteringWindows(frames);
  const keys = new BinaryKeys(frames.cepstra);
  const leaves = windows.map((span, i) => leafCluster(i, span, keys, frames.pitch));
  const rows = new Float32Array(windows.length * keys.size);
  for (const [i, leaf] of leaves.entries()) {
    const norm = Math.sqrt(leaf.key.reduce((a, v) => a + v * v, 0)) + 1e-9;
    for (let c = 0; c < keys.size; c++) rows[i * keys.size + c] = leaf.key[c]! / norm;
  }
  const projected = principalComponents(rows, keys.size, COMPONENTS);
  const tree = averageLinkage(projected, projected.length / windows.length);
  const clusters = options.speakers
    ? cutInto(leaves, tree, options.speakers)
    : mergeAlike(leaves, tree, MERGE_THRESHOLD).slice(0, MOST_SPEAKERS);
  const labels = vote(windows, windowLabels(clusters, windows.length), clusters.length, frames.frame.length);
  const segmented = resegment(frames, labels, clusters.length);
  return {
    turns: turnsOf(frames, segmented.labels),
    speakers: {
      count: clusters.length,
      confidence: options.speakers ? 1 : 0.5,
      source: options.speakers ? 'given' : 'estimated',
    },
  };
}

function windowLabels(clusters: Cluster[], windows: number): Uint8Array {
  const labels = new Uint8Array(windows);
  for (const [speaker, cluster] of clusters.entries()) for (const w of cluster.windows) labels[w] = speaker;
  return labels;
}

function turnsOf(speech: SpeechFrames, labels: Uint8Array): Turn[] {
  const order = new Map<number, number>();
  const turns: Turn[] = [];
  for (const region of speech.regions) {
    for (let from = region.from; from < region.to; ) {
      let to = from + 1;
      while (to < region.to && labels[to] === labels[from]) to++;
      const label = labels[from]!;
      if (!order.has(label)) order.set(label, order.size);
      turns.push({
        start: speech.frame[from]! / FRAMES_PER_SECOND,
        end: (speech.frame[to - 1]! + 1) / FRAMES_PER_SECOND,
        speaker: order.get(label)!,
        confidence: 0.5,
      });
      from = to;
    }
  }
  return turns;
}
