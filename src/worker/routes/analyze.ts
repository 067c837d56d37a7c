import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import type { ServiceEvent } from '../../contract/events.ts';
import { RemoteFileSchema } from '../../contract/jobs.ts';
import { errorEvent } from '../analysis/closing.ts';
import { readAhead } from '../analysis/read-ahead.ts';
import { type Received, receiveRecording } from '../analysis/recording.ts';
import { fetchRecording } from '../analysis/remote-file.ts';
import type { AppEnv } from '../env.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { jsonBody } from '../http/json-body.ts';
import { sseResponse } from '../http/sse.ts';
import { rejectInvalid } from '../http/validation.ts';
import { accepted, awaited, awaitedEvents, prefersAsync, storedResult } from '../jobs/answers.ts';
import { analyzeAttended } from '../jobs/attended.ts';
import { idempotencyKey } from '../jobs/idempotency.ts';
import type { Sent } from '../jobs/job.ts';
import { isJson, MAX_JSON_BYTES, nameOfRemote, requestOf, sentBy, startJob } from '../jobs/start.ts';
import { Tally } from '../metrics/metrics.ts';

const QuerySchema = z.object({
  /** Only `true`/`1` turn it on; any other value than `false`/`0` is a 400 (decisions: `stream=true`). */
  stream: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', '1', 'false', '0'], 'must be true, 1, false or 0'))
    .default('false')
    .transform((value) => value === 'true' || value === '1'),
});

/** Batch and replay: a whole file in, one JSON body or a stream of events out, or word that it will be done. */
export const analyze = new Hono<AppEnv>()
  .post('/analyze', zValidator('query', QuerySchema, rejectInvalid), (c) => answer(c, c.req.valid('query').stream))
  .post('/analyze/stream', (c) => answer(c, true));

/** Who does not wait, or may come back by its Idempotency-Key, is answered of a job; the others stay on the line. */
async function answer(c: Context<AppEnv>, isStream: boolean): Promise<Response> {
  const key = idempotencyKey(c);
  if (key === undefined && !prefersAsync(c)) return isStream ? replay(c) : batch(c);
  const conversationId = await startJob(c, key);
  if (prefersAsync(c)) return accepted(c, conversationId);
  if (!isStream) return awaited(c, conversationId);
  return sseResponse(readAhead(awaitedEvents(c, conversationId)), () => undefined);
}

/** Receives a form's file, or reads the one that a JSON body names, and analyses it while the client stays. */
async function begin(c: Context<AppEnv>, mode: Sent['mode'], tally: Tally, signal: AbortSignal): Promise<Attended> {
  const { tenant } = c.var;
  const { recording, bytes, filename } = isJson(c)
    ? await fetched(c, signal)
    : await receiveRecording(c.req.raw, c.env, c.var.tenant);
  const request = requestOf(c, recording, bytes, sentBy(c, mode, filename));
  const context = { env: c.env, tally, headers: { 'X-Request-Id': c.var.requestId }, signal };
  const events = await analyzeAttended(request, { tenant, recording, bytes, isAttended: true }, context);
  return { conversationId: recording.conversationId, events };
}

interface Attended {
  conversationId: string;
  events: AsyncGenerator<ServiceEvent, void>;
}

async function fetched(c: Context<AppEnv>, signal: AbortSignal): Promise<Omit<Received, 'digest'>> {
  const { url, filename, ...options } = await jsonBody(c, RemoteFileSchema, MAX_JSON_BYTES);
  const conversationId = crypto.randomUUID();
  const named = { tenant: c.var.tenant, conversationId };
  const { keys, suffix, bytes } = await fetchRecording({ url, filename }, named, c.env, signal);
  return { recording: { ...options, conversationId, suffix, keys }, bytes, filename: nameOfRemote(url, filename) };
}

function batch(c: Context<AppEnv>): Promise<Response> {
  const tally = new Tally();
  const work = async (): Promise<Response> => {
    const { conversationId, events } = await begin(c, 'batch', tally, c.req.raw.signal);
    for await (const _ of events);
    return storedResult(c, conversationId);
  };
  const answer = work();
  // Cleaning up outlives a client that left, and counting never makes one wait.
  c.executionCtx.waitUntil(answer.catch(() => undefined).then(() => tally.flush(c.env)));
  return answer;
}

async function replay(c: Context<AppEnv>): Promise<Response> {
  const tally = new Tally();
  const leave = new AbortController();
  const ended = Promise.withResolvers<void>();
  c.executionCtx.waitUntil(ended.promise.then(() => tally.flush(c.env)));
  try {
    const signal = AbortSignal.any([c.req.raw.signal, leave.signal]);
    const analysis = await begin(c, 'replay', tally, signal);
    const events = tell(readAhead(analysis.events), c, tally, ended.resolve);
    signal.addEventListener('abort', () => void events.return());
    return sseResponse(events, () => leave.abort());
  } catch (error) {
    ended.resolve();
    throw error;
  }
}

/** Counts what is handed to the client, and turns a failure into the `error` event that then is the last. */
async function* tell(
  events: AsyncIterable<ServiceEvent>,
  c: Context<AppEnv>,
  tally: Tally,
  onEnd: () => void,
): AsyncGenerator<ServiceEvent, void> {
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
    yield event;
  } finally {
    onEnd();
  }
}
