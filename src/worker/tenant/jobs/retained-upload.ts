import { ERRORS, type ErrorCode, ServiceError } from '../../../contract/errors.ts';
import type { JobBody } from '../../../contract/jobs.ts';
import { settingsOf } from '../../settings/settings.ts';

const MS_PER_HOUR = 3_600_000;

/**
 * Whether a failure is an infrastructure fault rather than the media's. The upload is then retained for another
 * attempt.
 */
export const isMachineFault = (code: ErrorCode): boolean => ERRORS[code].status >= 500;

/** An error that explains how to analyse the retained upload again. */
export function retainedError(env: object, error: ServiceError, conversationId: string): ServiceError {
  const hours = settingsOf(env).keptUploadMs / MS_PER_HOUR;
  const detail = `${error.detail}. The upload is kept for ${hours} hours: to analyse it again, send {"conversation_id": "${conversationId}"} as JSON to POST /analyze or /analyze/stream`;
  const { code, cause, retryAfter, quotas } = error;
  return new ServiceError(code, detail, { cause, retryAfter, quotas, conversationId });
}

/** The error of a job that failed or was cancelled; undefined for any other job. */
export function errorOf(
  env: object,
  { conversation_id: id, status, error, kept_until }: JobBody,
): ServiceError | undefined {
  if (status === 'cancelled') return new ServiceError('CANCELLED');
  if (!error) return undefined;
  const known = new ServiceError(error.code, error.message);
  return kept_until === null ? known : retainedError(env, known, id);
}
