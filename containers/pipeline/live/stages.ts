import { createReadStream, statSync } from 'node:fs';
import type { MediaExtension } from '../../../src/contract/media.ts';
import type { PipelineLine } from '../../../src/contract/pipeline.ts';
import type { Recognition } from '../models/moonshine.ts';
import type { SpeechDetector, SpeechStream } from '../models/silero.ts';
import { analyse } from '../pipeline.ts';
import { encodeText } from '../stages/encoding.ts';
import type { HeardSegment, HeardWord } from '../stages/transcription.ts';
import type { Job, WorkerPool } from '../workers/pool.ts';
import { LiveSpeakers, type SessionSpeakers } from './speakers.ts';

/** What a live session uses of the pipeline; the models behind it are shared with everything else that runs. */
export interface LiveStages {
  /** Hears one stream. */
  openDetector(): SpeechStream;
  /** Tells the speakers of one stream apart. @param speakers their number, when the client knows it */
  openSpeakers(speakers: number | undefined): SessionSpeakers;
  /**
   * The words of a speech segment as the whole-file pipeline hears them, before any batch work that waits.
   * @param samples of the segment, mono, 16 kHz
   */
  hear(samples: Float32Array, segment: HeardSegment): Promise<HeardWord[]>;
  /** Interim text. @param samples mono, 16 kHz */
  recognise(samples: Float32Array): Promise<Recognition>;
  /** What a text says as a vector; null without the model. */
  encode(text: string): Promise<Float32Array | null>;
  /** True while recognition has work waiting: interim text is then left out. */
  isBusy(): boolean;
  /** The whole-file pipeline: what POST /analyses answers for the same bytes. Throws ServiceError. */
  analyse(media: WholeSession, signal: AbortSignal): AsyncIterable<PipelineLine>;
}

/** All bytes of a finished session. */
export interface WholeSession {
  conversationId: string;
  /** Path of the file that holds them. */
  path: string;
  suffix: MediaExtension;
  speakers: number | undefined;
}

/** The stages over the models that this process shares. */
export function liveStages(pool: WorkerPool, detector: SpeechDetector): LiveStages {
  const job: Job = { priority: 'live' };
  const speakers = new LiveSpeakers();
  return {
    openDetector: () => detector.open(),
    openSpeakers: (count) => speakers.open(count),
    hear: (samples, segment) => pool.run(job, 'hear', { samples, segment }),
    recognise: (samples) => pool.run(job, 'recognise', { samples }),
    encode: encodeText,
    isBusy: () => pool.liveWaiting,
    analyse: ({ path, ...request }, signal) =>
      analyse(createReadStream(path), { ...request, size: statSync(path).size, signal }, pool),
  };
}
