import type { MeasuredVoice, VoiceTask } from '../affect/voice-measurement.ts';
import type { Interval } from '../audio/interval.ts';
import type { Channel, PcmLocation } from '../audio/pcm-spool.ts';
import type { Diarization, SpeakerTurn } from '../diarization/turns.ts';
import type { Delivery } from '../prosody/delivery.ts';
import type { Recognition, RecognitionOptions } from '../recognition/recogniser.ts';
import type { SegmentToTranscribe } from '../recognition/segments.ts';
import type { RecordedWord } from '../recognition/timed-words.ts';

/** A range of a recording in samples, counted per channel. */
export interface SpoolRange {
  location: PcmLocation;
  channel: Channel;
  start: number;
  end: number;
}

/**
 * The tasks of the worker threads with their inputs and outputs. `features` and `diarize` keep state in one worker
 * under a recording's id until `forget`.
 */
export interface WorkerTasks {
  /** Probabilities of speech in the frames of a block (see SpeechDetector). The task reads the lead itself. */
  speech: { input: SpoolRange; output: Float32Array };
  /** Adds the next range to the recording's speaker features. */
  features: { input: SpoolRange & { recording: string }; output: null };
  diarize: {
    /** @param isBeginning whether the features are kept for the rest of the recording */
    input: {
      recording: string;
      location: PcmLocation;
      speech: Interval[];
      speakers?: number | undefined;
      isBeginning?: boolean;
    };
    output: Diarization;
  };
  /** The turns of the beginning of a recording, from it alone. Keeps no state. */
  beginning: { input: SpoolRange & { speech: Interval[]; speakers?: number | undefined }; output: SpeakerTurn[] };
  forget: { input: { recording: string }; output: null };
  delivery: { input: SpoolRange; output: Delivery };
  /**
   * The words of a segment, the time spent on them, ms, the id of the recogniser that transcribed them, and the
   * language that it reported. `samples` are those of the segment.
   */
  transcribe: {
    input: { samples: Float32Array; segment: SegmentToTranscribe; recogniser: string; options: RecognitionOptions };
    output: { words: RecordedWord[]; workMs: number; transcribedBy: string; language?: string | undefined };
  };
  /** Interim text. */
  interim: { input: { samples: Float32Array; recogniser: string }; output: Recognition };
  /** Measures of the audio of an utterance, which are null when it cannot be measured, and the time spent, ms. */
  voice: { input: VoiceTask; output: { voice: MeasuredVoice | null; workMs: number } };
}

export type TaskName = keyof WorkerTasks;

/** A message to a worker. */
export interface TaskRequest<K extends TaskName = TaskName> {
  name: K;
  input: WorkerTasks[K]['input'];
}

/** A worker's reply. It is `ready` once the worker's models are loaded. */
export type WorkerReply = { type: 'ready' } | { type: 'done'; output: unknown } | { type: 'failed'; message: string };
