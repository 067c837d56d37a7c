import type { Word } from '../../../src/contract/timeline.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { RecognisedWord, Recognition } from './recogniser.ts';
import type { SegmentToTranscribe } from './segments.ts';

/** Speech without any text beyond this length is recognised again, piece by piece, s. */
const TEXTLESS_SPEECH_S = 1;
/** Audio around a piece that is recognised separately, s. */
const PIECE_PAD_S = 0.15;
/**
 * A region of speech belongs to a word if its share of the word is at least this fraction of the largest region's
 * share.
 */
const HELD_SHARE = 0.4;
/** Shortest duration of a word, s. */
export const SHORTEST_WORD_S = 0.02;

export type Recognise = (samples: Float32Array) => Promise<Recognition>;
/** A recognised word at its position in the recording. */
export interface RecordedWord extends Word {
  logProbability: number;
  tokens: number;
}

/**
 * The words of a segment, in order. If much of its speech yields no words, its regions are recognised one by one.
 * @param samples of the segment
 */
export async function timedWords(
  samples: Float32Array,
  segment: SegmentToTranscribe,
  recognise: Recognise,
): Promise<RecordedWord[]> {
  const at = (seconds: number) => Math.round(seconds * SAMPLE_RATE_HZ) - Math.round(segment.start * SAMPLE_RATE_HZ);
  const recogniseRange = async ({ start, end }: Interval): Promise<RecordedWord[]> => {
    const { words } = await recognise(samples.subarray(at(start), at(end)));
    return words.filter(isWord).map((word) => recordedWord(word, start, segment.speech));
  };
  const words = await recogniseRange(segment);
  const seconds = segment.speech.reduce((sum, { start, end }) => sum + end - start, 0);
  if (words.length > 0 || seconds <= TEXTLESS_SPEECH_S) return words;
  const pieces: RecordedWord[] = [];
  for (const { start, end } of segment.speech)
    pieces.push(
      ...(await recogniseRange({
        start: Math.max(segment.start, start - PIECE_PAD_S),
        end: Math.min(segment.end, end + PIECE_PAD_S),
      })),
    );
  return pieces;
}

const isWord = ({ word }: RecognisedWord) => /[\p{L}\p{N}]/u.test(word);
const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;

/**
 * A word at its position in the recording. Alignment extends words over the silence beside them, so a word keeps only
 * the regions of speech that contain a good part of it, and the time between these (as in a spelled name).
 */
function recordedWord(word: RecognisedWord, offset: number, speech: Interval[]): RecordedWord {
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
    confidence: certaintyOf(word),
    logProbability: Math.log(Math.max(word.confidence, Number.MIN_VALUE)),
    tokens: word.tokens,
  };
}

/**
 * Confidence of a word: its probability or, with several passes, the mean of its probability and the fraction of passes
 * with the word. A word that only one of three passes has is right in 3 of 10 cases, whatever its probability
 * (bench/asr.ts).
 */
const certaintyOf = ({ confidence, agreement }: RecognisedWord): number =>
  agreement === undefined ? confidence : (confidence + agreement) / 2;

/** exp(mean token log-probability). */
export function confidenceOf(words: RecordedWord[]): number {
  const sum = words.reduce((total, { logProbability }) => total + logProbability, 0);
  const tokens = words.reduce((total, word) => total + word.tokens, 0);
  return Math.exp(sum / Math.max(1, tokens));
}
