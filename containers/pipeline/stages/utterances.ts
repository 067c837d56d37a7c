import { TURN_REACH_S } from '../diarization/turns.ts';
import type { RecognitionOptions } from '../recognition/recogniser.ts';
import type { RecognitionSegment } from '../recognition/segments.ts';
import type { Layout, RecordingStages } from './recording.ts';
import { type SpokenUtterance, spokenInSegment } from './spoken.ts';
import type { TranscriptionCache } from './transcription-cache.ts';

/** Number of segments sent to the workers ahead of the one that is awaited. */
const AHEAD = 6;

/** An utterance, and the time spent recognising its segment, ms. */
export interface TranscribedUtterance extends SpokenUtterance {
  workMs: number;
  /** Id of a `RecogniserEngine`. */
  transcribedBy: string;
  /** The language that the recogniser reported. */
  language: string | undefined;
}

/** Results after one more segment. */
export interface Transcription {
  /** Utterances that no later segment can precede, ordered by start. */
  utterances: TranscribedUtterance[];
  /** Fraction of the speech that has been transcribed, 0 to 1. */
  share: number;
}

/**
 * Recognises the segments, a few at a time in the workers, and yields the utterances ordered by start. The audio of a
 * segment is read once, so its words and voices come from the same samples.
 * @param recogniser id of a `RecogniserEngine`, and the analysis's options for it
 * @param cache of transcriptions that are finished or running
 */
export async function* spokenUtterances(
  recording: Pick<RecordingStages, 'read' | 'run'>,
  { segments, diarization }: Layout,
  recogniser: { id: string; options: RecognitionOptions },
  cache: TranscriptionCache,
): AsyncGenerator<Transcription> {
  const transcribe = async (segment: RecognitionSegment): Promise<TranscribedUtterance[]> => {
    const turns = diarization.turns.filter(
      (turn) => turn.end > segment.start - TURN_REACH_S && turn.start < segment.end + TURN_REACH_S,
    );
    const samples = await recording.read(segment, segment.channel);
    const task = { samples, segment, recogniser: recogniser.id, options: recogniser.options };
    const { words, workMs, transcribedBy, language } = await cache.get(task, (aligned) =>
      recording.run('transcribe', aligned),
    );
    cache.settle(task);
    return spokenInSegment(words, segment, turns, samples).map((spoken) => ({
      ...spoken,
      workMs,
      transcribedBy,
      language,
    }));
  };
  const start = (segment: RecognitionSegment) => {
    const transcribed = transcribe(segment);
    transcribed.catch(() => undefined);
    return transcribed;
  };
  const total = segments.reduce((sum, segment) => sum + segment.end - segment.start, 0);
  const underWay: Promise<TranscribedUtterance[]>[] = [];
  let held: TranscribedUtterance[] = [];
  let done = 0;
  for (const [i, segment] of segments.entries()) {
    while (underWay.length < AHEAD && i + underWay.length < segments.length)
      underWay.push(start(segments[i + underWay.length]!));
    held.push(...(await underWay.shift()!));
    held.sort((a, b) => a.start - b.start);
    done += segment.end - segment.start;
    const next = segments[i + 1]?.start ?? Number.POSITIVE_INFINITY;
    const utterances = held.filter((utterance) => utterance.start <= next);
    held = held.filter((utterance) => utterance.start > next);
    yield { utterances, share: done / total };
  }
}
