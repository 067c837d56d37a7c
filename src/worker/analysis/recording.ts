import type { AnalysisResponse } from '../../contract/analysis.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { ServiceEvent } from '../../contract/events.ts';
import {
  extensionOf,
  type MediaExtension,
  SpeakersSchema,
  UPLOAD_EXTENSIONS,
  type UploadExtension,
} from '../../contract/media.ts';
import type { PipelineLine } from '../../contract/pipeline.ts';
import { Conversation, type ConversationOptions } from '../../conversation/conversation.ts';
import { type Env, settingsOf } from '../env.ts';
import { objectSink } from '../http/object-sink.ts';
import { receiveUpload } from '../http/upload.ts';
import type { Tally } from '../metrics/metrics.ts';
import { type ArtifactKeys, analysisResponse, artifactKeys, removeArtifacts, storeArtifacts } from './artifacts.ts';
import { languageModel } from './language-model.ts';
import { readObject } from './object-reader.ts';
import { pipelineHosts, startAnalysis } from './pipeline.ts';
import { closingEvents, runToEnd } from './run.ts';

/** An uploaded file, at rest in R2, and what its sender said of it. */
export interface Recording {
  conversationId: string;
  keys: ArtifactKeys;
  suffix: MediaExtension;
  goal: string;
  /** The number of speakers, when the client knows it. */
  speakers: number | undefined;
}

/**
 * Receives the form of POST /analyze: `file`, and optionally `goal` and `speakers`, in any order.
 * @throws ServiceError INVALID_REQUEST, UNSUPPORTED_MEDIA, INVALID_MEDIA or FILE_TOO_LARGE; nothing is stored then
 */
export async function receiveRecording(request: Request, env: Env, tenant: string): Promise<Recording> {
  const { maxFileBytes } = settingsOf(env);
  const conversationId = crypto.randomUUID();
  let place: { suffix: UploadExtension; keys: ArtifactKeys } | undefined;
  const upload = await receiveUpload(request, {
    fileField: 'file',
    maxFileBytes,
    tooLarge: () =>
      new ServiceError('FILE_TOO_LARGE', `File exceeds the size limit of ${env.MAX_FILE_SIZE_MB ?? '500'} MB`),
    open: (filename) => {
      const suffix = supportedExtension(filename);
      place = { suffix, keys: artifactKeys(tenant, conversationId, suffix) };
      return objectSink(env.MEDIA, place.keys.upload);
    },
  });
  if (!place) throw new ServiceError('INVALID_REQUEST');
  const { keys, suffix } = place;
  try {
    if (upload.size === 0) throw new ServiceError('INVALID_MEDIA', 'The uploaded file is empty');
    const { goal = '' } = upload.fields;
    return { conversationId, keys, suffix, goal, speakers: speakersOf(upload.fields.speakers) };
  } catch (error) {
    await removeArtifacts(env.MEDIA, keys);
    throw error;
  }
}

function supportedExtension(filename: string): UploadExtension {
  const extension = extensionOf(filename);
  const supported = UPLOAD_EXTENSIONS.find((known) => known === extension);
  if (supported) return supported;
  const named = extension === '' ? 'The file has no extension' : `Unsupported file extension "${extension}"`;
  throw new ServiceError('UNSUPPORTED_MEDIA', `${named}; supported are ${UPLOAD_EXTENSIONS.join(', ')}`);
}

function speakersOf(field: string | undefined): number | undefined {
  if (field === undefined || field.trim() === '') return undefined;
  const speakers = SpeakersSchema.safeParse(field);
  if (!speakers.success) throw new ServiceError('INVALID_REQUEST', 'speakers: must be a whole number from 1 to 8');
  return speakers.data;
}

export interface AnalysisContext {
  env: Env;
  tally: Tally;
  /** Headers for the pipeline. */
  headers: Record<string, string>;
  /** Stops the work, in the pipeline too. */
  signal: AbortSignal;
}

/**
 * Starts the analysis of a recording; resolves when a pipeline accepted it.
 * @returns the events; the last value is the result, stored by then. If the generator throws, is aborted or is left
 * early, nothing of the recording stays.
 * @throws ServiceError OVERLOADED or ANALYSIS_FAILURE; nothing is stored then
 */
export async function analyzeRecording(
  recording: Recording,
  context: AnalysisContext,
): Promise<AsyncGenerator<ServiceEvent, AnalysisResponse>> {
  const { env, headers, signal } = context;
  const { conversationId, suffix, speakers, keys } = recording;
  try {
    const media = () => readObject(env.MEDIA, keys.upload);
    const hosts = pipelineHosts(env, conversationId);
    const lines = await startAnalysis(hosts, { conversationId, suffix, speakers, media, headers, signal });
    return keptOrRemoved(lines, recording, context);
  } catch (error) {
    await removeArtifacts(env.MEDIA, keys);
    throw error;
  }
}

async function* keptOrRemoved(
  lines: AsyncIterable<PipelineLine>,
  { conversationId, goal, keys }: Recording,
  { env, tally }: AnalysisContext,
): AsyncGenerator<ServiceEvent, AnalysisResponse> {
  const told: ServiceEvent[] = [];
  let result: AnalysisResponse | undefined;
  const createModel = (options: ConversationOptions) => new Conversation(options);
  const options = { conversationId, goal, createModel, refine: languageModel(env, goal) };
  const events = runToEnd(timed(lines, tally), options, async (analysis) => {
    const response = analysisResponse(analysis, keys);
    await storeArtifacts(env.MEDIA, keys, response, [...told, ...closingEvents(conversationId)]);
    result = response;
  });
  try {
    for await (const event of events) {
      told.push(event);
      yield event;
    }
    if (!result) throw new ServiceError('ANALYSIS_FAILURE');
    return result;
  } finally {
    if (!result) await removeArtifacts(env.MEDIA, keys);
  }
}

/** Counts the latency of every utterance that passes. */
async function* timed(lines: AsyncIterable<PipelineLine>, tally: Tally): AsyncGenerator<PipelineLine> {
  for await (const line of lines) {
    if (line.type === 'utterance') tally.utterance(line.latency_ms);
    yield line;
  }
}
