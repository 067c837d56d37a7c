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

/** The recogniser of one stream. Samples are mono, 16 kHz. */
export interface StreamRecogniser {
  engine: RecogniserEngine;
  /** Longest audio that it transcribes well in one request, s. */
  longestS: number;
  /**
   * Transcribes a speech segment before any waiting batch work. The quality is `fast` unless one was requested.
   * @param samples of the segment
   */
  transcribe(samples: Float32Array, segment: SegmentToTranscribe): Promise<WorkerTasks['transcribe']['output']>;
  /**
   * Called once a segment is final. Reports its transcription (`TranscriptionCache`). If the final analysis uses another
   * quality, also transcribes it for that analysis when a worker would otherwise be idle.
   * @param samples of the segment
   */
  settle(samples: Float32Array, segment: SegmentToTranscribe): void;
  /** Transcribes interim text. */
  interim(samples: Float32Array): Promise<Recognition>;
  /** One fast pass over speech that is final. */
  pass(samples: Float32Array): Promise<Pick<Recognition, 'text' | 'confidence'>>;
  /** End of the audio that another process transcribed before the session moved here, s. */
  recalledS(): number;
}

/** The parts of the pipeline that a live session uses. The models are shared with all other work. */
export interface LiveStages extends TimelineStages {
  /** Opens the speech detector of one stream. */
  openDetector(): SpeechStream;
  /**
   * Labels the speakers of one stream.
   * @param speakers number of speakers, if the client knows it
   * @param transcriptions keeps the labels for a process to which the session may move
   */
  openSpeakers(speakers: number | undefined, transcriptions?: TranscriptionCache): SessionSpeakers;
  /**
   * Recognises one stream.
   * @param transcriptions receives those that the final analysis can reuse
   * @param ended stops preparing that analysis @throws ServiceError INVALID_REQUEST for an unknown recogniser
   */
  openRecogniser(
    options: Pick<StageOptions, 'recogniser' | 'quality' | 'words' | 'language'>,
    transcriptions: TranscriptionCache,
    ended: AbortSignal,
  ): StreamRecogniser;
  /** Whether recognition work is waiting. If so, speech is not recognised speculatively. */
  isBusy(): boolean;
  /** Whether interim text can be recognised now. */
  hasTimeForInterim(): boolean;
  /** The whole-file pipeline, which returns the same as POST /analyses for the same bytes. Throws ServiceError. */
  analyse(media: WholeSession, signal: AbortSignal): AsyncIterable<StageLine>;
}

/** All bytes of a finished session. */
export interface WholeSession {
  options: StageOptions;
  /** A file with the bytes. It stays open. */
  file: FileHandle;
  /** The transcriptions made while the session was running. */
  transcriptions: TranscriptionCache;
}

/**
 * Largest fraction of one worker's time for interim text, over all sessions. The other worker stays free for final
 * text.
 */
const INTERIM_SHARE = 0.5;
/**
 * Most segments of a session that wait to be prepared. Each has at most 1 MB of audio. The final analysis transcribes
 * any others.
 */
const MOST_PREPARING = 16;

/**
 * The stages, using the models that this process shares.
 * @param admission the queue that whole files also pass through; final analyses wait there and are never refused.
 */
export function liveStages(pool: WorkerPool, detector: SpeechDetector, admission: BoundedQueue): LiveStages {
  const job: Job = { priority: 'live' };
  const voices: Job = { priority: 'live', completes: true };
  const interim: Job = { priority: 'interim' };
  const speakers = new LiveSpeakers();
  let nextInterimAt = 0;
  return {
    openDetector: () => detector.open(),
    openSpeakers: (count, transcriptions) => speakers.open(count, transcriptions),
    openRecogniser: (options, transcriptions, ended) => {
      const engine = engineOf(options.recogniser);
      const { id: recogniser, longestS, kind } = engine;
      const final = recognitionOptions(options, 'best');
      // An operator's endpoint has no quality levels, so it transcribes each segment once.
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
        settle: (samples, segment) => {
          transcriptions.settle({ samples, segment, recogniser, options: now });
          if (now.quality === final.quality || preparing >= MOST_PREPARING || ended.aborted) return;
          preparing++;
          const task = { samples, segment, recogniser, options: final };
          transcriptions
            .get(task, (aligned) => pool.run(prepared, 'transcribe', aligned))
            // After a failure, the final analysis transcribes it.
            .then(
              () => transcriptions.settle(task),
              () => undefined,
            )
            .finally(() => preparing--);
        },
        interim: async (samples) => {
          const begun = performance.now();
          nextInterimAt = Number.POSITIVE_INFINITY;
          try {
            return await pool.run(interim, 'interim', { samples, recogniser });
          } finally {
            const now = performance.now();
            nextInterimAt = now + (now - begun) * (1 / INTERIM_SHARE - 1);
          }
        },
        pass: (samples) => transcriptions.pass({ samples, recogniser }, (task) => pool.run(job, 'interim', task)),
        recalledS: () => transcriptions.recalledS,
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

/** The lines of an analysis that waits for a slot like all others in the process. */
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
