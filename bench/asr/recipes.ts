import { createReadStream } from 'node:fs';
import { decodeStream } from '../../containers/pipeline/media/decode.ts';
import type { Moonshine } from '../../containers/pipeline/recognition/moonshine/moonshine.ts';
import { moonshineTiny } from '../../containers/pipeline/recognition/moonshine/moonshine.ts';
import { PLAYED_FASTER } from '../../containers/pipeline/recognition/moonshine/multi-pass.ts';
import type { SegmentToTranscribe } from '../../containers/pipeline/recognition/segments.ts';
import { type Recognise, type RecordedWord, timedWords } from '../../containers/pipeline/recognition/timed-words.ts';
import { RecordingStages } from '../../containers/pipeline/stages/recording.ts';
import type { WorkerPool } from '../../containers/pipeline/workers/pool.ts';

/**
 * Confidence below which the greedy pass was repeated on the audio played 10 % faster. The more confident pass was
 * kept.
 */
const SURE = 0.85;

/** A way to transcribe a segment. */
export type Recipe = (recogniser: Moonshine) => Recognise;

/** The recogniser before beam search: greedy, with a second pass if the confidence was low. */
const before: Recipe = (recogniser) => async (samples) => {
  const first = await recogniser.recogniseInterim(samples);
  if (first.confidence >= SURE || first.words.length === 0) return first;
  const second = await recogniser.recogniseInterim(PLAYED_FASTER.sound(samples));
  return second.confidence > first.confidence ? second : first;
};

export const RECIPES: Readonly<Record<string, Recipe>> = {
  'greedy, second reading': before,
  fast: (recogniser) => (samples) => recogniser.recognise(samples, { quality: 'fast' }),
  best: (recogniser) => (samples) => recogniser.recognise(samples, { quality: 'best' }),
};

/** A segment of a recording with its audio. */
export interface RecordedSegment {
  segment: SegmentToTranscribe;
  samples: Float32Array;
}

/** The segments of a WAV file that the pipeline transcribes. @param laterS shift of the audio of each segment, s */
export async function segmentsOf(path: string, pool: WorkerPool, laterS = 0): Promise<RecordedSegment[]> {
  const recording = new RecordingStages(pool, { priority: 'batch' });
  try {
    for await (const block of decodeStream(createReadStream(path), '.wav')) await recording.push(block);
    const { segments } = await recording.layOut(moonshineTiny.longestS);
    return await Promise.all(
      segments.map(async (segment) => {
        const moved = {
          ...segment,
          start: segment.start + laterS,
          end: Math.min(recording.duration, segment.end + laterS),
        };
        return { segment: moved, samples: await recording.read(moved, segment.channel) };
      }),
    );
  } finally {
    await recording.close();
  }
}

/** The words of the segments in order. */
export async function wordsOf(stretches: RecordedSegment[], recognise: Recognise): Promise<RecordedWord[]> {
  const words: RecordedWord[] = [];
  for (const { segment, samples } of stretches) words.push(...(await timedWords(samples, segment, recognise)));
  return words;
}

export const textOf = (words: RecordedWord[]): string => words.map(({ word }) => word).join(' ');
