import * as z from 'zod';

/**
 * The error table with one row per code. HTTP (`{detail, code, request_id}`) and SSE (`{code, message, detail}`) use
 * the same text. Spec: Errors; decisions: Behaviour.
 */
export const ERRORS = {
  INVALID_KEY: { status: 401, detail: 'Invalid or missing API key' },
  FORBIDDEN: { status: 403, detail: 'This key does not have permission to do that' },
  INVALID_REQUEST: { status: 400, detail: 'Malformed request' },
  UNSUPPORTED_MEDIA: { status: 400, detail: 'Unsupported file extension' },
  INVALID_MEDIA: { status: 400, detail: 'The media could not be decoded' },
  FILE_TOO_LARGE: { status: 400, detail: 'File exceeds the size limit' },
  NO_UTTERANCES: { status: 400, detail: 'No utterances detected in uploaded media' },
  UPLOAD_STALLED: { status: 400, detail: 'The upload stalled' },
  SOURCE_FAILED: { status: 400, detail: 'The URL could not be fetched' },
  EMPTY_CHUNK: { status: 400, detail: 'Empty chunk data' },
  NOT_FOUND: { status: 404, detail: 'Not found' },
  UNKNOWN_SESSION: { status: 404, detail: 'Unknown live session' },
  KEYS_DISABLED: { status: 404, detail: 'This deployment issues no keys or tokens: KEY_PEPPER is not set' },
  LIVE_DISABLED: { status: 404, detail: 'Live capture is disabled on this deployment' },
  METHOD_NOT_ALLOWED: { status: 405, detail: 'Method not allowed' },
  WRONG_CHUNK_SEQ: { status: 409, detail: 'Expected chunk_seq=0' },
  SESSION_FINALIZED: { status: 409, detail: 'Session already finalized' },
  CONSUMER_ATTACHED: { status: 409, detail: 'Only one SSE consumer may be attached to a live session at a time' },
  NOT_COMPLETED: { status: 409, detail: 'This conversation has no result' },
  NOTHING_TO_UNDO: { status: 409, detail: 'There is no edit to undo' },
  ON_HOLD: { status: 409, detail: 'This conversation is on hold, so nothing of it can be deleted or replaced' },
  LAST_MANAGER: { status: 409, detail: 'The last manager of a tenant cannot be removed or get another role' },
  CANCELLED: { status: 409, detail: 'The analysis was cancelled' },
  PRECONDITION_FAILED: { status: 412, detail: 'The stored version does not match `If-Match`' },
  RANGE_NOT_SATISFIABLE: { status: 416, detail: 'The range starts beyond the end of the file' },
  WRONG_HOST: {
    status: 421,
    detail: 'This service only accepts requests for localhost, 127.0.0.1, [::1] and the address in HOST',
  },
  KEY_REUSED: { status: 422, detail: 'This Idempotency-Key was already used for a different request' },
  RATE_LIMITED: { status: 429, detail: 'Too many requests at once; try again shortly' },
  ANALYSIS_FAILURE: { status: 500, detail: 'Analysis failed' },
  LIVE_ASR_FAILURE: { status: 500, detail: 'Live recognition failed' },
  STREAM_FAILURE: { status: 500, detail: 'Streaming failed' },
  MISCONFIGURED: { status: 500, detail: 'The service is not configured' },
  OVERLOADED: { status: 503, detail: 'The service is busy; try again shortly' },
  STORAGE_FULL: { status: 507, detail: 'Storage is full: free some space, then try again' },
} as const;

export type ErrorCode = keyof typeof ERRORS;
export const ERROR_CODES = Object.keys(ERRORS) as [ErrorCode, ...ErrorCode[]];
export const ErrorCodeSchema = z.enum(ERROR_CODES).meta({ id: 'ErrorCode' });

/** The id in an error when the upload can be analysed again. Both HTTP and SSE errors have it. */
export const KeptConversationSchema = z
  .string()
  .describe(
    'The analysis failed through no fault of the recording and the upload is kept: send this id as JSON to POST /analyze to try again. Or a live session expired: its recording is analysed under this id.',
  );

/**
 * Length limit of a detail, characters. Our longest detail lists every supported extension, and text from a client must
 * not exceed this.
 */
const MAX_DETAIL = 400;
/** Number of characters of a client's text that a detail repeats, enough to recognise the text. */
const MAX_QUOTED = 40;

const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** A string that a client chose, shortened for use in a detail. */
export const quoted = (word: string): string => cut(word, MAX_QUOTED);

/**
 * A limit for the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10). A limit without
 * a window applies to concurrent work.
 */
export interface Quota {
  name: string;
  limit: number;
  remaining: number;
  windowSeconds?: number;
  /** Seconds until more is allowed. */
  resetSeconds?: number;
  /** The resource that is counted. Absent for requests. */
  unit?: 'concurrent-requests' | 'content-bytes' | 'audio-minutes';
}

/** The only error class of the service. Clients see `detail`. The cause only goes to the log. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly detail: string;
  /** In seconds, for OVERLOADED and RATE_LIMITED. */
  readonly retryAfter: number | undefined;
  /** The limits that were exceeded, for RATE_LIMITED. */
  readonly quotas: readonly Quota[];
  /** The id under which the upload can be analysed again, if the service failed and kept it. */
  readonly conversationId: string | undefined;
  /** Headers to add to the response. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether the job ends with this error although its code normally permits another attempt. */
  readonly isFinal: boolean;
  /** Whether the client caused it, although its code stands for a fault of the service. */
  readonly isByClient: boolean;

  constructor(
    code: ErrorCode,
    detail: string = ERRORS[code].detail,
    options: {
      cause?: unknown;
      retryAfter?: number;
      quotas?: readonly Quota[];
      conversationId?: string;
      headers?: Readonly<Record<string, string>>;
      isFinal?: boolean;
      isByClient?: boolean;
    } = {},
  ) {
    super(cut(detail, MAX_DETAIL), { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.detail = this.message;
    this.retryAfter = options.retryAfter;
    this.quotas = options.quotas ?? [];
    this.conversationId = options.conversationId;
    this.headers = options.headers ?? {};
    this.isFinal = options.isFinal ?? false;
    this.isByClient = options.isByClient ?? false;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}
