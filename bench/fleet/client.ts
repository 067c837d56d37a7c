import { setTimeout as pause } from 'node:timers/promises';
import type { LiveSessionBody } from '../../src/contract/live.ts';
import type { LiveReader } from '../../support/live-client.ts';
import type { LiveStack } from '../../support/live-service.ts';

/** Interval of a session's chunks, ms. */
const CHUNK_MS = 1_000;

/** A period of the bench, `performance.now()`. */
export interface Period {
  from: number;
  to: number;
}

/** A client that sends a chunk each second, and notes when the utterance of each arrives. */
export class FleetClient {
  session!: LiveSessionBody;
  /** Time from the first request to the answer that has a session, and the number of refusals before it. */
  waitMs = 0;
  refusals = 0;
  /** When each chunk was sent and when its utterance arrived, `performance.now()`. */
  readonly sent: number[] = [];
  readonly told: number[] = [];
  /** Chunks that were not acknowledged. */
  faults = 0;
  readonly #stack: LiveStack;
  /** Part of a second at which it sends. The utterances of different sessions do not end together. */
  readonly #offsetMs: number;
  #reader!: LiveReader;
  #reading!: Promise<void>;

  /** @param random a number from 0 to 1 */
  constructor(stack: LiveStack, random: () => number) {
    this.#stack = stack;
    this.#offsetMs = random() * CHUNK_MS;
  }

  async start(): Promise<this> {
    const begun = performance.now();
    for (;;) {
      const response = await this.#stack.client.json('/analyze/live/start', { suffix: '.pcm' });
      if (response.ok) {
        this.session = (await response.json()) as LiveSessionBody;
        break;
      }
      if (response.status !== 503) throw new Error(await response.text());
      this.refusals++;
      await response.body?.cancel();
      await pause(Number(response.headers.get('Retry-After')) * 1000);
    }
    this.waitMs = performance.now() - begun;
    this.#reader = await this.#stack.client.attach(this.session);
    this.#reading = this.#read();
    return this;
  }

  async #read(): Promise<void> {
    await this.#reader.until(({ event, data }) => {
      if (event === 'final_transcript') this.told[Number(/^chunk (\d+) /.exec(data.text)?.[1])] = performance.now();
      return event === 'done' || event === 'error';
    });
  }

  /** Sends until a time, or until the signal aborts. */
  async send(until: number, signal?: AbortSignal): Promise<void> {
    await pause(this.#offsetMs);
    while (performance.now() < until && !signal?.aborted) {
      const seq = this.sent.push(performance.now()) - 1;
      const response = await this.#stack.client.chunk(this.session, seq);
      if (!response.ok) this.faults++;
      await response.body?.cancel();
      await pause(Math.max(0, this.sent[seq]! + CHUNK_MS - performance.now()));
    }
  }

  async end(): Promise<void> {
    await this.#stack.client.control(this.session, 'finalize');
    await this.#reading;
  }

  /** Delays of the utterances of chunks sent in a period, ms; infinite for one that never arrived. */
  delays({ from, to }: Period): number[] {
    return this.sent.flatMap((at, seq) =>
      at < from || at >= to ? [] : [(this.told[seq] ?? Number.POSITIVE_INFINITY) - at],
    );
  }

  /** Longest time without an utterance in a period, ms. */
  silence({ from, to }: Period): number {
    const told = this.told.filter((at) => at > from && at < to);
    return Math.max(...[...told, to].map((at, i) => at - (told[i - 1] ?? from)));
  }

  /** Utterances that are missing, and those that came twice. */
  get wrong(): { lost: number; twice: number } {
    const texts = this.#reader.received.flatMap(({ event, data }) =>
      event === 'final_transcript' ? [data.text as string] : [],
    );
    return { lost: this.sent.length - new Set(texts).size, twice: texts.length - new Set(texts).size };
  }

  phases(phase: string): number {
    return this.#reader.received.filter(({ event, data }) => event === 'status' && data.phase === phase).length;
  }
}
