import type { Interval } from './interval.ts';

/** Length of a VAD frame, s. */
export const FRAME_S = 0.032;

export interface SpeechOptions {
  /** Minimum probability of a frame that begins speech. */
  on?: number;
  /** Minimum probability of a frame that continues speech. */
  off?: number;
  /** Silence that ends speech, s. */
  minSilence?: number;
  /** Speech shorter than this is dropped, s. */
  minSpeech?: number;
  /** Padding on either side, at most half of the gap, s. */
  pad?: number;
  /** Length of the recording, s. Regions do not extend beyond it. */
  duration?: number;
}

/**
 * Silero's own hysteresis (.5, and .15 below that), with the settings that work best for recognising whole files
 * (bench/asr.ts).
 */
const DEFAULTS = { on: 0.5, off: 0.35, minSilence: 0.5, minSpeech: 0.1, pad: 0.15, duration: Number.POSITIVE_INFINITY };

/**
 * The regions of speech in a sequence of frame probabilities. They are in order and do not overlap.
 * @param probabilities one per 32 ms frame.
 */
export function speechRegions(probabilities: ArrayLike<number>, options: SpeechOptions = {}): Interval[] {
  const { on, off, minSilence, minSpeech, pad, duration } = { ...DEFAULTS, ...options };
  const silentFrames = Math.max(1, Math.round(minSilence / FRAME_S));
  const raw: Interval[] = [];
  let start = -1;
  let lastSpeech = -1;
  const close = () => {
    const region = { start: start * FRAME_S, end: (lastSpeech + 1) * FRAME_S };
    if (region.end - region.start >= minSpeech) raw.push(region);
    start = -1;
  };
  for (let frame = 0; frame < probabilities.length; frame++) {
    const probability = probabilities[frame]!;
    if (start < 0) {
      if (probability < on) continue;
      start = frame;
      lastSpeech = frame;
    } else if (probability >= off) lastSpeech = frame;
    else if (frame - lastSpeech >= silentFrames) close();
  }
  if (start >= 0) close();
  return padded(raw, pad, Math.min(duration, probabilities.length * FRAME_S));
}

function padded(regions: Interval[], pad: number, duration: number): Interval[] {
  return regions
    .map(({ start, end }, i) => ({
      start: Math.max(0, start - pad, i > 0 ? (regions[i - 1]!.end + start) / 2 : 0),
      end: Math.min(duration, end + pad, i + 1 < regions.length ? (regions[i + 1]!.start + end) / 2 : duration),
    }))
    .filter(({ start, end }) => end > start);
}
