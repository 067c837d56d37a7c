import { execFileSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type AnalysisResponse,
  type StreamEvent,
  Undertone,
  UndertoneError,
  type Upload,
} from '../../src/sdk/index.ts';
import { verify } from '../../src/sdk/webhooks.ts';
import { paced } from '../../support/recording-chunks.ts';
import type { Dice } from '../attack/dice.ts';
import { faultsOfEvents, isOutcomeUnknown, type KnownConversation, type Ledger } from './ledger.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Recordings of the repository, and of the evaluation data where `EVAL_DATA` names it. */
const FIXTURES = ['call.wav', 'one-sided.wav', 'answering-machine.wav'];
const REAL = ['aws_call40_mono.flac', 'gcp_commercial_mono.flac', 'pyannote_sample.flac'];
/** Length of a piece of a real recording, s, and its rate. */
const PIECE_S = 60;
const RATE_HZ = 8_000;
/** Audio in a chunk, s, as the service asks for by default. */
const CHUNK_S = 1;
/** Conversations that are kept. Others are deleted, the oldest first. */
const KEPT = 10;
/** Pauses between the edits, and between the files, ms. */
const EDIT_MS = 4_000;
const FILE_MS = 5_000;
/** Pause of a client that was refused, and its limit on attempts: five minutes. */
const AGAIN_MS = 2_000;
const ATTEMPTS = 150;
/** One in so many sessions is cancelled, files is cancelled, and messages is refused at first. */
const CANCELLED_OF = 6;
const REFUSED_OF = 10;

interface Recording {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
  seconds: number;
}

/** Recordings as WAV. The real ones are cut to a minute. */
export function recordings(): Recording[] {
  const fixtures = FIXTURES.map((name) => ({ name, path: join(ROOT, 'test/fixtures', name) }));
  const data = process.env.EVAL_DATA;
  const real = data ? REAL.map((name) => ({ name, path: join(data, 'diarization/audio', name) })) : [];
  return [...fixtures, ...real].map(({ name, path }) => {
    const wav = ['-t', String(PIECE_S), '-ac', '1', '-ar', String(RATE_HZ), '-fflags', '+bitexact', '-f', 'wav', '-'];
    const bytes = new Uint8Array(execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...wav], { maxBuffer: 1 << 26 }));
    return { name, bytes, seconds: bytes.length / 2 / RATE_HZ };
  });
}

/** A receiver of webhooks that refuses some messages at first. */
export class WebhookReceiver {
  /** Set once the webhook exists. */
  secret = '';
  readonly #server: Server;
  readonly #refused = new Set<string>();

