import yoctoSpinner, { type Spinner } from 'yocto-spinner';
import type { AnalysisProgress, Retry } from '../sdk/index.ts';
import { Interrupted } from './exits.ts';

/** How long what was begun is given to clean up after Ctrl-C, ms; a second Ctrl-C does not wait. */
const CLEAN_UP_MS = 10_000;

/** One run of the command: its end before its time, and what it tells meanwhile. */
export class CommandRun {
  readonly #leave = new AbortController();
  /** Who ends well at the first Ctrl-C, and only at the second one at once. */
  #patient: AbortController | undefined;
  #spinner: Spinner | undefined;
  #said = '';

  /** Aborted with `Interrupted` by the first Ctrl-C, or the end of the terminal. */
  get signal(): AbortSignal {
    return this.#leave.signal;
  }

  /** Aborted by the second Ctrl-C: for what ends well at the first. */
  secondSignal(): AbortSignal {
    this.#patient = new AbortController();
    return this.#patient.signal;
  }

  listen(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (this.#patient && !this.#patient.signal.aborted) {
          if (this.signal.aborted) this.#patient.abort(new Interrupted());
          else this.#leave.abort(new Interrupted());
          return;
        }
        if (this.signal.aborted) process.exit(130);
        this.#leave.abort(new Interrupted());
        this.say('Stopping…');
        setTimeout(() => process.exit(130), CLEAN_UP_MS).unref();
      });
    // Whoever read our lines may have gone: `undertone … | head`.
    process.stdout.on('error', () => process.exit(0));
    process.stderr.on('error', () => undefined);
  }

  /** Tells on stderr what is being done: a spinner in a terminal, and in a pipe nothing. */
  say(text: string): void {
    this.#said = text;
    if (process.stderr.isTTY !== true) return;
    this.#spinner ??= yoctoSpinner({ handleSignals: false });
    this.#spinner.text = text;
    if (!this.#spinner.isSpinning) this.#spinner.start();
  }

  /** Says no more, and leaves no trace. */
  hush(): void {
    this.#spinner?.stop();
    this.#spinner = undefined;
  }

  /** A line on stderr that stays. */
  note(line: string): void {
    this.hush();
    process.stderr.write(`${line}\n`);
  }

  readonly onRetry = ({ error, pauseMs }: Retry): void => {
    const said = this.#said;
    const seconds = Math.max(1, Math.round(pauseMs / 1000));
    this.say(`${said === '' ? '' : `${said}: `}${error.message}; again in ${seconds} s`);
    this.#said = said;
  };

  /** For an analysis of something. */
  progress(name: string): (progress: AnalysisProgress) => void {
    return ({ phase, progress }) => this.say(`${name}: ${PHASES[phase] ?? phase} ${Math.round(progress * 100)} %`);
  }
}

const PHASES: Readonly<Record<string, string>> = {
  uploading: 'sending',
  queued: 'waiting for a place',
  starting: 'beginning',
  running: 'beginning',
  ingesting: 'decoding',
  processing: 'understanding',
};

/** Writes to stdout no faster than it is taken. */
export function print(lines: string | readonly string[]): Promise<void> {
  const text = typeof lines === 'string' ? lines : lines.join('\n');
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
}
