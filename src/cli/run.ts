import yoctoSpinner, { type Spinner } from 'yocto-spinner';
import type { AnalysisProgress, Retry } from '../sdk/index.ts';
import { Interrupted } from './exits.ts';

/** Time for cleaning up after Ctrl-C, ms. A second Ctrl-C ends the process immediately. */
const CLEAN_UP_MS = 10_000;

/** One run of a command. It handles interruption and progress messages. */
export class CommandRun {
  readonly #interrupted = new AbortController();
  /** Aborted by the second Ctrl-C, for a command that finishes normally after the first. */
  #second: AbortController | undefined;
  #spinner: Spinner | undefined;
  #message = '';

  /** Aborted with `Interrupted` by the first Ctrl-C, or when the terminal closes. */
  get signal(): AbortSignal {
    return this.#interrupted.signal;
  }

  /** Aborted by the second Ctrl-C, for commands that finish normally after the first. */
  secondSignal(): AbortSignal {
    this.#second = new AbortController();
    return this.#second.signal;
  }

  listen(): void {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (this.#second && !this.#second.signal.aborted) {
          if (this.signal.aborted) this.#second.abort(new Interrupted());
          else this.#interrupted.abort(new Interrupted());
          return;
        }
        if (this.signal.aborted) process.exit(130);
        this.#interrupted.abort(new Interrupted());
        this.show('Stopping...');
        setTimeout(() => process.exit(130), CLEAN_UP_MS).unref();
      });
    // The reader of a pipe may have closed it, as in `undertone ... | head`.
    process.stdout.on('error', () => process.exit(0));
    process.stderr.on('error', () => undefined);
  }

  /** Shows progress on stderr: a spinner in a terminal, nothing in a pipe. */
  show(text: string): void {
    this.#message = text;
    if (process.stderr.isTTY !== true) return;
    this.#spinner ??= yoctoSpinner({ handleSignals: false });
    this.#spinner.text = text;
    if (!this.#spinner.isSpinning) this.#spinner.start();
  }

  /** Removes the spinner. */
  hide(): void {
    this.#spinner?.stop();
    this.#spinner = undefined;
  }

  /** Prints a line on stderr. */
  note(line: string): void {
    this.hide();
    process.stderr.write(`${line}\n`);
  }

  readonly onRetry = ({ error, pauseMs }: Retry): void => {
    const message = this.#message;
    const seconds = Math.max(1, Math.round(pauseMs / 1000));
    this.show(`${message === '' ? '' : `${message}: `}${error.message}; next attempt in ${seconds} s`);
    this.#message = message;
  };

  /** A progress listener for the analysis of a recording. */
  progress(name: string): (progress: AnalysisProgress) => void {
    return ({ phase, progress }) => this.show(`${name}: ${PHASES[phase] ?? phase} ${Math.round(progress * 100)} %`);
  }
}

const PHASES: Readonly<Record<string, string>> = {
  uploading: 'sending',
  queued: 'queued',
  starting: 'starting',
  running: 'starting',
  ingesting: 'decoding',
  processing: 'analysing',
};

/** Writes to stdout and waits until the data is flushed. */
export function print(lines: string | readonly string[]): Promise<void> {
  const text = typeof lines === 'string' ? lines : lines.join('\n');
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
}
