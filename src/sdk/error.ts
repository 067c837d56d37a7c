import type { ErrorBody, ErrorCode } from './wire.ts';

/** What goes wrong on this side of the wire. */
export type ClientErrorCode =
  /** No answer came, or it broke off: the network, or a service that is away. */
  | 'CONNECTION_FAILED'
  /** The answer is not the service's: a proxy's page, a redirect, another program. */
  | 'UNEXPECTED_ANSWER'
  /** A live session takes no more: it was finalized or cancelled here. */
  | 'SESSION_CLOSED'
  /** A message to a webhook that the service did not sign, or not now. */
  | 'INVALID_SIGNATURE'
  /** The page may not hear the microphone, or was not asked from a secure address. */
  | 'MICROPHONE_REFUSED'
  /** There is no such microphone, or another program holds it. */
  | 'MICROPHONE_UNAVAILABLE'
  /** This browser cannot record what was asked for. */
  | 'MICROPHONE_UNSUPPORTED';

/** The one error of this client. An aborted call throws its signal's reason instead, as `fetch` does. */
export class UndertoneError extends Error {
  override readonly name = 'UndertoneError';
  /** For a program; those of the service are in its table of errors, and newer ones may come. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  /** HTTP status; absent when there was no answer, and for an error told in a stream. */
  readonly status: number | undefined;
  /** Names the request when you report it. */
  readonly requestId: string | undefined;
  /** Seconds after which the service asked to be called again. */
  readonly retryAfter: number | undefined;
  /** A machine failed and the upload is kept: `analyze({ conversation_id })` has it analysed again. */
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

/** What an answer that is no success says; reads its body. */
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
  const said = to === null ? `${status}` : `${status}, a redirect to ${to}`;
  return new UndertoneError(
    'UNEXPECTED_ANSWER',
    `The answer is not Undertone's (${said}): is the address right?`,
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

/** A `Retry-After`, which is a number of seconds or a date. */
function secondsOf(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
