import { GaussianMixture } from './gaussian-mixture.ts';
import type { SpeechFeatures } from './speech-frames.ts';

/** Cost of a speaker change within a speech region, and across a pause, in nats. */
const SWITCH_COST = 60;
const SWITCH_COST_AT_PAUSE = 10;
const PASSES = 3;

/** Labels of the speech frames, and the score of each frame under the final models. */
export interface Segmented {
  /** Speaker of each speech frame. */
  labels: Uint8Array;
  /** One model for each speaker. Empty when there is only one. */
  models: GaussianMixture[];
  /** Log density of each speech frame under each model. Quiet frames are not evidence and have 0. */
  scores: Float32Array[];
}

/**
 * Moves the borders between speakers: fits a mixture for each speaker, finds the best path, and repeats until nothing
 * changes.
 */
export function resegment(speech: SpeechFeatures, labels: Uint8Array, speakers: number): Segmented {
  if (speakers < 2) return { labels, models: [], scores: [] };
  let models: GaussianMixture[] = [];
  let scores: Float32Array[] = [];
  for (let pass = 0; pass < PASSES; pass++) {
    const members = framesBySpeaker(labels, speakers);
    if (members.some((frames) => frames.length === 0)) break;
    models = members.map((frames) => GaussianMixture.fit(speech.cepstra, loud(frames, speech.quiet)));
    scores = scoresOf(models, speech);
    const next = bestPath(speech, scores);
    const same = next.every((label, i) => label === labels[i]);
    labels = next;
    if (same) break;
  }
  return { labels, models, scores };
}

/** Positions of each speaker's speech frames. */
export function framesBySpeaker(labels: Uint8Array, speakers: number): Int32Array[] {
  const counts = new Int32Array(speakers);
  for (const label of labels) counts[label] = counts[label]! + 1;
  const out = Array.from(counts, (n) => new Int32Array(n));
  counts.fill(0);
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]!;
    out[label]![counts[label]!] = i;
    counts[label] = counts[label]! + 1;
  }
  return out;
}

/** Labels more speech, scaled in the same way, with models fitted earlier. */
export function segmentBy(models: GaussianMixture[], speech: SpeechFeatures): Segmented {
  const scores = scoresOf(models, speech);
  return { labels: models.length > 1 ? bestPath(speech, scores) : new Uint8Array(speech.frame.length), models, scores };
}

const scoresOf = (models: GaussianMixture[], { cepstra, quiet }: SpeechFeatures): Float32Array[] =>
  models.map((model) => Float32Array.from(model.logDensities(cepstra, quiet)));

/** The frames that are not quiet, or all frames if every one is quiet. */
function loud(frames: Int32Array, quiet: Uint8Array): Int32Array {
  const out = frames.filter((frame) => !quiet[frame]);
  return out.length > 0 ? out : frames;
}

/** Finds the best path through the speech frames (Viterbi). A change costs less across a pause. */
function bestPath(speech: SpeechFeatures, scores: Float32Array[]): Uint8Array {
  const n = speech.frame.length;
  const k = scores.length;
  const value = Float64Array.from(scores, (s) => s[0]!);
  const from = new Uint8Array(n * k);
  for (let t = 1; t < n; t++) {
    let best = 0;
    for (let s = 1; s < k; s++) if (value[s]! > value[best]!) best = s;
    const pause = speech.frame[t]! - speech.frame[t - 1]! > 1;
    const switched = value[best]! - (pause ? SWITCH_COST_AT_PAUSE : SWITCH_COST);
    for (let s = 0; s < k; s++) {
      const stay = value[s]! >= switched;
      from[t * k + s] = stay ? s : best;
      value[s] = (stay ? value[s]! : switched) + scores[s]![t]!;
    }
  }
  const labels = new Uint8Array(n);
  let state = 0;
  for (let s = 1; s < k; s++) if (value[s]! > value[state]!) state = s;
  for (let t = n - 1; t >= 0; t--) {
    labels[t] = state;
    state = from[t * k + state]!;
  }
  return labels;
}
