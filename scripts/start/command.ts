import { join } from 'node:path';
import { CannotStart, parentPids } from '../../tools/machine.ts';

export const ROOT = join(import.meta.dirname, '../..');
/** The developer's own settings, under wrangler's file name. */
export const DEV_VARS = '.dev.vars';

export const say = (line: string): void => console.log(`undertone | ${line}`);

/** Registers a cleanup that runs when the command ends, for any reason. */
export type AtEnd = (cleanup: () => Promise<unknown>) => void;

/**
 * Runs an npm command that serves until a signal arrives or its npm process ends. The cleanups registered by `start`
 * then run. If the start fails, the reason is printed and the exit code is 1.
 */
export function serve(start: (atEnd: AtEnd) => Promise<void>): void {
  const cleanups: (() => Promise<unknown>)[] = [];
  let stopping: Promise<never> | undefined;
  const stop = (code: number): Promise<never> => {
    stopping ??= (async () => {
      await Promise.all(cleanups.map((cleanup) => cleanup()));
      process.exit(code);
    })();
    return stopping;
  };

  process.chdir(ROOT);
  // The command continues if the reader of this output closes it.
  process.stdout.on('error', () => undefined);
  process.stderr.on('error', () => undefined);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  // A killed npm or shell cannot forward a signal, so its disappearance counts as a signal.
  const parents = parentPids();
  if (process.env.npm_lifecycle_event)
    setInterval(() => String(parentPids()) !== String(parents) && void stop(0), 1_000).unref();

  start((cleanup) => cleanups.push(cleanup)).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error);
    if (!stopping) console.error(`undertone | ${error instanceof CannotStart ? why : `Starting failed: ${why}`}`);
    return stop(1);
  });
}
