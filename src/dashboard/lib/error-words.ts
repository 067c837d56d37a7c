import { UndertoneError } from '../../sdk/error.ts';

/** What happened and what to do, by code; the service's own detail where nothing better is known here. */
const ERROR_TEXTS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  NO_UTTERANCES: ['No speech was found in this file.', 'Listen to it: it may be silent, or music.'],
  INVALID_MEDIA: ['This file cannot be read.', 'Save it anew as mp3, wav or m4a and send that.'],
  UNSUPPORTED_MEDIA: ['This kind of file is not read.', 'Send mp3, wav, m4a, aac, mp4, mov or webm.'],
  FILE_TOO_LARGE: ['This file is too large.', 'Send its sound alone, or a part of it.'],
  UPLOAD_STALLED: ['The file stopped arriving.', 'Nothing was stored. Send it again.'],
  OVERLOADED: ['The service is busy; nothing was stored.', 'It is tried again by itself.'],
  RATE_LIMITED: ['Too much was asked for at once.', 'Wait a little, then try again.'],
  INVALID_KEY: ['This key is not known, has expired or was revoked.', 'Sign in again.'],
  FORBIDDEN: ['This key may not do that.', 'Ask who gave it to you for one that may.'],
  NOT_FOUND: ['This is not here.', 'It was deleted, or is of another key.'],
  NOT_COMPLETED: ['There is no result yet.', 'Wait until its analysis has ended.'],
  NOTHING_TO_UNDO: ['Nothing was edited.', ''],
  CANCELLED: ['The analysis was stopped.', 'Nothing of it stays.'],
  LIVE_DISABLED: ['Live capture is switched off here.', 'Ask the operator.'],
  KEYS_DISABLED: ['Keys and links are not issued here.', 'The operator has to set KEY_PEPPER.'],
  WRONG_CHUNK_SEQ: ['A piece of the sound was lost on the way.', 'Start again, and report the request.'],
  SESSION_FINALIZED: ['This session has ended.', ''],
  UNKNOWN_SESSION: ['This session is no more.', 'It was cancelled, or was silent for too long.'],
  ANALYSIS_FAILURE: ['The analysis failed.', 'It is our fault. Send the file again, and report the request.'],
  CONNECTION_FAILED: ['The service does not answer.', 'Look at your connection and try again.'],
  UNEXPECTED_ANSWER: ['Something else answered in the place of the service.', 'Look at your connection and try again.'],
  LIVE_ASR_FAILURE: [
    'The recognition of what is said failed.',
    'It is our fault. Start again, and report the request.',
  ],
  STREAM_FAILURE: ['This session was ended.', 'It was cancelled, or was silent for too long. Start again.'],
  MISCONFIGURED: ['The service is not set up.', 'Ask the operator.'],
  CONSUMER_ATTACHED: ['This session is read in another page.', 'Close that one, then try again.'],
  INVALID_REQUEST: ['The service did not take this.', 'Change what you gave and try again.'],
  MICROPHONE_REFUSED: ['The page may not hear the microphone.', 'Allow it in the address bar, then start again.'],
  MICROPHONE_UNAVAILABLE: ['No microphone was found.', 'Connect one, or close the program that holds it.'],
  MICROPHONE_UNSUPPORTED: ['This browser cannot record here.', 'Use the address with https, or another browser.'],
};
/** Codes whose detail names what it was: the limit, the kind of file. */
const WITH_DETAIL = ['FILE_TOO_LARGE', 'INVALID_REQUEST', 'FORBIDDEN', 'RATE_LIMITED', 'ANALYSIS_FAILURE'];

export interface ErrorText {
  what: string;
  remedy: string;
  code: string;
  requestId: string | undefined;
}

export function errorTextOf(error: unknown): ErrorText {
  if (!(error instanceof UndertoneError))
    return {
      what: 'Something went wrong in this page.',
      remedy: 'Load it again.',
      code: String(error),
      requestId: undefined,
    };
  const [what, remedy] = ERROR_TEXTS[error.code] ?? [`${error.message}.`, 'Try again, and report it if it stays.'];
  const detail = WITH_DETAIL.includes(error.code) && ERROR_TEXTS[error.code] ? ` ${error.message}.` : '';
  return { what: `${what}${detail}`, remedy, code: error.code, requestId: error.requestId };
}
