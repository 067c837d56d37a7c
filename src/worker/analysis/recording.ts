import { quoted, ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { extensionOf, UPLOAD_EXTENSIONS, type UploadExtension } from '../../contract/media.ts';
import type { PipelineLine, ResultLine } from '../../contract/pipeline.ts';
import type { Env } from '../env.ts';
import { asServiceError } from '../http/errors.ts';
import { receiveUpload } from '../http/upload.ts';
import type { Tally } from '../metrics/metrics.ts';
import { pipelineHosts, requirePipeline } from '../pipeline/hosts.ts';
import { ClientGone, startAnalysis } from '../pipeline/pipeline.ts';
import type { PipelineReader } from '../pipeline/reader.ts';
import { MEBIBYTE, settingsOf } from '../settings.ts';
import { type ArtifactKeys, artifactKeys, removeArtifacts, storeDocuments } from '../storage/artifacts.ts';
import { mediaStore } from '../storage/media-store.ts';
import { readObject } from '../storage/object-reader.ts';
import { objectSink } from '../storage/object-sink.ts';
import { markPending } from '../storage/pending.ts';
import type { AdmittedAnalysis } from '../tenants/admitted.ts';
import { closingEvents } from './closing.ts';
import { keepUpload, keptUpload } from './kept.ts';
import { languageModel } from './language-model.ts';
import { type NamedAnalysis, optionsOfForm, pipelineOptions } from './options.ts';
import { Refinement } from './refinement.ts';

/** An uploaded file, at rest in the store, and what its sender said of it. */
export interface Recording extends NamedAnalysis {
  /** A machine failed its analysis before; only a verdict on its media removes it from now on. */
  isKept: boolean;
}

/**
 * Receives the form of POST /analyze: `file`, and optionally the options of an analysis, in any order.
 * @throws ServiceError INVALID_REQUEST, UNSUPPORTED_MEDIA, INVALID_MEDIA, FILE_TOO_LARGE, UPLOAD_STALLED or
 * MISCONFIGURED; nothing is stored then
 */
export async function receiveRecording(request: Request, env: Env, admitted: AdmittedAnalysis): Promise<Recording> {
  const { uploadStallSeconds } = settingsOf(env);
  const { maxFileBytes, caller } = admitted;
  const store = mediaStore(env);
  const conversationId = crypto.randomUUID();
  let place: { suffix: UploadExtension; keys: ArtifactKeys } | undefined;
  let isMarked = false;
  try {
    await requirePipeline(env);
    const upload = await receiveUpload(request, {
      fileField: 'file',
      maxFileBytes,
      stallSeconds: uploadStallSeconds,
      tooLarge: () =>
        new ServiceError('FILE_TOO_LARGE', `File exceeds the size limit of ${maxFileBytes / MEBIBYTE} MB`),
      open: (filename) => {
        const suffix = supportedExtension(filename);
        const keys = artifactKeys(caller.tenant, conversationId, suffix);
        place = { suffix, keys };
        return objectSink(store, keys.upload, async (multipartId) => {
          isMarked = true;
          await markPending(store, keys, multipartId);
        });
      },
    });
    if (!place) throw new ServiceError('INVALID_REQUEST');
    if (upload.size === 0) throw new ServiceError('INVALID_MEDIA', 'The uploaded file is empty');
    return { conversationId, ...place, ...optionsOfForm(upload.fields), isKept: false };
  } catch (error) {
    if (place && isMarked) await removeArtifacts(store, place.keys);
    throw error;
  } finally {
    admitted.received();
  }
}

/**
 * A recording that was kept when a machine failed, to be analysed again.
 * @throws ServiceError NOT_FOUND, MISCONFIGURED
 */
export async function askedAgain(env: Env, admitted: AdmittedAnalysis, conversationId: string): Promise<Recording> {
  admitted.received();
  await requirePipeline(env);
  return { ...(await keptUpload(env, admitted.caller.tenant, conversationId)), isKept: true };
}

function supportedExtension(filename: string): UploadExtension {
  const extension = extensionOf(filename);
  const supported = UPLOAD_EXTENSIONS.find((known) => known === extension);
  if (supported) return supported;
  const named = extension === '' ? 'The file has no extension' : `Unsupported file extension "${quoted(extension)}"`;
  throw new ServiceError('UNSUPPORTED_MEDIA', `${named}; supported are ${UPLOAD_EXTENSIONS.join(', ')}`);
}

export interface AnalysisContext {
  env: Env;
  tally: Tally;
  admitted: AdmittedAnalysis;
  /** Headers for the pipeline. */
  headers: Record<string, string>;
  /** Stops the work, in the pipeline too. */
  signal: AbortSignal;
}

/**
 * Starts the analysis of a recording; resolves when a pipeline accepted it.
 * @returns the events; before the closing ones the result is stored under `keys`. Bad media is removed, and so is what a
 * client left; what a machine failed is kept, and the error says so.
 * @throws ServiceError OVERLOADED when all pipelines are full, and nothing is stored then; another one's verdict, or
 * ANALYSIS_FAILURE with the `conversationId` under which the upload is kept
 */
export async function analyzeRecording(
  recording: Recording,
  context: AnalysisContext,
): Promise<AsyncGenerator<ServiceEvent, void>> {
  const { env, headers, signal } = context;
  const store = mediaStore(env);
  const { conversationId, keys } = recording;
  const refinement = new Refinement(languageModel(env, recording.goal));
  try {
    const body = (prefix: Uint8Array) => readObject(store, keys.upload, prefix);
    const options = pipelineOptions(recording, refinement.isWanted);
    const keep = (result: ResultLine, reader: PipelineReader) =>
      storeDocuments(store, keys, result, reader, refinement.documents);
    const hosts = pipelineHosts(env, conversationId);
    const lines = await startAnalysis(hosts, { options, body, headers, signal, keep });
    return told(lines, recording, refinement, context);
  } catch (error) {
    // No machine failed where all are full: the client sends it again.
    const isRefused = error instanceof ServiceError && error.code === 'OVERLOADED' && error.cause === undefined;
    throw await afterFailure(error, recording, context, isRefused);
  }
}

async function* told(
  lines: AsyncIterable<PipelineLine>,
  recording: Recording,
  refinement: Refinement,
  context: AnalysisContext,
): AsyncGenerator<ServiceEvent, void> {
  const { tally, admitted } = context;
  const store = mediaStore(context.env);
  const { conversationId, keys } = recording;
  let isSettled = false;
  try {
    for await (const line of lines) {
      if (line.type === 'material') await refinement.take(line);
      else if (line.type === 'event') {
        if (line.latency_ms !== undefined) tally.utterance(line.latency_ms);
        if (line.event === 'final_transcript') admitted.heard(line.data.t_end);
        yield refinement.event(line);
      } else if (line.type === 'result') {
        isSettled = true;
        admitted.heard(line.audio_seconds);
        // A marker that stays beside a result is taken away by a sweep.
        await store.delete([keys.pending]).catch(() => undefined);
      }
    }
    yield* closingEvents(conversationId);
  } catch (error) {
    if (isSettled) throw error;
    isSettled = true;
    throw await afterFailure(error, recording, context);
  } finally {
    // Left early.
    if (!isSettled && !recording.isKept) await removeArtifacts(store, keys);
  }
}

/**
 * Removes a recording whose media is bad, or that its owner gave up, and keeps one that a machine failed.
 * @param isRefused it was not taken at all
 * @returns what the client is told
 */
async function afterFailure(
  error: unknown,
  recording: Recording,
  { env, signal }: AnalysisContext,
  isRefused = false,
): Promise<ServiceError> {
  const known = asServiceError(error);
  const isGivenUp = signal.aborted || error instanceof ClientGone || isRefused;
  if (isGivenUp ? recording.isKept : known.status >= 500) return keepUpload(env, recording, known);
  await removeArtifacts(mediaStore(env), recording.keys);
  return known;
}
