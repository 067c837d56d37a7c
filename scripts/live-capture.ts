import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createParser } from 'eventsource-parser';
import type { EventName } from '../src/contract/event-names.ts';
import type { ChunkAccepted, Control, LiveSessionBody } from '../src/contract/live.ts';

/** Where the service is, and the key to call it with. */
export interface Service {
  url: string;
  key: string;
}

/** One event as it came. */
export interface LiveEvent {
  id: number;
  event: EventName;
  // biome-ignore lint/suspicious/noExplicitAny: the catalogue's payloads, printed and counted as they are
  data: any;
  /** When it came: milliseconds of `performance.now()`. */
  at: number;
}

/** Pause before a request that failed is sent again, ms. */
const RETRY_MS = 300;
/** Requests that fail so often in a row are given up. */
const MAX_FAILURES = 100;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** One live session as its client sees it; survives lost connections and a service that restarts. */
export class LiveCapture {
  readonly #service: Service;
  readonly session: LiveSessionBody;
  /** Milliseconds each chunk waited for its 200. */
  readonly acknowledgedMs: number[] = [];
  #nextChunkSeq = 0;
  #lastEventId: number | undefined;

  private constructor(service: Service, session: LiveSessionBody) {
    this.#service = service;
    this.session = session;
  }

  /** @throws Error with the service's answer when it refuses */
  static async start(service: Service, body: Record<string, unknown>): Promise<LiveCapture> {
    const response = await send(service, '/analyze/live/start', () => json(body));
    return new LiveCapture(service, (await response.json()) as LiveSessionBody);
  }

  /** Sends the next chunk, again and again until it is acknowledged. @throws Error when it is refused */
  async chunk(bytes: Uint8Array<ArrayBuffer>): Promise<ChunkAccepted> {
    const seq = this.#nextChunkSeq++;
    const headers = { 'Idempotency-Key': randomUUID() };
    const begun = performance.now();
    const response = await send(this.#service, this.session.chunk_endpoint, () => {
      const body = new FormData();
      body.set('chunk_seq', String(seq));
      body.set('chunk', new File([bytes], 'chunk'));
      return { method: 'POST', body, headers };
    });
    this.acknowledgedMs.push(performance.now() - begun);
    return (await response.json()) as ChunkAccepted;
  }

  async control(control: Control): Promise<void> {
    await (await send(this.#service, this.session.control_endpoint, () => json(control))).arrayBuffer();
  }

  /** All events to the terminal one; a connection that is lost is made again, after the last event received. */
  async *events(signal?: AbortSignal): AsyncGenerator<LiveEvent> {
    for (let failures = 0; failures < MAX_FAILURES; failures++) {
      try {
        for await (const event of this.#attach(signal)) {
          failures = 0;
          yield event;
          if (event.event === 'done' || event.event === 'error') return;
        }
      } catch (cause) {
        if (signal?.aborted || cause instanceof Refused) throw cause;
      }
      await wait(RETRY_MS);
    }
    throw new Error('the events cannot be reached');
  }

  async *#attach(signal: AbortSignal | undefined): AsyncGenerator<LiveEvent> {
    const headers: Record<string, string> = { 'X-API-Key': this.#service.key, Accept: 'text/event-stream' };
    if (this.#lastEventId !== undefined) headers['Last-Event-ID'] = String(this.#lastEventId);
    const response = await fetch(new URL(this.session.events_endpoint, this.#service.url), { headers, signal });
    if (response.status === 404) throw new Refused(await response.text());
    if (response.status !== 200 || !response.body) return;
    const received: LiveEvent[] = [];
    const parser = createParser({
      onEvent: ({ id, event, data }) => {
        received.push({ id: Number(id), event: event as EventName, data: JSON.parse(data), at: performance.now() });
      },
    });
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      parser.feed(text);
      for (const event of received.splice(0)) {
        this.#lastEventId = event.id;
        yield event;
      }
    }
  }
}

/** The service understood, and said no. */
class Refused extends Error {}

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

async function send(service: Service, path: string, init: () => RequestInit): Promise<Response> {
  for (let failures = 0; failures < MAX_FAILURES; failures++) {
    const { headers, ...rest } = init();
    const request = { ...rest, headers: { ...(headers as Record<string, string>), 'X-API-Key': service.key } };
    const response = await fetch(new URL(path, service.url), request).catch(() => undefined);
    if (response?.ok) return response;
    if (response && response.status < 500) throw new Refused(`${response.status} ${await response.text()}`);
    await response?.arrayBuffer().catch(() => undefined);
    await wait(RETRY_MS);
  }
  throw new Error(`${path} cannot be reached`);
}

/** Seconds of a media file, by ffprobe. */
export function durationOf(path: string): number {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path];
  const seconds = Number(execFileSync('ffprobe', args, { encoding: 'utf8' }));
  if (!(seconds > 0)) throw new Error(`${path} has no duration`);
  return seconds;
}

/** Cuts bytes into chunks and gives each at its time. @param bytesPerSecond Infinity for as fast as they are taken */
export async function* paced(
  bytes: Uint8Array<ArrayBuffer>,
  chunkBytes: number,
  bytesPerSecond: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const begun = performance.now();
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    // A chunk can be sent when its last byte has been recorded.
    const due = begun + ((at + chunk.length) / bytesPerSecond) * 1000;
    if (due > performance.now()) await wait(due - performance.now());
    yield chunk;
  }
}
