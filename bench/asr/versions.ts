import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Versions of a recording: the original, and two telephone codecs. */
export const VERSIONS = ['clean', 'mulaw', 'gsm'] as const;
export type Version = (typeof VERSIONS)[number];

const BAND: Record<Exclude<Version, 'clean'>, string> = {
  mulaw: 'highpass=f=300:poles=2,highpass=f=300:poles=2,lowpass=f=3400:poles=2,lowpass=f=3400:poles=2',
  gsm: 'highpass=f=200:poles=2,lowpass=f=3500:poles=2',
};
/** Line noise about 25 dB below the speech of the clips. */
const NOISE = 'anoisesrc=color=brown:sample_rate=8000:amplitude=0.006:seed=7';
const WAV = ['-ar', '16000', '-ac', '1', '-c:a', 'pcm_s16le'];

const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-y', ...args]);

/** A recording in a version, as 16 kHz WAV, made by ffmpeg. @returns its path in the folder */
export function versionOf(file: string, version: Version, folder: string): string {
  const out = join(folder, 'version.wav');
  if (version === 'clean') {
    ffmpeg('-i', file, ...WAV, out);
    return out;
  }
  const coded = join(folder, version === 'gsm' ? 'coded.gsm' : 'coded.wav');
  const codec = version === 'gsm' ? ['-c:a', 'libgsm', '-f', 'gsm'] : ['-c:a', 'pcm_mulaw'];
  const line = `[0:a]aresample=16000,aformat=channel_layouts=mono,${BAND[version]},aresample=8000,aformat=channel_layouts=mono[s]`;
  const mixed =
    version === 'gsm'
      ? '[s]anull[o]'
      : `${NOISE},aformat=channel_layouts=mono[n];[s][n]amix=inputs=2:duration=first:normalize=0[o]`;
  ffmpeg('-i', file, '-filter_complex', `${line};${mixed}`, '-map', '[o]', '-ar', '8000', '-ac', '1', ...codec, coded);
  ffmpeg(...(version === 'gsm' ? ['-f', 'gsm'] : []), '-i', coded, ...WAV, out);
  return out;
}
