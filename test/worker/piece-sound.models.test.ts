import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cutRecording, cutWebm, type PieceSound } from '../../src/worker/results/piece-sound.ts';
import type { ObjectStore } from '../../src/worker/storage/object-store.ts';

const SECONDS = 40;
const RATE = 16_000;

/** A tone whose pitch tells the second: 200 Hz and 50 Hz more each second. */
function tones(): Buffer {
  const samples = new Int16Array(SECONDS * RATE);
  let turn = 0;
  for (let i = 0; i < samples.length; i++) {
    turn += (2 * Math.PI * (200 + 50 * Math.floor(i / RATE))) / RATE;
    samples[i] = Math.round(12_000 * Math.sin(turn));
  }
  return Buffer.from(samples.buffer);
}

const PCM = ['-f', 's16le', '-ar', String(RATE), '-ac', '1'];
const ffmpeg = (args: readonly string[], input: Uint8Array): Buffer =>
  execFileSync('ffmpeg', ['-loglevel', 'error', ...args, '-'], { input, maxBuffer: 2 ** 28 });
/** Encodes the tones into a file, as the pipeline does, so that sizes are known. */
function encoded(...args: string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'undertone-piece-'));
  const file = join(folder, 'tones');
  execFileSync('ffmpeg', ['-loglevel', 'error', ...PCM, '-i', '-', '-bitexact', ...args, file], { input: tones() });
  const bytes = readFileSync(file);
  rmSync(folder, { recursive: true });
  return bytes;
}

/** A store of one object, whose stream comes in chunks of 1,000 bytes. */
function storeOf(bytes: Uint8Array): ObjectStore {
  const info = { key: 'k', size: bytes.length, etag: '', uploadedAt: new Date(), contentType: undefined, metadata: {} };
  return {
    head: async () => info,
    get: async (_: string, { offset, length } = { offset: 0, length: bytes.length }) => {
      let at = offset;
      const body = new ReadableStream<Uint8Array>({
        pull(controller) {
          const end = Math.min(at + 1000, offset + length);
          if (at < end) controller.enqueue(bytes.slice(at, end));
          else controller.close();
          at = end;
        },
      });
      return { ...info, body };
    },
  } as unknown as ObjectStore;
}

const bytesOf = async (piece: PieceSound | null): Promise<Uint8Array> =>
  new Uint8Array(await new Response(piece!.body).arrayBuffer());

/** The seconds that are heard in a file, by its pitch, and its length. */
function heardIn(file: Uint8Array): { seconds: Set<number>; length: number } {
  const raw = ffmpeg(['-i', '-', ...PCM], file);
  const samples = new Int16Array(raw.buffer, raw.byteOffset, raw.length / 2);
  const seconds = new Set<number>();
  const window = RATE / 10;
  // The first frame of an MP3 may need bits of the one before, and is not decoded.
  for (let start = 2 * window; start + 2 * window < samples.length; start += window) {
    let crossings = 0;
    for (let i = start + 1; i < start + window; i++) if (samples[i - 1]! < 0 && samples[i]! >= 0) crossings++;
    seconds.add(Math.round((crossings * 10 - 200) / 50));
  }
  return { seconds, length: samples.length / RATE };
}

describe.each([
  ['WAV', ['-f', 'wav'], '.wav', 0.001],
  ['MP3', ['-c:a', 'libmp3lame', '-b:a', '48k', '-f', 'mp3'], '.mp3', 0.12],
  ['MP3 of variable rate', ['-c:a', 'libmp3lame', '-q:a', '6', '-f', 'mp3'], '.mp3', 0.12],
  ['a rendition', ['-c:a', 'libopus', '-application', 'voip', '-b:a', '24k', '-f', 'webm'], '.webm', 0.05],
] as const)('a piece of %s', (_, args, suffix, most) => {
  const store = storeOf(encoded(...args));
  const cut = (from: number, to: number) =>
    suffix === '.webm' ? cutWebm(store, 'k', { from, to }) : cutRecording(store, 'k', suffix, { from, to });

  it.each([
    [0, 2],
    [17, 20],
    [36, 39],
  ])('from %d to %d s has these seconds alone', async (from, to) => {
    const { seconds, length } = heardIn(await bytesOf(await cut(from, to)));
    expect([...seconds].sort((a, b) => a - b)).toEqual(Array.from({ length: to - from }, (__, i) => from + i));
    expect(Math.abs(length - (to - from))).toBeLessThan(most);
  });
});

it('a file that is not what its name says has no sound', async () => {
  const store = storeOf(new TextEncoder().encode('RIFF, some bytes, WAVE, and so on'.repeat(99)));
  expect(await cutRecording(store, 'k', '.wav', { from: 0, to: 1 })).toBeNull();
  expect((await bytesOf(await cutRecording(store, 'k', '.mp3', { from: 0, to: 1 }))).length).toBe(0);
  expect((await bytesOf(await cutWebm(store, 'k', { from: 0, to: 1 }))).length).toBe(0);
  expect(await cutRecording(store, 'k', '.flac', { from: 0, to: 1 })).toBeNull();
});
