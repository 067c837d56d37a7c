import { ERRORS, type ErrorCode, ServiceError } from '../../contract/errors.ts';
import { settingsOf } from '../settings.ts';

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
