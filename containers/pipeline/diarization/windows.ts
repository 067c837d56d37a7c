import { FRAMES_PER_SECOND } from './speaker-features.ts';
import type { Span, SpeechFeatures } from './speech-frames.ts';

const WINDOW_S = 1.5;
const HOP_S = 0.5;
/** The typical number of windows. Longer recordings get longer hops. */
const USUAL_WINDOWS = 2000;
/**
 * The time and memory of the tree grow with the square of this number (36 MB). If there are more windows, an even
 * selection is used.
 */
const MOST_WINDOWS = 3000;

/** Windows of 1.5 s within the speech regions, evenly spaced. A shorter region is one window. */
export function clusteringWindows(speech: SpeechFeatures): Span[] {
  const hop = Math.max(HOP_S * FRAMES_PER_SECOND, speech.frame.length / USUAL_WINDOWS);
  const length = WINDOW_S * FRAMES_PER_SECOND;
  const out: Span[] = [];
  for (const { from, to } of speech.regions) {
    const spare = to - from - length;
    if (spare <= 0) {
      out.push({ from, to });
      continue;
    }
    const steps = Math.ceil(spare / hop);
    for (let i = 0; i <= steps; i++) {
      const start = from + Math.round((i * spare) / steps);
      out.push({ from: start, to: start + length });
    }
  }
  if (out.length <= MOST_WINDOWS) return out;
  return Array.from({ length: MOST_WINDOWS }, (_, i) => out[Math.floor((i * out.length) / MOST_WINDOWS)]!);
}

/**
 * Assigns each speech frame the most frequent label of the windows that cover it. Windows centred near it count most
 * (Hann weights). A frame that none covers takes the label of the frame before it.
 */
export function vote(windows: Span[], labels: ArrayLike<number>, speakers: number, frames: number): Uint8Array {
  const votes = new Float32Array(frames * speakers);
  for (const [w, { from, to }] of windows.entries()) {
    const n = to - from;
    for (let i = 0; i < n; i++) {
      const at = (from + i) * speakers + labels[w]!;
      votes[at] = votes[at]! + 0.7 - 0.5 * Math.cos((2 * Math.PI * (i + 1)) / (n + 1));
    }
  }
  const out = new Uint8Array(frames);
  for (let t = 0; t < frames; t++) {
    let best = t > 0 ? out[t - 1]! : 0;
    for (let s = 0; s < speakers; s++) if (votes[t * speakers + s]! > votes[t * speakers + best]!) best = s;
    out[t] = best;
  }
  return out;
}
