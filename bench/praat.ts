import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Praat's measures of one recording. Times are in seconds and intensity is in dB re 2e-5 Pa. A pitch of 0 means
 * voiceless.
 */
export interface PraatMeasures {
  pitch: { startS: number; hz: number[] };
  intensity: { startS: number; stepS: number; db: number[] };
  jitter: number;
  shimmer: number;
  hnrDb: number;
}

const PRAAT_SCRIPT = `
form Measure
  sentence List
  sentence Folder
endform
files = Read Strings from raw text file: list$
count = Get number of strings
for i to count
  selectObject: files
  path$ = Get string: i
  sound = Read from file: path$
  pitch = To Pitch (ac): 0.01, 75, 15, "no", 0.03, 0.45, 0.01, 0.35, 0.14, 600
  pitchStart = Get time from frame number: 1
  matrix = To Matrix
  Save as headerless spreadsheet file: folder$ + "/" + string$ (i) + ".pitch"
  selectObject: sound, pitch
  points = To PointProcess (cc)
  jitter = Get jitter (local): 0, 0, 0.0001, 0.02, 1.3
  selectObject: sound, points
  shimmer = Get shimmer (local): 0, 0, 0.0001, 0.02, 1.3, 1.6
  selectObject: sound
  harmonicity = To Harmonicity (ac): 0.01, 75, 0.1, 4.5
  hnr = Get mean: 0, 0
  selectObject: sound
  intensity = To Intensity: 75, 0, "yes"
  intensityStart = Get time from frame number: 1
  intensityStep = Get time step
  down = Down to Matrix
  Save as headerless spreadsheet file: folder$ + "/" + string$ (i) + ".intensity"
  writeFileLine: folder$ + "/" + string$ (i) + ".facts", pitchStart, " ", intensityStart, " ", intensityStep, " ", jitter, " ", shimmer, " ", hnr
  removeObject: sound, pitch, matrix, points, harmonicity, intensity, down
endfor
`;

/** Praat's measures of each recording, from one run. Null when Praat is not installed. */
export function measureWithPraat(paths: string[]): PraatMeasures[] | null {
  const folder = mkdtempSync(join(tmpdir(), 'prosody-'));
  try {
    writeFileSync(join(folder, 'list.txt'), paths.join('\n'));
    writeFileSync(join(folder, 'measure.praat'), PRAAT_SCRIPT);
    execFileSync('praat', ['--run', join(folder, 'measure.praat'), join(folder, 'list.txt'), folder], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const numbers = (name: string) => readFileSync(join(folder, name), 'utf8').trim().split(/\s+/).map(Number);
    return paths.map((_, i) => {
      const [pitchStart, intensityStart, intensityStep, jitter, shimmer, hnrDb] = numbers(`${i + 1}.facts`) as [
        number,
        number,
        number,
        number,
        number,
        number,
      ];
      return {
        pitch: { startS: pitchStart, hz: numbers(`${i + 1}.pitch`) },
        intensity: { startS: intensityStart, stepS: intensityStep, db: numbers(`${i + 1}.intensity`) },
        jitter,
        shimmer,
        hnrDb,
      };
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
