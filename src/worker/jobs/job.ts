import type { MediaExtension } from '../../contract/media.ts';
import type { AnalysisOptions } from '../../contract/options.ts';
import type { Recording } from '../analysis/recording.ts';
import { artifactKeys } from '../storage/artifacts.ts';
import type { CallerName } from '../tenants/tenant.ts';

/** Where the media of an analysis is: in the store already, or still somewhere on the network. */
export type JobSource =
  | { type: 'upload'; suffix: MediaExtension; bytes: number }
  | { type: 'url'; url: string; filename?: string | undefined };

/** An analysis that is to be made, whatever happens. */
export interface JobRequest {
  tenant: string;
  /** Whose key asked for it: with the key it ends, and what it hears is counted for it. */
  caller: CallerName;
  conversationId: string;
  /** Of the request that asked for it. */
  requestId: string;
  source: JobSource;
  options: AnalysisOptions;
}

export const uploadedSource = (suffix: MediaExtension, bytes: number): JobSource => ({ type: 'upload', suffix, bytes });

/** What of a job is analysed. */
export const recordingOf = (
  { tenant, conversationId, options }: Pick<JobRequest, 'tenant' | 'conversationId' | 'options'>,
  suffix: MediaExtension,
): Recording => ({ ...options, conversationId, suffix, keys: artifactKeys(tenant, conversationId, suffix) });
