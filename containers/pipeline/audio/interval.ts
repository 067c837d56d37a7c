/** A span of a recording, in seconds from its start. `end` > `start`. */
export interface Interval {
  start: number;
  end: number;
}

/** The only sample rate inside the pipeline, Hz. */
export const SAMPLE_RATE_HZ = 16_000;
