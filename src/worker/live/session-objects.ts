import type { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { ndjsonLine } from '../../contract/ndjson.ts';
import { AnalysisOptionsSchema } from '../../contract/options.ts';
import { type Captured, REDACTED_RECORDING, type ResultLine } from '../../contract/pipeline.ts';
import { closingEvents } from '../analysis/closing.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import type { Env } from '../identity/env.ts';
import type { PipelineReader, RefinedSlots } from '../pipeline/reader.ts';
import { storeDocuments } from '../pipeline/store-documents.ts';
import { mediaStore } from '../storage/media-store.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import { CONTENT_TYPES, removeArtifacts } from '../storage/run-objects.ts';
import { type JobRequest, redacts, uploadedSource } from '../tenant/jobs/job.ts';
import { tenantOf } from '../tenant/tenant.ts';
import type { SessionLog, SessionOptions, StoredSession } from './log.ts';
import { keysOf } from './session-records.ts';
import type { LiveState } from './state.ts';

/** The objects that a live session leaves in the store. */
export class SessionObjects {
  readonly #env: Env;
  readonly #log: SessionLog;

  constructor(env: Env, log: SessionLog) {
    this.#env = env;
    this.#log = log;
  }

  /**
   * Stores the recording, the events and the documents.
   * @param last the events that are sent before the closing ones
   */
  async storeResult(
    { options, state }: StoredSession,
    result: ResultLine,
    reader: PipelineReader,
    refined: RefinedSlots,
    last: readonly ServiceEvent[],
  ): Promise<void> {
    const keys = keysOf(options);
    const has = (name: string) => result.documents.some((document) => document.name === name);
    if (!has(REDACTED_RECORDING)) await this.#store.put(keys.upload, this.#log.media(state.receivedBytes));
    else if (options.keepsOriginal) await this.#store.put(keys.original, this.#log.media(state.receivedBytes));
    // A redacted session leaves the events of its final analysis.
    if (!has('events.ndjson'))
      await this.#storeEvents(keys.documents['events.ndjson'], [...last, ...closingEvents(options.conversationId)]);
    await storeDocuments(this.#store, keys, result, reader, { refined });
  }

  /**
   * Stores the media of a session that failed because of an infrastructure fault, and records it as a failed job that
   * can be repeated.
   * @param isWanted false when the client has ended the session in the meantime, in which case nothing is kept
   * @returns false when the media could not be stored or recorded
   */
  async retainMedia({ options, state }: StoredSession, error: ServiceError, isWanted: () => boolean): Promise<boolean> {
    const { tenant, conversationId, sessionId } = options;
    const job = jobOf(options, state, 'whole');
    if (!job || redacts(job)) return false;
    try {
      await this.#store.put(keysOf(options).upload, this.#log.media(state.receivedBytes));
      const jobs = () => tenantOf(this.#env, tenant).jobs;
      if (!(await jobs().addFailed(job, { code: error.code, message: error.detail }))) return false;
      if (!isWanted()) await jobs().remove(conversationId);
      return true;
    } catch (cause) {
      logFault(asServiceError(cause), { session_id: sessionId, conversation_id: conversationId });
      return false;
    }
  }

  /**
   * Stores the media of an expired session and begins a job that analyses it, so that acknowledged chunks are not lost.
   * @returns false when this should be tried again
   */
  async handOn({ options, state }: StoredSession): Promise<boolean> {
    const { tenant, conversationId, sessionId } = options;
    const job = jobOf(options, state, 'expired');
    if (!job) return true;
    try {
      await this.#store.put(keysOf(options).upload, this.#log.media(state.receivedBytes));
      const begun = await tenantOf(this.#env, tenant).jobs.begin(job, false);
      // The tenant was removed.
      if (!begun.ok && begun.code === 'INVALID_KEY') await this.remove(options);
      return begun.ok || begun.code === 'INVALID_KEY';
    } catch (cause) {
      logFault(asServiceError(cause), { session_id: sessionId, conversation_id: conversationId });
      return false;
    }
  }

  /** Removes the objects of the session. Never rejects. */
  async remove(options: SessionOptions): Promise<void> {
    const { conversationId, sessionId } = options;
    await removeArtifacts(this.#store, keysOf(options)).catch((cause: unknown) =>
      logFault(asServiceError(cause), { session_id: sessionId, conversation_id: conversationId }),
    );
  }

  /** Writes the events so far, followed by the last ones, with the numbers that the consumer receives. */
  async #storeEvents(key: string, last: readonly ServiceEvent[]): Promise<void> {
    const next = this.#log.lastEvent() + 1;
    const ending = last.map(({ event, data }, i) => ndjsonLine({ id: next + i, event, data }));
    await this.#store.put(key, this.#log.eventLines() + ending.join(''), {
      contentType: CONTENT_TYPES['events.ndjson'],
    });
  }

  get #store(): ObjectStore {
    return mediaStore(this.#env);
  }
}

/**
 * The job that analyses the media of a session as a file. Null for a session that was stored before keys were recorded.
 */
function jobOf(options: SessionOptions, { receivedBytes }: LiveState, captured: Captured): JobRequest | null {
  const { tenant, caller, conversationId, suffix, requestId = '', filename = '' } = options;
  if (!caller) return null;
  return {
    tenant,
    caller,
    runId: conversationId,
    requestId,
    sent: { mode: 'batch', filename },
    source: { ...uploadedSource(suffix, receivedBytes), captured },
    options: AnalysisOptionsSchema.parse(options),
  };
}
