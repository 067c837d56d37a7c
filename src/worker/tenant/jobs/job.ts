import type { MediaExtension } from '../../../contract/media.ts';
import type { AnalysisOptions } from '../../../contract/options.ts';
import type { Captured } from '../../../contract/pipeline.ts';
import type { CallerName } from '../../identity/caller.ts';
import { type RecordedRunKeys, runKeys } from '../../storage/keys.ts';

/**
 * The location of the media of an analysis: in the store (under `key` if it is not beside the documents) or at a URL.
 */
export type JobSource = UploadedSource | { type: 'url'; url: string; filename?: string | undefined };

interface UploadedSource {
  type: 'upload';
  suffix: MediaExtension;
  bytes: number;
  key?: string | undefined;
  captured?: Captured | undefined;
}

/** How a recording was sent. */
export interface Sent {
  mode: 'batch' | 'replay';
  /** '' for none. */
  filename: string;
}

/** An analysis that is completed even if the process that runs it dies. */
export interface JobRequest {
  tenant: string;
  /** The key of the request. The job ends when this key is revoked, and the audio counts towards its usage. */
  caller: CallerName;
  runId: string;
  /** Id of the request. */
  requestId: string;
  sent: Sent;
  source: JobSource;
  options: AnalysisOptions;
  /** Whether it redacts what is stored already, with the texts that people wrote about it. */
  isRedaction?: boolean | undefined;
}

/** A job as versions up to 0.3.0 stored it, in which `conversationId` was the id of the run. */
export type StoredJobRequest = JobRequest | (Omit<JobRequest, 'runId'> & { conversationId: string });

/** Reads a job that this version or an earlier one stored. */
export function jobRequestOf(stored: StoredJobRequest): JobRequest {
  if ('runId' in stored) return stored;
  const { conversationId: runId, ...rest } = stored;
  return { ...rest, runId };
}

export const uploadedSource = (suffix: MediaExtension, bytes: number): UploadedSource => ({
  type: 'upload',
  suffix,
  bytes,
});

/** Whether an analysis redacts. If it fails, its upload is not kept. */
export const redacts = ({ options }: Pick<JobRequest, 'options'>): boolean => (options.redact ?? []).length > 0;

/** The facts about a recording that the pipeline needs. */
export interface AnalysisInput extends AnalysisOptions {
  runId: string;
  suffix: MediaExtension;
  keys: RecordedRunKeys;
  captured?: Captured | undefined;
  /** Texts that people wrote about a stored conversation whose redaction this is. */
  texts?: string[] | undefined;
  /** Whether what is redacted is kept apart. */
  keepsOriginal?: boolean | undefined;
}

/** The job that analyses an upload. */
export function jobOfUpload(
  { runId, suffix, keys: _, ...options }: AnalysisInput,
  bytes: number,
  { caller, requestId, sent }: Pick<JobRequest, 'caller' | 'requestId' | 'sent'>,
): JobRequest {
  return { tenant: caller.tenant, caller, runId, requestId, sent, source: uploadedSource(suffix, bytes), options };
}

/** The recording that a job analyses. */
export function recordingOf(
  { tenant, runId, options, source }: Pick<JobRequest, 'tenant' | 'runId' | 'options' | 'source'>,
  suffix: MediaExtension,
): AnalysisInput {
  const keys = runKeys(tenant, runId, suffix);
  const { key = keys.upload, captured }: Partial<UploadedSource> = source.type === 'upload' ? source : {};
  return { ...options, runId, suffix, keys: { ...keys, upload: key }, captured };
}
