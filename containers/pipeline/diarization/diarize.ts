import type { SpeakerCount } from '../../../src/contract/media.ts';
import type { Interval } from '../audio/interval.ts';
import type { SpeechOptions } from '../audio/speech.ts';
import { BinaryKeys } from './binary-keys.ts';
import { type Cluster, leafCluster } from './clusters.ts';
import { averageLinkage, type Merge } from './linkage.ts';
import { findOverlaps } from './overlap.ts';
import { principalComponents } from './principal-components.ts';
import { resegment, type Segmented } from './resegmentation.ts';
import { type CountEvidence, countEvidence, findSpeakers, givenSpeakers } from './speaker-count.ts';
import { FRAMES_PER_SECOND, type SpeakerFeatures } from './speaker-features.ts';
import { type Span, type SpeechFeatures, speechFeatures } from './speech-frames.ts';
import type { Diarization, SpeakerTurn } from './turns.ts';
import { clusteringWindows, vote } from './windows.ts';

/**
 * How diarization extracts speech from Silero's probabilities. Speech starts and ends quickly, so that pauses between
 * speakers show, and has little padding (bench/diarization.ts; recognition needs longer regions).
 */
export const DIARIZATION_SPEECH: SpeechOptions = { on: 0.2, off: 0.1, minSilence: 0.2, minSpeech: 0.1, pad: 0.07 };
const COMPONENTS = 20;

export interface DiarizeOptions {
  /** The number of speakers, if it is known, 1 to 8. */
  speakers?: number;
}

/** Speech with its speakers, and the models that distinguish them. */
export interface SpeakerSegmentation extends Segmented {
  frames: SpeechFeatures;
  speakers: SpeakerCount;
}

/**
 * Labels the speech of a whole recording with its speakers.
 * @param features of the whole recording.
 * @param speech regions in order, without overlap, seconds.
 */
export function diarize(features: SpeakerFeatures, speech: Interval[], options: DiarizeOptions = {}): Diarization {
  return diarization(features, segmentSpeakers(features, speech, options));
}

function diarization(features: SpeakerFeatures, segmentation: SpeakerSegmentation): Diarization {
  const turns = [...turnsOf(segmentation, segmentation.speakers.confidence), ...overlapTurns(features, segmentation)];
  turns.sort((a, b) => a.start - b.start || a.speaker - b.speaker);
  return { turns, speakers: segmentation.speakers };
}

/**
 * Confidence of a second voice beneath the first. Two thirds of the reported seconds are right
 * (docs/reference/diarization.md).
 */
const OVERLAP_CONFIDENCE = 0.5;

function overlapTurns(features: SpeakerFeatures, segmentation: SpeakerSegmentation): SpeakerTurn[] {
  const { frame } = segmentation.frames;
  return findOverlaps(features, segmentation.frames, segmentation).map(({ from, to, speaker }) => ({
    start: frame[from]! / FRAMES_PER_SECOND,
    end: (frame[to - 1]! + 1) / FRAMES_PER_SECOND,
    speaker,
    confidence: OVERLAP_CONFIDENCE,
  }));
}

/** Labels speech frame by frame. Speakers are numbered in the order in which they first speak. */
export function segmentSpeakers(
  features: SpeakerFeatures,
  speech: Interval[],
  options: DiarizeOptions = {},
): SpeakerSegmentation {
  const frames = speechFeatures(features, speech);
  const windows = clusteringWindows(frames);
  if (windows.length === 0) return nobody(frames);
  const keys = new BinaryKeys(frames.cepstra);
  const leaves = windows.map((span, i) => leafCluster(i, keys.of(span), span, frames.pitch));
  return segmented(frames, windows, leaves, COMPONENTS, countEvidence(frames), options);
}

/**
 * Labels speech with an operator's speaker-embedding model instead of binary keys (see SpeakerEmbedder).
 * @param embed computes the voice in a span of the recording as a vector of unit length.
 */
export async function diarizeWithModel(
  features: SpeakerFeatures,
  speech: Interval[],
  options: DiarizeOptions,
  embed: (span: Interval) => Promise<Float32Array>,
): Promise<Diarization> {
  const frames = speechFeatures(features, speech);
  const windows = clusteringWindows(frames);
  if (windows.length === 0) return diarization(features, nobody(frames));
  const leaves: Cluster[] = [];
  for (const [i, { from, to }] of windows.entries()) {
    const start = frames.frame[from]! / FRAMES_PER_SECOND;
    const end = (frames.frame[to - 1]! + 1) / FRAMES_PER_SECOND;
    // Pitch is not compared separately, because the model covers it.
    leaves.push(leafCluster(i, await embed({ start, end }), { from, to }, null));
  }
  const evidence = { ...countEvidence(frames), model: true };
  const dimensions = leaves[0]!.key.length;
  return diarization(features, segmented(frames, windows, leaves, dimensions, evidence, options));
}

