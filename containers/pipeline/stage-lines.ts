import type { ErrorCode } from '../../src/contract/errors.ts';
import type { Levels, MediaInfo, SpeakerCount } from '../../src/contract/media.ts';
import type { PipelineOptions } from '../../src/contract/pipeline.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';

/** The options of an analysis that the stages use. */
export type StageOptions = Pick<
  PipelineOptions,
  'conversation_id' | 'suffix' | 'speakers' | 'recogniser' | 'quality' | 'words' | 'language' | 'affect'
>;

/** Progress of the work. */
export interface ProgressLine {
  type: 'progress';
  stage: 'decoding' | 'diarizing' | 'transcribing';
  /** 0..1 of all work, from the share that has been processed; never falls. */
  progress: number;
}

/** Live only: the interim text of the open speech; empty when it turned out to be no speech. */
export interface PartialLine {
  type: 'partial';
  partial_id: string;
  text: string;
  stable_text: string;
}

export interface MeasuredUtteranceLine {
  type: 'utterance';
  entry: TimelineEntry;
  /**
   * Time for one utterance: in a file from the start of its recognition, live from the end of its speech, to its line.
   */
  latency_ms: number;
  /** Live only: the partial that this utterance replaces. */
  partial_id?: string;
  /** The meaning of the words as a vector, for the conversation (`poolStates`); absent without the model. */
  encoding?: Float32Array;
}

/** Live only: the utterances before this line were provisional; those that follow are the whole session, concluded. */
export interface ConcludeLine {
  type: 'conclude';
  /** Length of the session's sound, s; absent when it could not be decoded as it came. */
  seconds?: number;
}

export interface EndLine {
  type: 'end';
  utterances: number;
  media: MediaInfo;
  speakers: SpeakerCount;
  /** Utterances by the id of the recogniser that transcribed them. */
  heard_by?: Record<string, number>;
  /** The language of the words (`AnalysisResponse.language`). */
  language?: string | null;
  /** Faults of a part that the analysis survived, in plain words. */
  warnings: string[];
  playback?: Playback;
}

/** The data that a player needs besides the recording. */
export interface Playback {
  levels: Levels;
  /** Opus in WebM, for media that browsers cannot play or cannot seek in. */
  rendition: Buffer | null;
}

export interface ErrorLine {
  type: 'error';
  code: ErrorCode;
  message: string;
}

/** A line from the stages, before the conversation is concluded (`analysis-output.ts`). */
export type StageLine = ProgressLine | PartialLine | MeasuredUtteranceLine | ConcludeLine | EndLine | ErrorLine;
