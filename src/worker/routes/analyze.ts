import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import type { RemoteFileBody } from '../../contract/jobs.ts';
import { underTenant } from '../../contract/options.ts';
import { AnalyzeQuerySchema } from '../../contract/queries.ts';
import { errorEvent } from '../analysis/closing.ts';
import { readAhead } from '../analysis/read-ahead.ts';
import { receiveRecording } from '../analysis/recording.ts';
import { fetchRecording } from '../analysis/remote-file.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { isJson } from '../http/json-body.ts';
import { sseResponse, type WrittenEvent, writtenEvent, writtenEvents } from '../http/sse.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { accepted, awaited, awaitedEvents, prefersAsync, storedResult } from '../jobs/answers.ts';
import { runAttached } from '../jobs/attached-run.ts';
import { idempotencyKey } from '../jobs/idempotency.ts';
import { again, namedInJson, nameOfRemote, requestOf, startJob } from '../jobs/start.ts';
import { type AdmittedAnalysis, admitAnalysis } from '../keys/admit-analysis.ts';
import { untilRevoked } from '../keys/key-validity.ts';
import { Tally } from '../metrics/metrics.ts';
import type { AnalysisInput, Sent } from '../tenant/jobs/job.ts';

/** Batch and replay: a whole file in, one JSON body or a stream of events out, or word that it will be done. */
export const analyze = new Hono<AppEnv>()
  .post('/analyze', zValidator('query', AnalyzeQuerySchema, rejectInvalid), (c) =>
    answer(c, c.req.valid('query').stream),
  )
  .post('/analyze/stream', (c) => answer(c, true));

/** Who does not wait, or may come back by its Idempotency-Key, is answered of a job; the others stay on the line. */
async function answer(c: Context<AppEnv>, isStream: boolean): Promise<Response> {
  const key = idempotencyKey(c);
  // What is no JSON is taken for a form that holds a file.
  const { file, earlier } = isJson(c.req.raw) ? await namedInJson(c) : {};
  if (earlier === undefined && key === undefined && !prefersAsync(c))
    return isStream ? replay(c, file) : batch(c, file);
  if (earlier !== undefined) await again(c, earlier);
  const conversationId = earlier ?? (await startJob(c, key, file));
  if (prefersAsync(c)) return accepted(c, conversationId);
  if (!isStream) return awaited(c, conversationId);
  return sseResponse(readAhead(writtenEvents(awaitedEvents(c, conversationId))), () => undefined);
}

interface Attended {
  conversationId: string;
  events: AsyncGenerator<ServiceEvent, void>;
}

/** What a request that stays on the line for its analysis has to hold, and to leave in the end. */
interface Line {
  admitted: AdmittedAnalysis;
  /** Fires when the key stands no more. */
  revoked: AbortSignal;
  end: () => Promise<void>;
}

async function enter(c: Context<AppEnv>): Promise<Line> {
  const admitted = await admitAnalysis(c.env, c.var.caller);
  const over = new AbortController();
  const revoked = untilRevoked(c.env, c.var.caller, over.signal);
  const end = (): Promise<void> => {
    over.abort();
    return admitted.leave();
  };
  return { admitted, revoked, end };
}

/** Receives a form's file, or reads the one that a JSON body names, and analyses it while the client stays. */
async function begin(
  c: Context<AppEnv>,
  mode: Sent['mode'],
  tally: Tally,
  file: RemoteFileBody | undefined,
  { admitted, revoked }: Line,
  left: AbortSignal,
): Promise<Attended> {
  const signal = AbortSignal.any([left, revoked]);
  const {
    recording: received,
    bytes,
    filename,
  } = file ? await fetched(c, file, admitted, signal) : await receiveRecording(c.req.raw, c.env, admitted);
  const recording = underTenant(received, admitted.settings);
  const request = requestOf(c, recording, bytes, { mode, filename });
  const { addAudio: heard } = admitted;
  const context = { env: c.env, tally, heard, headers: { 'X-Request-Id': c.var.requestId }, signal };
  const carried = { tenant: c.var.tenant, recording, bytes, isAttended: true };
  const events = await runAttached(request, carried, context);
  return { conversationId: recording.runId, events };
}

async function fetched(
  c: Context<AppEnv>,
  { url, filename, ...options }: RemoteFileBody,
  admitted: AdmittedAnalysis,
  signal: AbortSignal,
): Promise<{ recording: AnalysisInput; bytes: number; filename: string }> {
  const { conversationId } = admitted;
  const place = { tenant: c.var.tenant, runId: conversationId };
  const { keys, suffix, bytes } = await fetchRecording({ url, filename }, place, c.env, signal);
  admitted.received(true);
  return {
    recording: { ...options, runId: conversationId, suffix, keys },
    bytes,
    filename: nameOfRemote(url, filename),
  };
}

function batch(c: Context<AppEnv>, file: RemoteFileBody | undefined): Promise<Response> {
  const tally = new Tally();
  const work = async (): Promise<Response> => {
    const line = await enter(c);
    try {
      const { conversationId, events } = await begin(c, 'batch', tally, file, line, c.req.raw.signal);
      for await (const _ of events);
      return await storedResult(c, conversationId);
    } catch (error) {
      throw line.revoked.aborted ? new ServiceError('INVALID_KEY') : error;
    } finally {
      await line.end();
    }
  };
  const answer = work();
  // Cleaning up outlives a client that left, and counting never makes one wait.
  c.executionCtx.waitUntil(answer.catch(() => undefined).then(() => tally.flush(c.env)));
  return answer;
}

async function replay(c: Context<AppEnv>, file: RemoteFileBody | undefined): Promise<Response> {
  const tally = new Tally();
  const leave = new AbortController();
  const ended = Promise.withResolvers<void>();
  const line = await enter(c);
  const end = (): Promise<void> => line.end().then(ended.resolve);
  c.executionCtx.waitUntil(ended.promise.then(() => tally.flush(c.env)));
  try {
    const left = AbortSignal.any([c.req.raw.signal, leave.signal]);
    const analysis = await begin(c, 'replay', tally, file, line, left);
    const events = tell(readAhead(writtenEvents(analysis.events)), { c, tally, revoked: line.revoked, end });
    left.addEventListener('abort', () => void events.return().then(end));
    return sseResponse(events, () => leave.abort());
  } catch (error) {
    await end();
    throw line.revoked.aborted ? new ServiceError('INVALID_KEY') : error;
  }
}

interface Telling {
  c: Context<AppEnv>;
  tally: Tally;
  /** Fires when the key stands no more. */
  revoked: AbortSignal;
  end: () => Promise<void>;
}

/** Counts what is handed to the client, and turns a failure into the `error` event that then is the last. */
async function* tell(
  events: AsyncIterable<WrittenEvent>,
  { c, tally, revoked, end }: Telling,
): AsyncGenerator<WrittenEvent, void> {
  try {
    for await (const event of events) {
      tally.event(event);
      yield event;
    }
  } catch (error) {
    const known = revoked.aborted ? new ServiceError('INVALID_KEY') : asServiceError(error);
    logFault(known, { request_id: c.var.requestId, path: c.req.path });
    const event = errorEvent(known);
    tally.event(event);
    yield writtenEvent(event);
  } finally {
    await end();
  }
}
