import * as z from 'zod';
import { ERROR_CODES, ServiceError } from '../../contract/errors.ts';
import {
  CLIENT_GONE,
  PIPELINE_PROTOCOL,
  type PipelineLine,
  type PipelineOptions,
  PROTOCOL_HEADER,
  type ResultLine,
  SILENCE_MS,
} from '../../contract/pipeline.ts';
import { WEIGHTS_ID } from '../../conversation/weights-id.ts';
import { within } from '../http/deadline.ts';
import type { PipelineHost } from './hosts.ts';
import { PipelineReader } from './reader.ts';

/** What this Worker speaks (`PROTOCOL_HEADER`). */
const SPOKEN = `${PIPELINE_PROTOCOL}/${WEIGHTS_ID}`;
const RefusalSchema = z.object({ code: z.enum(ERROR_CODES), detail: z.string() });
/** Seconds a refused client is told to wait when the pipeline does not say. */
const RETRY_AFTER_S = 10;
/** An answer begins at once; a container that has to start first takes up to 28 s before its class gives up. */
const ANSWER_MS = 40_000;

/** Nobody waits for the analysis any more. */
export class ClientGone extends ServiceError {
  constructor(cause?: unknown) {
    super('ANALYSIS_FAILURE', 'Analysis failed: the client has gone', { cause: cause && String(cause) });
  }
}

/** An answer that is not the pipeline's own: what stands before it gave it, or it speaks another version. */
export class NotThePipeline extends Error {
  readonly status: number;
  /** It is a pipeline, of another version than this Worker. */
  readonly isOtherVersion: boolean;

  constructor(status: number, spoken: string | null) {
    const what = spoken === null ? 'does not say that it is the pipeline' : `speaks ${spoken}`;
    super(`an answer of ${status} ${what}; the Worker speaks ${SPOKEN}`);
    this.status = status;
    this.isOtherVersion = spoken !== null;
  }
}

/**
 * Asks a pipeline, naming what this Worker speaks.
 * @param withinMs when no answer has begun by then, none will
 * @throws NotThePipeline; Error when the host cannot be reached or does not begin to answer
 */
export async function ask(
  host: PipelineHost,
  path: string,
  init: RequestInit = {},
  withinMs = ANSWER_MS,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(PROTOCOL_HEADER, SPOKEN);
  const late = new AbortController();
  const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal;
  const response = await within(host.fetch(path, { ...init, headers, signal }), withinMs);
  if (response === 'late') {
    late.abort();
    throw new Error(`the pipeline did not answer within ${withinMs} ms`);
  }
  const spoken = response.headers.get(PROTOCOL_HEADER);
  if (spoken === SPOKEN) return response;
  await response.body?.cancel();
  throw new NotThePipeline(response.status, spoken);
}

export interface PipelineRequest {
  options: PipelineOptions;
  /** Gives a line of options and the media from its first byte; asked again whenever the analysis begins anew. */
  body: (prefix: Uint8Array) => Promise<ReadableStream>;
  /** Headers that let the pipeline's log be read beside ours. */
  headers: Record<string, string>;
  /** Stops the work in the pipeline. */
  signal: AbortSignal;
  /** Takes the documents of the result. */
  keep: (result: ResultLine, reader: PipelineReader) => Promise<void>;
}

/** An analysis is begun so often before a machine's fault is told. */
const ATTEMPTS = 3;
/** Wait before all pipelines are asked again, ms; it doubles. */
const AGAIN_MS = 500;

/**
 * Starts the analysis of a whole file on the first pipeline that has room; resolves when it is accepted.
 * @returns what it tells, ended by `result`, whose documents are kept by then. Where a connection breaks the analysis
 *   begins anew, elsewhere if it can, and lasting events are told once; only the pipeline's own verdict ends it.
 * @throws ServiceError ClientGone; OVERLOADED when every pipeline is full, ANALYSIS_FAILURE when none can be reached, or the code of
 *   the pipeline's own refusal. The lines throw the same, and the code of an `error` line.
 */
export async function startAnalysis(
  hosts: PipelineHost[],
  request: PipelineRequest,
): Promise<AsyncGenerator<PipelineLine>> {
  return told(await accepted(hosts, request), hosts, request);
}

async function* told(
  first: PipelineReader,
  hosts: PipelineHost[],
  request: PipelineRequest,
): AsyncGenerator<PipelineLine> {
  let next = 0;
  let progress = -1;
  for (let reader = first, attempt = 1; ; attempt++) {
    try {
      for await (const line of reader.lines()) {
        if (line.type === 'event' && line.n !== undefined) {
          if (line.n < next) continue;
          next = line.n + 1;
        } else if (line.type === 'event' && line.event === 'status') {
          if (attempt > 1 && line.data.progress <= progress) continue;
          progress = line.data.progress;
        } else if (line.type === 'result') await request.keep(line, reader);
        yield line;
      }
      return;
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      if (request.signal.aborted) throw new ClientGone(error);
      if (attempt === ATTEMPTS) throw lost('the connection to the pipeline was lost', error);
    } finally {
      await reader.close();
    }
    // Not the same one first.
    reader = await accepted(
      [...hosts.slice(attempt % hosts.length), ...hosts.slice(0, attempt % hosts.length)],
      request,
    );
  }
}

async function accepted(hosts: PipelineHost[], request: PipelineRequest): Promise<PipelineReader> {
  const { options, headers, signal } = request;
  const prefix = new TextEncoder().encode(`${JSON.stringify(options)}\n`);
  let retryAfter: number | undefined;
  let fault: unknown;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (const host of hosts) {
      const body = await request.body(prefix);
      try {
        const response = await ask(host, '/analyses', { method: 'POST', body, headers, signal });
        if (response.ok && response.body) return new PipelineReader(response.body, SILENCE_MS);
        if (response.status !== 503) throw await refusal(response);
        retryAfter = Number(response.headers.get('Retry-After')) || RETRY_AFTER_S;
        await response.body?.cancel();
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        if (error instanceof NotThePipeline && error.status === CLIENT_GONE) throw new ClientGone(error);
        fault = error;
        // A container that cannot be placed answers 503 or 429 by itself.
        if (error instanceof NotThePipeline && [429, 503].includes(error.status)) retryAfter ??= RETRY_AFTER_S;
      }
      if (signal.aborted) throw new ClientGone(fault);
    }
    if (retryAfter !== undefined) throw new ServiceError('OVERLOADED', undefined, { retryAfter, cause: fault });
    if (attempt < ATTEMPTS) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS * 2 ** (attempt - 1)));
  }
  const isOtherVersion = fault instanceof NotThePipeline && fault.isOtherVersion;
  throw lost(
    isOtherVersion ? 'the service and its pipeline are of different versions' : 'the pipeline could not be reached',
    fault,
  );
}

async function refusal(response: Response): Promise<ServiceError> {
  const said = await verdictOf(response);
  return said instanceof ServiceError ? said : lost('the pipeline refused the analysis', said);
}

/** What an answer that is no success says: the pipeline's verdict, or an Error of the status where the body holds none. */
export async function verdictOf(response: Response): Promise<ServiceError | Error> {
  const body = await response.text();
  const known = RefusalSchema.safeParse(parsedOrNull(body));
  if (known.success) return new ServiceError(known.data.code, known.data.detail);
  return new Error(`${response.status} ${body.slice(0, 200)}`);
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const lost = (reason: string, cause: unknown): ServiceError =>
  new ServiceError('ANALYSIS_FAILURE', `Analysis failed: ${reason}`, { cause });
