import { ERRORS, type ErrorCode, ServiceError } from '../../../contract/errors.ts';
import type { JobBody } from '../../../contract/jobs.ts';
import { settingsOf } from '../../settings/settings.ts';

const MS_PER_HOUR = 3_600_000;

/** Whether an analysis was failed by a machine, and not by its media: its upload is kept then, to be asked for again. */
export const isMachines = (code: ErrorCode): boolean => ERRORS[code].status >= 500;

/** An error, as a client is told it whose upload is kept. */
export function keptError(env: object, error: ServiceError, conversationId: string): ServiceError {
  const hours = settingsOf(env).keptUploadMs / MS_PER_HOUR;
  const detail = `${error.detail}. The upload is kept for ${hours} hours: to have it analysed again, send {"conversation_id": "${conversationId}"} as JSON to POST /analyze or /analyze/stream`;
  const { code, cause, retryAfter, quotas } = error;
  return new ServiceError(code, detail, { cause, retryAfter, quotas, conversationId });
}

/** What is answered of an analysis that ended badly; undefined of any other. */
export function errorOf(
  env: object,
  { conversation_id: id, status, error, kept_until }: JobBody,
): ServiceError | undefined {
  if (status === 'cancelled') return new ServiceError('CANCELLED');
  if (!error) return undefined;
  const known = new ServiceError(error.code, error.message);
  return kept_until === null ? known : keptError(env, known, id);
}
