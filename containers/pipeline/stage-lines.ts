import type { ErrorCode } from '../../src/contract/errors.ts';
import type { Levels, MediaInfo, SpeakerCount } from '../../src/contract/media.ts';
import type { PipelineOptions } from '../../src/contract/pipeline.ts';
import type { TimelineEntry } from '../../src/contract/timeline-entry.ts';

/** What the stages follow of an analysis's options. */
export type StageOptions = Pick<
  PipelineOptions,
  'conversation_id' | 'suffix' | 'speakers' | 'recogniser' | 'quality' | 'words' | 'language' | 'affect'
>;

/** How far the work is. */
export interface ProgressLine {
  type: 'progress';
  stage: 'decoding' | 'diarizing' | 'transcribing';
  /** 0..1 of all work, from what has been processed; never falls. */
  progress: number;
}

/** Live only: the interim text of the open speech; empty when it turned out to be nothing. */
export interface PartialLine {
  type: 'partial';
  partial_id: string;
  text: string;
  stable_text: string;
}

export interface UtteranceLine {
  type: 'utterance';
  entry: TimelineEntry;
  /** What one utterance takes: in a file from the start of its recognition, live from the end of its speech, to its line. */
  latency_ms: number;
  /** Live only: the partial that this utterance replaces. */
  partial_id?: string;
  /** What the words say as a vector, for the conversation (`poolStates`); absent without the model. */
  encoding?: Float32Array;
}

/** Live only: what was said before was provisional; the utterances that follow are the whole session, concluded. */
export interface ConcludeLine {
  type: 'conclude';
}

export interface EndLine {
  type: 'end';
  utterances: number;
  media: MediaInfo;
  speakers: SpeakerCount;
  /** Utterances by the id of the recogniser that heard them. */
  heard_by?: Record<string, number>;
  /** Faults of a part that were survived, in plain words. */
  warnings: string[];
  playback?: Playback;
}

/** What a player of the recording needs beside it. */
export interface Playback {
  levels: Levels;
  /** Opus in WebM, where browsers would not play what was sent, or not seek in it. */
  rendition: Buffer | null;
}

export interface ErrorLine {
  type: 'error';
  code: ErrorCode;
  message: string;
}

/** What the stages come to, before the conversation is concluded over it (`telling.ts`). */
export type StageLine = ProgressLine | PartialLine | UtteranceLine | ConcludeLine | EndLine | ErrorLine;
