import { createParser } from 'eventsource-parser';
import { type LiveCapture, Undertone } from '../../src/sdk/index.ts';
import { KEY, type LiveStack } from '../../support/live-service.ts';
import { seeded } from '../../support/random.ts';
import { paced } from '../../support/recording-chunks.ts';
import { converted } from '../../support/recordings.ts';
import { isLasting } from '../../support/stream-events.ts';
import { wav } from '../pipeline/media/hostile-media.ts';

/** Concurrent sessions and files. */
export interface Size {
  sessions: number;
  files: number;
}
const USUAL: Size = { sessions: 12, files: 4 };

/** The audio to send, and its pace. */
export interface Speech {
  sessions: Uint8Array<ArrayBuffer>[];
  files: Uint8Array<ArrayBuffer>[];
  chunkBytes: number;
  bytesPerSecond: number;
}

const RATE_HZ = 8_000;
const BYTES_PER_SECOND = 2 * RATE_HZ;
const CHUNKS = 10;
const ECHO_CHUNK_BYTES = 4_096;

/**
 * For the recogniser: some seconds of the call for each, from a different position, at a multiple of real time. Their
 * words differ, so a session that received another's bytes is detected.
 */
export function callSpeech({ sessions, files } = USUAL, seconds = 10, speed = 3): Speech {
  const call = converted('call.wav', ['-ar', String(RATE_HZ), '-ac', '1', '-f', 's16le']);
  const bytes = seconds * BYTES_PER_SECOND;
  const media = Array.from({ length: sessions + files }, (_, i) => {
    const at = 2 * Math.floor(((call.length - bytes) / 2 / (sessions + files - 1)) * i);
    return new Uint8Array(wav({ rate: RATE_HZ }, call.subarray(at, at + bytes)));
  });
  return {
    sessions: media.slice(0, sessions),
    files: media.slice(sessions),
    chunkBytes: BYTES_PER_SECOND / 4,
    bytesPerSecond: speed * BYTES_PER_SECOND,
  };
}

/** For an echo: bytes without meaning, sent over some seconds. */
export function noise({ sessions, files } = USUAL, seconds = 2): Speech {
  const random = seeded(1);
  const bytes = CHUNKS * ECHO_CHUNK_BYTES;
  const media = (count: number) =>
    Array.from({ length: count }, () => Uint8Array.from({ length: bytes }, () => 256 * random()));
  return {
    sessions: media(sessions),
    files: media(files),
    chunkBytes: ECHO_CHUNK_BYTES,
    bytesPerSecond: bytes / seconds,
  };
}

/** The outcome of one recording. */
interface Heard {
  /** Bytes that the service acknowledged. */
  acknowledged: number;
  /** The acknowledged bytes that are in the store at the end. */
  stored: Uint8Array;
  /** As the client received them. Empty if it asked for JSON. */
  events: { id: number; event: string; data: unknown }[];
  /** The final result without ids and latencies; null if there is none. */
  result: unknown;
}

/** The damage of a fault. All numbers should be 0. */
export interface LoadOutcome {
  /** Acknowledged chunks and uploads that were not kept, and recordings without a result. */
  lost: number;
  /** Events sent twice. */
  doubled: number;
  /** Recordings whose events or result differ from those of the run without faults. */
  unequal: number;
}

export const UNHARMED: LoadOutcome = { lost: 0, doubled: 0, unequal: 0 };

/** Concurrent live sessions and files, and the result of each without a fault. */
export class Load {
  readonly #stack: LiveStack;
  readonly #speech: Speech;
  #undisturbed: Heard[] | undefined;

  constructor(stack: LiveStack, speech: Speech) {
    this.#stack = stack;
    this.#speech = speech;
  }

  /** How long its sessions send, ms. */
  get lastsMs(): number {
    const { sessions, bytesPerSecond } = this.#speech;
    return (1000 * sessions[0]!.length) / bytesPerSecond;
  }

  /** Runs once without a fault: the reference for the others. */
  async undisturbed(): Promise<LoadOutcome> {
    this.#undisturbed = await this.#run(async () => undefined);
    return this.#outcome(this.#undisturbed);
  }

  /** Runs once more while something happens; it receives the ids of the live sessions. */
  async disturbed(happens: (sessions: string[]) => Promise<unknown>): Promise<LoadOutcome> {
    return this.#outcome(await this.#run(happens));
  }

  /** Waits until this share of the sending is over, 0 to 1. */
  until(share: number): Promise<void> {
    return wait(share * this.lastsMs);
  }

  async #run(happens: (sessions: string[]) => Promise<unknown>): Promise<Heard[]> {
    const { sessions, files } = this.#speech;
    const service = new Undertone({ url: this.#stack.url, key: KEY });
    const captures = await Promise.all(sessions.map(() => service.live.start({ suffix: '.wav' })));
    const [heard] = await Promise.all([
      Promise.all([
        ...captures.map((capture, i) => this.#live(capture, sessions[i]!)),
        // One after the other, so that one of them is half-way whenever a fault comes.
        ...files.map(async (bytes, i) => {
          await this.until(i / files.length);
          return i % 2 === 0 ? this.#file(bytes) : this.#replay(bytes);
        }),
      ]),
      happens(captures.map(({ session }) => session.session_id)),
    ]);
    return heard;
  }

  async #live(capture: LiveCapture, bytes: Uint8Array<ArrayBuffer>): Promise<Heard> {
    const { chunkBytes, bytesPerSecond } = this.#speech;
    const { conversation_id: id } = capture.session;
    const events: Heard['events'] = [];
    const reading = (async () => {
      for await (const { id, event, data } of capture) events.push({ id, event, data });
    })();
    let acknowledged = 0;
    for await (const chunk of paced(bytes, chunkBytes, bytesPerSecond)) {
      await capture.send(chunk);
      await capture.flush();
      acknowledged += chunk.length;
    }
    await capture.finalize();
    await reading;
    return this.#heard(id, bytes.subarray(0, acknowledged), events);
  }

  async #file(bytes: Uint8Array<ArrayBuffer>): Promise<Heard> {
    const answer = await this.#ask('/analyze', { file: bytes });
    return this.#heard(answer.conversationId, bytes, []);
  }

