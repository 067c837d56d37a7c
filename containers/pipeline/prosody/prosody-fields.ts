import type { CommitmentMarkers, PassionMarkers, Prosody } from '../../../src/contract/timeline-entry.ts';
import { allRounded } from '../../../src/contract/wire-numbers.ts';
import { type BaselineMeasure, type SpeakerBaseline, zScore } from './baseline.ts';
import type { Delivery } from './delivery.ts';

/** Rounds to the decimals that describe the voice rather than the arithmetic. */
const rounded = (value: number, decimals: number): number => {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale || 0;
};

/**
 * The prosody block as it is sent. Without a baseline (`n` 0) the z-scores are 0, because there is nothing to compare
 * against.
 * @param pauseBeforeMs silence since the end of anybody's last speech, ms.
 * @param markers null if affect is withheld.
 */
export function prosodyFields(
  delivery: Delivery,
  baseline: SpeakerBaseline,
  pauseBeforeMs: number,
  markers: { commitment_markers: CommitmentMarkers; passion_markers: PassionMarkers } | null,
): Prosody {
  const comparable = baseline.n > 0 && delivery.voicedSeconds > 0;
  const z = (measure: BaselineMeasure) => (comparable ? rounded(zScore(delivery, baseline, measure), 2) : 0);
  return {
    pitch_hz: rounded(delivery.pitchMedianHz, 1),
    pitch_std: rounded(delivery.pitchSdHz, 1),
    pitch_range: rounded(delivery.pitchP95Hz - delivery.pitchP5Hz, 1),
    energy_rms: rounded(delivery.rms, 4),
    energy_std: rounded(delivery.rmsSd, 4),
    energy_max: rounded(delivery.rmsMax, 4),
    duration: rounded(delivery.duration, 3),
    pause_before_ms: Math.max(0, Math.round(pauseBeforeMs)),
    spectral_centroid: rounded(delivery.spectralCentroidHz, 1),
    spectral_std: rounded(delivery.spectralSpreadHz, 1),
    zcr: rounded(delivery.zcr, 4),
    pause_ratio: rounded(Math.min(1, delivery.pauseRatio), 4),
    pitch_z: z('pitchSt'),
    energy_z: z('intensityDb'),
    commitment_markers: markers && allRounded(markers.commitment_markers),
    passion_markers: markers && allRounded(markers.passion_markers),
    voiced_ratio: rounded(Math.min(1, delivery.voicedRatio), 3),
    intensity_db: rounded(delivery.intensityDb, 1),
    hnr_db: rounded(delivery.hnrDb, 1),
    jitter: rounded(delivery.jitter, 4),
    shimmer: rounded(delivery.shimmer, 4),
    speech_rate: rounded(delivery.speechRate, 2),
    articulation_rate: rounded(delivery.articulationRate, 2),
    rate_z: z('speechRate'),
    pause_count: delivery.pauseCount,
    pause_mean_ms: Math.round(delivery.pauseMeanMs),
    final_contour: delivery.finalContour,
    final_slope_st: rounded(delivery.finalSlopeSt, 1),
    alpha_ratio_db: rounded(delivery.alphaRatioDb, 1),
    confidence: rounded(delivery.confidence, 3),
    ...(delivery.confidenceReason === null ? {} : { confidence_reason: delivery.confidenceReason }),
  };
}
