/**
 * The error table: one row per code, the same word over HTTP (`{detail, code, request_id}`) and SSE (`{code, message}`).
 * Spec: Errors; decisions: Behaviour.
 */
export const ERRORS = {
  INVALID_KEY: { status: 401, detail: 'Invalid or missing API key' },
  INVALID_REQUEST: { status: 400, detail: 'Malformed request' },
  UNSUPPORTED_MEDIA: { status: 400, detail: 'Unsupported file extension' },
  INVALID_MEDIA: { status: 400, detail: 'The media could not be decoded' },
  FILE_TOO_LARGE: { status: 400, detail: 'File exceeds the size limit' },
  NO_UTTERANCES: { status: 400, detail: 'No utterances detected in uploaded media' },
  EMPTY_CHUNK: { status: 400, detail: 'Empty chunk data' },
  NOT_FOUND: { status: 404, detail: 'Not found' },
  UNKNOWN_SESSION: { status: 404, detail: 'Unknown live session' },
  LIVE_DISABLED: { status: 404, detail: 'Live capture is disabled on this deployment' },
  METHOD_NOT_ALLOWED: { status: 405, detail: 'Method not allowed' },
  WRONG_CHUNK_SEQ: { status: 409, detail: 'Expected chunk_seq=0' },
  SESSION_FINALIZED: { status: 409, detail: 'Session already finalized' },
  CONSUMER_ATTACHED: { status: 409, detail: 'Only one SSE consumer may be attached to a live session at a time' },
  ANALYSIS_FAILURE: { status: 500, detail: 'Analysis failed' },
  LIVE_ASR_FAILURE: { status: 500, detail: 'Live recognition failed' },
  STREAM_FAILURE: { status: 500, detail: 'Streaming failed' },
  OVERLOADED: { status: 503, detail: 'The service is busy; try again shortly' },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];

/** The one error class. `detail` is shown to the client; a cause goes to the log and never leaves. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  /** Seconds, for OVERLOADED. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    detail: string = ERRORS[code].detail,
    options: { cause?: unknown; retryAfter?: number } = {},
  ) {
    super(detail, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.detail = detail;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
