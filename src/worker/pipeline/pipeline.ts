import * as z from 'zod';
import { ERROR_CODES, ServiceError } from '../../contract/errors.ts';
import {
  CLIENT_GONE,
  type PipelineLine,
  type PipelineOptions,
  PROTOCOL_HEADER,
  type ResultLine,
  SILENCE_MS,
  WEIGHTS_HEADER,
  WORKER_PROTOCOLS,
} from '../../contract/pipeline.ts';
import { WEIGHTS_ID } from '../../conversation/weights-id.ts';
import { within } from '../deadline.ts';
import type { PipelineHost } from './hosts.ts';
import { PipelineReader } from './reader.ts';

const SPOKEN_PROTOCOLS = WORKER_PROTOCOLS.join(', ');
const RefusalSchema = z.object({ code: z.enum(ERROR_CODES), detail: z.string() });
/** `Retry-After` of a refusal when the pipeline gave none, seconds. */
const RETRY_AFTER_S = 10;
/** Time limit for the start of a response, ms. The container class waits up to 28 s for its container to start. */
const RESPONSE_MS = 40_000;

/** The client no longer waits for the analysis. */
export class ClientGone extends ServiceError {
  constructor(cause?: unknown) {
    super('ANALYSIS_FAILURE', 'Analysis failed: the client has disconnected', {
      cause: cause && String(cause),
      isByClient: true,
    });
  }
}

/**
 * A response that does not come from this Worker's pipeline, but from a proxy in front of it or from another version.
 */
class NotThePipeline extends Error {
  readonly status: number;
  /** Whether the response came from a pipeline of another version. */
  readonly isOtherVersion: boolean;

  constructor(status: number, protocol: string | null) {
    const sender = protocol === null ? 'does not come from the pipeline' : `has protocol ${protocol}`;
    super(`a response with status ${status} ${sender}; the Worker speaks ${SPOKEN_PROTOCOLS}`);
    this.status = status;
    this.isOtherVersion = protocol !== null;
  }
}

/**
 * Sends a request to a pipeline, with the Worker's protocol versions.
 * @param withinMs time limit for the start of the response
 * @throws NotThePipeline; Error when the host cannot be reached or does not respond in time
 */
export async function requestPipeline(
  host: PipelineHost,
  path: string,
  init: RequestInit = {},
  withinMs = RESPONSE_MS,
): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(PROTOCOL_HEADER, SPOKEN_PROTOCOLS);
  headers.set(WEIGHTS_HEADER, WEIGHTS_ID);
  const timeout = new AbortController();
  const signal = init.signal ? AbortSignal.any([init.signal, timeout.signal]) : timeout.signal;
  const response = await within(host.fetch(path, { ...init, headers, signal }), withinMs);
  if (response === 'late') {
    timeout.abort();
    throw new Error(`the pipeline did not respond within ${withinMs} ms`);
  }
  const protocol = response.headers.get(PROTOCOL_HEADER);
  if (!WORKER_PROTOCOLS.some((spoken) => String(spoken) === protocol)) {
    await response.body?.cancel();
    throw new NotThePipeline(response.status, protocol);
  }
  noteWeights(response.headers.get(WEIGHTS_HEADER));
  return response;
}

/** Mismatched weights that this isolate has already logged. */
const loggedWeights = new Set<string | null>();

/**
 * Logs once that a pipeline's weights differ from the Worker's, which happens during a rollout or when its image was
 * not deployed.
 */
function noteWeights(weights: string | null): void {
  if (weights === WEIGHTS_ID || loggedWeights.has(weights)) return;
  loggedWeights.add(weights);
  console.warn(JSON.stringify({ level: 'warn', event: 'weights_differ', pipeline: weights, worker: WEIGHTS_ID }));
}

export interface PipelineRequest {
  options: PipelineOptions;
  /** Makes the body: a line of options, then the media. It is called again for every attempt. */
  body: (prefix: Uint8Array) => Promise<ReadableStream>;
  /** Headers that link the pipeline's log to ours. */
  headers: Record<string, string>;
  /** Stops the pipeline's work. */
  signal: AbortSignal;
  /** Stores the documents of the result. */
  keep: (result: ResultLine, reader: PipelineReader) => Promise<void>;
}

