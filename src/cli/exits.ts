import { CommanderError } from 'commander';
import { UndertoneError } from '../sdk/index.ts';

/** The exit codes of the command-line tool (docs/reference/cli.md). */
export const EXIT = {
  done: 0,
  failed: 1,
  misuse: 2,
  notAllowed: 3,
  notFound: 4,
  unreachable: 5,
  badMedia: 6,
  busy: 7,
  interrupted: 130,
} as const;

/** The command was called with wrong arguments or settings. */
export class Misuse extends Error {
  override readonly name = 'Misuse';
}

/** The user pressed Ctrl-C, or the process was terminated. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  constructor() {
    super('Interrupted');
  }
}

const BAD_MEDIA = ['INVALID_MEDIA', 'UNSUPPORTED_MEDIA', 'FILE_TOO_LARGE', 'NO_UTTERANCES', 'SOURCE_FAILED'];

export function exitOf(error: unknown): number {
  if (error instanceof Interrupted) return EXIT.interrupted;
  if (error instanceof Misuse) return EXIT.misuse;
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.misuse;
  if (!(error instanceof UndertoneError)) return EXIT.failed;
  const { code, status } = error;
  if (status === 401 || status === 403 || code === 'INVALID_KEY') return EXIT.notAllowed;
  if (status === 404) return EXIT.notFound;
  if (code === 'CONNECTION_FAILED' || code === 'UNEXPECTED_ANSWER') return EXIT.unreachable;
  if (BAD_MEDIA.includes(code)) return EXIT.badMedia;
  if (code === 'INVALID_REQUEST') return EXIT.misuse;
  return status === 429 || status === 503 ? EXIT.busy : EXIT.failed;
}

/** Advice for an error, if there is any. */
export function hintOf(error: unknown): string | undefined {
  if (!(error instanceof UndertoneError)) return undefined;
  const { code, status, conversationId } = error;
  if (conversationId !== undefined) return `The upload is kept. To try again: undertone analyze ${conversationId}`;
  if (status === 401) return 'Run undertone login, or set UNDERTONE_API_KEY';
  if (status === 403)
    return 'The key lacks the required scope. Managing keys needs a key with the scope admin, or --operator-token';
  if (code === 'CONNECTION_FAILED' || code === 'UNEXPECTED_ANSWER')
    return 'Is the service running? undertone doctor checks the connection';
  return undefined;
}
