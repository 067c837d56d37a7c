import type { Word } from '../../../src/contract/timeline.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { type PcmPlace, readSamples } from '../audio/pcm-spool.ts';
import type { Turn } from '../diarization/turns.ts';
import { assignWords } from '../diarization/words.ts';
import { type Delivery, measureDelivery } from '../prosody/delivery.ts';
import {
  confidenceOf,
  type HeardWord,
  heardWords,
  type Recognise,
  SHORTEST_WORD_S,
} from '../recognition/heard-words.ts';
import type { RecognitionSegment } from '../recognition/segments.ts';

/** Recognises and measures one segment. */
export interface TranscriptionTask {
  place: PcmPlace;
  segment: RecognitionSegment;
  /** Turns near the segment. */
  turns: Turn[];
  /** Pitch bounds of each speaker, Hz. */
  pitchBounds: { floorHz: number; ceilingHz: number }[];
  /** Who recognises it: a `RecogniserEngine`'s id. */
  recogniser: string;
}

/** One speaker's stretch with its text and its sound. Seconds from the recording's start. */
export interface SpokenUtterance {
  speaker: number;
  start: number;
  end: number;
  text: string;
  words: Word[];
  asrConfidence: number;
  speakerConfidence: number;
  overlapRatio: number;
  /** Null when the sound could not be measured. */
  delivery: Delivery | null;
  /** From the beginning of its segment's recognition to its measures, ms. */
  workMs: number;
}

/** Sound on either side of the words that belongs to their utterance, s. */
const UTTERANCE_MARGIN_S = 0.05;

/** The utterances of a segment, in order. None when it holds no words. */
export async function transcribe(task: TranscriptionTask, recognise: Recognise): Promise<SpokenUtterance[]> {
  const { place, segment, turns, pitchBounds } = task;
  const began = performance.now();
  const read = ({ start, end }: Interval) =>
    readSamples(place, start * SAMPLE_RATE_HZ, end * SAMPLE_RATE_HZ, segment.channel);
  const words = await heardWords(read, segment, recognise);
  return runsOf(words, segment, turns).map((run) => {
    const { start, end } = boundsOf(run.words, segment);
    return {
      speaker: run.speaker,
      start,
      end,
      text: run.words.map(({ word }) => word).join(' '),
      words: run.words.map(({ word, t_start, t_end, confidence }) => ({ word, t_start, t_end, confidence })),
      asrConfidence: confidenceOf(run.words),
      speakerConfidence: run.confidence,
      overlapRatio: run.overlapRatio,
      delivery: measured(place, segment, start, end, pitchBounds[run.speaker]),
      workMs: performance.now() - began,
    };
  });
}

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;

interface Run {
  speaker: number;
  words: HeardWord[];
  confidence: number;
  overlapRatio: number;
}

function runsOf(words: HeardWord[], segment: RecognitionSegment, turns: Turn[]): Run[] {
  if (words.length === 0) return [];
  if (segment.channel === 'mix') return assignWords(words, turns);
  const own = turns.find(({ speaker }) => speaker === segment.speaker);
  const { start, end } = boundsOf(words, segment);
  const shared = turns
    .filter(({ speaker }) => speaker !== segment.speaker)
    .reduce((sum, turn) => sum + Math.max(0, Math.min(end, turn.end) - Math.max(start, turn.start)), 0);
  return [
    {
      speaker: segment.speaker ?? 0,
      words,
      confidence: own?.confidence ?? 1,
      overlapRatio: Math.min(1, shared / Math.max(end - start, SHORTEST_WORD_S)),
    },
  ];
}

function boundsOf(words: HeardWord[], segment: Interval): Interval {
  const start = Math.max(segment.start, words[0]!.t_start);
  const last = words.reduce((latest, { t_end }) => Math.max(latest, t_end), start + SHORTEST_WORD_S);
  return { start: rounded(start), end: rounded(last) };
}

function measured(
  place: PcmPlace,
  segment: RecognitionSegment,
  start: number,
  end: number,
  bounds: { floorHz: number; ceilingHz: number } | undefined,
): Delivery | null {
  const from = Math.max(segment.start, start - UTTERANCE_MARGIN_S);
  const to = Math.min(segment.end, end + UTTERANCE_MARGIN_S);
  try {
    const samples = readSamples(place, from * SAMPLE_RATE_HZ, to * SAMPLE_RATE_HZ, segment.channel);
    return measureDelivery(samples, bounds);
  } catch {
    return null;
  }
}
