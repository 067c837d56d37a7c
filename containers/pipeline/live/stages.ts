import type { MediaExtension } from '../../../src/contract/media.ts';
import type { PipelineLine } from '../../../src/contract/pipeline.ts';
import type { Recognition } from '../models/moonshine.ts';
import type { SpeechStream } from '../models/silero.ts';

/** What a live session uses of the pipeline; the models behind it are shared with everything else that runs. */
export interface LiveStages {
  /** Hears one stream. */
  openDetector(): SpeechStream;
  /** Recognises a speech segment, before any batch work that waits. @param samples mono, 16 kHz */
  recognise(samples: Float32Array): Promise<Recognition>;
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
