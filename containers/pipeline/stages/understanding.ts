import type { RecogniserEngine } from '../recognition/recogniser.ts';
import type { RecognitionSegment } from '../recognition/segments.ts';
import {
  MOVED_BY,
  type RepeatedRecognition,
  type Understanding,
  understandingOf,
} from '../recognition/understanding.ts';
import type { RecordingStages } from './recording.ts';

/**
 * Speech that the verdict is based on, s, and the number of parts of the recording that the longest segments are taken
 * from.
 */
export const JUDGED_S = 20;
const PARTS = 8;

/** Whether an engine understands the speech in a recording, judged on excerpts from the whole recording. */
export async function recordingUnderstanding(
  recording: Pick<RecordingStages, 'read' | 'run'>,
  segments: readonly RecognitionSegment[],
  engine: Pick<RecogniserEngine, 'id' | 'mishearsOtherLanguages'>,
): Promise<Understanding> {
  if (!engine.mishearsOtherLanguages) return 'understood';
  const excerpts = await Promise.all(
    chosenSegments(segments).map(async (segment) => ({
      seconds: segment.end - segment.start,
      samples: await recording.read(segment, segment.channel),
    })),
  );
  return understandingOfExcerpts(excerpts, (samples) => recording.run('interim', { samples, recogniser: engine.id }));
}

/** An excerpt of speech: mono, 16 kHz. */
export interface Excerpt {
  seconds: number;
  samples: Float32Array;
}

/** Recognises excerpts as often as the verdict requires. @param recognise runs one fast pass */
async function understandingOfExcerpts(
  excerpts: readonly Excerpt[],
  recognise: (samples: Float32Array) => Promise<RepeatedRecognition['passes'][number]>,
): Promise<Understanding> {
  const heard: RepeatedRecognition[] = excerpts.map(({ seconds }) => ({ seconds, passes: [] }));
  for (const moved of MOVED_BY) {
    const passes = await Promise.all(excerpts.map(({ samples }) => recognise(samples.slice(moved))));
    for (const [i, pass] of passes.entries()) heard[i]!.passes.push(pass);
    const verdict = understandingOf(heard);
    if (verdict) return verdict;
  }
  return 'uncertain';
}

/** One excerpt, recognised in every pass. @param recognise runs one fast pass */
export async function repeated(
  { seconds, samples }: Excerpt,
  recognise: (samples: Float32Array) => Promise<RepeatedRecognition['passes'][number]>,
): Promise<RepeatedRecognition> {
  return { seconds, passes: await Promise.all(MOVED_BY.map((moved) => recognise(samples.slice(moved)))) };
}

/** The longest segment of each part of a recording, longest first, until there is enough speech. */
function chosenSegments(segments: readonly RecognitionSegment[]): RecognitionSegment[] {
  const longest: RecognitionSegment[] = [];
  for (const [i, segment] of segments.entries()) {
    const part = Math.floor((i * PARTS) / segments.length);
    const best = longest[part];
    if (!best || lengthOf(segment) > lengthOf(best)) longest[part] = segment;
  }
  const chosen: RecognitionSegment[] = [];
  let seconds = 0;
  for (const segment of longest.filter(Boolean).sort((a, b) => lengthOf(b) - lengthOf(a))) {
    if (seconds >= JUDGED_S) break;
    chosen.push(segment);
    seconds += lengthOf(segment);
  }
  return chosen;
}

const lengthOf = ({ start, end }: RecognitionSegment): number => end - start;
