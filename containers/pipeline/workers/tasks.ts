import type { MeasuredVoice, VoiceTask } from '../affect/voice-measurement.ts';
import type { Interval } from '../audio/interval.ts';
import type { Channel, PcmPlace } from '../audio/pcm-spool.ts';
import type { Diarization } from '../diarization/turns.ts';
import type { Delivery } from '../prosody/delivery.ts';
import type { Recognition, RecognitionOptions } from '../recognition/recogniser.ts';
import type { SegmentToTranscribe } from '../recognition/segments.ts';
import type { RecordedWord } from '../recognition/timed-words.ts';

/** A stretch of a recording; samples, counted per channel. */
export interface SpoolRange {
  place: PcmPlace;
  channel: Channel;
  start: number;
  end: number;
}

/**
 * What the worker threads do: for each task what it takes and what it gives. `features` and `diarize` keep state under
 * a recording's id in one worker, until `forget`.
 */
export interface WorkerTasks {
  /** Probabilities of speech in the frames of a block (see SpeechDetector); the lead is read by the task. */
  speech: { input: SpoolRange; output: Float32Array };
  /** Takes the next stretch into the recording's speaker features. */
  features: { input: SpoolRange & { recording: string }; output: null };
  diarize: {
    input: { recording: string; place: PcmPlace; speech: Interval[]; speakers?: number };
    output: Diarization;
  };
  forget: { input: { recording: string }; output: null };
  delivery: { input: SpoolRange; output: Delivery };
  /** The words of a segment, what they took, ms, and the id of the recogniser that heard them. `samples` are those of the segment. */
  transcribe: {
    input: { samples: Float32Array; segment: SegmentToTranscribe; recogniser: string; hearing: RecognitionOptions };
    output: { words: RecordedWord[]; workMs: number; heardBy: string };
  };
  /** Interim text. */
  interim: { input: { samples: Float32Array; recogniser: string }; output: Recognition };
  /** What is heard in the sound of an utterance, null when it cannot be measured; and what that took, ms. */
  voice: { input: VoiceTask; output: { voice: MeasuredVoice | null; workMs: number } };
}

export type TaskName = keyof WorkerTasks;

/** What is sent to a worker. */
export interface TaskRequest<K extends TaskName = TaskName> {
  name: K;
  input: WorkerTasks[K]['input'];
}

/** What comes back; a worker says `ready` once its models are loaded. */
export type WorkerReply = { type: 'ready' } | { type: 'done'; output: unknown } | { type: 'failed'; message: string };
