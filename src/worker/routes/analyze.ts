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
import { untilRevoked } from '../keys/standing.ts';
import { Tally } from '../metrics/metrics.ts';
import type { ArtifactKeys } from '../storage/artifacts.ts';
import { mediaStore } from '../storage/media-store.ts';
import { type AdmittedAnalysis, admitAnalysis } from '../tenants/admitted.ts';

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
    const keys = await analysed(c, tally);
    // The finished answer goes from the store to the client as it is, without being held.
    const result = await mediaStore(c.env).get(keys.result);
    if (!result) throw new ServiceError('ANALYSIS_FAILURE', 'Analysis failed: the result is gone');
    return c.body(result.body, 200, { 'Content-Type': 'application/json', 'Content-Length': String(result.size) });
  };
  const answer = work();
  // Cleaning up outlives a client that left, and counting never makes one wait.
  c.executionCtx.waitUntil(answer.catch(() => undefined).then(() => tally.flush(c.env)));
  return answer;
}

/** @returns where the result lies */
async function analysed(c: Context<AppEnv>, tally: Tally): Promise<ArtifactKeys> {
  const admitted = await admitAnalysis(c.env, c.var.caller);
  const ended = new AbortController();
  const revoked = untilRevoked(c.env, c.var.caller, ended.signal);
  try {
    const recording = await receiveRecording(c.req.raw, c.env, admitted);
    const signal = AbortSignal.any([c.req.raw.signal, revoked]);
    const events = await analyzeRecording(recording, contextOf(c, tally, admitted, signal));
    for await (const _ of events);
    return recording.keys;
  } catch (error) {
    throw revoked.aborted ? new ServiceError('INVALID_KEY') : error;
  } finally {
    ended.abort();
    await admitted.leave();
  }
}

async function replay(c: Context<AppEnv>): Promise<Response> {
  const tally = new Tally();
  const leave = new AbortController();
  const ended = Promise.withResolvers<void>();
  const admitted = await admitAnalysis(c.env, c.var.caller);
  const over = new AbortController();
  const revoked = untilRevoked(c.env, c.var.caller, over.signal);
  const end = async (): Promise<void> => {
    over.abort();
    await admitted.leave();
    ended.resolve();
  };
  c.executionCtx.waitUntil(ended.promise.then(() => tally.flush(c.env)));
  try {
    const recording = await receiveRecording(c.req.raw, c.env, admitted);
    const left = AbortSignal.any([c.req.raw.signal, leave.signal]);
    const signal = AbortSignal.any([left, revoked]);
    const analysis = await analyzeRecording(recording, contextOf(c, tally, admitted, signal));
    const events = tell(readAhead(analysis), { c, tally, revoked, end });
    left.addEventListener('abort', () => void events.return().then(end));
    return sseResponse(events, () => leave.abort());
  } catch (error) {
    await end();
    throw revoked.aborted ? new ServiceError('INVALID_KEY') : error;
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
  events: AsyncIterable<ServiceEvent>,
  { c, tally, revoked, end }: Telling,
): AsyncGenerator<ServiceEvent, void> {
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
    yield event;
  } finally {
    await end();
  }
}

const contextOf = (
  c: Context<AppEnv>,
  tally: Tally,
  admitted: AdmittedAnalysis,
  signal: AbortSignal,
): AnalysisContext => ({
  env: c.env,
  tally,
  admitted,
  headers: { 'X-Request-Id': c.var.requestId },
  signal,
});
