import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import { UndertoneError } from './error.ts';
import type { StreamEvent } from './events.ts';
import type { ProgressOptions } from './media.ts';
import { readNdjson } from './ndjson.ts';
import { ResumedEvents } from './resumed-events.ts';
import { wait } from './waiting.ts';
import type {
  AnalysisResponse,
  BatchRequest,
  BatchResult,
  Comment,
  CommentList,
  ConversationAccess,
  ConversationEntry,
  ConversationList,
  ConversationPatchRequest,
  ConversationQueryInput,
  ConversationRecord,
  Course,
  DeletionReceipt,
  ExportedFile,
  ExportFormat,
  FeedbackRequest,
  Job,
  Levels,
  NewCommentRequest,
  Proposals,
  ReanalysisRequest,
  Unredacted,
} from './wire.ts';

/** A conversation in an export of all conversations. */
export interface ExportedConversation {
  conversation: ConversationRecord;
  /** Null if there is no result, or none yet. */
  result: AnalysisResponse | null;
}

const RECONNECTIONS = 4;
/** Pause between status requests for a reanalysis, ms. */
const POLL_MS = 2_000;

export interface PeekOptions extends CallOptions {
  /**
   * Replaces the parsing of the whole response. The result of a long conversation can take several megabytes, and its
   * beginning can be shown while the rest arrives.
   */
  read?: ((response: Response) => Promise<AnalysisResponse | Job>) | undefined;
}

/** Stored conversations. */
export class Conversations {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * One page of conversations, newest first; with `q`, those that contain the words.
   *
   * @example
   * const { conversations } = await undertone.conversations.list({ q: 'discount', moment: 'objection' });
   */
  list(query: ConversationQueryInput = {}, { signal }: CallOptions = {}): Promise<ConversationList> {
    return this.#connection.json(withQuery('conversations', query), { repeatable: true, signal });
  }

  /**
   * All conversations; pages are requested as the loop needs them.
   *
   * @example
   * for await (const { conversation_id, title } of undertone.conversations.all()) console.log(conversation_id, title);
   */
  async *all(query: ConversationQueryInput = {}, options: CallOptions = {}): AsyncGenerator<ConversationEntry, void> {
    for (let cursor = query.cursor; ; ) {
      const page = await this.list({ ...query, ...(cursor !== undefined && { cursor }) }, options);
      yield* page.conversations;
      if (page.next_cursor === null) return;
      cursor = page.next_cursor;
    }
  }

  /** The result with edits applied. @throws UndertoneError NOT_COMPLETED if there is none */
  async get(id: string, options: CallOptions = {}): Promise<AnalysisResponse> {
    const result = await this.peek(id, options);
    if ('timeline' in result) return result;
    const { status, error } = result;
    const why = error ? `${status}: ${error.code}: ${error.message}` : status;
    throw new UndertoneError('NOT_COMPLETED', `The conversation has no result; its status is ${why}`);
  }

  /** The result, or the status of its analysis. */
  peek(id: string, { signal, read }: PeekOptions = {}): Promise<AnalysisResponse | Job> {
    return this.#connection.json(path`conversations/${id}`, { repeatable: true, signal }, read);
  }

  /** Everything about a conversation except its result. */
  record(id: string, { signal }: CallOptions = {}): Promise<ConversationRecord> {
    return this.#connection.json(path`conversations/${id}/record`, { repeatable: true, signal });
  }

  /**
   * Changes the title, labels, speaker names, or the speakers of utterances, everywhere at once. Measurements stay unchanged.
   *
   * @example
   * await undertone.conversations.edit(id, { title: 'Renewal, Acme', speakers: { Speaker_0: 'Anna' } });
   */
  edit(id: string, patch: ConversationPatchRequest, { signal }: CallOptions = {}): Promise<ConversationRecord> {
    // Not repeatable. Each edit can be undone separately, so a repeated request would count as two edits.
    const call = { ...jsonCall('PATCH', patch), repeatable: false, signal };
    return this.#connection.json(path`conversations/${id}`, call);
  }

  /** Undoes the last edit. */
  undo(id: string, { signal }: CallOptions = {}): Promise<ConversationRecord> {
    return this.#connection.json(path`conversations/${id}/undo`, { method: 'POST', repeatable: false, signal });
  }

  /** Rates a moment, an utterance or a line of the summary with a thumb, or removes the rating. */
  feedback(id: string, feedback: FeedbackRequest, { signal }: CallOptions = {}): Promise<ConversationRecord> {
    const call = { ...jsonCall('POST', feedback), repeatable: true, signal };
    return this.#connection.json(path`conversations/${id}/feedback`, call);
  }

  /** Names and roles that the speakers may have. None is applied by itself. */
  proposals(id: string, { signal }: CallOptions = {}): Promise<Proposals> {
    return this.#connection.json(path`conversations/${id}/proposals`, { repeatable: true, signal });
  }

