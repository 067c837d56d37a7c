import type { IncomingMessage, ServerResponse } from 'node:http';
import { ndjsonLine } from '../../../src/contract/ndjson.ts';
import {
  LIVE_ALIVE_MS,
  LONGEST_CHUNKS,
  type PipelineOptions,
  PipelineOptionsSchema,
  type TranscriptionLine,
  TranscriptionLineSchema,
} from '../../../src/contract/pipeline.ts';
import type { Documents } from '../analysis-documents.ts';
import { engineOf } from '../recognition/engines.ts';
import { pipelineSettings } from '../settings.ts';
import { PipelineSession } from './session.ts';
import type { LiveStages } from './stages.ts';

/**
 * A session that no Worker reads for this long is removed, ms. A Worker reads the lines of every session that it still
 * needs.
 */
export const UNREAD_MS = 120_000;
const RETRY_AFTER_S = 10;
/**
 * How often sessions are asked to move while the process drains, ms. A session that no other process accepts comes back
 * and continues here until it is asked again.
 */
const MOVE_AGAIN_MS = 30_000;
/**
 * Most bytes of lines that wait for a slow reader. A reader that exceeds this is disconnected and reads again from the
 * first line.
 */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

interface Held {
  session: PipelineSession;
  forget: ReturnType<typeof setTimeout> | undefined;
}

/** The live sessions of this process and their routes, `/sessions/*` in src/contract/pipeline.ts. */
export class LiveSessions {
  readonly #stages: LiveStages;
  readonly #held = new Map<string, Held>();
  readonly #opening = new Map<string, Promise<void>>();
  readonly #limit: number;
  #draining: ReturnType<typeof setInterval> | undefined;

