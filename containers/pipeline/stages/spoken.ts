import type { Word } from '../../../src/contract/timeline.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { SpeakerTurn } from '../diarization/turns.ts';
import { assignWords } from '../diarization/words.ts';
import type { RecognitionSegment } from '../recognition/segments.ts';
import { confidenceOf, type RecordedWord, SHORTEST_WORD_S } from '../recognition/timed-words.ts';

/** The text and the audio of one speaker's utterance. Times are in seconds from the recording's start. */
export interface SpokenUtterance {
  /** Number of the speaker in diarization order. */
  speaker: number;
  start: number;
  end: number;
  text: string;
  words: Word[];
  asrConfidence: number;
  speakerConfidence: number;
  overlapRatio: number;
  /** Samples of the utterance, with a small margin where the recording has one. */
  samples: Float32Array;
}

/** Audio on either side of the words that belongs to their utterance, s. */
const UTTERANCE_MARGIN_S = 0.05;

/**
 * The utterances of a segment of a whole recording, in order. Empty when the segment has no words. Each lasts from its
 * first word to its last.
 * @param turns near the segment
 * @param samples of the segment
 */
export function spokenInSegment(
  words: RecordedWord[],
  segment: RecognitionSegment,
  turns: SpeakerTurn[],
  samples: Float32Array,
): SpokenUtterance[] {
  return runsOf(words, segment, turns).map((run) => {
    const { start, end } = boundsOf(run.words, segment);
    const from = Math.max(segment.start, start - UTTERANCE_MARGIN_S);
    const to = Math.min(segment.end, end + UTTERANCE_MARGIN_S);
    return spoken(run, { start, end }, cut(samples, segment.start, { start: from, end: to }));
  });
}

/**
 * The utterances of the newest words of a running session, in order. A span of one speaker is a single utterance. In a
 * span of several speakers, each lasts from its first word to the start of the next.
 * @param turns near the words
 * @param span to emit, with some silence on either side
 * @param samples of the span
 */
export function spokenInSpan(
  words: RecordedWord[],
  turns: SpeakerTurn[],
  span: Interval,
  samples: Float32Array,
): SpokenUtterance[] {
  const runs = assignWords(words, turns);
  return runs.map((run, i) => {
    const start = i === 0 ? span.start : run.words[0]!.t_start;
    const end = Math.max(start, runs[i + 1]?.words[0]?.t_start ?? span.end);
    return spoken(run, { start, end }, cut(samples, span.start, { start, end }));
  });
}

/** Samples of an interval, taken from samples that begin at `from`, s. */
function cut(samples: Float32Array, from: number, { start, end }: Interval): Float32Array {
  const at = (seconds: number) => Math.round(seconds * SAMPLE_RATE_HZ) - Math.round(from * SAMPLE_RATE_HZ);
  // A copy, because a worker would otherwise receive the whole buffer behind a view.
  return samples.slice(at(start), at(end));
}

const spoken = (run: Run, { start, end }: Interval, samples: Float32Array): SpokenUtterance => ({
  speaker: run.speaker,
  start,
  end,
  text: run.words.map(({ word }) => word).join(' '),
  words: run.words.map(({ word, t_start, t_end, confidence }) => ({ word, t_start, t_end, confidence })),
  asrConfidence: confidenceOf(run.words),
  speakerConfidence: run.confidence,
  overlapRatio: run.overlapRatio,
  samples,
});

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;

interface Run {
  speaker: number;
  words: RecordedWord[];
  confidence: number;
  overlapRatio: number;
}

function runsOf(words: RecordedWord[], segment: RecognitionSegment, turns: SpeakerTurn[]): Run[] {
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

function boundsOf(words: RecordedWord[], segment: Interval): Interval {
  const start = Math.max(segment.start, words[0]!.t_start);
  const last = words.reduce((latest, { t_end }) => Math.max(latest, t_end), start + SHORTEST_WORD_S);
  return { start: rounded(start), end: rounded(last) };
}
