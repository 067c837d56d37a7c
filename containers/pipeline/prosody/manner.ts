import type { Prosody } from '../../../src/contract/timeline-entry.ts';
import type { DeliveryDifference } from '../../../src/conversation/sentences/delivery.ts';
import { wordingFor } from '../../../src/conversation/sentences/wording.ts';

/**
 * Deviations from which a difference is reported, and from which it counts as strong. One utterance in three exceeds
 * one deviation.
 */
const REPORTED_Z = 1;
const STRONG_Z = 2;
/** Pauses stand out at this fraction of the time if there are at least two, or at this mean length if there is one. */
const PAUSING_RATIO = 0.15;
const LONG_PAUSE_MS = 500;

/**
 * Silence before speaking that is remarkable for any speaker, ms: three times as long as planning an answer takes
 * (Levinson & Torreira 2015).
 */
export const REMARKABLE_SILENCE_MS = 2000;
/** Disfluencies per word above which speech is remarkable. Talk has 6 to 10 per 100 words (Bortfeld et al. 2001). */
export const DISFLUENT = 0.1;

/** Differences between an utterance and its speaker's typical delivery, from -2 to 2. 0 means none. */
export interface DeliveryManner {
  loud: number;
  high: number;
  fast: number;
  pausing: boolean;
  /** Differences that are reported, strongest first. */
  differences: DeliveryDifference[];
}

/** Whether there are z-scores. Without a baseline, all are 0. */
export const isCompared = (prosody: Prosody): boolean =>
  prosody.pitch_z !== 0 || prosody.energy_z !== 0 || prosody.rate_z !== 0;

const step = (z: number): number =>
  Math.abs(z) < REPORTED_Z ? 0 : Math.abs(z) < STRONG_Z ? Math.sign(z) : 2 * Math.sign(z);

/**
 * A number that chooses among wordings. It depends on the measures, so that the same utterance always gets the same
 * text.
 */
export const variantOf = (prosody: Prosody): number =>
  Math.round(prosody.duration * 1000) + Math.round(prosody.pitch_hz * 10) + Math.round(prosody.zcr * 1e4);

/** One of several wordings, chosen by the measures of the utterance. */
export const oneOf = (prosody: Prosody, wordings: string[]): string => wordingFor(variantOf(prosody), wordings);

export function mannerOf(prosody: Prosody): DeliveryManner {
  const { energy_z, pitch_z, rate_z } = prosody;
  const measured: Pick<DeliveryDifference, 'measure' | 'z'>[] = [
    { measure: 'loudness', z: energy_z },
    { measure: 'pitch', z: pitch_z },
    { measure: 'pace', z: rate_z },
  ];
  const differences = measured
    .filter(({ z }) => step(z) !== 0)
    .sort((a, b) => Math.abs(b.z) - Math.abs(a.z))
    .map(({ measure, z }) => ({ measure, z, isStrong: Math.abs(z) >= STRONG_Z }));
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
