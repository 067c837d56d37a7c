import type { ErrorBody, ErrorCode } from './wire.ts';

/** The codes of errors that arise in the client. */
export type ClientErrorCode =
  /** There was no response, or it broke off: the network failed, or the service is down. */
  | 'CONNECTION_FAILED'
  /** The response is not from the service. It may be a proxy's page, a redirect, or another program's. */
  | 'UNEXPECTED_ANSWER'
  /** The live session no longer accepts data, because this client finalized or cancelled it. */
  | 'SESSION_CLOSED'
  /** The signature of a webhook message is wrong or too old. */
  | 'INVALID_SIGNATURE'
  /** The page has no permission to use the microphone, or was not loaded over a secure connection. */
  | 'MICROPHONE_REFUSED'
  /** The microphone was not found, or another program is using it. */
  | 'MICROPHONE_UNAVAILABLE'
  /** This browser cannot record in the requested format. */
  | 'MICROPHONE_UNSUPPORTED';

/**
 * The only error class of this client. An aborted call throws its signal's reason instead, as `fetch` does.
 *
 * @example
 * try {
 *   await undertone.analyze(file, { filename: 'call.wav' });
 * } catch (error) {
 *   if (error instanceof UndertoneError && error.code === 'NO_UTTERANCES') console.log('Nobody speaks.');
 *   else throw error;
 * }
 */
export class UndertoneError extends Error {
  override readonly name = 'UndertoneError';
  /**
   * The error's code, for programs. The codes of the service are in its error table, and later versions may add some.
   */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status. Absent if there was no response, and for an error event of a stream. */
  readonly status: number | undefined;
  /** The id of the request, for reports. */
  readonly requestId: string | undefined;
  /** Seconds to wait before the next attempt, if the service stated them. */
  readonly retryAfter: number | undefined;
  /** Set if the service failed and kept the upload. `analyze({ conversation_id })` tries again. */
  readonly conversationId: string | undefined;

  constructor(
    code: UndertoneError['code'],
    message: string,
    options: {
      status?: number | undefined;
      requestId?: string | undefined;
      retryAfter?: number | undefined;
      conversationId?: string | undefined;
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.requestId = options.requestId;
    this.retryAfter = options.retryAfter;
    this.conversationId = options.conversationId;
  }
}

/** The error for an unsuccessful response. Reads the response's body. */
export async function refusal(response: Response): Promise<UndertoneError> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  const known = {
    status,
    requestId: headers.get('X-Request-Id') ?? undefined,
    retryAfter: secondsOf(headers.get('Retry-After')),
  };
  const body = errorBody(text);
  if (body)
    return new UndertoneError(body.code, body.detail, {
      ...known,
      requestId: body.request_id ?? known.requestId,
      conversationId: body.conversation_id,
    });
  const to = headers.get('Location');
  const found = to === null ? `${status}` : `${status}, a redirect to ${to}`;
  return new UndertoneError(
    'UNEXPECTED_ANSWER',
    `The response is not from Undertone (${found}); check the address`,
    known,
  );
}

function errorBody(text: string): ErrorBody | undefined {
  try {
    const body = JSON.parse(text);
    return typeof body?.code === 'string' && typeof body.detail === 'string' ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The wait in seconds that a `Retry-After` states as a number or a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
