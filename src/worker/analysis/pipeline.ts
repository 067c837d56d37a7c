import { z } from 'zod';
import { ERROR_CODES, ServiceError } from '../../contract/errors.ts';
import type { MediaExtension } from '../../contract/media.ts';
import { readNdjson } from '../../contract/ndjson.ts';
import { type PipelineLine, PipelineLineSchema } from '../../contract/pipeline.ts';
import { within } from '../deadline.ts';
import { type Env, settingsOf } from '../env.ts';
import { firstFault } from '../http/validation.ts';

/** A pipeline that says nothing for this long is taken for dead; it writes progress far more often. */
const SILENCE_MS = 300_000;
const RefusalSchema = z.object({ code: z.enum(ERROR_CODES), detail: z.string() });
/** Seconds a refused client is told to wait when the pipeline does not say. */
const RETRY_AFTER_S = 10;

/** One running pipeline: a plain process at `RUNTIME_URL`, or a container. */
export interface PipelineHost {
  /** `path` is absolute, with its query. Rejects when the host cannot be reached. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** The pipeline that keeps to one key (a live session stays with its container). */
export function pipelineHost(env: Env, key: string): PipelineHost {
  const { runtimeUrl, pipelineInstances } = settingsOf(env);
  return hostAt(env, runtimeUrl, spread(key) % pipelineInstances);
}

/** Every pipeline that may take a new analysis, the first to ask first. */
export function pipelineHosts(env: Env, key: string): PipelineHost[] {
  const { runtimeUrl, pipelineInstances } = settingsOf(env);
  if (runtimeUrl !== '') return [hostAt(env, runtimeUrl, 0)];
  const first = spread(key);
  return Array.from({ length: pipelineInstances }, (_, i) => hostAt(env, '', (first + i) % pipelineInstances));
}

function hostAt(env: Env, runtimeUrl: string, instance: number): PipelineHost {
  if (runtimeUrl !== '') return { fetch: (path, init) => fetch(new URL(path, runtimeUrl), init) };
  const container = env.PIPELINE.get(env.PIPELINE.idFromName(`pipeline-${instance}`));
  return { fetch: (path, init) => container.fetch(new Request(new URL(path, 'http://pipeline'), init)) };
}

/** FNV-1a: spreads keys evenly over the containers, the same one for the same key. */
function spread(key: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < key.length; i++) hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

export interface PipelineRequest {
  conversationId: string;
  suffix: MediaExtension;
  speakers: number | undefined;
  /** Gives the media from its first byte; asked again when a busy pipeline refused it. */
  media: () => Promise<ReadableStream>;
  /** Headers that let the pipeline's log be read beside ours. */
  headers: Record<string, string>;
  /** Stops the work in the pipeline. */
  signal: AbortSignal;
}

/**
 * Starts the analysis of a whole file on the first pipeline that has room; resolves when it is accepted.
 * @returns its lines; the stream ends after `end` and throws for an `error` line, a lost connection or a long silence
 * @throws ServiceError OVERLOADED when every pipeline is full, ANALYSIS_FAILURE when none can be reached
 */
export async function startAnalysis(
  hosts: PipelineHost[],
  request: PipelineRequest,
): Promise<AsyncGenerator<PipelineLine>> {
  const query = new URLSearchParams({ conversation_id: request.conversationId, suffix: request.suffix });
  if (request.speakers !== undefined) query.set('speakers', String(request.speakers));
  let retryAfter = RETRY_AFTER_S;
  for (const host of hosts) {
    const response = await post(host, `/analyses?${query}`, request);
    // A container that cannot be placed answers 503 or 429 by itself.
    if (response.status === 503 || response.status === 429) {
      retryAfter = Number(response.headers.get('Retry-After')) || RETRY_AFTER_S;
      await response.body?.cancel();
      continue;
    }
    return response.ok && response.body ? pipelineLines(response.body) : refusal(response);
  }
  throw new ServiceError('OVERLOADED', undefined, { retryAfter });
}

/** A refusal is told like a fault met later: by the lines. */
// biome-ignore lint/correctness/useYield: a stream of lines that begins with its error
async function* refusal(response: Response): AsyncGenerator<PipelineLine> {
  const text = await response.text();
  const known = RefusalSchema.safeParse(parsedOrNull(text));
  if (known.success) throw new ServiceError(known.data.code, known.data.detail);
  throw lost('the pipeline refused the analysis', new Error(`${response.status} ${text}`));
}

function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function post(host: PipelineHost, path: string, request: PipelineRequest): Promise<Response> {
  const body = await request.media();
  try {
    return await host.fetch(path, { method: 'POST', body, headers: request.headers, signal: request.signal });
  } catch (error) {
    throw lost('the pipeline could not be reached', error);
  }
}

/**
 * The lines of one NDJSON response, validated. Ends after `end`.
 * @throws ServiceError the code of an `error` line; ANALYSIS_FAILURE when the connection breaks off before the end
 */
export async function* pipelineLines(body: ReadableStream<Uint8Array>): AsyncGenerator<PipelineLine> {
  try {
    for await (const json of readNdjson(bytesOf(body), new TextDecoder())) {
      const line = understood(json);
      if (line.type === 'error') throw new ServiceError(line.code, line.message);
      yield line;
      if (line.type === 'end') return;
    }
  } catch (error) {
    throw error instanceof ServiceError ? error : lost('the connection to the pipeline was lost', error);
  }
  throw lost('the pipeline stopped before the end');
}

/** A pipeline of another version may break the contract; the log then names the first field that does. */
function understood(json: unknown): PipelineLine {
  const line = PipelineLineSchema.safeParse(json);
  if (line.success) return line.data;
  throw lost('the pipeline broke its contract', new Error(firstFault(line.error.issues)));
}

async function* bytesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const read = await within(reader.read(), SILENCE_MS);
      if (read === 'late') throw new Error(`the pipeline said nothing for ${SILENCE_MS} ms`);
      if (read.done) return;
      yield read.value;
    }
  } finally {
    // Leaving early closes the response, which stops the work.
    await reader.cancel().catch(() => undefined);
  }
}

const lost = (reason: string, cause?: unknown): ServiceError =>
  new ServiceError('ANALYSIS_FAILURE', `Analysis failed: ${reason}`, { cause });
