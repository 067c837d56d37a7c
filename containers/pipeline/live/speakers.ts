import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../src/contract/errors.ts';
import { type Interval, SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { SegmentLabels } from '../diarization/provisional.ts';
import type { SpeakerTurn } from '../diarization/turns.ts';
import { TranscriptionCache } from '../stages/transcription-cache.ts';

export type SpeakersRequest =
  | { type: 'open'; session: number; speakers: number | undefined }
  | { type: 'push'; session: number; samples: Float32Array }
  | { type: 'label'; session: number; id: number; regions: Interval[]; since: number }
  | { type: 'recall'; session: number; regions: Interval[]; renumbered: SegmentLabels['renumbered'] }
  | { type: 'close'; session: number };
export interface SpeakersReply extends SegmentLabels {
  id: number;
}

/** Samples that are sent to the thread together. A message costs as much as a second of them. */
const TOGETHER = SAMPLE_RATE_HZ;

/** Labels the speakers of one live session. Samples and requests are processed in order. */
export interface SessionSpeakers {
  /** Adds samples of the stream, 16 kHz. They are copied. */
  push(samples: Float32Array): void;
  /**
   * Labels the newest speech from the samples so far.
   * @param regions of speech since the previous call.
   * @returns the turns that end after `since`, s. @throws ServiceError when the thread has ended
   */
  label(regions: Interval[], since: number): Promise<SpeakerTurn[]>;
  close(): void;
}

type Waiting = { resolve(labelled: SegmentLabels): void; reject(error: unknown): void };

/**
 * Speaker labels for all live sessions of the process, computed in a separate thread. From time to time, all speech of
 * a long session is diarized again. That takes a second and must not block other streams.
 */
export class LiveSpeakers {
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #ids = 0;

  /**
   * @param speakers number of speakers, if the client knows it
   * @param known labels that need not be computed again; receives those that were
   */
  open(speakers: number | undefined, known = new TranscriptionCache()): SessionSpeakers {
    const worker = this.#running();
    const session = this.#ids++;
    const send = (request: SpeakersRequest) => worker.postMessage(request);
    send({ type: 'open', session, speakers });
    let samples = new Float32Array(TOGETHER);
    let filled = 0;
    const flush = () => {
      if (filled > 0) send({ type: 'push', session, samples: samples.subarray(0, filled) });
      samples = new Float32Array(TOGETHER);
      filled = 0;
    };
    let labels = 0;
    return {
      push: (more) => {
        for (let at = 0; at < more.length; ) {
          const part = more.subarray(at, at + TOGETHER - filled);
          samples.set(part, filled);
          filled += part.length;
          at += part.length;
          if (filled === TOGETHER) flush();
        }
      },
      label: async (regions, since) => {
        let isKnown = true;
        const labelled = known.labels({ n: labels++, speakers, regions, since }, () => {
          isKnown = false;
          flush();
          return this.#label(worker, { type: 'label', session, id: this.#ids++, regions, since });
        });
        const { turns, renumbered } = await labelled;
        if (isKnown && regions.length > 0) send({ type: 'recall', session, regions, renumbered });
        return turns;
      },
      close: () => send({ type: 'close', session }),
    };
  }

  #label(worker: Worker, request: Extract<SpeakersRequest, { type: 'label' }>): Promise<SegmentLabels> {
    if (worker !== this.#worker) return Promise.reject(lost());
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { resolve, reject });
      worker.postMessage(request);
    });
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./speakers-worker.ts', import.meta.url), { name: 'live-speakers' });
    worker.on('message', ({ id, ...labelled }: SpeakersReply) => {
      this.#waiting.get(id)?.resolve(labelled);
      this.#waiting.delete(id);
    });
    worker.on('error', (cause) => console.error('the live diarisation thread failed:', cause));
    worker.on('exit', () => this.#ended(worker));
    // This must follow the listeners, which would otherwise keep the process alive.
    worker.unref();
    this.#worker = worker;
    return worker;
  }

  /** The sessions of a thread that has ended are lost. The Worker feeds them again. */
  #ended(worker: Worker): void {
    if (this.#worker === worker) this.#worker = null;
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const { reject } of waiting.values()) reject(lost());
  }
}

const lost = () => new ServiceError('LIVE_ASR_FAILURE');
