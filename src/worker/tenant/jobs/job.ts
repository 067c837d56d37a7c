import type { MediaExtension } from '../../../contract/media.ts';
import type { AnalysisOptions } from '../../../contract/options.ts';
import type { CallerName } from '../../identity/caller.ts';
import { type RecordedRunKeys, runKeys } from '../../storage/keys.ts';

/** Where the media of an analysis is: in the store already - elsewhere than its documents under `key` -, or on the network. */
export type JobSource =
  | { type: 'upload'; suffix: MediaExtension; bytes: number; key?: string | undefined }
  | { type: 'url'; url: string; filename?: string | undefined };

/** How a recording was sent. */
export interface Sent {
  mode: 'batch' | 'replay';
  /** '' for none. */
  filename: string;
}

/** An analysis that is to be made, whatever happens. */
export interface JobRequest {
  tenant: string;
  /** Whose key asked for it: with the key it ends, and what it hears is counted for it. */
  caller: CallerName;
  runId: string;
  /** Of the request that asked for it. */
  requestId: string;
  sent: Sent;
  source: JobSource;
  options: AnalysisOptions;
}

export const uploadedSource = (suffix: MediaExtension, bytes: number): JobSource => ({ type: 'upload', suffix, bytes });

/** An analysis before a pipeline is asked for it. */
export interface AnalysisInput extends AnalysisOptions {
  /** Of one anew with its number (`runOf`). */
  runId: string;
  suffix: MediaExtension;
  keys: RecordedRunKeys;
}

/** What of a job is analysed. */
export function recordingOf(
  { tenant, runId, options, source }: Pick<JobRequest, 'tenant' | 'runId' | 'options' | 'source'>,
  suffix: MediaExtension,
): AnalysisInput {
  const keys = runKeys(tenant, runId, suffix);
  const upload = (source.type === 'upload' && source.key) || keys.upload;
  return { ...options, runId, suffix, keys: { ...keys, upload } };
}