  /** The comments on a conversation, by their place in the recording. */
  async comments(id: string, { signal }: CallOptions = {}): Promise<Comment[]> {
    const call = { repeatable: true, signal };
    return (await this.#connection.json<CommentList>(path`conversations/${id}/comments`, call)).comments;
  }

  /**
   * Comments on a second of a conversation.
   *
   * @example
   * await undertone.conversations.addComment(id, { at: 12.5, text: 'Ask for the date here.' });
   */
  addComment(id: string, comment: NewCommentRequest, { signal }: CallOptions = {}): Promise<Comment> {
    const call = { ...jsonCall('POST', comment), repeatable: false, signal };
    return this.#connection.json(path`conversations/${id}/comments`, call);
  }

  changeComment(id: string, comment: string, text: string, { signal }: CallOptions = {}): Promise<Comment> {
    const call = { ...jsonCall('PATCH', { text }), repeatable: true, signal };
    return this.#connection.json(path`conversations/${id}/comments/${comment}`, call);
  }

  deleteComment(id: string, comment: string, { signal }: CallOptions = {}): Promise<void> {
    return this.#connection.json(path`conversations/${id}/comments/${comment}`, {
      method: 'DELETE',
      repeatable: true,
      signal,
    });
  }

  /** A page of who read, heard, exported, edited and shared a conversation, newest first. */
  access(
    id: string,
    { signal, ...page }: CallOptions & { cursor?: string | undefined; limit?: number | undefined } = {},
  ): Promise<ConversationAccess> {
    return this.#connection.json(withQuery(path`conversations/${id}/access`, page), { repeatable: true, signal });
  }

  /**
   * Analyses a conversation again with other options and waits for the new result. The old result stays until then.
   * Aborting the signal only stops the waiting.
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
      await wait(POLL_MS, signal);
    }
  }

  /** Cancels a running analysis and discards everything. If the analysis has already ended, returns its outcome. */
  cancel(id: string, { signal }: CallOptions = {}): Promise<Job> {
    return this.#connection.json(path`conversations/${id}/cancel`, { method: 'POST', repeatable: true, signal });
  }

  /** Deletes a conversation and everything stored for it. */
  delete(id: string, { signal }: CallOptions = {}): Promise<DeletionReceipt> {
    return this.#connection.json(path`conversations/${id}`, { method: 'DELETE', repeatable: false, signal });
  }

  /**
   * One act on several conversations, by their `ids` or by a `filter`: `labels`, `reviewed` or `delete`. Each has its own
   * outcome.
   *
   * @example
   * await undertone.conversations.batch({ filter: { label: 'trial' }, labels: { add: ['renewal'] } });
   */
  batch(act: Omit<BatchRequest, 'export'>, { signal }: CallOptions = {}): Promise<BatchResult> {
    const call = { ...jsonCall('POST', act), repeatable: !act.delete, signal };
    return this.#connection.json('conversations/batch', call);
  }

  /** Files of several conversations, by their `ids` or by a `filter`, in one format. */
  async *exportFiles(
    wanted: Pick<BatchRequest, 'ids' | 'filter'> & { export: ExportFormat },
    { signal }: CallOptions = {},
  ): AsyncGenerator<ExportedFile, void> {
    const call = { ...jsonCall('POST', wanted), repeatable: true, signal };
    yield* readNdjson(await this.#connection.send('conversations/batch', call), signal);
  }

  /** The loudness of each channel over time. */
  levels(id: string, { signal }: CallOptions = {}): Promise<Levels> {
    return this.#connection.json(path`conversations/${id}/levels`, { repeatable: true, signal });
  }

  /**
   * Affect, pitch and level over time, one entry for each window and speaker who speaks in it.
   * @param options.window length of a window, 0.5 to 60 seconds; 1 by default
   *
   * @example
   * const { course } = await undertone.conversations.course(id, { window: 5 });
   */
  course(id: string, { window, signal }: CallOptions & { window?: number | undefined } = {}): Promise<Course> {
    const address = withQuery(path`conversations/${id}/course`, { window });
    return this.#connection.json(address, { repeatable: true, signal });
  }

  /** Exports a conversation as a file. */
  export(id: string, format: ExportFormat, { signal }: CallOptions = {}): Promise<Blob> {
    const address = withQuery(path`conversations/${id}/export`, { format });
    return this.#connection.blob(address, { repeatable: true, signal });
  }

  /** The recording, as a rendition that every browser can play, or with `original` as it was uploaded. */
  media(id: string, { original, signal }: CallOptions & { original?: boolean | undefined } = {}): Promise<Blob> {
    const address = withQuery(path`conversations/${id}/media`, { original });
    return this.#connection.blob(address, { repeatable: true, signal });
  }

  /** The words that redactions removed, where the tenant keeps them. The key needs the scope `unredacted`. */
  unredacted(id: string, { signal }: CallOptions = {}): Promise<Unredacted> {
    return this.#connection.json(path`conversations/${id}/unredacted`, { repeatable: true, signal });
  }

  /** The recording as it was before its redaction, where the tenant keeps it. */
  unredactedMedia(id: string, { signal }: CallOptions = {}): Promise<Blob> {
    return this.#connection.blob(path`conversations/${id}/unredacted/media`, { repeatable: true, signal });
  }

  /**
   * Yields the events of the analysis again.
   * @param options.speed multiple of real time; absent: all at once
   * @param options.after the id of the event after which to continue
   */
  events(
    id: string,
    { speed, after, signal }: CallOptions & { speed?: number | undefined; after?: number | undefined } = {},
  ): AsyncGenerator<StreamEvent, void> {
    const keepTrying = (failures: number) => failures <= RECONNECTIONS;
    const address = withQuery(path`conversations/${id}/events`, { speed });
    return new ResumedEvents(this.#connection, address, { signal, lastId: after, keepTrying }).read();
  }

  /**
   * All stored conversations with their results, ordered by id.
   * @param options.after the id of the conversation after which to continue
   */
  async *exportAll({
    after,
    signal,
  }: CallOptions & { after?: string | undefined } = {}): AsyncGenerator<ExportedConversation, void> {
    const call = { repeatable: true, signal };
    yield* readNdjson(await this.#connection.send(withQuery('conversations/export', { after }), call), signal);
  }
}
