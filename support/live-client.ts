import { createParser } from 'eventsource-parser';
import { ErrorBodySchema } from '../src/contract/analysis.ts';
import type { EventName } from '../src/contract/event-names.ts';
import { EVENT_SCHEMAS } from '../src/contract/events.ts';
import type { LiveSessionBody } from '../src/contract/live.ts';

/** One event as a consumer received it. */
export interface Received {
  id: number;
  event: EventName;
  // biome-ignore lint/suspicious/noExplicitAny: validated against its schema on arrival, read freely by tests
  data: any;
}

/** The body of an error answer, checked against its schema. */
export async function refusal(answer: Promise<Response>): Promise<{ status: number; detail: string; code: string }> {
  const response = await answer;
  const { detail, code } = ErrorBodySchema.parse(await response.json());
  return { status: response.status, detail, code };
}

/** A client of the live routes, for tests. */
export class LiveClient {
  readonly url: URL;
  readonly key: string;

  constructor(url: URL, key: string) {
    this.url = url;
    this.key = key;
  }

  request(path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
    return fetch(new URL(path, this.url), { ...init, headers: { 'X-API-Key': this.key, ...init.headers } });
  }

  json(path: string, body: unknown): Promise<Response> {
    const headers = { 'Content-Type': 'application/json' };
    return this.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async start(body: Record<string, unknown> = { suffix: '.wav' }): Promise<LiveSessionBody> {
    const response = await this.json('/analyze/live/start', body);
    if (!response.ok) throw new Error(await response.text());
    return (await response.json()) as LiveSessionBody;
  }

  chunk(
    session: LiveSessionBody,
    seq: number | string,
    bytes: Uint8Array<ArrayBuffer> = new TextEncoder().encode(`chunk ${seq}`),
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const form = new FormData();
    form.set('chunk_seq', String(seq));
    form.set('chunk', new File([bytes], 'chunk'));
    return this.request(session.chunk_endpoint, { method: 'POST', body: form, headers });
  }

  /** A session that has received some chunks. @throws when a chunk is rejected */
  async ingesting(chunks = 1): Promise<LiveSessionBody> {
    const session = await this.start();
    for (let seq = 0; seq < chunks; seq++) {
      const response = await this.chunk(session, seq);
      if (!response.ok) throw new Error(await response.text());
    }
    return session;
  }

  control(session: LiveSessionBody, action: string, reason?: string): Promise<Response> {
    return this.json(session.control_endpoint, reason === undefined ? { action } : { action, reason });
  }

  async attach(session: LiveSessionBody, lastEventId?: number): Promise<LiveReader> {
    const abort = new AbortController();
    const headers: Record<string, string> = { Accept: 'text/event-stream' };
    if (lastEventId !== undefined) headers['Last-Event-ID'] = String(lastEventId);
    const response = await this.request(session.events_endpoint, { headers, signal: abort.signal });
    return new LiveReader(response, abort);
  }
}

/** The consumer's side of one attachment. */
export class LiveReader {
  readonly response: Response;
  readonly received: Received[] = [];
  readonly comments: string[] = [];
  retry: number | undefined;
  readonly #abort: AbortController;
  readonly #bytes: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #decoder = new TextDecoder();
  readonly #parser = createParser({
    onEvent: ({ id, event, data }) => {
      const name = event as EventName;
      this.received.push({ id: Number(id), event: name, data: EVENT_SCHEMAS[name].parse(JSON.parse(data)) });
    },
    onComment: (comment) => this.comments.push(comment),
    onRetry: (retry) => {
      this.retry = retry;
    },
  });

  constructor(response: Response, abort: AbortController) {
    this.response = response;
    this.#abort = abort;
    this.#bytes = response.body?.getReader();
  }

  get status(): number {
    return this.response.status;
  }

  get names(): string[] {
    return this.received.map(({ event, data }) => (event === 'status' ? `status:${data.phase}` : event));
  }

  /** Reads until an event matches. @throws when the stream ends first */
  async until(fits: (event: Received) => boolean): Promise<Received> {
    for (let seen = 0; ; ) {
      for (; seen < this.received.length; seen++) if (fits(this.received[seen]!)) return this.received[seen]!;
      if (!(await this.#more())) throw new Error(`the stream ended after ${this.names.join(', ')}`);
    }
  }

  /** Reads to the end of the stream. */
  async end(): Promise<Received[]> {
    while (await this.#more());
    return this.received;
  }

  async leave(): Promise<void> {
    this.#abort.abort();
    await this.#bytes?.cancel().catch(() => undefined);
  }

  async #more(): Promise<boolean> {
    const read = await this.#bytes?.read();
    if (!read || read.done) return false;
    this.#parser.feed(this.#decoder.decode(read.value, { stream: true }));
    return true;
  }
}
