import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { ServiceError } from '../../../src/contract/errors.ts';

/** Format of the media's first audio track, as reported by the decoder. */
export interface SourceFormat {
  codec?: string;
  sampleRate?: number;
  channels: number;
}

// Limits on the cost of a recording, so that small files cannot cause long work. A recording that exceeds one is
// refused with INVALID_MEDIA. Every file in the evaluation data is well below them (bench/media.ts).

/**
 * Sample rates, Hz: from half that of the telephone to twice that of the fastest converters (one evaluation file claims
 * 1.09 MHz).
 */
const SAMPLE_RATES = { lowest: 4000, highest: 1_536_000 };
/** Number of channels in the largest layout with named channels (22.2). */
const MOST_CHANNELS = 24;
/** Number of tracks of any kind. ffmpeg examines each of them before it produces the first sample. */
export const MOST_TRACKS = 64;
/** Longest recording, s: eight hours. */
const LONGEST_RECORDING_S = 8 * 3600;
/**
 * Seconds of audio that any file may contain, and the fewest bytes for each second beyond that. Opus needs 76 bytes for
 * a second of encoded silence.
 */
const SOUND = { freeS: 300, leastBytesPerS: 64 };
/**
 * The decoder's CPU time, s: an allowance for any file, and a further one for each MB. An hour of Opus (20 MB) takes 4
 * s.
 */
const PROCESSOR_TIME = { freeS: 10, perMb: 10 };

/**
 * ffmpeg's own limits on the number of tracks, the pixels of a picture that it examines (8K video), and the bytes of
 * one allocation.
 */
export const FFMPEG_LIMITS = [
  ...['-max_alloc', String(256 * 2 ** 20), '-max_streams', String(MOST_TRACKS), '-max_pixels', String(8192 * 4320)],
];

const refusal = (detail: string) => new ServiceError('INVALID_MEDIA', detail);

/** @returns the reason for refusing a source with this format. */
export function formatRefusal({ sampleRate, channels }: SourceFormat): ServiceError | undefined {
  const { lowest, highest } = SAMPLE_RATES;
  if (sampleRate !== undefined && (sampleRate < lowest || sampleRate > highest))
    return refusal(`The sample rate is ${sampleRate} Hz; it must be from ${lowest} to ${highest} Hz`);
  if (channels > MOST_CHANNELS) return refusal(`The media has ${channels} channels; the limit is ${MOST_CHANNELS}`);
  return undefined;
}

/** @returns the reason for accepting no more audio. @param bytes of media that the decoder has received so far */
export function soundRefusal(seconds: number, bytes: number): ServiceError | undefined {
  if (seconds > LONGEST_RECORDING_S)
    return refusal(`The media is longer than the limit of ${LONGEST_RECORDING_S / 3600} hours`);
  if (seconds > SOUND.freeS + bytes / SOUND.leastBytesPerS)
    return refusal(
      `The media is too small for its duration: after the first ${SOUND.freeS} s, each second of audio needs at least ${SOUND.leastBytesPerS} bytes`,
    );
  return undefined;
}

/** @returns the reason for stopping the decoder. @param freeS CPU time allowed for any media, s */
export function processorRefusal(
  spentS: number,
  bytes: number,
  freeS: number = PROCESSOR_TIME.freeS,
): ServiceError | undefined {
  const limit = freeS + (PROCESSOR_TIME.perMb * bytes) / 1e6;
  if (spentS <= limit) return undefined;
  return refusal(`Decoding exceeded the processor time allowed for media of this size: ${Math.round(limit)} s`);
}

/** Linux measures CPU time in hundredths of a second. */
const TICKS_PER_S = 100;

/** CPU time that a process has used, s. 0 when it cannot be read. */
export async function processorSeconds(pid: number): Promise<number> {
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-o', 'time=', '-p', String(pid)]);
      return stdout.split(':').reduce((sum, part) => 60 * sum + Number(part), 0);
    }
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The format is "pid (name) state ...", where the name can contain anything. User and system time are the 14th and
    // 15th fields.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
  } catch {
    return 0;
  }
}
