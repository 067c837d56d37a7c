import type { Word } from '../../../src/contract/timeline.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import { type PcmPlace, readSamples } from '../audio/pcm-spool.ts';
import type { Turn } from '../diarization/turns.ts';
import { assignWords } from '../diarization/words.ts';
import type { RecognisedWord, Recognition } from '../models/moonshine.ts';
import { type Delivery, measureDelivery } from '../prosody/delivery.ts';
import type { RecognitionSegment } from './segments.ts';

/** Recognises and measures one segment. */
export interface TranscriptionTask {
  place: PcmPlace;
  segment: RecognitionSegment;
  /** Turns near the segment. */
  turns: Turn[];
  /** Pitch bounds of each speaker, Hz. */
  pitchBounds: { floorHz: number; ceilingHz: number }[];
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

/** More speech than this with no text at all is recognised again, piece by piece, s. */
const TEXTLESS_SPEECH_S = 1;
/** Sound around a piece that is recognised on its own, s. */
const PIECE_PAD_S = 0.15;
/** A region of speech is a word's when it holds at least this share of the region that holds most of it. */
const HELD_SHARE = 0.4;
/** A word lasts this long at least, s. */
const SHORTEST_WORD_S = 0.02;
/** Sound on either side of the words that belongs to their utterance, s. */
const UTTERANCE_MARGIN_S = 0.05;

type Recognise = (samples: Float32Array) => Promise<Recognition>;
/** The sound of a stretch of the recording. */
type Read = (stretch: Interval) => Float32Array;

/** What is heard at once. */
export type HeardSegment = Pick<RecognitionSegment, 'start' | 'end' | 'speech'>;

/** A recognised word at its place in the recording. */
export interface HeardWord extends Word {
  logProbability: number;
  tokens: number;
}

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

/** The words of a segment, in order; where much speech gave none, of its regions one by one. */
export async function heardWords(read: Read, segment: HeardSegment, recognise: Recognise): Promise<HeardWord[]> {
  const hear = async ({ start, end }: Interval): Promise<HeardWord[]> => {
    const { words } = await recognise(read({ start, end }));
    return words.filter(isWord).map((word) => placed(word, start, segment.speech));
  };
  const words = await hear(segment);
  const seconds = segment.speech.reduce((sum, { start, end }) => sum + end - start, 0);
  if (words.length > 0 || seconds <= TEXTLESS_SPEECH_S) return words;
  const pieces: HeardWord[] = [];
  for (const { start, end } of segment.speech)
    pieces.push(
      ...(await hear({
        start: Math.max(segment.start, start - PIECE_PAD_S),
        end: Math.min(segment.end, end + PIECE_PAD_S),
      })),
    );
  return pieces;
}

const isWord = ({ word }: RecognisedWord) => /[\p{L}\p{N}]/u.test(word);
const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;

/**
 * A word at its place in the recording. The alignment stretches words over the silence beside them: a word keeps the
 * regions of speech that hold a good part of it, and what lies between these (a name that is spelled).
 */
function placed(word: RecognisedWord, offset: number, speech: Interval[]): HeardWord {
  const [from, to] = [word.start + offset, word.end + offset];
  const parts = speech
    .map((region) => ({ start: Math.max(region.start, from), end: Math.min(region.end, to) }))
    .filter((part) => part.end - part.start > SHORTEST_WORD_S);
  const longest = Math.max(...parts.map((part) => part.end - part.start));
  const held = parts.filter((part) => part.end - part.start >= HELD_SHARE * longest);
  const start = held[0]?.start ?? from;
  const end = Math.max(held.at(-1)?.end ?? to, start + SHORTEST_WORD_S);
  return {
    word: word.word,
    t_start: rounded(start),
    t_end: rounded(end),
    confidence: word.confidence,
    logProbability: Math.log(Math.max(word.confidence, Number.MIN_VALUE)),
    tokens: word.tokens,
  };
}

/** exp(mean token log-probability). */
export function confidenceOf(words: HeardWord[]): number {
  const sum = words.reduce((total, { logProbability }) => total + logProbability, 0);
  const tokens = words.reduce((total, word) => total + word.tokens, 0);
  return Math.exp(sum / Math.max(1, tokens));
}

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
