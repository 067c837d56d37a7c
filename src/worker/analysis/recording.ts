import { quoted, ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { extensionOf, UPLOAD_EXTENSIONS, type UploadExtension } from '../../contract/media.ts';
import type { PipelineLine, ResultLine } from '../../contract/pipeline.ts';
import type { Env } from '../env.ts';
import { receiveUpload } from '../http/upload.ts';
import type { Tally } from '../metrics/metrics.ts';
import { pipelineHosts, startAnalysis } from '../pipeline/pipeline.ts';
import type { PipelineReader } from '../pipeline/reader.ts';
import { MEBIBYTE, settingsOf } from '../settings.ts';
import { type ArtifactKeys, artifactKeys, removeArtifacts, storeDocuments } from '../storage/artifacts.ts';
import { mediaStore } from '../storage/media-store.ts';
import { readObject } from '../storage/object-reader.ts';
import { objectSink } from '../storage/object-sink.ts';
import { markPending } from '../storage/pending.ts';
import type { AdmittedAnalysis } from '../tenants/admitted.ts';
import { closingEvents } from './closing.ts';
import { languageModel } from './language-model.ts';
import { type NamedAnalysis, optionsOfForm, pipelineOptions } from './options.ts';
import { Refinement } from './refinement.ts';

/** An uploaded file, at rest in the store, and what its sender said of it. */
export type Recording = NamedAnalysis;

/**
 * Receives the form of POST /analyze: `file`, and optionally the options of an analysis, in any order.
 * @throws ServiceError INVALID_REQUEST, UNSUPPORTED_MEDIA, INVALID_MEDIA, FILE_TOO_LARGE or UPLOAD_STALLED; nothing is
 * stored then
 */
export async function receiveRecording(request: Request, env: Env, admitted: AdmittedAnalysis): Promise<Recording> {
  const { uploadStallSeconds } = settingsOf(env);
  const { maxFileBytes, caller } = admitted;
  const store = mediaStore(env);
  const conversationId = crypto.randomUUID();
  let place: { suffix: UploadExtension; keys: ArtifactKeys } | undefined;
  let isMarked = false;
  try {
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
    return { conversationId, ...place, ...optionsOfForm(upload.fields) };
  } catch (error) {
    if (place && isMarked) await removeArtifacts(store, place.keys);
    throw error;
  } finally {
    admitted.received();
  }
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
 * @returns the events; before the closing ones the result is stored under `keys`. If the generator throws, is aborted or
 * is left early, nothing of the recording stays.
 * @throws ServiceError OVERLOADED or ANALYSIS_FAILURE; nothing is stored then
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
    return keptOrRemoved(lines, recording, refinement, context);
  } catch (error) {
    await removeArtifacts(store, keys);
    throw error;
  }
}

async function* keptOrRemoved(
  lines: AsyncIterable<PipelineLine>,
  { conversationId, keys }: Recording,
  refinement: Refinement,
  { env, tally, admitted }: AnalysisContext,
): AsyncGenerator<ServiceEvent, void> {
  const store = mediaStore(env);
  let isKept = false;
  try {
    for await (const line of lines) {
      if (line.type === 'material') await refinement.take(line);
      else if (line.type === 'event') {
        if (line.latency_ms !== undefined) tally.utterance(line.latency_ms);
        if (line.event === 'final_transcript') admitted.heard(line.data.t_end);
        yield refinement.event(line);
      } else if (line.type === 'result') {
        isKept = true;
        admitted.heard(line.audio_seconds);
        // A marker that stays beside a result is taken away by a sweep.
        await store.delete([keys.pending]).catch(() => undefined);
      }
    }
    yield* closingEvents(conversationId);
  } finally {
    if (!isKept) await removeArtifacts(store, keys);
  }
}
