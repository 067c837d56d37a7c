import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import type { UploadExtension } from '../../contract/media.ts';
import { LEASE_HEADER, type PipelineLine, type ResultLine } from '../../contract/pipeline.ts';
import { receiveUpload } from '../http/upload.ts';
import type { Env } from '../identity/env.ts';
import type { AdmittedAnalysis } from '../keys/admit-analysis.ts';
import type { Tally } from '../metrics/metrics.ts';
import { type HostsOf, startAnalysis } from '../pipeline/pipeline.ts';
import type { PipelineReader } from '../pipeline/reader.ts';
import { storeDocuments } from '../pipeline/store-documents.ts';
import { requirePipeline } from '../pool/place.ts';
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
import { OPTION_FIELDS, optionsOfForm, pipelineOptions } from './options.ts';
import { formatOfFile } from './recording-format.ts';
import { Refinement } from './refinement.ts';

/** The file and the options in the form of POST /analyze. */
export interface ReceivedRecording {
  recording: AnalysisInput;
  filename: string;
  /** Size of the file. */
  bytes: number;
  /** SHA-256 of the file in hexadecimal, if requested. */
  digest: string | undefined;
}

export interface ReceptionOptions {
  /** Whether to compute the digest of the file. */
  isDigested: boolean;
  /** Whether to read the file without storing it. */
  isDiscarded: boolean;
}

/**
 * Receives the form of POST /analyze: `file` and, optionally, the options of an analysis, in any order.
 * @throws ServiceError INVALID_REQUEST, UNSUPPORTED_MEDIA, INVALID_MEDIA, FILE_TOO_LARGE, UPLOAD_STALLED or
 * MISCONFIGURED. In these cases nothing is stored.
 */
export async function receiveRecording(
  request: Request,
  env: Env,
  admitted: AdmittedAnalysis,
  { isDigested, isDiscarded }: ReceptionOptions = { isDigested: false, isDiscarded: false },
): Promise<ReceivedRecording> {
  const { uploadStallSeconds } = settingsOf(env);
  const { maxFileBytes, caller, conversationId: runId } = admitted;
  const store = mediaStore(env);
  let isWhole = false;
  let target: { suffix: UploadExtension; keys: RecordedRunKeys } | undefined;
  let digest: (() => Promise<string>) | undefined;
  let isMarked = false;
  try {
    await requirePipeline(env);
    const upload = await receiveUpload(request, {
      fileField: 'file',
      textFields: OPTION_FIELDS,
      maxFileBytes,
      stallSeconds: uploadStallSeconds,
      tooLarge: () => fileTooLarge(maxFileBytes),
      open: (file) => {
        const suffix = formatOfFile(file);
        const keys = runKeys(caller.tenant, runId, suffix);
        target = { suffix, keys };
        const stored = objectSink(store, keys.upload, async (multipartId) => {
          isMarked = true;
          await markPending(store, keys, multipartId);
        });
        if (!isDigested) return stored;
        const hashing = digested(isDiscarded ? null : stored);
        ({ digest } = hashing);
        return hashing.sink;
      },
    });
    if (!target) throw new ServiceError('INVALID_REQUEST');
    if (upload.size === 0) throw new ServiceError('INVALID_MEDIA', 'The uploaded file is empty');
    const recording = { runId, ...target, ...optionsOfForm(upload.fields) };
    isWhole = true;
    return { recording, filename: upload.filename, bytes: upload.size, digest: await digest?.() };
  } catch (error) {
    if (target && isMarked) await removeArtifacts(store, target.keys);
    throw error;
  } finally {
    admitted.received(isWhole);
  }
}

export const fileTooLarge = (maxBytes: number): ServiceError =>
  new ServiceError('FILE_TOO_LARGE', `File exceeds the size limit of ${maxBytes / MEBIBYTE} MB`);

export interface AnalysisContext {
  env: Env;
  tally: Tally;
  /** Called with the seconds of audio analysed so far. */
  analysed: (seconds: number) => void;
  hosts: HostsOf;
  /** Headers sent to the pipeline. */
  headers: Record<string, string>;
  /** Stops the work, including the pipeline's. */
  signal: AbortSignal;
}

/**
 * Starts the analysis of a recording. Resolves when a pipeline has accepted it.
 * @returns the events. The result is stored under `keys` before the closing events.
 * @throws ServiceError OVERLOADED, ANALYSIS_FAILURE, or the pipeline's refusal. In these cases nothing is removed.
 */
export async function analyzeRecording(
  recording: AnalysisInput,
  context: AnalysisContext,
): Promise<AsyncGenerator<ServiceEvent, void>> {
  const { env, hosts, signal } = context;
  const store = mediaStore(env);
  const { runId, keys, keepsOriginal } = recording;
  // A goal that is not redacted yet is not shown to a language model.
  const refinement = new Refinement(languageModel(env, recording.texts ? '' : recording.goal));
  const body = (prefix: Uint8Array) => readObject(store, keys.upload, prefix);
  const options = pipelineOptions(recording, refinement.isWanted);
  const keep = (result: ResultLine, reader: PipelineReader) =>
    storeDocuments(store, keys, result, reader, { refined: refinement.documents, keepsOriginal });
  const headers = { ...context.headers, [LEASE_HEADER]: runId };
  const lines = await startAnalysis(hosts, { options, body, headers, signal, keep });
  return eventsOf(lines, runId, refinement, context);
}

async function* eventsOf(
  lines: AsyncIterable<PipelineLine>,
  runId: string,
  refinement: Refinement,
  { tally, analysed }: AnalysisContext,
): AsyncGenerator<ServiceEvent, void> {
  for await (const line of lines) {
    if (line.type === 'material') await refinement.refine(line);
    else if (line.type === 'event') {
      if (line.latency_ms !== undefined) tally.utterance(line.latency_ms);
      if (line.event === 'final_transcript') analysed(line.data.t_end);
      yield refinement.eventOf(line);
    } else if (line.type === 'result') analysed(line.audio_seconds);
  }
  yield* closingEvents(conversationOf(runId));
}