  constructor(ledger: Ledger, dice: Dice) {
    this.#server = createServer(async (request, response) => {
      let body = '';
      for await (const part of request) body += part;
      const id = String(request.headers['webhook-id']);
      if (!this.#refused.has(id) && dice.chance(1 / REFUSED_OF)) {
        this.#refused.add(id);
        response.writeHead(503).end();
        return;
      }
      response.writeHead(204).end();
      try {
        const { type, data } = await verify({ headers: request.headers, body }, this.secret);
        if (type !== 'webhook.test') ledger.message(id, type, data.conversation_id);
      } catch (error) {
        ledger.add('a message that does not verify', String(error));
      }
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** The lanes of the load: each runs until `stop`, and then ends what it has begun. */
export class MixedLoad {
  readonly client: Undertone;
  readonly #ledger: Ledger;
  readonly #dice: Dice;
  readonly #recordings = recordings();
  #isStopping = false;
  #lanes: Promise<unknown> = Promise.resolve();
  #turn = 0;

  constructor(url: string, key: string, ledger: Ledger, dice: Dice) {
    this.#ledger = ledger;
    this.#dice = dice;
    this.client = new Undertone({ url, key, fetch: watched(ledger) });
  }

  /** @param sessions live sessions at a time */
  begin(sessions: number): void {
    const lane = async (what: string, turn: () => Promise<void>): Promise<void> => {
      while (!this.#isStopping)
        await turn().catch((error: unknown) => this.#ledger.add(`the ${what} failed`, told(error)));
    };
    this.#lanes = Promise.all([
      ...Array.from({ length: sessions }, () => lane('session', () => this.#live())),
      lane('file', () => this.#file()),
      lane('edit', () => this.#edit()),
      lane('deletion', () => this.#delete()),
    ]);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#lanes;
  }

  #next(): Recording {
    return this.#recordings[this.#turn++ % this.#recordings.length]!;
  }

  async #live(): Promise<void> {
    const recording = this.#next();
    const capture = await this.#again(() => this.client.live.start({ suffix: '.wav', filename: recording.name }));
    const { conversation_id: id } = capture.session;
    const isCancelled = this.#dice.chance(1 / CANCELLED_OF);
    const events: StreamEvent[] = [];
    const reading = (async () => {
      for await (const event of capture) events.push(event);
    })();
    // Awaited below; a session that fails meanwhile must not end this process.
    reading.catch(() => undefined);
    const bytesPerSecond = recording.bytes.length / recording.seconds;
    let left = isCancelled ? this.#dice.whole(2, 10) : Number.POSITIVE_INFINITY;
    for await (const chunk of paced(recording.bytes, CHUNK_S * bytesPerSecond, bytesPerSecond)) {
      if (left-- === 0) break;
      await capture.send(chunk);
      await capture.flush();
    }
    if (isCancelled) {
      await capture.cancel('soak');
      this.#ledger.counts.cancelled++;
      // Its events end at once, with or without an error.
      await reading.catch(() => undefined);
      return;
    }
    await capture.finalize();
    await reading;
    for (const fault of faultsOfEvents(events)) this.#ledger.add('the events of a session', `${id}: ${fault}`);
    await this.#completed(id, `live ${recording.name}`, recording.bytes);
    this.#ledger.counts.live++;
  }

  async #file(): Promise<void> {
    const recording = this.#next();
    const media = new File([recording.bytes], recording.name);
    const way = this.#dice.pick(['plain', 'replay', 'job', 'cancelled'] as const);
    if (way === 'cancelled') {
      const id = await this.#again(this.#starter(media));
      this.#ledger.deleting.add(id);
      await this.#again(() => this.client.conversations.cancel(id));
      await this.#again(() => this.#erase(id));
      this.#ledger.counts.cancelled++;
    } else {
      const id = await this.#analysed(media, way);
      await this.#completed(id, `file ${recording.name}`, recording.bytes);
      this.#ledger.counts.files++;
    }
    await sleep(FILE_MS);
  }

  /** Analyses a file like a client that follows the advice of an error. @returns the id of its conversation */
  async #analysed(media: File, way: 'plain' | 'replay' | 'job'): Promise<string> {
    const start = this.#starter(media);
    /** The kept upload of an analysis that failed. */
    let kept: string | undefined;
    return this.#again(async () => {
      const what = kept === undefined ? media : { conversation_id: kept };
      try {
        if (way === 'job') {
          const job = await start();
          if (kept !== undefined) await this.client.start(what);
          kept = undefined;
          return (await this.client.wait(job)).conversation_id;
        }
        if (way === 'plain') return (await this.client.analyze(what)).conversation_id;
        let id = '';
        for await (const event of this.client.replay(what)) if (event.event === 'done') id = event.data.conversation_id;
        return id;
      } catch (error) {
        if (error instanceof UndertoneError) {
          if (way !== 'job' && kept === undefined && isOutcomeUnknown(error)) this.#ledger.answersLost++;
          kept = error.conversationId ?? kept;
        }
        throw error;
      }
    });
  }

  /** Sends a recording in parts. Called again after a failure, it repeats only what has not happened. */
  #starter(media: File): () => Promise<string> {
    let opened: string | undefined;
    let sent: string | undefined;
    let job: string | undefined;
    const onUpload = ({ id }: Upload): void => {
      opened = id;
    };
    return async () => {
      sent ??= (await this.client.uploads.send(media, { resume: opened, onUpload })).id;
      job ??= (await this.client.uploads.complete(sent)).conversation_id;
      return job;
    };
  }

