import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { channelOf } from '../containers/pipeline/audio/pcm-spool.ts';

/** The recording that the dashboard offers as its sample. The others are in test/fixtures. */
const SAMPLE = 'call-stereo.wav';

/** The path of a synthetic recording by its name. */
export const fixturePath = (name: string): string =>
  join(import.meta.dirname, name === SAMPLE ? '../src/dashboard/lib' : '../test/fixtures', name);
export const fixtureBytes = (name: string): Buffer => readFileSync(fixturePath(name));

/** Bytes as a stream of pieces. */
export async function* inPieces(bytes: Uint8Array, size = 16_384): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A fixture converted by ffmpeg with these options. The output is returned from a pipe unless `path` is given. */
export function converted(name: string, options: string[], path?: string): Buffer {
  const output = path ? [path] : ['pipe:1'];
  return execFileSync('ffmpeg', ['-v', 'error', '-y', '-i', fixturePath(name), ...options, ...output], {
    maxBuffer: 1 << 28,
  });
}

/** A fixture's samples, mono, 16 kHz. */
export function fixtureSamples(name: string): Float32Array {
  const pcm = converted(name, ['-ac', '1', '-ar', '16000', '-f', 's16le']);
  return channelOf(new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length)), 1, 'mix');
}