  async #replay(bytes: Uint8Array<ArrayBuffer>): Promise<Heard> {
    const answer = await this.#ask('/analyze/stream', { file: bytes });
    return this.#heard(answer.conversationId, bytes, answer.events);
  }

  /**
   * Requests a file like a client that follows the error's advice: if a machine's fault caused the refusal, it retries.
   */
  async #ask(path: string, what: { file: Uint8Array<ArrayBuffer> } | { conversation_id: string }): Promise<Answer> {
    const url = new URL(path, this.#stack.url);
    const response = await fetch(url, { method: 'POST', ...('file' in what ? upload(what.file) : json(what)) });
    const text = await response.text();
    const answer = response.headers.get('Content-Type')?.startsWith('text/event-stream')
      ? answerOfEvents(text)
      : { events: [], ...said(JSON.parse(text)) };
    if (!answer.code) return answer;
    await wait(AGAIN_MS);
    if (answer.conversationId !== '') return this.#ask(path, { conversation_id: answer.conversationId });
    // An upload that was never accepted is sent again; everything else should have been kept.
    if (answer.code === 'OVERLOADED' && !response.ok) return this.#ask(path, what);
    throw new Error(`an upload was lost: ${response.status} ${text}`);
  }

  async #heard(id: string, bytes: Uint8Array, events: Heard['events']): Promise<Heard> {
    const result = await this.#stack.artifact(id, 'result.json');
    const stored = (await this.#stack.upload(id)) ?? new Uint8Array();
    const told = events.map(({ id: n, event, data }) => ({ id: n, event, data: anonymous(data, id) }));
    const known = result === undefined ? null : anonymous(JSON.parse(result), id);
    return { acknowledged: bytes.length, stored, events: told, result: known };
  }

  #outcome(heard: Heard[]): LoadOutcome {
    const outcome = { lost: 0, doubled: 0, unequal: 0 };
    const { sessions, files } = this.#speech;
    const sent = [...sessions, ...files];
    for (const [i, one] of heard.entries()) {
      outcome.lost += this.#lost(one, sent[i]!);
      outcome.doubled += doubled(one);
      if (JSON.stringify(compared(one)) !== JSON.stringify(compared(this.#undisturbed![i]!))) outcome.unequal++;
    }
    return outcome;
  }

  #lost({ acknowledged, stored, result }: Heard, sent: Uint8Array): number {
    let lost = result === null ? 1 : 0;
    const { chunkBytes } = this.#speech;
    for (let at = 0; at < acknowledged; at += chunkBytes) {
      const end = Math.min(acknowledged, at + chunkBytes);
      if (Buffer.compare(stored.subarray(at, end), sent.subarray(at, end)) !== 0) lost++;
    }
    return lost;
  }
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Wait of a client that was refused, ms. */
const AGAIN_MS = 500;

/** The outcome of a request with a file. */
interface Answer {
  /** '' if the service has stored nothing of it. */
  conversationId: string;
  /** Code of the error that ended it, if any. */
  code: string | undefined;
  events: Heard['events'];
}

function upload(file: Uint8Array<ArrayBuffer>): RequestInit {
  const body = new FormData();
  body.set('file', new File([file], 'call.wav'));
  return { headers: { 'X-API-Key': KEY }, body };
}

const json = (body: unknown): RequestInit => ({
  headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
});

const said = (body: { conversation_id?: string; code?: string }) => ({
  conversationId: body.conversation_id ?? '',
  code: body.code,
});

function answerOfEvents(text: string): Answer {
  const events: Heard['events'] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) =>
      void events.push({ id: Number(id), event: event ?? '', data: JSON.parse(data) as unknown }),
  });
  parser.feed(text);
  const last = events.at(-1)?.data as { conversation_id?: string; code?: string };
  return { events, ...said(last) };
}

/** Removes what differs between runs. */
const anonymous = (value: unknown, id: string): unknown =>
  JSON.parse(
    JSON.stringify(value)
      .replaceAll(id, 'c')
      .replaceAll(/"[a-z_]*latency_ms":[^,}]*/g, '"ms":0')
      // By default, a recording begins when its analysis does.
      .replaceAll(/"recorded_at":"[^"]*"/g, '"recorded_at":""'),
  );

function compared({ events, result }: Heard): unknown {
  const lasting = events.filter(isLasting).map(({ event, data }) => {
    const { partial_id: _, ...rest } = data as { partial_id?: string };
    return [event, rest];
  });
  return { lasting, result };
}

/** Number of ids, and of permanent events, that came more than once. */
function doubled({ events }: Heard): number {
  const ids = new Set(events.map(({ id }) => id));
  const lasting = events.filter(isLasting).map(({ event, data }) => JSON.stringify([event, data]));
  return events.length - ids.size + lasting.length - new Set(lasting).size;
}
