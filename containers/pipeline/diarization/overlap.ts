import { GaussianMixture } from './gaussian-mixture.ts';
import { framesBySpeaker, type Segmented } from './resegmentation.ts';
import type { SpeakerFeatures } from './speaker-features.ts';
import { type Span, type SpeechFeatures, standardise } from './speech-frames.ts';

/** Number of frame pairs for learning how two simultaneous voices sound. */
const PAIRS = 3000;
/**
 * Speech that each of two speakers needs for this, frames. With 12 s each, the variety within one voice was mistaken
 * for a second voice.
 */
const LEAST_FRAMES = 1400;
/** Most speakers for which overlap is searched, because the number of pairs grows with the square. */
const MOST_SPEAKERS = 4;
/**
 * Cost of starting an overlap in nats, and the shortest overlap that is reported in frames. Chosen for precision on the
 * two channels of calls, summed with a time shift (docs/reference/diarization.md).
 */
const ENTRY_COST = 60;
const LEAST_OVERLAP = 30;

/** A span of speech frames in which a second speaker speaks at the same time as the labelled one. */
export interface Overlap extends Span {
  speaker: number;
}

/**
 * Finds spans in which two known voices speak at once. A model of both is fitted on sums of one voice's frames and the
 * other's, taken from the recording. A span is reported where this model explains the audio clearly better than any
 * single voice.
 */
export function findOverlaps(features: SpeakerFeatures, speech: SpeechFeatures, segmented: Segmented): Overlap[] {
  const { labels, scores } = segmented;
  const speakers = scores.length;
  if (speakers < 2 || speakers > MOST_SPEAKERS) return [];
  const members = framesBySpeaker(labels, speakers).map((frames) => frames.filter((frame) => !speech.quiet[frame]));
  const alone = Float32Array.from(scores[0]!);
  for (const row of scores) for (let t = 0; t < alone.length; t++) if (row[t]! > alone[t]!) alone[t] = row[t]!;
  const overlaps: Overlap[] = [];
  for (let a = 0; a < speakers; a++) {
    for (let b = a + 1; b < speakers; b++) {
      if (Math.min(members[a]!.length, members[b]!.length) < LEAST_FRAMES) continue;
      const both = modelOfBoth(features, speech, members[a]!, members[b]!);
      const together = both.logDensities(speech.cepstra, speech.quiet);
      const lead = Float32Array.from(alone, (score, t) => (speech.quiet[t] ? 0 : together[t]! - score));
      for (const span of speech.regions.flatMap((region) => spansAbove(lead, region))) {
        overlaps.push(...bySpeaker(span, labels, a, b));
      }
    }
  }
  return overlaps.sort((x, y) => x.from - y.from);
}

function modelOfBoth(features: SpeakerFeatures, speech: SpeechFeatures, a: Int32Array, b: Int32Array): GaussianMixture {
  // Strides without a common factor, which pair every kind of frame of one voice with every kind of the other.
  const pick = (frames: Int32Array, stride: number): Int32Array =>
    Int32Array.from({ length: PAIRS }, (_, i) => speech.frame[frames[(i * stride) % frames.length]!]!);
  const rows = features.cepstraOfSums(pick(a, 7919), pick(b, 6007), speech.scale.bandwidth);
  standardise(rows, speech.scale);
  return GaussianMixture.fit(
    rows,
    Int32Array.from({ length: PAIRS }, (_, i) => i),
  );
}

/**
 * Spans of a region where the best path between "one voice" (score 0) and "both" (the lead, minus the cost of entry)
 * takes "both".
 */
function spansAbove(lead: Float32Array, { from, to }: Span): Span[] {
  const out: Span[] = [];
  let best = 0;
  let sum = 0;
  let start = from;
  let end = from;
  const close = (): void => {
    if (best > ENTRY_COST && end - start >= LEAST_OVERLAP) out.push({ from: start, to: end });
    best = 0;
    sum = 0;
  };
  for (let t = from; t < to; t++) {
    if (sum === 0) start = t;
    sum += lead[t]!;
    if (sum > best) {
      best = sum;
      end = t + 1;
    }
    if (sum <= 0 || sum < best - ENTRY_COST) close();
  }
  close();
  return out;
}

/** The part of a span that is labelled with either speaker, with the other as the second speaker. */
function bySpeaker({ from, to }: Span, labels: Uint8Array, a: number, b: number): Overlap[] {
  const out: Overlap[] = [];
  for (let t = from; t < to; ) {
    let end = t + 1;
    while (end < to && labels[end] === labels[t]) end++;
    if (labels[t] === a || labels[t] === b) out.push({ from: t, to: end, speaker: labels[t] === a ? b : a });
    t = end;
  }
  return out;
}
