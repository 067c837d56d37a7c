import type { HeardVoice, VoiceTask } from '../affect/heard-voice.ts';
import type { Interval } from '../audio/interval.ts';
import type { Channel, PcmPlace } from '../audio/pcm-spool.ts';
import type { Diarization } from '../diarization/turns.ts';
import type { Delivery } from '../prosody/delivery.ts';
import type { HeardWord } from '../recognition/heard-words.ts';
import type { Hearing, Recognition } from '../recognition/recogniser.ts';
import type { HeardSegment } from '../recognition/segments.ts';

/** A stretch of a recording; samples, counted per channel. */
export interface SpoolStretch {
  place: PcmPlace;
  channel: Channel;
  start: number;
  end: number;
}

/**
 * What the worker threads do: for each task what it takes and what it gives. `features` and `diarize` keep state under
 * a recording's id in one worker, until `forget`.
 */
export interface Tasks {
  /** Probabilities of speech in the frames of a block (see SpeechDetector); the lead is read by the task. */
  speech: { input: SpoolStretch; output: Float32Array };
  /** Takes the next stretch into the recording's speaker features. */
  features: { input: SpoolStretch & { recording: string }; output: null };
  diarize: {
    input: { recording: string; place: PcmPlace; speech: Interval[]; speakers?: number };
    output: Diarization;
  };
  forget: { input: { recording: string }; output: null };
  delivery: { input: SpoolStretch; output: Delivery };
  /** The words of a segment, what they took, ms, and the id of the recogniser that heard them. `samples` are those of the segment. */
  hear: {
    input: { samples: Float32Array; segment: HeardSegment; recogniser: string; hearing: Hearing };
    output: { words: HeardWord[]; workMs: number; heardBy: string };
  };
  /** Interim text. */
  interim: { input: { samples: Float32Array; recogniser: string }; output: Recognition };
  /** What is heard in the sound of an utterance, null when it cannot be measured; and what that took, ms. */
  voice: { input: VoiceTask; output: { voice: HeardVoice | null; workMs: number } };
}

export type TaskName = keyof Tasks;

/** What is sent to a worker. */
export interface TaskRequest<K extends TaskName = TaskName> {
  name: K;
  input: Tasks[K]['input'];
}

/** What comes back; a worker says `ready` once its models are loaded. */
export type WorkerReply = { type: 'ready' } | { type: 'done'; output: unknown } | { type: 'failed'; message: string };
