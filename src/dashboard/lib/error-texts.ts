import { UndertoneError } from '../../sdk/error.ts';

/** The problem and its remedy, by code. For other codes, the service's own detail is shown. */
const ERROR_TEXTS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  NO_UTTERANCES: ['No speech was found in this file.', 'Check that it is not silent or only music.'],
  INVALID_MEDIA: [
    'This file cannot be read.',
    'It is damaged, or of an unknown kind. Save it again, for example as mp3, and upload the new file.',
  ],
  UNSUPPORTED_MEDIA: [
    'This kind of file is not supported.',
    'Send mp3, wav, m4a, aac, flac, ogg, opus, mp4, mov or webm.',
  ],
  FILE_TOO_LARGE: ['This file is too large.', 'Send only the audio, or a shorter part.'],
  UPLOAD_STALLED: ['The upload stalled.', 'Nothing was stored. Send it again.'],
  OVERLOADED: ['The service is busy; nothing was stored.', 'It will retry automatically.'],
  STORAGE_FULL: [
    'The storage of this service is full.',
    'Delete conversations you no longer need, or ask the operator.',
  ],
  RATE_LIMITED: ['Too many requests.', 'Wait a moment, then try again.'],
  INVALID_KEY: ['This key is unknown, expired or revoked.', 'Sign in again.'],
  FORBIDDEN: [
    'This key does not have permission to do that.',
    'Ask the person who issued it for a key with more permissions.',
  ],
  NOT_FOUND: ['This was not found.', 'It was deleted, or belongs to another key.'],
  NOT_COMPLETED: ['There is no result yet.', 'Wait for the analysis to finish.'],
  ON_HOLD: ['This conversation is on hold.', 'Lift the hold first: "More" on its page shows who set it and why.'],
  LAST_MANAGER: ['A tenant needs a manager.', 'Make another member a manager first.'],
  NOTHING_TO_UNDO: ['There is no edit to undo.', ''],
  CANCELLED: ['The analysis was stopped.', 'Nothing was stored.'],
  LIVE_DISABLED: ['Live capture is switched off on this service.', 'Ask the operator.'],
  KEYS_DISABLED: ['This service does not issue keys or links.', 'The operator has to set KEY_PEPPER.'],
  WRONG_CHUNK_SEQ: ['Some of the audio was lost in transmission.', 'Start again, and report the request id.'],
  SESSION_FINALIZED: ['This session has ended.', ''],
  UNKNOWN_SESSION: ['This session no longer exists.', 'It has ended, was cancelled, or expired.'],
  ANALYSIS_FAILURE: ['The analysis failed.', 'This is our fault. Send the file again, and report the request id.'],
  CONNECTION_FAILED: ['The service does not respond.', 'Check your connection and try again.'],
  UNEXPECTED_ANSWER: ['The response did not come from the service.', 'Check your connection and try again.'],
  LIVE_ASR_FAILURE: ['Speech recognition failed.', 'This is our fault. Start again, and report the request id.'],
  STREAM_FAILURE: [
    'This session was closed.',
    'It was cancelled, or it expired. The recording of an expired session is analysed: look for it in the list.',
  ],
  MISCONFIGURED: ['The service is not configured.', 'Ask the operator.'],
  CONSUMER_ATTACHED: ['Another page is already following this session.', 'Close that page, then try again.'],
  INVALID_REQUEST: ['The service rejected this request.', 'Correct it and try again.'],
  MICROPHONE_REFUSED: [
    'This page is not allowed to use the microphone.',
    'Allow it in the address bar, then start again.',
  ],
  MICROPHONE_UNAVAILABLE: ['No microphone was found.', 'Connect one, or close the program that is using it.'],
  MICROPHONE_UNSUPPORTED: ['This browser cannot record here.', 'Open the page over https, or use another browser.'],
};
/** Codes whose detail is shown, because it states the limit or the kind of file. */
const WITH_DETAIL = ['FILE_TOO_LARGE', 'INVALID_REQUEST', 'RATE_LIMITED', 'ANALYSIS_FAILURE'];

/** A failure in a few words, for a recording of any kind; the service's detail for a code without a text here. */
export const reasonOf = (code: string, detail = code): string =>
  ERROR_TEXTS[code]?.[0].replace(/( in this file)?\.$/, '') ?? detail;

/** The remedy of a failure; empty for a code without a text here. */
export const remedyOf = (code: string): string => ERROR_TEXTS[code]?.[1] ?? '';

export interface ErrorText {
  what: string;
  remedy: string;
  code: string;
  requestId: string | undefined;
  /** The service's own sentence, where a page has a plainer one. */
  detail?: string;
}

export function errorTextOf(error: unknown): ErrorText {
  if (!(error instanceof UndertoneError))
    return {
      what: 'Something went wrong on this page.',
      remedy: 'Reload the page.',
      code: String(error),
      requestId: undefined,
    };
  const [what, remedy] = ERROR_TEXTS[error.code] ?? [
    `${error.message}.`,
    'Try again, and report it if it happens again.',
  ];
  const { code, requestId } = error;
  // The service's own sentence says which permission is missing.
  if (code === 'FORBIDDEN') return { what, remedy, code, requestId, detail: `${error.message}.` };
  const detail = WITH_DETAIL.includes(code) && ERROR_TEXTS[code] ? ` ${error.message}.` : '';
  return { what: `${what}${detail}`, remedy, code, requestId };
}
