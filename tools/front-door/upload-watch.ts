import type { IncomingMessage } from 'node:http';

/** The required pace of an upload: at least one byte within a window, and a minimum number of bytes in each window. */
export interface UploadPace {
  windowMs: number;
  leastBytes: number;
}

/** Number of checks in each window. */
const LOOKS = 20;

/**
 * Watches a body arrive and calls back once if its client sends nothing for a window, or less than the minimum in one.
 * Time in which the reader holds the client back does not count.
 */
export function watchUpload(incoming: IncomingMessage, pace: UploadPace, onStall: () => void): void {
  let received = 0;
  /** Milliseconds spent waiting for the client: in this window, and since its last byte. */
  let waited = 0;
  let silent = 0;
  const lookMs = pace.windowMs / LOOKS;
  const timer = setInterval(() => {
    if (incoming.isPaused()) return;
    waited += lookMs;
    silent += lookMs;
    const tooSlow = waited >= pace.windowMs && received < pace.leastBytes;
    if (tooSlow || silent >= pace.windowMs) {
      clearInterval(timer);
      onStall();
    } else if (waited >= pace.windowMs) received = waited = 0;
  }, lookMs);
  incoming.on('data', (chunk: Buffer) => {
    received += chunk.length;
    silent = 0;
  });
  incoming.once('end', () => clearInterval(timer));
  incoming.once('close', () => clearInterval(timer));
}
