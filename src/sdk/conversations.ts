import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import { UndertoneError } from './error.ts';
import type { StreamEvent } from './events.ts';
import type { ProgressOptions } from './media.ts';
import { readNdjson } from './ndjson.ts';
import { ResumedEvents } from './resumed-events.ts';
import { wait } from './waiting.ts';
import type {
  AnalysisResponse,
  ConversationEntry,
  ConversationList,
  ConversationPatchRequest,
  ConversationQueryInput,
  ConversationRecord,
  DeletionReceipt,
  ExportFormat,
  FeedbackRequest,
  Job,
  Levels,
  ReanalysisRequest,
} from './wire.ts';

/** A conversation of an export of all. */
export interface ExportedConversation {
  conversation: ConversationRecord;
  /** Null where there is none yet, or never will be. */
  result: AnalysisResponse | null;
}

const RECONNECTIONS = 4;
/** How long an analysis anew is left alone before it is asked after again, ms. */
const ASK_MS = 2_000;

export interface PeekOptions extends CallOptions {
  /**
   * In place of parsing the answer when it is whole: the result of a long conversation has megabytes, and its first words
   * can be shown as they come.
   */
  read?: ((response: Response) => Promise<AnalysisResponse | Job>) | undefined;
}

/** Conversations that were analysed and stay. */
export class Conversations {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** A page of them, the newest first; with `q` those in which it was said. */
  list(query: ConversationQueryInput = {}, { signal }: CallOptions = {}): Promise<ConversationList> {
    return this.#connection.json(withQuery('conversations', query), { repeatable: true, signal });
  }

  /** All of them, page by page as they are taken. */
  async *all(query: ConversationQueryInput = {}, options: CallOptions = {}): AsyncGenerator<ConversationEntry, void> {
    for (let cursor = query.cursor; ; ) {
      const page = await this.list({ ...query, ...(cursor !== undefined && { cursor }) }, options);
      yield* page.conversations;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** The whole result, as people have edited it. @throws UndertoneError NOT_COMPLETED while there is none */
  async get(id: string, options: CallOptions = {}): Promise<AnalysisResponse> {
    const result = await this.peek(id, options);
    if ('timeline' in result) return result;
    const { status, error } = result;
    const why = error ? `${status}: ${error.code}: ${error.message}` : status;
    throw new UndertoneError('NOT_COMPLETED', `The conversation has no result; it is ${why}`);
  }

  /** The result, or how its analysis stands. */
  peek(id: string, { signal, read }: PeekOptions = {}): Promise<AnalysisResponse | Job> {
    return this.#connection.json(path`conversations/${id}`, { repeatable: true, signal }, read);
  }

  /** What is known of it beside its result. */
  record(id: string, { signal }: CallOptions = {}): Promise<ConversationRecord> {
    return this.#connection.json(path`conversations/${id}/record`, { repeatable: true, signal });
  }

  /** Changes titles, labels, names of speakers and who said what, everywhere at once; what was measured stays. */
  edit(id: string, patch: ConversationPatchRequest, { signal }: CallOptions = {}): Promise<ConversationRecord> {
    // Each edit can be undone by itself: two of them would be two.
    const call = { ...jsonCall('PATCH', patch), repeatable: false, signal };
    return this.#connection.json(path`conversations/${id}`, call);
  }

  /** Takes the last edit back. */
  undo(id: string, { signal }: CallOptions = {}): Promise<ConversationRecord> {
    return this.#connection.json(path`conversations/${id}/undo`, { method: 'POST', repeatable: false, signal });
  }

  /** Puts a thumb on a moment, an utterance or a line of the summary, or takes it back. */
  feedback(id: string, feedback: FeedbackRequest, { signal }: CallOptions = {}): Promise<ConversationRecord> {
    const call = { ...jsonCall('POST', feedback), repeatable: true, signal };
    return this.#connection.json(path`conversations/${id}/feedback`, call);
  }

  /**
   * Has it analysed again, with other options, and waits for the new result. It goes on when the waiting is ended by a
   * signal; the old result stays until then.
   */
  async reanalyze(
    id: string,
    options: ReanalysisRequest,
    { signal, onProgress }: ProgressOptions = {},
  ): Promise<AnalysisResponse> {
    const { headers, ...call } = jsonCall('POST', options);
    const whole = { ...call, headers: { ...headers, Prefer: 'respond-async' }, repeatable: false, signal };
    await this.#connection.json(path`conversations/${id}/reanalyze`, whole);
    for (;;) {
      const { reanalysis } = await this.record(id, { signal });
      if (reanalysis?.error) throw new UndertoneError(reanalysis.error.code, reanalysis.error.message);
      if (reanalysis?.status === 'cancelled') throw new UndertoneError('CANCELLED', 'The analysis was cancelled');
      if (!reanalysis || reanalysis.status === 'completed') return this.get(id, { signal });
      onProgress?.({ phase: reanalysis.phase ?? reanalysis.status, progress: reanalysis.progress });
      await wait(ASK_MS, signal);
    }
  }

  /** Ends an analysis before its time; nothing of it stays. One that has ended is answered as it ended. */
  cancel(id: string, { signal }: CallOptions = {}): Promise<Job> {
    return this.#connection.json(path`conversations/${id}/cancel`, { method: 'POST', repeatable: true, signal });
  }

  /** Removes it with all that is stored of it. */
  delete(id: string, { signal }: CallOptions = {}): Promise<DeletionReceipt> {
    return this.#connection.json(path`conversations/${id}`, { method: 'DELETE', repeatable: false, signal });
  }

  /** How loud each channel is, along the recording. */
  levels(id: string, { signal }: CallOptions = {}): Promise<Levels> {
    return this.#connection.json(path`conversations/${id}/levels`, { repeatable: true, signal });
  }

  /** As a file. */
  export(id: string, format: ExportFormat, { signal }: CallOptions = {}): Promise<Blob> {
    const address = withQuery(path`conversations/${id}/export`, { format });
    return this.#connection.blob(address, { repeatable: true, signal });
  }

  /** The recording: one that every browser plays, unless the upload itself is asked for. */
  media(id: string, { original, signal }: CallOptions & { original?: boolean | undefined } = {}): Promise<Blob> {
    const address = withQuery(path`conversations/${id}/media`, { original });
    return this.#connection.blob(address, { repeatable: true, signal });
  }

  /** The events of its analysis as they came; @param options.speed times real time, at once unless told */
  events(
    id: string,
    { speed, after, signal }: CallOptions & { speed?: number | undefined; after?: number | undefined } = {},
  ): AsyncGenerator<StreamEvent, void> {
    const goesOn = (failures: number) => failures <= RECONNECTIONS;
    const address = withQuery(path`conversations/${id}/events`, { speed });
    return new ResumedEvents(this.#connection, address, { signal, lastId: after, goesOn }).read();
  }

  /** Everything that is stored, a conversation at a time in order of ids; @param options.after goes on behind one */
  async *exportAll({
    after,
    signal,
  }: CallOptions & { after?: string | undefined } = {}): AsyncGenerator<ExportedConversation, void> {
    const call = { repeatable: true, signal };
    yield* readNdjson(await this.#connection.send(withQuery('conversations/export', { after }), call), signal);
  }
}