  async #completed(id: string, kind: string, bytes: Uint8Array): Promise<void> {
    const result = await this.#again(() => this.client.conversations.get(id));
    this.#ledger.completed({ id, kind, bytes }, lastingOf(result));
  }

  /** Edits, comments on or reads one conversation. */
  async #edit(): Promise<void> {
    await sleep(EDIT_MS);
    const there = [...this.#ledger.conversations.values()].filter(({ id }) => !this.#ledger.deleting.has(id));
    if (there.length === 0) return;
    const one = this.#dice.pick(there);
    try {
      await this.#editOne(one);
      this.#ledger.counts.edits++;
    } catch (error) {
      const isGone = this.#ledger.deleting.has(one.id) || this.#ledger.deleted.has(one.id);
      if (!isGone && !this.#mayFail(error)) throw error;
    }
  }

  async #editOne(one: KnownConversation): Promise<void> {
    const { conversations } = this.client;
    const title = `Soak ${this.#dice.whole(1, 1_000_000)}`;
    const edits: (() => Promise<unknown>)[] = [
      async () => {
        const before = [...one.titles];
        one.titles.add(title);
        if (before.length === 0) one.titles.add(null);
        const record = await conversations.edit(one.id, { title, labels: [title.slice(-2)] });
        one.titles = new Set([record.title]);
        if (record.title !== title) this.#ledger.add('an edit that did not hold', `${one.id}: ${record.title}`);
      },
      () => conversations.edit(one.id, { speakers: { Speaker_0: title } }),
      async () => {
        const comment = await conversations.addComment(one.id, { at: 1, text: title });
        one.comments.add(comment.comment_id);
      },
      () => conversations.export(one.id, this.#dice.pick(['vtt', 'md', 'json'] as const)),
      () => conversations.list({ q: this.#dice.pick(['soak', 'the', 'thank you']) }),
      () => conversations.media(one.id),
      () => conversations.levels(one.id),
      async () => {
        for await (const _ of conversations.events(one.id));
      },
    ];
    await this.#dice.pick(edits)();
  }

  async #delete(): Promise<void> {
    const there = [...this.#ledger.conversations.values()].filter(({ id }) => !this.#ledger.deleting.has(id));
    const oldest = there.length > KEPT ? there.sort((a, b) => a.completedAt - b.completedAt)[0] : undefined;
    if (oldest) {
      this.#ledger.deleting.add(oldest.id);
      this.#ledger.conversations.delete(oldest.id);
      await this.#again(() => this.#erase(oldest.id));
    }
    await sleep(EDIT_MS);
  }

  /** Deletes a conversation. One that is gone may have been deleted by a request whose answer was lost. */
  async #erase(id: string): Promise<void> {
    try {
      await this.client.conversations.delete(id);
    } catch (error) {
      if (!(error instanceof UndertoneError && error.status === 404)) throw error;
    }
    this.#ledger.deleted.add(id);
    this.#ledger.counts.deleted++;
  }

  #mayFail(error: unknown): boolean {
    return error instanceof UndertoneError && (this.#ledger.isInFault || isLater(error));
  }

  /** Repeats what a fault or a refusal has prevented. */
  async #again<T>(attempt: () => Promise<T>): Promise<T> {
    for (let failures = 1; ; failures++) {
      try {
        return await attempt();
      } catch (error) {
        if (!this.#mayFail(error) || failures === ATTEMPTS) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }
}

const isLater = ({ status }: UndertoneError): boolean => status === 503 || status === 429;

const told = (error: unknown): string =>
  error instanceof UndertoneError ? `${error.status} ${error.code}: ${error.message}` : String((error as Error).stack);

/** The words of a result with their times. */
const lastingOf = ({ timeline }: AnalysisResponse): string =>
  JSON.stringify(timeline.map(({ t_start, t_end, text }) => [t_start, t_end, text]));

const ID = /^(?=.*\d)[\w-]{8,}$/;

/** A `fetch` that counts every answer, and reports those that no fault and no refusal explains. */
function watched(ledger: Ledger): typeof fetch {
  return async (input, init) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input);
    const ids = pathname.split('/').filter((part) => ID.test(part));
    const path = pathname.split('/').map((part) => (ID.test(part) ? '{id}' : part));
    const route = `${init?.method ?? 'GET'} ${path.join('/')}`;
    try {
      const response = await fetch(input, init);
      ledger.status(route, response.status);
      const isRefused = [429, 503].includes(response.status) && response.headers.has('Retry-After');
      const isGone = response.status === 404 && ids.some((id) => ledger.deleting.has(id) || ledger.deleted.has(id));
      if (response.status >= 400 && !isRefused && !isGone && !ledger.isInFault)
        ledger.add('an unexpected status', `${response.status} ${route} ${await response.clone().text()}`);
      return response;
    } catch (error) {
      ledger.status(route, 'none');
      const isOwn = init?.signal?.aborted ?? false;
      if (!ledger.isInFault && !isOwn) ledger.add('no answer', `${route}: ${String((error as Error).cause ?? error)}`);
      throw error;
    }
  };
}

/** Whether the stored bytes of a conversation are those that were acknowledged. */
export async function isWhole(client: Undertone, { id, bytes }: KnownConversation): Promise<boolean> {
  const stored = await (await client.conversations.media(id, { original: true })).arrayBuffer();
  return Buffer.compare(Buffer.from(stored), bytes) === 0;
}
