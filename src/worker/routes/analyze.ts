import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import type { RemoteFileBody } from '../../contract/jobs.ts';
import { AnalyzeQuerySchema } from '../../contract/queries.ts';
import { errorEvent } from '../analysis/closing.ts';
import { readAhead } from '../analysis/read-ahead.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { sseResponse, type WrittenEvent, writtenEvent, writtenEvents } from '../http/sse.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { AnalysisRun } from '../jobs/analysis-run.ts';
import {
  acceptedResponse,
  endedEvents,
  endedResult,
  prefersAsync,
  storedEvents,
  storedResult,
} from '../jobs/answers.ts';
import { idempotencyKey } from '../jobs/idempotency.ts';
import { anySource, keptUpload, remoteFile, retryJob, type Source, startJob } from '../jobs/start.ts';
import { Tally } from '../metrics/metrics.ts';
import { ClientGone } from '../pipeline/pipeline.ts';

/** Batch and replay: accepts a whole file, and responds with one JSON body, a stream of events, or 202. */
export const analyze = new Hono<AppEnv>()
  .post('/analyze', zValidator('query', AnalyzeQuerySchema, rejectInvalid), (c) =>
    respond(c, anySource, c.req.valid('query').stream),
  )
  .post('/analyze/stream', (c) => respond(c, anySource, true))
  // JSON bodies have separate paths, so that each operation has one kind of body. Generated clients support only one.
  .post('/analyze/url', (c) => respond(c, remoteFile, false))
  .post('/analyze/stream/url', (c) => respond(c, remoteFile, true))
  .post('/analyze/kept', (c) => respond(c, keptUpload, false))
  .post('/analyze/stream/kept', (c) => respond(c, keptUpload, true));

/**
 * A client that waits has its own run. A client that does not wait, or that sent an Idempotency-Key, receives the
 * result of a job.
 */
async function respond(
  c: Context<AppEnv>,
  read: (c: Context<AppEnv>) => Promise<Source>,
  isStream: boolean,
): Promise<Response> {
  const { grant } = c.var.caller;
  // Idempotency keys belong to the tenant's own servers. A web page could claim a key first, or learn what was created
  // with it. Its token creates only one conversation anyway.
  const key = grant ? undefined : idempotencyKey(c);
  const { file, earlier } = await read(c);
  if (grant && file) throw new ServiceError('FORBIDDEN', 'An upload token permits sending a file, not a url');
  if (earlier === undefined && key === undefined && !prefersAsync(c))
    return isStream ? replay(c, file) : batch(c, file);
  if (earlier !== undefined) await retryJob(c, earlier);
  const id = earlier ?? (await startJob(c, key, file));
  if (prefersAsync(c)) return acceptedResponse(c, id);
  if (!isStream) return endedResult(c, id);
  c.set('accessed', id);
  return sseResponse(writtenEvents(endedEvents(c, id)), () => undefined);
}

const admit = (c: Context<AppEnv>, tally: Tally, mode: 'batch' | 'replay'): Promise<AnalysisRun> =>
  AnalysisRun.admit({ env: c.env, requestId: c.var.requestId, tally }, c.var.caller, mode, c.req.raw.signal);

function batch(c: Context<AppEnv>, file: RemoteFileBody | undefined): Promise<Response> {
  const tally = new Tally();
  const analysed = async (): Promise<Response> => {
    const run = await admit(c, tally, 'batch');
    try {
      await run.receive(file ?? c.req.raw);
      for await (const _ of await run.run());
      return await storedResult(c, run.id);
    } finally {
      await run.close();
    }
  };
  const response = analysed();
  // Keeps the request alive to clean up and to send the counts after the client has left.
  c.executionCtx.waitUntil(response.catch(() => undefined).then(() => tally.flush(c.env)));
  return response;
}

async function replay(c: Context<AppEnv>, file: RemoteFileBody | undefined): Promise<Response> {
  const tally = new Tally();
  const run = await admit(c, tally, 'replay');
  c.executionCtx.waitUntil(run.closed.then(() => tally.flush(c.env)));
  try {
    await run.receive(file ?? c.req.raw);
    const sent = writtenEvents(await run.run());
    const stored = () => writtenEvents(storedEvents(c, run.id));
    const events = withErrorEvent(readAhead(sent, stored), { c, tally, run });
    const leave = (): void => {
      run.cancel(new ClientGone());
      void events.return().then(() => run.close());
    };
    c.req.raw.signal.addEventListener('abort', leave);
    c.set('accessed', run.id);
    return sseResponse(events, leave);
  } catch (error) {
    await run.close();
    throw error;
  }
}

/** Counts the events that the client receives. A failure becomes the last event. */
async function* withErrorEvent(
  events: AsyncIterable<WrittenEvent>,
  { c, tally, run }: { c: Context<AppEnv>; tally: Tally; run: AnalysisRun },
): AsyncGenerator<WrittenEvent, void> {
  try {
    for await (const event of events) {
      tally.event(event);
      yield event;
    }
  } catch (error) {
    const known = asServiceError(error);
    logFault(known, { request_id: c.var.requestId, path: c.req.path });
    const event = errorEvent(known);
    tally.event(event);
    yield writtenEvent(event);
  } finally {
    await run.close();
  }
}