  constructor(stages: LiveStages, limit = pipelineSettings().maxLiveSessions) {
    this.#stages = stages;
    this.#limit = limit;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Number of sessions that can run at a time. */
  get limit(): number {
    return this.#limit;
  }

  get ids(): string[] {
    return [...this.#held.keys()];
  }

  /** The 95th percentile of how far the sessions are behind, s; 0 without sessions. */
  get lagSeconds(): number {
    const lags = [...this.#held.values()].map(({ session }) => session.lagSeconds).sort((a, b) => a - b);
    return lags[Math.ceil(0.95 * lags.length) - 1] ?? 0;
  }

  /** Number of sessions that take a slot. The final analysis of a session takes one of those for files. */
  get #capturing(): number {
    let count = this.#opening.size;
    for (const { session } of this.#held.values()) if (!session.isFinalized) count++;
    return count;
  }

  /**
   * Handles a request below `/sessions/`. @returns false for any other path
   * @throws ServiceError INVALID_REQUEST for an unknown recogniser
   */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', 'http://pipeline');
    const [, root, id, part, seq] = url.pathname.split('/');
    if (root !== 'sessions' || !id) return false;
    const route = `${request.method} ${part ?? ''}`;
    if (route === 'PUT ') await this.#open(id, request, response);
    else if (route === 'DELETE ') await this.#delete(id, response);
    else {
      const held = this.#held.get(id);
      if (!held) answer(response, 404, { detail: 'unknown session' });
      else if (route === 'POST chunks') await this.#take(held, Number(seq), sizesOf(url), request, response);
      else if (route === 'POST transcriptions') {
        held.session.recall(transcriptionsOf(await bodyOf(request)));
        answer(response, 200, held.session.position);
      } else if (route === 'POST finalize') {
        held.session.finalize();
        answer(response, 200, held.session.position);
      } else if (route === 'GET lines') this.#stream(id, held, response);
      else answer(response, 405, { detail: 'method not allowed' });
    }
    return true;
  }

  /** Stops opening sessions, and asks those that are not finalized to move. */
  drain(): void {
    const ask = () => {
      for (const { session } of this.#held.values()) session.askToMove();
    };
    this.#draining ??= setInterval(ask, MOVE_AGAIN_MS);
    ask();
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    clearInterval(this.#draining);
    await Promise.all([...this.#held.keys()].map((id) => this.#forget(id)));
  }

  async #open(id: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = optionsOf(await bodyOf(request));
    if (!asked) return answer(response, 400, { detail: 'the body is not the options of a session' });
    // An unknown recogniser is reported as a final error, because no other container would accept it either.
    const options = { ...asked, recogniser: engineOf(asked.recogniser).id };
    await this.#opening.get(id);
    if (!this.#held.has(id)) {
      if (this.#draining || this.#capturing >= this.#limit) {
        response.setHeader('Retry-After', RETRY_AFTER_S);
        return answer(response, 503, {
          detail: this.#draining
            ? 'the pipeline is shutting down'
            : 'the pipeline already has its limit of live sessions',
        });
      }
      const opening = this.#hold(id, options).finally(() => this.#opening.delete(id));
      this.#opening.set(id, opening);
      await opening;
    }
    answer(response, 200, this.#held.get(id)!.session.position);
  }

  async #hold(id: string, options: PipelineOptions): Promise<void> {
    let held: Held | undefined;
    // Ends the reader's stream early, so that the Worker feeds the session again. By then, another session can have the
    // same id.
    const onLost = () => {
      if (held && this.#held.get(id) === held) void this.#forget(id);
    };
    const session = await PipelineSession.open(options, this.#stages, onLost);
    held = { session, forget: undefined };
    this.#held.set(id, held);
    this.#forgetLater(id, held);
  }

  async #take(
    held: Held,
    seq: number,
    sizes: number[],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const bytes = await bodyOf(request);
    if (!bytes || !areWhole([seq + 1, ...sizes]) || sum(sizes) !== bytes.length)
      return answer(response, 400, { detail: 'the length of the body does not match the sizes of its chunks' });
    const closed = new AbortController();
    response.on('close', () => closed.abort());
    let at = 0;
    let isTaken = true;
    for (const [i, size] of sizes.entries()) {
      isTaken = await held.session.take(seq + i, bytes.subarray(at, at + size), closed.signal);
      if (!isTaken) break;
      at += size;
    }
    answer(response, isTaken ? 200 : 409, held.session.position);
  }

  #stream(id: string, held: Held, response: ServerResponse): void {
    clearTimeout(held.forget);
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.flushHeaders();
    const alive = setInterval(
      () =>
        response.write(ndjsonLine({ type: 'alive', behind_s: held.session.lagSeconds, next_s: LIVE_ALIVE_MS / 1000 })),
      LIVE_ALIVE_MS,
    );
    const leave = held.session.listen({
      line: (line) => {
        // The bytes of the documents follow immediately.
        if (line.type === 'result') clearInterval(alive);
        if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
        else response.write(ndjsonLine(line));
      },
      end: (documents) => {
        clearInterval(alive);
        // A reader that left has closed the stream itself.
        writeDocuments(response, documents).catch(() => response.destroy());
      },
    });
    response.on('close', () => {
      clearInterval(alive);
      leave();
      if (!held.session.hasListeners) this.#forgetLater(id, held);
    });
  }

  #forgetLater(id: string, held: Held): void {
    clearTimeout(held.forget);
    // The session was removed, and its slot can now belong to another session.
    if (this.#held.get(id) !== held) return;
    held.forget = setTimeout(() => void this.#forget(id), UNREAD_MS);
    held.forget.unref();
  }

  async #delete(id: string, response: ServerResponse): Promise<void> {
    await this.#forget(id);
    answer(response, 200, {});
  }

  async #forget(id: string): Promise<void> {
    const held = this.#held.get(id);
    if (!held) return;
    this.#held.delete(id);
    clearTimeout(held.forget);
    await held.session.close();
  }
}

function answer(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** Ends a stream of lines with the bytes that its last line announced, written no faster than the client reads. */
export async function writeDocuments(response: ServerResponse, documents: Documents = []): Promise<void> {
  for (const { parts } of documents) for (const { bytes } of parts) if (!response.write(bytes)) await drained(response);
  response.end();
}

/** Resolves when the response can take more, or when its reader has left. */
export async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.once('drain', go).once('close', go);
  });
}

/** Sizes of the chunks in a body, bytes. */
export const sizesOf = (url: URL): number[] => (url.searchParams.get('sizes') ?? '').split(',').map(Number);

const areWhole = (numbers: number[]): boolean => numbers.every((n) => Number.isInteger(n) && n > 0);
const sum = (sizes: number[]): number => sizes.reduce((all, size) => all + size, 0);

function optionsOf(body: Buffer | null): PipelineOptions | undefined {
  try {
    return PipelineOptionsSchema.parse(JSON.parse(String(body)));
  } catch {
    return undefined;
  }
}

/** The transcriptions in a body. What is not one is ignored, because the session can be transcribed again. */
function transcriptionsOf(body: Buffer | null): TranscriptionLine[] {
  return String(body ?? '')
    .split('\n')
    .flatMap((line) => {
      try {
        return [TranscriptionLineSchema.parse(JSON.parse(line))];
      } catch {
        return [];
      }
    });
}

/** Reads the body. Null when it exceeds the protocol's limit. @throws when the connection breaks */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= LONGEST_CHUNKS) parts.push(part);
  }
  return size > LONGEST_CHUNKS ? null : Buffer.concat(parts);
}
