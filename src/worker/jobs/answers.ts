import type { Context } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { isEnded, type JobBody } from '../../contract/jobs.ts';
import { readNdjson } from '../../contract/ndjson.ts';
import { errorEvent } from '../analysis/closing.ts';
import { requireCompleted, resultResponse } from '../conversations/answers.ts';
import { requireFound } from '../conversations/editing.ts';
import { replayedEvents } from '../conversations/replayed-events.ts';
import { asServiceError } from '../http/errors.ts';
import type { AppEnv } from '../identity/env.ts';
import { conversationOf, runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { errorOf } from '../tenant/jobs/retained-upload.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Whether the client asked not to wait (`Prefer: respond-async`, RFC 7240). */
export const prefersAsync = (c: Context<AppEnv>): boolean =>
  (c.req.header('Prefer') ?? '')
    .split(/[,;]/)
    .some((preference) => preference.trim().toLowerCase() === 'respond-async');

/** Responds with 202: the job continues in the background, and `Location` is the path of its status. */
export async function acceptedResponse(c: Context<AppEnv>, runId: string): Promise<Response> {
  const job = await tenantOf(c.env, c.var.tenant).jobs.read(runId);
  if (!job) throw new ServiceError('NOT_FOUND', 'Unknown conversation');
  const id = conversationOf(runId);
  const headers = { Location: `/conversations/${id}`, 'Preference-Applied': 'respond-async' };
  return c.json({ conversation_id: id, status: job.status }, 202, headers);
}

/**
 * Waits for a job's end and streams its result from the store to the client.
 * @throws ServiceError the job's error, CANCELLED, or NOT_FOUND when the conversation no longer exists
 */
export async function endedResult(c: Context<AppEnv>, runId: string): Promise<Response> {
  await waitForEnd(c, runId);
  return storedResult(c, runId);
}

/** The result, or the one that has replaced it. @throws ServiceError NOT_FOUND */
export async function storedResult(c: Context<AppEnv>, runId: string): Promise<Response> {
  c.set('accessed', conversationOf(runId));
  const result = await mediaStore(c.env).get(runKeys(c.var.tenant, runId).documents['result.json']);
  if (!result) return resultResponse(c, await conversationOfRun(c, runId));
  return c.body(result.body, 200, { 'Content-Type': 'application/json', 'Content-Length': String(result.size) });
}

const conversationOfRun = (c: Context<AppEnv>, runId: string) =>
  requireFound({ env: c.env, tenant: c.var.tenant, id: conversationOf(runId) });

/** Waits for a job's end and yields its stored events, or an `error` event when it failed. */
export async function* endedEvents(c: Context<AppEnv>, runId: string): AsyncGenerator<ServiceEvent, void> {
  try {
    await waitForEnd(c, runId);
    yield* storedEvents(c, runId);
  } catch (error) {
    yield errorEvent(asServiceError(error));
  }
}

/** The stored events of a completed analysis, or of the one that has replaced it, without numbers. @throws ServiceError NOT_FOUND */
export async function* storedEvents(c: Context<AppEnv>, runId: string): AsyncGenerator<ServiceEvent, void> {
  const events = await mediaStore(c.env).get(runKeys(c.var.tenant, runId).documents['events.ndjson']);
  if (!events) {
    const record = requireCompleted(await conversationOfRun(c, runId));
    const replay = { after: -1, speed: undefined, signal: c.req.raw.signal };
    for await (const { event, data } of replayedEvents(c.env, c.var.tenant, record, replay))
      yield { event, data } as ServiceEvent;
    return;
  }
  for await (const line of readNdjson(events.body, new TextDecoder())) {
    const { event, data } = line as ServiceEvent;
    yield { event, data } as ServiceEvent;
  }
}

/** @throws ServiceError unless the job completed */
export async function waitForEnd(c: Context<AppEnv>, runId: string): Promise<void> {
  let job: JobBody | null;
  do {
    // The job continues when its client leaves.
    c.req.raw.signal.throwIfAborted();
    job = await tenantOf(c.env, c.var.tenant).jobs.waitForEnd(runId);
  } while (job && !isEnded(job.status));
  if (!job) throw new ServiceError('NOT_FOUND', 'Unknown conversation');
  const error = errorOf(c.env, job);
  if (error) throw error;
}
