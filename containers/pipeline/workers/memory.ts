import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Settings of glibc's malloc, which it reads when a process starts. All threads share one arena, and blocks larger than
 * a megabyte (samples, activations, models being read) are returned to the system when freed. By default, each thread
 * keeps such gaps for itself (bench/speed.ts: a fifth of the peak). Other systems' malloc ignores these settings.
 */
const MALLOC = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: String(2 ** 20),
  MALLOC_TRIM_THRESHOLD_: String(2 ** 20),
};

/**
 * Size of V8's heap for new objects, MB. With the default size, three idle threads use about 50 MB more and are no
 * faster.
 */
const NEW_SPACE = '--max-semi-space-size=2';

/** Restarts this process with the settings, unless it already has them. The process keeps its id and its streams. */
export function restartWithMemorySettings(): void {
  if (process.env.MALLOC_ARENA_MAX !== undefined || process.platform === 'win32') return;
  const args = [process.execPath, NEW_SPACE, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, ...MALLOC });
}

/**
 * Collects this thread's garbage immediately. Loading a model leaves up to a hundred megabytes of file copies outside
 * the heap, which V8 would keep for a long time.
 */
export function collectGarbage(): void {
  // The flag applies to the whole process. Resetting it could race with another thread that is about to collect.
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('globalThis.gc') as (() => void) | undefined;
  collect?.();
}
