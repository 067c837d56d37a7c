import type { Interval } from '../audio/interval.ts';
import { type Bandwidth, CEPSTRA, FRAMES_PER_SECOND, type SpeakerFeatures } from './speaker-features.ts';

/** Half-open range of positions among the speech frames. */
export interface Span {
  from: number;
  to: number;
}

/** The frames in which somebody speaks, closed up: position p is frame `frame[p]` of the recording. */
export interface SpeechFrames {
  frame: Int32Array;
  /** One span for each speech region, in order. */
  regions: Span[];
  bandwidth: Bandwidth;
  /** Cepstra row by row, each coefficient with mean 0 and variance 1 over the recording's speech. */
  cepstra: Float32Array;
  /** Hz, 0 where unvoiced. */
  pitch: Float32Array;
}

const SMALLEST_DEVIATION = 1e-6;

function standardise(rows: Float32Array, width: number): void {
  const n = rows.length / width;
  for (let c = 0; c < width; c++) {
    let sum = 0;
    let squares = 0;
    for (let i = c; i < rows.length; i += width) {
      sum += rows[i]!;
      squares += rows[i]! ** 2;
    }
    const mean = sum / n;
    const deviation = Math.sqrt(Math.max(0, squares / n - mean * mean)) + SMALLEST_DEVIATION;
    for (let i = c; i < rows.length; i += width) rows[i] = (rows[i]! - mean) / deviation;
  }
}

/** Gathers the frames of the speech regions (ordered, not overlapping). */
export function speechFrames(features: SpeakerFeatures, speech: Interval[]): SpeechFrames {
  const regions: Span[] = [];
  const index: number[] = [];
  for (const { start, end } of speech) {
    const from = index.length;
    const last = Math.min(features.frames, Math.round(end * FRAMES_PER_SECOND));
    for (let t = Math.max(0, Math.round(start * FRAMES_PER_SECOND)); t < last; t++) index.push(t);
    if (index.length > from) regions.push({ from, to: index.length });
  }
  const frame = Int32Array.from(index);
  const bandwidth = features.bandwidth(frame);
  const cepstra = features.cepstra(frame, bandwidth);
  standardise(cepstra, CEPSTRA);
  return { frame, regions, bandwidth, cepstra, pitch: Float32Array.from(frame, (t) => features.pitchAt(t)) };
}
