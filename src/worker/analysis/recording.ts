import { quoted, ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import { extensionOf, UPLOAD_EXTENSIONS, type UploadExtension } from '../../contract/media.ts';
import type { PipelineLine, ResultLine } from '../../contract/pipeline.ts';
import { receiveUpload } from '../http/upload.ts';
import type { Env } from '../identity/env.ts';
import type { AdmittedAnalysis } from '../keys/admit-analysis.ts';
import type { Tally } from '../metrics/metrics.ts';
import { pipelineHosts, requirePipeline } from '../pipeline/hosts.ts';
import { startAnalysis } from '../pipeline/pipeline.ts';
import type { PipelineReader } from '../pipeline/reader.ts';
import { storeDocuments } from '../pipeline/store-documents.ts';
import { MEBIBYTE, settingsOf } from '../settings/settings.ts';
import { digested } from '../storage/digest.ts';
import { conversationOf, type RecordedRunKeys, runKeys } from '../storage/keys.ts';
import { mediaStore } from '../storage/media-store.ts';
import { readObject } from '../storage/object-reader.ts';
import { objectSink } from '../storage/object-sink.ts';
import { markPending } from '../storage/pending.ts';
import { removeArtifacts } from '../storage/run-objects.ts';
import type { AnalysisInput } from '../tenant/jobs/job.ts';
import { closingEvents } from './closing.ts';
import { languageModel } from './language-model.ts';
import { optionsOfForm, pipelineOptions } from './options.ts';
import { Refinement } from './refinement.ts';

/** What came of the form of POST /analyze. */
export interface ReceivedRecording {
  recording: AnalysisInput;
  filename: string;
  /** Size of the file. */
  bytes: number;
  /** Its SHA-256 in hexadecimal digits, where it was asked for. */
  digest: string | undefined;
}

export interface Receiving {
  /** Whether what is in the file is to be told by its digest. */
  isDigested: boolean;
  /** Whether the file is read and kept nowhere. */
  isDiscarded: boolean;
}

/**
 * Receives the form of POST /analyze: `file`, and optionally the options of an analysis, in any order.
 * @throws ServiceError INVALID_REQUEST, UNSUPPORTED_MEDIA, INVALID_MEDIA, FILE_TOO_LARGE, UPLOAD_STALLED or
 * MISCONFIGURED; nothing is stored then
 */
export async function receiveRecording(
  request: Request,
  env: Env,
  admitted: AdmittedAnalysis,
  { isDigested, isDiscarded }: Receiving = { isDigested: false, isDiscarded: false },
): Promise<ReceivedRecording> {
  const { uploadStallSeconds } = settingsOf(env);
  const { maxFileBytes, caller, conversationId } = admitted;
  const store = mediaStore(env);
  let isWhole = false;
  let place: { suffix: UploadExtension; keys: RecordedRunKeys } | undefined;
  let digest: (() => Promise<string>) | undefined;
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
        const keys = runKeys(caller.tenant, conversationId, suffix);
        place = { suffix, keys };
        const stored = objectSink(store, keys.upload, async (multipartId) => {
          isMarked = true;
          await markPending(store, keys, multipartId);
        });
        if (!isDigested) return stored;
        const seen = digested(isDiscarded ? null : stored);
        ({ digest } = seen);
        return seen.sink;
      },
    });
    if (!place) throw new ServiceError('INVALID_REQUEST');
    if (upload.size === 0) throw new ServiceError('INVALID_MEDIA', 'The uploaded file is empty');
    const recording = { runId: conversationId, ...place, ...optionsOfForm(upload.fields) };
    isWhole = true;
    return { recording, filename: upload.filename, bytes: upload.size, digest: await digest?.() };
  } catch (error) {
    if (place && isMarked) await removeArtifacts(store, place.keys);
    throw error;
  } finally {
    admitted.received(isWhole);
  }
}

export function supportedExtension(filename: string): UploadExtension {
  const extension = extensionOf(filename);
  const supported = UPLOAD_EXTENSIONS.find((known) => known === extension);
  if (supported) return supported;
  const named = extension === '' ? 'The file has no extension' : `Unsupported file extension "${quoted(extension)}"`;
  throw new ServiceError('UNSUPPORTED_MEDIA', `${named}; supported are ${UPLOAD_EXTENSIONS.join(', ')}`);
}

export interface AnalysisContext {
  env: Env;
  tally: Tally;
  /** Told how much sound was analysed so far, seconds. */
  heard: (seconds: number) => void;
  /** Headers for the pipeline. */
  headers: Record<string, string>;
  /** Stops the work, in the pipeline too. */
  signal: AbortSignal;
}

/**
 * Starts the analysis of a recording; resolves when a pipeline accepted it.
 * @returns the events; before the closing ones the result is stored under `keys`
 * @throws ServiceError OVERLOADED, ANALYSIS_FAILURE, or what the pipeline refuses with. Nothing is removed then
 */
export async function analyzeRecording(
  recording: AnalysisInput,
  context: AnalysisContext,
): Promise<AsyncGenerator<ServiceEvent, void>> {
  const { env, headers, signal } = context;
  const store = mediaStore(env);
  const { runId: conversationId, keys } = recording;
  const refinement = new Refinement(languageModel(env, recording.goal));
  const body = (prefix: Uint8Array) => readObject(store, keys.upload, prefix);
  const options = pipelineOptions(recording, refinement.isWanted);
  const keep = (result: ResultLine, reader: PipelineReader) =>
    storeDocuments(store, keys, result, reader, refinement.documents);
  const hosts = pipelineHosts(env, conversationId);
  const lines = await startAnalysis(hosts, { options, body, headers, signal, keep });
  return eventsOf(lines, conversationId, refinement, context);
}

async function* eventsOf(
  lines: AsyncIterable<PipelineLine>,
  conversationId: string,
  refinement: Refinement,
  { tally, heard }: AnalysisContext,
): AsyncGenerator<ServiceEvent, void> {
  for await (const line of lines) {
    if (line.type === 'material') await refinement.take(line);
    else if (line.type === 'event') {
      if (line.latency_ms !== undefined) tally.utterance(line.latency_ms);
      if (line.event === 'final_transcript') heard(line.data.t_end);
      yield refinement.event(line);
    } else if (line.type === 'result') heard(line.audio_seconds);
  }
  yield* closingEvents(conversationOf(conversationId));
}
