import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_RATE_HZ } from '../containers/pipeline/audio/interval.ts';

/** Programs that read text aloud. `flite` is used only where it is installed. */
export type Synthesiser = 'espeak-ng' | 'flite';

/** A pair of voices: of the one who asks and of the one who answers. */
export interface VoicePair {
  by: Synthesiser;
  voices: readonly [string, string];
  /** Words per minute; espeak-ng only. */
  speed?: number;
}

export const VOICE_PAIRS: readonly VoicePair[] = [
  { by: 'espeak-ng', voices: ['en-us+f3', 'en-us+m7'], speed: 150 },
  { by: 'espeak-ng', voices: ['en-gb+m3', 'en-gb+f2'], speed: 155 },
  { by: 'flite', voices: ['slt', 'rms'] },
];

export const isInstalled = (by: Synthesiser): boolean => spawnSync(by, ['--version']).error === undefined;

/** Silence between utterances, s. */
const PAUSE_S = 0.6;

/**
 * A dialogue read aloud: mono WAV, 16 kHz, 16 bits.
 * @param isTelephone whether the band is that of a telephone: 300 to 3,400 Hz, 8 kHz, mu-law
 */
export function spokenDialogue(
  utterances: readonly { speaker: string; text: string }[],
  { by, voices, speed }: VoicePair,
  isTelephone = false,
): Buffer {
  const first = utterances[0]?.speaker;
  const silence = new Int16Array(Math.round(PAUSE_S * SAMPLE_RATE_HZ));
  const pieces = utterances.flatMap(({ speaker, text }) => {
    const voice = voices[speaker === first ? 0 : 1];
    const wav =
      by === 'flite'
        ? readByFlite(voice, text)
        : execFileSync('espeak-ng', ['-v', voice, '-s', String(speed ?? 150), '--stdout', text], {
            maxBuffer: 2 ** 27,
          });
    return [silence, samplesOf(wav)];
  });
  const pcm = Buffer.concat(
    [...pieces, silence].map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)),
  );
  const raw = ['-f', 's16le', '-ar', String(SAMPLE_RATE_HZ), '-ac', '1'];
  const line = isTelephone ? ['-af', 'highpass=f=300,lowpass=f=3400', '-ar', '8000', '-c:a', 'pcm_mulaw'] : [];
  return ffmpeg([...raw, '-i', '-', ...line, '-f', 'wav', '-bitexact', '-'], pcm);
}

/** flite writes to a file that it can seek in, so to no pipe. */
function readByFlite(voice: string, text: string): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'flite-'));
  try {
    const path = join(folder, 'said.wav');
    execFileSync('flite', ['-voice', voice, '-t', text, '-o', path]);
    return readFileSync(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function samplesOf(wav: Uint8Array): Int16Array {
  const raw = ffmpeg(['-i', '-', '-ac', '1', '-ar', String(SAMPLE_RATE_HZ), '-f', 's16le', '-'], wav);
  return new Int16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + raw.byteLength - (raw.byteLength % 2)));
}

const ffmpeg = (args: string[], input: Uint8Array): Buffer =>
  execFileSync('ffmpeg', ['-v', 'error', ...args], { input, maxBuffer: 2 ** 28 });
