import { Worker } from 'node:worker_threads';
import { ServiceError } from '../../../src/contract/errors.ts';
import type { Interval } from '../audio/interval.ts';
import type { SpeakerTurn } from '../diarization/turns.ts';

export type SpeakersRequest =
  | { type: 'open'; session: number; speakers: number | undefined }
  | { type: 'push'; session: number; samples: Float32Array }
  | { type: 'label'; session: number; id: number; regions: Interval[]; since: number }
  | { type: 'close'; session: number };
export interface SpeakersReply {
  id: number;
  turns: SpeakerTurn[];
}

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

type Waiting = { resolve(turns: SpeakerTurn[]): void; reject(error: unknown): void };

/**
 * Speaker labels for all live sessions of the process, computed in a separate thread. From time to time, all speech of
 * a long session is diarized again. That takes a second and must not block other streams.
 */
export class LiveSpeakers {
  #worker: Worker | null = null;
  #waiting = new Map<number, Waiting>();
  #ids = 0;

  /** @param speakers number of speakers, if the client knows it. */
  open(speakers: number | undefined): SessionSpeakers {
    const worker = this.#running();
    const session = this.#ids++;
    const send = (request: SpeakersRequest) => worker.postMessage(request);
    send({ type: 'open', session, speakers });
    return {
      push: (samples) => send({ type: 'push', session, samples }),
      label: (regions, since) =>
        new Promise<SpeakerTurn[]>((resolve, reject) => {
          if (worker !== this.#worker) return reject(lost());
          const id = this.#ids++;
          this.#waiting.set(id, { resolve, reject });
          send({ type: 'label', session, id, regions, since });
        }),
      close: () => send({ type: 'close', session }),
    };
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #running(): Worker {
    if (this.#worker) return this.#worker;
    const worker = new Worker(new URL('./speakers-worker.ts', import.meta.url), { name: 'live-speakers' });
    worker.on('message', ({ id, turns }: SpeakersReply) => {
      this.#waiting.get(id)?.resolve(turns);
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
