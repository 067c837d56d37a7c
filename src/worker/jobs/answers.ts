import type { Context } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { isEnded, type JobBody } from '../../contract/jobs.ts';
import { readNdjson } from '../../contract/ndjson.ts';
import { errorEvent } from '../analysis/closing.ts';
import { asServiceError } from '../http/errors.ts';
import type { AppEnv } from '../identity/env.ts';
import { conversationOf, runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { errorOf } from '../tenant/jobs/retained-upload.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Whether a client does not want to wait (RFC 7240). */
export const prefersAsync = (c: Context<AppEnv>): boolean =>
  (c.req.header('Prefer') ?? '')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'respond-async');

/** 202: the analysis goes on by itself, and where it is told how it stands. */
export async function accepted(c: Context<AppEnv>, conversationId: string): Promise<Response> {
  const job = await tenantOf(c.env, c.var.tenant).jobs.read(conversationId);
  if (!job) throw new ServiceError('NOT_FOUND', 'Unknown conversation');
  const id = conversationOf(conversationId);
  const headers = { Location: `/conversations/${id}`, 'Preference-Applied': 'respond-async' };
  return c.json({ conversation_id: id, status: job.status }, 202, headers);
}

/**
 * The stored answer of an analysis, once it has ended: it goes from the store to the client as it is, without being held.
 * @throws ServiceError what the analysis failed with, CANCELLED, or ANALYSIS_FAILURE when the result is gone
 */
export async function awaited(c: Context<AppEnv>, conversationId: string): Promise<Response> {
  await completed(c, conversationId);
  return storedResult(c, conversationId);
}

/** @throws ServiceError ANALYSIS_FAILURE when there is none */
export async function storedResult(c: Context<AppEnv>, conversationId: string): Promise<Response> {
  const result = await mediaStore(c.env).get(runKeys(c.var.tenant, conversationId).documents['result.json']);
  if (!result) throw new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the result is gone');
  return c.body(result.body, 200, { 'Content-Type': 'application/json', 'Content-Length': String(result.size) });
}

/** The stored events of an analysis, once it has ended; of one that failed, `error`. */
export async function* awaitedEvents(c: Context<AppEnv>, conversationId: string): AsyncGenerator<ServiceEvent, void> {
  try {
    await completed(c, conversationId);
    const events = await mediaStore(c.env).get(runKeys(c.var.tenant, conversationId).documents['events.ndjson']);
    if (!events) throw new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the result is gone');
    for await (const line of readNdjson(events.body, new TextDecoder())) {
      const { event, data } = line as ServiceEvent;
      yield { event, data } as ServiceEvent;
    }
  } catch (error) {
    yield errorEvent(asServiceError(error));
  }
}

/** Waits for the end. @throws ServiceError unless it is a good one */
async function completed(c: Context<AppEnv>, conversationId: string): Promise<void> {
  let job: JobBody | null;
  do {
    // A client that left waits no more; the analysis goes on.
    c.req.raw.signal.throwIfAborted();
    job = await tenantOf(c.env, c.var.tenant).jobs.settled(conversationId);
  } while (job && !isEnded(job.status));
  if (!job) throw new ServiceError('NOT_FOUND', 'Unknown conversation');
  const error = errorOf(c.env, job);
  if (error) throw error;
}
