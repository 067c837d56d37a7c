import type { SpeakerBaseline } from '../prosody/baseline.ts';
import type { RecognitionSegment } from '../recognition/segments.ts';
import type { Layout, Recording } from './recording.ts';
import type { SpokenUtterance, TranscriptionTask } from './transcription.ts';

/** Segments given to the workers ahead of the one that is waited for. */
const AHEAD = 6;
/** Turns this far from a segment can still claim its words, s. */
const TURN_REACH_S = 3;

/** What is known after another segment. */
export interface Heard {
  /** Utterances that no later segment can precede, by start. */
  utterances: SpokenUtterance[];
  /** Share of the speech that is transcribed, 0..1. */
  share: number;
}

/**
 * Transcribes the segments, a few at a time in the workers, and gives the utterances in order of their start.
 * @param recogniser a `RecogniserEngine`'s id
 */
export async function* transcribedUtterances(
  recording: Recording,
  { segments, diarization }: Layout,
  baselines: SpeakerBaseline[],
  recogniser: string,
): AsyncGenerator<Heard> {
  const pitchBounds = baselines.map(({ floorHz, ceilingHz }) => ({ floorHz, ceilingHz }));
  const start = (segment: RecognitionSegment) => {
    const task: TranscriptionTask = {
      place: recording.spool.place,
      segment,
      turns: diarization.turns.filter(
        (turn) => turn.end > segment.start - TURN_REACH_S && turn.start < segment.end + TURN_REACH_S,
      ),
      pitchBounds,
      recogniser,
    };
    const transcription = recording.run('transcribe', task);
    transcription.catch(() => undefined);
    return transcription;
  };
  const total = segments.reduce((sum, segment) => sum + segment.end - segment.start, 0);
  const underWay: Promise<SpokenUtterance[]>[] = [];
  let held: SpokenUtterance[] = [];
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
