import type { FileHandle } from 'node:fs/promises';
import type { BoundedQueue } from '../admission.ts';
import type { SpeechDetector, SpeechStream } from '../models/silero.ts';
import { analyse } from '../pipeline.ts';
import { engineOf } from '../recognition/engines.ts';
import { type RecogniserEngine, type Recognition, recognitionOptions } from '../recognition/recogniser.ts';
import type { SegmentToTranscribe } from '../recognition/segments.ts';
import type { StageLine, StageOptions } from '../stage-lines.ts';
import { encodeText } from '../stages/encoding.ts';
import type { TimelineStages } from '../stages/timeline.ts';
import type { TranscriptionCache } from '../stages/transcription-cache.ts';
import type { Job, WorkerPool } from '../workers/pool.ts';
import type { WorkerTasks } from '../workers/tasks.ts';
import { LiveSpeakers, type SessionSpeakers } from './speakers.ts';

/** The recogniser of one stream; samples are mono, 16 kHz. */
export interface StreamRecogniser {
  engine: RecogniserEngine;
  /** Longest sound that it transcribes well at once, s. */
  longestS: number;
  /**
   * The words of a speech segment, before any waiting batch work; `fast` where no quality was requested.
   * @param samples of the segment
   */
  transcribe(samples: Float32Array, segment: SegmentToTranscribe): Promise<WorkerTasks['transcribe']['output']>;
  /**
   * Transcribes a segment for the final analysis, where that uses another quality, when a worker has nothing else to do.
   * @param samples of the segment
   */
  prepare(samples: Float32Array, segment: SegmentToTranscribe): void;
  /** Interim text. */
  interim(samples: Float32Array): Promise<Recognition>;
}

/** The parts of the pipeline that a live session uses; the models are shared with all other work. */
export interface LiveStages extends TimelineStages {
  /** Opens the speech detector of one stream. */
  openDetector(): SpeechStream;
  /** Labels the speakers of one stream. @param speakers their number, when the client knows it */
  openSpeakers(speakers: number | undefined): SessionSpeakers;
  /**
   * Recognises one stream.
   * @param transcriptions receives what the final analysis can use
   * @param ended stops preparing that analysis @throws ServiceError INVALID_REQUEST for an unknown recogniser
   */
  openRecogniser(
    options: Pick<StageOptions, 'recogniser' | 'quality' | 'words' | 'language'>,
    transcriptions: TranscriptionCache,
    ended: AbortSignal,
  ): StreamRecogniser;
  /** True while recognition work is waiting; speech is then not recognised speculatively. */
  isBusy(): boolean;
  /** Whether interim text may be recognised now. */
  hasTimeForInterim(): boolean;
  /** The whole-file pipeline: gives what POST /analyses answers for the same bytes. Throws ServiceError. */
  analyse(media: WholeSession, signal: AbortSignal): AsyncIterable<StageLine>;
}

/** All bytes of a finished session. */
export interface WholeSession {
  options: StageOptions;
  /** Holds the bytes; it stays open. */
  file: FileHandle;
  /** The transcript of the running session. */
  transcriptions: TranscriptionCache;
}

/**
 * Interim text takes at most this share of one worker's time, over all sessions, so that finals find the other worker
 * free.
 */
const INTERIM_SHARE = 0.5;
/** Segments of a session that wait to be prepared: at most 1 MB of sound each. The final analysis does any others. */
const MOST_PREPARING = 16;

/**
 * The stages over the models that this process shares.
 * @param admission the queue that whole files pass too: conclusions wait there and are never refused.
 */
export function liveStages(pool: WorkerPool, detector: SpeechDetector, admission: BoundedQueue): LiveStages {
  const job: Job = { priority: 'live' };
  const voices: Job = { priority: 'live', completes: true };
  const speakers = new LiveSpeakers();
  let nextInterimAt = 0;
  return {
    openDetector: () => detector.open(),
    openSpeakers: (count) => speakers.open(count),
    openRecogniser: (options, transcriptions, ended) => {
      const engine = engineOf(options.recogniser);
      const { id: recogniser, longestS, kind } = engine;
      const final = recognitionOptions(options, 'best');
      // An operator's endpoint has no quality levels and transcribes each segment once.
      const now = kind === 'endpoint' ? final : recognitionOptions(options, 'fast');
      const prepared: Job = { priority: 'idle', signal: ended };
      let preparing = 0;
      return {
        longestS,
        engine,
        transcribe: (samples, segment) => {
          const task = { samples, segment, recogniser, options: now };
          return transcriptions.get(task, (aligned) => pool.run(job, 'transcribe', aligned));
        },
        prepare: (samples, segment) => {
          if (now.quality === final.quality || preparing >= MOST_PREPARING || ended.aborted) return;
          preparing++;
          const task = { samples, segment, recogniser, options: final };
          transcriptions
            .get(task, (aligned) => pool.run(prepared, 'transcribe', aligned))
            // The final analysis transcribes it then.
            .catch(() => undefined)
            .finally(() => preparing--);
        },
        interim: async (samples) => {
          const begun = performance.now();
          nextInterimAt = Number.POSITIVE_INFINITY;
          try {
            return await pool.run(job, 'interim', { samples, recogniser });
          } finally {
            const now = performance.now();
            nextInterimAt = now + (now - begun) * (1 / INTERIM_SHARE - 1);
          }
        },
      };
    },
    encode: encodeText,
    measureVoice: (task) => pool.run(voices, 'voice', task),
    isBusy: () => pool.liveWaiting,
    hasTimeForInterim: () => !pool.liveWaiting && performance.now() >= nextInterimAt,
    analyse: (media, signal) => inTurn(admission, signal, wholeSession(media, signal, pool)),
  };
}

async function* wholeSession(
  { options, file, transcriptions }: WholeSession,
  signal: AbortSignal,
  pool: WorkerPool,
): AsyncGenerator<StageLine> {
  const { size } = await file.stat();
  yield* analyse(
    file.createReadStream({ start: 0, autoClose: false }),
    { options, size, isStreamed: true, transcriptions, signal },
    pool,
  );
}

/** The lines of an analysis that waits for its slot among all of the process. */
async function* inTurn(
  admission: BoundedQueue,
  signal: AbortSignal,
  lines: AsyncIterable<StageLine>,
): AsyncGenerator<StageLine> {
  const leave = await admission.enterAccepted(signal);
  try {
    yield* lines;
  } finally {
    leave();
  }
}
