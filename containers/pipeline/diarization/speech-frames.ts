import type { Interval } from '../audio/interval.ts';
import { type Bandwidth, CEPSTRA, FRAMES_PER_SECOND, type SpeakerFeatures } from './speaker-features.ts';

/** A speech region, both as positions among the speech frames and in seconds. */
export interface Region extends Span, Interval {}

/** Half-open range of positions among the speech frames. */
export interface Span {
  from: number;
  to: number;
}

/** The frames of speech, with silence removed. Position p is frame `frame[p]` of the recording. */
export interface SpeechFeatures {
  frame: Int32Array;
  /** One span for each speech region, in order. */
  regions: Region[];
  scale: FeatureScale;
  /** Cepstra row by row. Each coefficient has mean 0 and variance 1 over the recording's speech. */
  cepstra: Float32Array;
  /** In Hz, 0 where unvoiced. */
  pitch: Float32Array;
  /** 1 for the quietest frames, which are pauses and word edges. They characterise the line rather than the voice. */
  quiet: Uint8Array;
}

/** Fraction of the speech frames left out of the voices' models. */
const QUIET_SHARE = 0.15;

const SMALLEST_DEVIATION = 1e-6;

/** The scaling of the recording's cepstra to mean 0 and variance 1, and the band that they were computed from. */
export interface FeatureScale {
  bandwidth: Bandwidth;
  mean: Float64Array;
  deviation: Float64Array;
  /** Level below which a frame counts as quiet, neper. */
  quietBelow: number;
}

function scaleOf(rows: Float32Array, bandwidth: Bandwidth): Omit<FeatureScale, 'quietBelow'> {
  const n = Math.max(1, rows.length / CEPSTRA);
  const mean = new Float64Array(CEPSTRA);
  const deviation = new Float64Array(CEPSTRA);
  for (let c = 0; c < CEPSTRA; c++) {
    let sum = 0;
    let squares = 0;
    for (let i = c; i < rows.length; i += CEPSTRA) {
      sum += rows[i]!;
      squares += rows[i]! ** 2;
    }
    mean[c] = sum / n;
    deviation[c] = Math.sqrt(Math.max(0, squares / n - (sum / n) ** 2)) + SMALLEST_DEVIATION;
  }
  return { bandwidth, mean, deviation };
}

/**
 * Collects the frames of the speech regions, which must be in order and not overlap.
 * @param like scale of earlier speech to apply to these frames; by default they get their own.
 */
export function speechFeatures(features: SpeakerFeatures, speech: Interval[], like?: FeatureScale): SpeechFeatures {
  const regions: Region[] = [];
  const index: number[] = [];
  for (const { start, end } of speech) {
    const from = index.length;
    const last = Math.min(features.frames, Math.round(end * FRAMES_PER_SECOND));
    for (let t = Math.max(0, Math.round(start * FRAMES_PER_SECOND)); t < last; t++) index.push(t);
    if (index.length > from) regions.push({ from, to: index.length, start, end });
  }
  const frame = Int32Array.from(index);
  const bandwidth = like?.bandwidth ?? features.bandwidth(frame);
  const cepstra = features.cepstra(frame, bandwidth);
  const scale = like ?? scaleOf(cepstra, bandwidth);
  standardise(cepstra, scale);
  const level = Float32Array.from(frame, (t) => features.levelAt(t));
  const border = like?.quietBelow ?? quantile(level, QUIET_SHARE);
  return {
    frame,
    regions,
    scale: { ...scale, quietBelow: border },
    cepstra,
    pitch: Float32Array.from(frame, (t) => features.pitchAt(t)),
    quiet: Uint8Array.from(level, (l) => Number(l < border)),
  };
}

/** Adjusts rows of cepstra to a scale, in place. */
export function standardise(rows: Float32Array, { mean, deviation }: Pick<FeatureScale, 'mean' | 'deviation'>): void {
  for (let i = 0; i < rows.length; i++) rows[i] = (rows[i]! - mean[i % CEPSTRA]!) / deviation[i % CEPSTRA]!;
}

function quantile(values: Float32Array, share: number): number {
  return Float32Array.from(values).sort()[Math.floor(share * values.length)] ?? 0;
}
