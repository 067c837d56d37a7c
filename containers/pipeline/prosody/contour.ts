import { clamp, deviation, quantile, robustSlope } from './statistics.ts';

/** The end of a contour is its last 200 ms of voice. */
const FINAL_VOICE_S = 0.2;
/** With fewer voiced seconds than this, the end cannot be judged. */
const LEAST_VOICE_S = 0.08;
/** A longer break in the voice separates the end from what precedes it, s. */
const LONGEST_BREAK_S = 0.15;
/**
 * A pitch change of 2 semitones is perceived as a glide ('t Hart 1981: 1.5 to 2 st at best; questions in dialogue act
 * work: 2 st).
 */
const GLIDE_ST = 2;
/** A larger jump between neighbouring frames is an octave error or creak, not intonation. */
const JUMP_ST = 7;

/** Semitones re 27.5 Hz (eGeMAPS), which is the lowest A of a piano. */
export const semitones = (hz: number): number => 12 * Math.log2(hz / 27.5);

export interface FinalContour {
  contour: 'rising' | 'falling' | 'level' | 'unknown';
  /** Change over 200 ms, semitones. 0 when unknown. */
  slopeSt: number;
}

/** Direction of the pitch over the last 200 ms of voice. */
export function finalContour(frequencyHz: Float64Array, speech: Uint8Array, stepS: number): FinalContour {
  const x: number[] = [];
  const y: number[] = [];
  const wanted = Math.round(FINAL_VOICE_S / stepS);
  for (let i = frequencyHz.length - 1; i >= 0 && x.length < wanted; i--) {
    if (frequencyHz[i]! === 0 || speech[i] === 0) {
      if (x.length > 0 && x.at(-1)! - i * stepS > LONGEST_BREAK_S) break;
      continue;
    }
    const st = semitones(frequencyHz[i]!);
    if (y.length > 0 && Math.abs(st - y.at(-1)!) > JUMP_ST) {
      if (x.length * stepS >= LEAST_VOICE_S) break;
      x.length = 0;
      y.length = 0;
    }
    x.push(i * stepS);
    y.push(st);
  }
  if (x.length * stepS < LEAST_VOICE_S) return { contour: 'unknown', slopeSt: 0 };
  const slopeSt = clamp(robustSlope(x, y) * FINAL_VOICE_S, -12, 12);
  return { contour: slopeSt >= GLIDE_ST ? 'rising' : slopeSt <= -GLIDE_ST ? 'falling' : 'level', slopeSt };
}

/**
 * Sum of the z-scores of pitch and intensity at which a syllable stands out (Kochanski et al. 2005: loudness and pitch
 * carry prominence).
 */
const PROMINENT_Z = 3;
const LEAST_Z = 0.8;
const MOST_POINTS = 3;
/** Fewest syllables for one of them to stand out. */
const LEAST_SYLLABLES = 4;

/**
 * Frames of the syllables at which pitch and loudness peak together, in order: at most three, and none when nothing
 * stands out.
 */
export function emphasisFrames(nuclei: number[], frequencyHz: Float64Array, intensityDb: Float64Array): number[] {
  if (nuclei.length < LEAST_SYLLABLES) return [];
  const pitch = nuclei.map((frame) => semitones(frequencyHz[frame]!));
  const loudness = nuclei.map((frame) => intensityDb[frame]!);
  const standing = (values: number[], least: number) => {
    const middle = quantile(Float64Array.from(values).sort(), 0.5);
    const spread = Math.max(deviation(values), least);
    return values.map((value) => (value - middle) / spread);
  };
  const pitchZ = standing(pitch, 1);
  const loudnessZ = standing(loudness, 2);
  return nuclei
    .map((frame, i) => ({ frame, z: pitchZ[i]! + loudnessZ[i]!, least: Math.min(pitchZ[i]!, loudnessZ[i]!) }))
    .filter(({ z, least }) => z >= PROMINENT_Z && least >= LEAST_Z)
    .sort((a, b) => b.z - a.z)
    .slice(0, MOST_POINTS)
    .map(({ frame }) => frame)
    .sort((a, b) => a - b);
}
