import type { Interval } from '../../containers/pipeline/audio/interval.ts';
import { averageLinkage } from '../../containers/pipeline/diarization/linkage.ts';
import {
  CEPSTRA,
  FRAMES_PER_SECOND,
  type SpeakerFeatures,
} from '../../containers/pipeline/diarization/speaker-features.ts';
import { speechFeatures } from '../../containers/pipeline/diarization/speech-frames.ts';
import { clusteringWindows, vote } from '../../containers/pipeline/diarization/windows.ts';
import type { LabelledSegment } from '../der.ts';

/** Assigns all speech to one person. */
export const oneSpeaker = (speech: Interval[]): LabelledSegment[] => speech.map((s) => ({ ...s, speaker: '0' }));

/**
 * Average-link distance at which the baseline stops when the number of speakers is not given. It is the best value on
 * the open half.
 */
const STOP_DISTANCE = 1.1;

/** Textbook baseline: mean MFCC of 1.5 s windows, average link on cosine distance, and frames by vote. */
export function meanMfcc(features: SpeakerFeatures, speech: Interval[], speakers?: number): LabelledSegment[] {
  const frames = speechFeatures(features, speech);
  const windows = clusteringWindows(frames);
  if (windows.length === 0) return [];
  const rows = new Float32Array(windows.length * CEPSTRA);
  for (const [w, { from, to }] of windows.entries()) {
    for (let t = from; t < to; t++) {
      for (let c = 0; c < CEPSTRA; c++) {
        rows[w * CEPSTRA + c] = rows[w * CEPSTRA + c]! + frames.cepstra[t * CEPSTRA + c]! / (to - from);
      }
    }
  }
  const tree = averageLinkage(rows, CEPSTRA);
  const merges = speakers
    ? Math.max(0, windows.length - speakers)
    : tree.filter((merge) => merge.distance <= STOP_DISTANCE).length;
  const cluster = windows.map((_, i) => i);
  for (const [i, { left, right }] of tree.slice(0, merges).entries()) {
    for (const [w, c] of cluster.entries()) if (c === left || c === right) cluster[w] = windows.length + i;
  }
  const ids = [...new Set(cluster)];
  const labels = vote(
    windows,
    cluster.map((c) => ids.indexOf(c)),
    ids.length,
    frames.frame.length,
  );
  return Array.from(frames.frame, (t, i) => ({
    start: t / FRAMES_PER_SECOND,
    end: (t + 1) / FRAMES_PER_SECOND,
    speaker: String(labels[i]),
  }));
}
