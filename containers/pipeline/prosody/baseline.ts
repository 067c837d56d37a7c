/** Mean and standard deviation of one measure over a speaker's sampled speech. */
export interface Spread {
  mean: number;
  sd: number;
}

/** What is usual for one speaker in one recording; measured on up to some tens of seconds of speech spread over it. */
export interface SpeakerBaseline {
  /** Number of stretches it was measured on; 0 = no baseline. */
  n: number;
  pitchSt: Spread;
  pitchSdSt: Spread;
  intensityDb: Spread;
  intensitySdDb: Spread;
  speechRate: Spread;
  articulationRate: Spread;
  alphaRatioDb: Spread;
  spectralCentroidHz: Spread;
  highEnergyRatio: Spread;
  pauseRatio: Spread;
  /** The speaker's own pitch floor and ceiling, Hz (.75 q25 and 1.5 q75 of the first pass, De Looze & Hirst). */
  floorHz: number;
  ceilingHz: number;
}
