/**
 * What is measured in the samples of one utterance, before any comparison with its speaker's baseline.
 * A measure that could not be taken is 0 (null where 0 is a possible value) and lowers `confidence`.
 */
export interface Delivery {
  /** Seconds. */
  duration: number;
  /** Hz over the voiced frames: median, standard deviation, 5th and 95th percentile; 0 when nothing is voiced. */
  pitchMedianHz: number;
  pitchSdHz: number;
  pitchP5Hz: number;
  pitchP95Hz: number;
  /** Semitones re 27.5 Hz over the voiced frames. */
  pitchMeanSt: number;
  pitchSdSt: number;
  pitchP90St: number;
  /** Voiced share of the speech frames, 0..1, and the seconds of voice it is based on. */
  voicedRatio: number;
  voicedSeconds: number;
  /** Full scale = 1, over the speech frames. */
  rms: number;
  rmsSd: number;
  rmsMax: number;
  /** dB re full scale over the speech frames. */
  intensityDb: number;
  intensitySdDb: number;
  /** Hz. */
  spectralCentroidHz: number;
  spectralSpreadHz: number;
  /** Standard deviation of the frame centroid, Hz. */
  spectralCentroidSdHz: number;
  zcr: number;
  /** dB; see eGeMAPS. */
  alphaRatioDb: number;
  /** Share of the energy above 1 kHz, 0..1. */
  highEnergyRatio: number;
  /** Spectral slope 0-500 Hz and 500-1500 Hz, dB per Hz. */
  slope0to500: number;
  slope500to1500: number;
  hnrDb: number;
  jitter: number;
  shimmer: number;
  syllables: number;
  /** Syllables a second: of the whole duration, and of phonation. */
  speechRate: number;
  articulationRate: number;
  /** Silences of at least 150 ms inside the utterance. */
  pauseCount: number;
  pauseMeanMs: number;
  pauseLongestMs: number;
  /** Silent share, 0..1. */
  pauseRatio: number;
  finalContour: 'rising' | 'falling' | 'level' | 'unknown';
  finalSlopeSt: number;
  /** Seconds from the utterance's start at which pitch and loudness peak together; null when none stands out. */
  emphasisAt: number[];
  /** 0..1, with the reason when it is low. */
  confidence: number;
  confidenceReason: string | null;
}
