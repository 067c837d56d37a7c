import type { UndertoneError } from './error.ts';

/** First and longest pause before a request is sent again, ms. The pause doubles each time. */
const FIRST_MS = 400;
const LONGEST_MS = 8_000;

/** @throws the signal's reason */
export function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', end);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', end, { once: true });
  });
}

/**
 * Pause before a request is repeated. It is at least what the service asked for, with a random addition so that clients
 * do not all return at once.
 * @param failures failures so far, from 1
 */
export function pauseMs(failures: number, { retryAfter }: UndertoneError): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1));
  return (retryAfter ?? 0) * 1000 + longest * (0.5 + Math.random() / 2);
}
