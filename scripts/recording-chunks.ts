import { execFileSync } from 'node:child_process';

/** Seconds of a media file, by ffprobe. */
export function durationOf(path: string): number {
  const args = ['-v', 'error', '-show_entries', 'format=duration', '-of', 'csv=p=0', path];
  const seconds = Number(execFileSync('ffprobe', args, { encoding: 'utf8' }));
  if (!(seconds > 0)) throw new Error(`${path} has no duration`);
  return seconds;
}

/** Cuts bytes into chunks and gives each at its time. @param bytesPerSecond Infinity for as fast as they are taken */
export async function* paced(
  bytes: Uint8Array<ArrayBuffer>,
  chunkBytes: number,
  bytesPerSecond: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const begun = performance.now();
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    // A chunk can be sent when its last byte has been recorded.
    const due = begun + ((at + chunk.length) / bytesPerSecond) * 1000;
    const early = due - performance.now();
    if (early > 0) await new Promise((resolve) => setTimeout(resolve, early));
    yield chunk;
  }
}
