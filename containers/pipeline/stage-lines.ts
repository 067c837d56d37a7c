import type { ErrorCode } from '../../src/contract/errors.ts';
import type { Levels, MediaInfo, SpeakerCount } from '../../src/contract/media.ts';
import type { PipelineOptions } from '../../src/contract/pipeline.ts';
import type { Redaction, UnredactedUtterance } from '../../src/contract/redaction.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';
import type { SpokenValue } from './written-texts.ts';

/** The options of an analysis that the stages read. */
export type StageOptions = Pick<
  PipelineOptions,
  | 'conversation_id'
  | 'suffix'
  | 'speakers'
  | 'recogniser'
  | 'quality'
  | 'words'
  | 'language'
  | 'roles'
  | 'affect'
  | 'redact'
>;

/** Progress of the work. */
export interface ProgressLine {
  type: 'progress';
  stage: 'decoding' | 'diarizing' | 'transcribing';
  /** Fraction of all work that is done, 0 to 1. It never decreases. */
  progress: number;
}

/** Live only: the interim text of the open speech. Empty if it turned out not to be speech. */
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
   * Time until the line of an utterance. For a file, it starts with recognition; live, it starts at the end of the
   * speech.
   */
  latency_ms: number;
  /** Live only: the interim text that this utterance replaces. */
  partial_id?: string;
  /** The meaning of the words as a vector, for the conversation (`poolStates`). Absent without the model. */
  encoding?: Float32Array;
}

/**
 * Live only: the utterances before this line were provisional. Those after it are from the final analysis of the whole
 * session.
 */
export interface ConcludeLine {
  type: 'conclude';
  /** Length of the session's audio, s. Absent if it could not be decoded as it arrived. */
  seconds?: number;
}

export interface EndLine {
  type: 'end';
  utterances: number;
  media: MediaInfo;
  speakers: SpeakerCount;
  /** Roles of channels by speaker label. Absent: none were given, or channels are not people. */
  roles?: Record<string, string>;
  /** Utterances by the id of the recogniser that transcribed them. */
  heard_by?: Record<string, number>;
  /** The language of the words (`AnalysisResponse.language`). */
  language?: string | null;
  /** Partial faults that the analysis survived, as plain text. */
  warnings: string[];
  playback?: Playback;
  redaction?: FoundRedaction;
}

/** The redaction of a recording. */
export interface FoundRedaction {
  report: Redaction;
  /** The values that were found, for the texts that people wrote. Absent: nothing. */
  secrets?: readonly SpokenValue[];
  /** The utterances in which something was redacted, as they were said. */
  originals?: readonly UnredactedUtterance[];
  /** Whether some words contain what was redacted. */
  isSaidIn(words: readonly string[]): boolean;
}

/** The data that a player needs besides the recording. */
export interface Playback {
  levels: Levels;
  /** Opus in WebM, for media that browsers cannot play or seek in. */
  rendition: Buffer | null;
  /** The recording in the format of its upload, if something in it was muted. */
  recording?: Buffer;
}

export interface ErrorLine {
  type: 'error';
  code: ErrorCode;
  message: string;
}

/** A line from the stages, before conclusions are drawn from it (`analysis-output.ts`). */
export type StageLine = ProgressLine | PartialLine | MeasuredUtteranceLine | ConcludeLine | EndLine | ErrorLine;
