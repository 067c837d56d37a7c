import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import * as z from 'zod';
import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { errorEvent } from '../analysis/closing.ts';
import { readAhead } from '../analysis/read-ahead.ts';
import { type AnalysisContext, analyzeRecording, receiveRecording } from '../analysis/recording.ts';
import type { AppEnv } from '../env.ts';
import { asServiceError, logFault } from '../http/errors.ts';
import { sseResponse } from '../http/sse.ts';
import { rejectInvalid } from '../http/validation.ts';
import { Tally } from '../metrics/metrics.ts';
import { mediaStore } from '../storage/media-store.ts';

const QuerySchema = z.object({
  /** Only `true`/`1` turn it on; any other value than `false`/`0` is a 400 (decisions: `stream=true`). */
  stream: z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', '1', 'false', '0'], 'must be true, 1, false or 0'))
    .default('false')
    .transform((value) => value === 'true' || value === '1'),
});

/** Batch and replay: a whole file in, one JSON body or a stream of events out. */
export const analyze = new Hono<AppEnv>()
  .post('/analyze', zValidator('query', QuerySchema, rejectInvalid), (c) =>
    c.req.valid('query').stream ? replay(c) : batch(c),
  )
  .post('/analyze/stream', (c) => replay(c));

function batch(c: Context<AppEnv>): Promise<Response> {
  const tally = new Tally();
  const work = async (): Promise<Response> => {
    const recording = await receiveRecording(c.req.raw, c.env, c.var.tenant);
    const events = await analyzeRecording(recording, contextOf(c, tally, c.req.raw.signal));
    for await (const _ of events);
    // The finished answer goes from the store to the client as it is, without being held.
    const result = await mediaStore(c.env).get(recording.keys.result);
    if (!result) throw new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the result is gone');
    return c.body(result.body, 200, { 'Content-Type': 'application/json', 'Content-Length': String(result.size) });
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
    const recording = await receiveRecording(c.req.raw, c.env, c.var.tenant);
    const signal = AbortSignal.any([c.req.raw.signal, leave.signal]);
    const analysis = await analyzeRecording(recording, contextOf(c, tally, signal));
    const events = tell(readAhead(analysis), c, tally, ended.resolve);
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

const contextOf = (c: Context<AppEnv>, tally: Tally, signal: AbortSignal): AnalysisContext => ({
  env: c.env,
  tally,
  headers: { 'X-Request-Id': c.var.requestId },
  signal,
});