function nobody(frames: SpeechFeatures): SpeakerSegmentation {
  const speakers: SpeakerCount = { count: 0, confidence: 1, source: 'estimated' };
  return { frames, labels: new Uint8Array(0), models: [], scores: [], speakers };
}

function segmented(
  frames: SpeechFeatures,
  windows: Span[],
  leaves: Cluster[],
  components: number,
  evidence: CountEvidence,
  options: DiarizeOptions,
): SpeakerSegmentation {
  const tree = voiceTree(leaves, components);
  const { clusters, speakers } = options.speakers
    ? givenSpeakers(leaves, tree, options.speakers)
    : findSpeakers(leaves, tree, evidence);
  const labels = vote(windows, windowLabels(clusters, windows.length), clusters.length, frames.frame.length);
  return { frames, ...inOrderOfSpeech(resegment(frames, labels, clusters.length)), speakers };
}

function voiceTree(leaves: Cluster[], components: number): Merge[] {
  const size = leaves[0]!.key.length;
  const rows = new Float32Array(leaves.length * size);
  for (const [i, leaf] of leaves.entries()) {
    const norm = Math.sqrt(leaf.key.reduce((a, v) => a + v * v, 0)) + 1e-9;
    for (let c = 0; c < size; c++) rows[i * size + c] = leaf.key[c]! / norm;
  }
  if (components >= size) return averageLinkage(rows, size);
  const projected = principalComponents(rows, size, components);
  return averageLinkage(projected, projected.length / leaves.length);
}

/** Numbers the speakers in the order in which they first speak. A speaker that has lost all its speech is dropped. */
function inOrderOfSpeech({ labels, models, scores }: Segmented): Segmented {
  const order = [...new Set(labels)];
  return {
    labels: labels.map((label) => order.indexOf(label)),
    models: models.length ? order.map((label) => models[label]!) : [],
    scores: scores.length ? order.map((label) => scores[label]!) : [],
  };
}

function windowLabels(clusters: Cluster[], windows: number): Uint8Array {
  const labels = new Uint8Array(windows);
  for (const [speaker, cluster] of clusters.entries()) for (const w of cluster.windows) labels[w] = speaker;
  return labels;
}

/** Highest confidence of a label. */
const HIGHEST_CONFIDENCE = 0.98;
/**
 * Constants of a label's confidence. The lead is that of the labelled voice's model over the next best, in nats per
 * frame: first the lead at which a label is wrong as often as right, then the additional lead per unit of log odds.
 * Fitted by eye on the turns of 90 synthetic and real dialogues. The leads of wrong turns are mostly below 1, or below
 * 3 with a single microphone.
 */
const EVEN_LEAD = 1.2;
const NATS_PER_LOGIT = 1;

/**
 * Runs of frames of one speaker within a region.
 * @param alone confidence of a label when there is no second voice to compare it with.
 */
export function turnsOf(
  { frames, labels, scores }: Pick<SpeakerSegmentation, 'frames' | 'labels' | 'scores'>,
  alone: number,
): SpeakerTurn[] {
  const turns: SpeakerTurn[] = [];
  for (const region of frames.regions) {
    for (let from = region.from; from < region.to; ) {
      let to = from + 1;
      while (to < region.to && labels[to] === labels[from]) to++;
      turns.push({
        start: from === region.from ? region.start : frames.frame[from]! / FRAMES_PER_SECOND,
        end: to === region.to ? region.end : frames.frame[to]! / FRAMES_PER_SECOND,
        speaker: labels[from]!,
        confidence: Math.min(
          HIGHEST_CONFIDENCE,
          scores.length < 2 ? alone : confidenceOf(scores, labels[from]!, { from, to }),
        ),
      });
      from = to;
    }
  }
  return turns;
}

/** Confidence from the mean lead of the labelled voice's model over the best other one. */
function confidenceOf(scores: Float32Array[], speaker: number, { from, to }: Span): number {
  const sums = scores.map((row) => row.subarray(from, to).reduce((a, b) => a + b, 0) / (to - from));
  const other = Math.max(...sums.filter((_, s) => s !== speaker));
  return 1 / (1 + Math.exp(-(sums[speaker]! - other - EVEN_LEAD) / NATS_PER_LOGIT));
}
