import type { UploadExtension } from '../../contract/media.ts';
import type { Recording } from '../analysis/recording.ts';
import { artifactKeys } from '../storage/artifacts.ts';

/** What a client chooses of an analysis. */
export type JobOptions = Omit<Recording, 'conversationId' | 'keys' | 'suffix'>;

/** Where the media of an analysis is: in the store already, or still somewhere on the network. */
export type JobSource =
  | { type: 'upload'; suffix: UploadExtension; bytes: number }
  | { type: 'url'; url: string; filename?: string | undefined };

/** An analysis that is to be made, whatever happens. */
export interface JobRequest {
  tenant: string;
  conversationId: string;
  /** Of the request that asked for it. */
  requestId: string;
  source: JobSource;
  options: JobOptions;
}

/** What of a job is analysed. */
export const recordingOf = (
  { tenant, conversationId, options }: Pick<JobRequest, 'tenant' | 'conversationId' | 'options'>,
  suffix: UploadExtension,
): Recording => ({ ...options, conversationId, suffix, keys: artifactKeys(tenant, conversationId, suffix) });
