import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of evaluation data: `EVAL_DATA`, or `shared/data` beside the project. */
export const EVAL_DATA = process.env.EVAL_DATA ?? join(import.meta.dirname, '../../shared/data');

/** A path inside the evaluation data. If it does not exist, the bench exits with a message. */
export function evalPath(...parts: string[]): string {
  const path = join(EVAL_DATA, ...parts);
  if (!existsSync(path)) {
    console.error(`No evaluation data at ${parts.join('/')}: set EVAL_DATA to the folder that contains it.`);
    process.exit(2);
  }
  return path;
}

export const readEvalJson = <T>(...parts: string[]): T => JSON.parse(readFileSync(evalPath(...parts), 'utf8')) as T;

/**
 * A recording decoded by ffmpeg to 32-bit float PCM at 16 kHz.
 * @param channel channel to keep, from 0; by default all channels are mixed down.
 */
export function decodeAudio(path: string, channel?: number): Float32Array {
  const pick = channel === undefined ? ['-ac', '1'] : ['-af', `pan=mono|c0=c${channel}`];
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...pick, '-ar', '16000', '-f', 'f32le', '-'], {
    maxBuffer: 2 ** 31 - 1,
  });
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~3)));
}
