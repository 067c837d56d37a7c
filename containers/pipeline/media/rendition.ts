import { spawn } from 'node:child_process';
import type { MediaExtension } from '../../../src/contract/media.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { PcmLocation } from '../audio/pcm-spool.ts';
import { openScratchFile } from '../scratch-file.ts';

/** Bit rates for one voice and for two channels of voice (RFC 7845, Opus for full-band speech). */
const BITRATE = { 1: '24k', 2: '40k' } as const;
/** Characters of ffmpeg's messages that are logged when it fails. */
const LOGGED_CHARS = 500;

const MP4 = ['aac', 'mp3', 'opus', 'flac'];
const OGG = ['opus', 'vorbis', 'flac'];
/** Codecs that every current browser plays, by container. */
const PLAYED: Partial<Record<MediaExtension, readonly string[]>> = {
  '.mp3': ['mp3'],
  '.wav': ['pcm_s16le', 'pcm_u8', 'pcm_s24le', 'pcm_f32le'],
  '.m4a': MP4,
  '.mp4': MP4,
  '.mov': MP4,
  '.aac': ['aac'],
  '.webm': OGG,
  '.ogg': OGG,
  '.opus': OGG,
  '.flac': ['flac'],
};

/** Whether browsers play a file as it was sent. @param codec ffmpeg's name for it; undefined if unknown */
export const isPlayable = (suffix: MediaExtension, codec: string | undefined): boolean =>
  codec !== undefined && (PLAYED[suffix] ?? []).includes(codec);

/** Options of ffmpeg for a recording in the format of its upload, and the codec. */
const ENCODINGS: Readonly<Record<MediaExtension, { codec: string; args: readonly string[] }>> = {
  '.wav': { codec: 'pcm_s16le', args: ['-c:a', 'pcm_s16le', '-f', 'wav'] },
  '.pcm': { codec: 'pcm_s16le', args: ['-c:a', 'pcm_s16le', '-ac', '1', '-f', 's16le'] },
  '.flac': { codec: 'flac', args: ['-c:a', 'flac', '-f', 'flac'] },
  '.mp3': { codec: 'mp3', args: ['-c:a', 'libmp3lame', '-b:a', '64k', '-f', 'mp3'] },
  '.aac': { codec: 'aac', args: ['-c:a', 'aac', '-b:a', '64k', '-f', 'adts'] },
  '.m4a': { codec: 'aac', args: ['-c:a', 'aac', '-b:a', '64k', '-f', 'mp4'] },
  '.mp4': { codec: 'aac', args: ['-c:a', 'aac', '-b:a', '64k', '-f', 'mp4'] },
  '.mov': { codec: 'aac', args: ['-c:a', 'aac', '-b:a', '64k', '-f', 'mov'] },
  '.ogg': { codec: 'opus', args: ['-c:a', 'libopus', '-b:a', '48k', '-f', 'ogg'] },
  '.opus': { codec: 'opus', args: ['-c:a', 'libopus', '-b:a', '48k', '-f', 'ogg'] },
  '.webm': { codec: 'opus', args: ['-c:a', 'libopus', '-b:a', '48k', '-f', 'webm'] },
};
/** A longer WAV holds MP3 instead of samples, s: two hours of two channels are 460 MB. */
const LONGEST_SAMPLES_S = 7_200;
const LONG_WAV = { codec: 'mp3', args: ['-c:a', 'libmp3lame', '-b:a', '64k', '-f', 'wav'] };

/**
 * The sound of a recording in the format of its upload, without pictures and at 16 kHz.
 * @throws Error when ffmpeg fails; the signal's reason when aborted
 */
export async function recordingOf(
  location: PcmLocation,
  suffix: MediaExtension,
  signal: AbortSignal,
): Promise<{ bytes: Buffer; codec: string }> {
  const isLong = suffix === '.wav' && location.length > LONGEST_SAMPLES_S * SAMPLE_RATE_HZ;
  const { codec, args } = isLong ? LONG_WAV : ENCODINGS[suffix];
  return { bytes: await encoded(location, args, signal), codec };
}

/**
 * A recording as Opus in WebM, which every browser plays and can seek in. Eight hours of one voice take up 86 MB.
 * @throws Error when ffmpeg fails; the signal's reason when aborted
 */
export function renditionOf(location: PcmLocation, signal: AbortSignal): Promise<Buffer> {
  const opus = ['-c:a', 'libopus', '-application', 'voip', '-b:a', BITRATE[location.channels], '-threads', '1'];
  return encoded(location, [...opus, '-f', 'webm'], signal);
}

async function encoded({ fd, channels }: PcmLocation, args: readonly string[], signal: AbortSignal): Promise<Buffer> {
  // Written to a file, because the index is written last and then moved to the front.
  const file = await openScratchFile();
  try {
    await encode(fd, channels, file.fd, args, signal);
    const { size } = await file.stat();
    const bytes = Buffer.alloc(size);
    await file.read(bytes, 0, size, 0);
    return bytes;
  } finally {
    await file.close();
  }
}

function encode(
  input: number,
  channels: 1 | 2,
  output: number,
  encoding: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const raw = ['-f', 's16le', '-ar', String(SAMPLE_RATE_HZ), '-ac', String(channels), '-i', '/dev/fd/3'];
  const args = ['-hide_banner', '-nostdin', '-loglevel', 'error', ...raw, '-bitexact', ...encoding];
  const child = spawn('ffmpeg', [...args, '-y', '/dev/fd/4'], {
    stdio: ['ignore', 'ignore', 'pipe', input, output],
    signal,
    killSignal: 'SIGKILL',
  });
  let messages = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    if (messages.length < LOGGED_CHARS) messages += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, killedBy) => {
      if (code === 0) resolve();
      else {
        const how = killedBy ?? `exit code ${code}`;
        reject(new Error(`ffmpeg could not encode a rendition (${how}): ${messages.slice(0, LOGGED_CHARS)}`));
      }
    });
  });
}
