import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import { MediaExtensionSchema, SpeakersSchema } from '../../../src/contract/media.ts';
import { ndjsonLine } from '../../../src/contract/ndjson.ts';
import { PipelineSession } from './session.ts';
import type { LiveStages } from './stages.ts';

/** Sessions at a time; each holds an ffmpeg process and up to 30 MB an hour of speaker features. */
const MAX_SESSIONS = Number(process.env.MAX_LIVE_SESSIONS ?? 64);
/** The Worker reads a session's lines for as long as it wants it: one nobody reads for so long is forgotten. */
const UNREAD_MS = 120_000;
/** A chunk is one row of the Worker's log, at most 2 MB. */
const MAX_CHUNK_BYTES = 2_097_152;
const RETRY_AFTER_S = 10;
/** Bytes of lines that may wait for a slow reader before it is cut off; it reads again from the first line. */
const MAX_UNSENT_BYTES = 64 * 1024 * 1024;

const QuerySchema = z.object({
  conversation_id: z.string().min(1),
  suffix: MediaExtensionSchema,
  speakers: SpeakersSchema.optional(),
});

interface Held {
  session: PipelineSession;
  forget: ReturnType<typeof setTimeout> | undefined;
}

/** The live sessions of this process and their routes: `/sessions/*` of src/contract/pipeline.ts. */
export class LiveSessions {
  readonly #stages: LiveStages;
  readonly #held = new Map<string, Held>();
  readonly #opening = new Map<string, Promise<void>>();

  constructor(stages: LiveStages) {
    this.#stages = stages;
  }

  get size(): number {
    return this.#held.size;
  }

  /** Answers a request under `/sessions/`. @returns false when the path is another one */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    const url = new URL(request.url ?? '/', 'http://pipeline');
    const [, room, id, part, seq] = url.pathname.split('/');
    if (room !== 'sessions' || !id) return false;
    const route = `${request.method} ${part ?? ''}`;
    if (route === 'PUT ') await this.#open(id, url.searchParams, response);
    else if (route === 'DELETE ') await this.#delete(id, response);
    else {
      const held = this.#held.get(id);
      if (!held) answer(response, 404, { detail: 'unknown session' });
      else if (route === 'POST chunks') await this.#take(held, Number(seq), request, response);
      else if (route === 'POST finalize') {
        held.session.finalize();
        answer(response, 200, held.session.position);
      } else if (route === 'GET lines') this.#stream(id, held, response);
      else answer(response, 405, { detail: 'method not allowed' });
    }
    return true;
  }

  /** Ends all sessions. */
  async close(): Promise<void> {
    await Promise.all([...this.#held.keys()].map((id) => this.#forget(id)));
  }

  async #open(id: string, params: URLSearchParams, response: ServerResponse): Promise<void> {
    const query = QuerySchema.safeParse(Object.fromEntries(params));
    if (!query.success) return answer(response, 400, { detail: query.error.issues[0]?.message });
    await this.#opening.get(id);
    if (!this.#held.has(id)) {
      if (this.#held.size + this.#opening.size >= MAX_SESSIONS) {
        response.setHeader('Retry-After', RETRY_AFTER_S);
        return answer(response, 503, { detail: 'too many live sessions' });
      }
      const opening = this.#hold(id, query.data).finally(() => this.#opening.delete(id));
      this.#opening.set(id, opening);
      await opening;
    }
    answer(response, 200, this.#held.get(id)!.session.position);
  }

  async #hold(id: string, { conversation_id, suffix, speakers }: z.infer<typeof QuerySchema>): Promise<void> {
    const options = { conversationId: conversation_id, suffix, speakers };
    // The reader's stream ends early then, and the Worker feeds the session again.
    const onLost = () => void this.#forget(id);
    const session = await PipelineSession.open(options, this.#stages, onLost);
    const held: Held = { session, forget: undefined };
    this.#held.set(id, held);
    this.#forgetLater(id, held);
  }

  async #take(held: Held, seq: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = await bodyOf(request);
    if (!bytes || !Number.isInteger(seq) || seq < 0) return answer(response, 400, { detail: 'not a chunk' });
    const taken = await held.session.take(seq, bytes);
    answer(response, taken ? 200 : 409, held.session.position);
  }

  #stream(id: string, held: Held, response: ServerResponse): void {
    clearTimeout(held.forget);
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    response.flushHeaders();
    const leave = held.session.listen({
      line: (line) => {
        if (response.writableLength > MAX_UNSENT_BYTES) response.destroy();
        else response.write(ndjsonLine(line));
      },
      end: () => response.end(),
    });
    response.on('close', () => {
      leave();
      if (!held.session.hasListeners) this.#forgetLater(id, held);
    });
  }

  #forgetLater(id: string, held: Held): void {
    clearTimeout(held.forget);
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

/** The body, or null when it is larger than a chunk may be. @throws when the connection breaks */
async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size <= MAX_CHUNK_BYTES) parts.push(part);
  }
  return size > MAX_CHUNK_BYTES ? null : Buffer.concat(parts);
}