/** The pipelines to try, in order. Called first, and again after each lost connection. */
export type HostsOf = (signal: AbortSignal) => Promise<PipelineHost[]>;

/** Number of attempts before an infrastructure fault is reported. */
const ATTEMPTS = 3;

/** Pipelines accepted the file in each attempt, and were lost before its end. Another attempt might end more of them. */
export class LostThrice extends ServiceError {
  constructor(cause: unknown) {
    super('ANALYSIS_FAILURE', `Analysis failed: the connection to the pipeline was lost in ${ATTEMPTS} attempts`, {
      cause,
    });
  }
}
/** Wait before another round over all pipelines, ms. It doubles each time. */
const RETRY_MS = 500;

/**
 * Starts the analysis of a whole file on the first pipeline that accepts it. Resolves when the file is accepted.
 * @returns the lines up to `result`, whose documents are stored before it is yielded. After a lost connection the
 *   analysis restarts, on another pipeline if possible, and permanent events are still yielded only once. Only the
 *   pipeline itself can declare the analysis failed.
 * @throws ServiceError ClientGone; OVERLOADED when every pipeline is full; ANALYSIS_FAILURE when none can be reached;
 *   or the code of the pipeline's refusal. Reading the lines throws the same errors, and the code of an `error` line.
 */
export async function startAnalysis(hosts: HostsOf, request: PipelineRequest): Promise<AsyncGenerator<PipelineLine>> {
  return resumedLines(await connect(await hosts(request.signal), request), hosts, request);
}

async function* resumedLines(
  first: PipelineReader,
  hosts: HostsOf,
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
      if (attempt === ATTEMPTS) throw new LostThrice(error);
    } finally {
      await reader.close();
    }
    reader = await connect(await hosts(request.signal), request);
  }
}

async function connect(hosts: PipelineHost[], request: PipelineRequest): Promise<PipelineReader> {
  const { options, headers, signal } = request;
  const prefix = new TextEncoder().encode(`${JSON.stringify(options)}\n`);
  let retryAfter: number | undefined;
  let fault: unknown;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    for (const host of hosts) {
      const body = await request.body(prefix);
      try {
        const response = await requestPipeline(host, '/analyses', { method: 'POST', body, headers, signal });
        if (response.ok && response.body) return new PipelineReader(response.body, SILENCE_MS);
        if (response.status !== 503) throw await refusal(response);
        retryAfter = Number(response.headers.get('Retry-After')) || RETRY_AFTER_S;
        await response.body?.cancel();
      } catch (error) {
        if (error instanceof ServiceError) throw error;
        if (error instanceof NotThePipeline && error.status === CLIENT_GONE) throw new ClientGone(error);
        fault = error;
        // The platform responds 503 or 429 when it cannot start a container.
        if (error instanceof NotThePipeline && [429, 503].includes(error.status)) retryAfter ??= RETRY_AFTER_S;
      }
      if (signal.aborted) throw new ClientGone(fault);
    }
    if (retryAfter !== undefined) throw new ServiceError('OVERLOADED', undefined, { retryAfter, cause: fault });
    if (attempt < ATTEMPTS) await new Promise((resolve) => setTimeout(resolve, RETRY_MS * 2 ** (attempt - 1)));
  }
  const isOtherVersion = fault instanceof NotThePipeline && fault.isOtherVersion;
  throw lost(
    isOtherVersion ? 'the service and its pipeline have different versions' : 'the pipeline could not be reached',
    fault,
  );
}

async function refusal(response: Response): Promise<ServiceError> {
  const verdict = await verdictOf(response);
  return verdict instanceof ServiceError ? verdict : lost('the pipeline refused the analysis', verdict);
}

/**
 * The error in a failed response. This is the pipeline's own error, or an Error with the status when the body has none.
 */
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
