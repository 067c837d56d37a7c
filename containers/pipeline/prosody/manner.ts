import type { Prosody } from '../../../src/contract/timeline-entry.ts';

/** From this many deviations on a difference is told, and from this many on it is strong. One deviation is one utterance in three. */
const TOLD_Z = 1;
const STRONG_Z = 2;
/** A pause of this share, or this long on average, is heard as one; at least two, or one of half a second. */
const PAUSING_RATIO = 0.15;
const LONG_PAUSE_MS = 500;

/** A silence before speaking this long speaks for itself, ms: three times the time an answer takes to plan (Levinson & Torreira 2015). */
export const REMARKABLE_SILENCE_MS = 2000;
/** Talk holds 6 to 10 disfluencies in 100 words (Bortfeld et al. 2001); more is remarkable. */
export const DISFLUENT = 0.1;

/** How an utterance differs from its speaker's usual: -2 .. 2, 0 = does not. */
export interface DeliveryManner {
  loud: number;
  high: number;
  fast: number;
  pausing: boolean;
  /** Comparatives with their z-scores as words, the strongest first. */
  differences: { word: string; z: string }[];
}

/** Whether the z-scores mean anything: they are all 0 without a baseline. */
export const isCompared = (prosody: Prosody): boolean =>
  prosody.pitch_z !== 0 || prosody.energy_z !== 0 || prosody.rate_z !== 0;

const step = (z: number): number =>
  Math.abs(z) < TOLD_Z ? 0 : Math.abs(z) < STRONG_Z ? Math.sign(z) : 2 * Math.sign(z);

/** A z-score as print: its size in deviations. */
export const deviations = (z: number): string => `${Math.abs(z).toFixed(1)} SD`;

/** Milliseconds as print: from one second on in seconds. */
export const times = (ms: number): string => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(0)} ms`);

/** "a", "a and b", "a, b and c". */
export const joined = (parts: string[], last = ' and '): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')}${last}${parts.at(-1)}`;

/** One of several wordings, chosen by the measured numbers: the same utterance always reads the same. */
export function oneOf(prosody: Prosody, wordings: string[]): string {
  const seed = Math.round(prosody.duration * 1000) + Math.round(prosody.pitch_hz * 10) + Math.round(prosody.zcr * 1e4);
  return wordings[seed % wordings.length]!;
}

export function mannerOf(prosody: Prosody): DeliveryManner {
  const { energy_z, pitch_z, rate_z } = prosody;
  const degree = (z: number, more: string, less: string) =>
    `${Math.abs(z) >= STRONG_Z ? 'much ' : ''}${z > 0 ? more : less}`;
  const differences = [
    { z: energy_z, word: degree(energy_z, 'louder', 'quieter') },
    { z: pitch_z, word: degree(pitch_z, 'higher', 'lower') },
    { z: rate_z, word: degree(rate_z, 'faster', 'slower') },
  ]
    .filter(({ z }) => step(z) !== 0)
    .sort((a, b) => Math.abs(b.z) - Math.abs(a.z))
    .map(({ z, word }) => ({ word, z: deviations(z) }));
  return {
    loud: step(energy_z),
    high: step(pitch_z),
    fast: step(rate_z),
    pausing:
      (prosody.pause_count > 1 && prosody.pause_ratio >= PAUSING_RATIO) ||
      (prosody.pause_count > 0 && prosody.pause_mean_ms >= LONG_PAUSE_MS),
    differences,
  };
}

export const unremarkable = (manner: DeliveryManner): boolean => manner.differences.length === 0 && !manner.pausing;
