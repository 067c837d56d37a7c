import type { SpeakerCount } from '../../../src/contract/media.ts';
import { type Cluster, closestPair, cutInto } from './clusters.ts';
import type { Merge } from './linkage.ts';
import { type Bandwidth, FRAMES_PER_SECOND } from './speaker-features.ts';
import type { SpeechFeatures } from './speech-frames.ts';

export const MOST_SPEAKERS = 8;

/**
 * Minimum dissimilarity of the two closest of k voices for the count k to be accepted. It is .55 for long speech and
 * higher for short, because keys over few frames differ by chance. Chosen with `bench/diarization.ts` on recordings
 * with one and several speakers in the open half, and on LibriSpeech clips arranged as dialogues.
 */
const DISSIMILARITY = 0.55;
const DISSIMILARITY_FOR_LITTLE = 0.8;
/**
 * Prior for the telephone. Telephone speech that is answered (without the long silences of one side of a call) comes
 * from two people more often than from one, because recorded messages are short. Two speakers therefore need this much
 * less evidence, and three need more.
 */
const TELEPHONE_DISSIMILARITY = 0.2;
const TELEPHONE_DISSIMILARITY_FOR_LITTLE = 1.2;
const TELEPHONE_THIRD = 0.15;
/**
 * Cosine distance of two people's mean embeddings. Close to the threshold of published pipelines (pyannote 3.1: .70
 * with WeSpeaker ResNet34).
 */
const MODEL_DISSIMILARITY = 0.65;
/**
 * Silences longer than this are another person's turn that was not recorded, s. Speech counts as answered up to the
 * first fraction of such silences, and as not answered at all from the second. In the open half, calls have .00 to .09
 * and single sides .33 to .59.
 */
const LONG_SILENCE_S = 2;
const ANSWERED_SHARE = 0.15;
const UNANSWERED_SHARE = 0.3;
/** Scale of the confidence, which is .73 this far beyond the border. */
const CONFIDENCE_SCALE = 0.12;
/** Confidence below which the result reports an uncertain count. */
const UNCERTAIN = 0.6;

/** Evidence for the count apart from the voices. */
export interface CountEvidence {
  /** Seconds of speech. */
  seconds: number;
  /** Fraction of the time between the first and the last speech that consists of silences of over 2 s, 0 to 1. */
  longSilence: number;
  bandwidth: Bandwidth;
  /** Whether a neural model compared the voices. */
  model?: boolean;
}

/** The evidence in a recording that `believedFrom` needs. */
export function countEvidence({ frame, regions, scale }: SpeechFeatures): CountEvidence {
  const span = regions[regions.length - 1]!.end - regions[0]!.start;
  let silent = 0;
  for (let i = 1; i < regions.length; i++) {
    const gap = regions[i]!.start - regions[i - 1]!.end;
    if (gap > LONG_SILENCE_S) silent += gap;
  }
  return { seconds: frame.length / FRAMES_PER_SECOND, longSilence: silent / span, bandwidth: scale.bandwidth };
}

/** Dissimilarity of the closest two voices from which a count of `speakers` is accepted. */
export function believedFrom(speakers: number, { seconds, longSilence, bandwidth, model }: CountEvidence): number {
  if (model) return MODEL_DISSIMILARITY;
  const usual = DISSIMILARITY + DISSIMILARITY_FOR_LITTLE / Math.sqrt(seconds);
  if (bandwidth === 'wide') return usual;
  if (speakers > 2) return usual + TELEPHONE_THIRD;
  const unanswered = (longSilence - ANSWERED_SHARE) / (UNANSWERED_SHARE - ANSWERED_SHARE);
  const answered = 1 - Math.max(0, Math.min(1, unanswered));
  const telephone = Math.min(usual, TELEPHONE_DISSIMILARITY + TELEPHONE_DISSIMILARITY_FOR_LITTLE / Math.sqrt(seconds));
  return usual + answered * (telephone - usual);
}

/** The voices of a recording, and the confidence in their number. */
export interface FoundSpeakers {
  clusters: Cluster[];
  speakers: SpeakerCount;
}

/** The largest number of voices, 1 to 8, such that no two are alike. */
export function findSpeakers(leaves: Cluster[], tree: Merge[], evidence: CountEvidence): FoundSpeakers {
  let best: Cluster[] = cutInto(leaves, tree, 1);
  /** How far the closest two of k voices are beyond the border, for k = 2, 3, ... */
  const margins: number[] = [];
  for (let k = 2; k <= Math.min(MOST_SPEAKERS, leaves.length); k++) {
    const cut = cutInto(leaves, tree, k);
    const margin = closestPair(cut)!.dissimilarity - believedFrom(k, evidence);
    margins.push(margin);
    if (margin >= 0) best = cut;
  }
  return { clusters: best, speakers: counted(best.length, margins) };
}

function counted(count: number, margins: number[]): SpeakerCount {
  const sure = (margin: number): number => 1 / (1 + Math.exp(-margin / CONFIDENCE_SCALE));
  const enough = count > 1 ? sure(margins[count - 2]!) : 1;
  const more = Math.max(0, ...margins.slice(count - 1).map(sure));
  const confidence = enough * (1 - more);
  if (confidence >= UNCERTAIN) return { count, confidence, source: 'estimated' };
  const other = enough < 1 - more ? `${count - 1}` : `${count + 1}`;
  const note = `The number of speakers is uncertain: ${count} found, ${other} possible. Send "speakers" if you know the number.`;
  return { count, confidence, source: 'estimated', note };
}

/** The voices for a given number of speakers. Returns fewer when the recording has too few windows. */
export function givenSpeakers(leaves: Cluster[], tree: Merge[], speakers: number): FoundSpeakers {
  const clusters = cutInto(leaves, tree, Math.min(speakers, MOST_SPEAKERS));
  const count = clusters.length;
  const note =
    count < speakers ? `${speakers} speakers were expected, but only ${count} could be distinguished.` : undefined;
  return { clusters, speakers: { count, confidence: note ? 0.5 : 1, source: 'given', ...(note ? { note } : {}) } };
}
