interface HistogramDescription {
  help: string;
  /** Names of the labels, in the order of their values. */
  labels: readonly string[];
  /** Upper bounds of the buckets: seconds, or the unit that the name says. One more bucket counts everything above. */
  bounds: readonly number[];
}

/**
 * Every histogram of the service by its name without the prefix `undertone_`. Stored counts depend on these bounds, so
 * changing the bounds requires a new name.
 */
export const HISTOGRAMS = {
  request_seconds: {
    help: 'Time from a request to the headers of its response, by route and status class.',
    labels: ['route', 'status'],
    bounds: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800],
  },
  queue_seconds: {
    help: 'Time that an analysis waits for a slot.',
    labels: [],
    bounds: [0.1, 0.5, 1, 2.5, 5, 15, 60, 300, 900, 3600, 14_400],
  },
  pipeline_seconds: {
    help: 'Time from the start of an analysis in its slot to its end, by outcome.',
    labels: ['outcome'],
    bounds: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1800, 3600],
  },
  live_lag_seconds: {
    help: 'Live sessions, every 15 s and when they are finalized: distance from the newest stored audio to the newest that is transcribed or silent.',
    labels: [],
    bounds: [0.25, 0.5, 1, 2, 3, 5, 10, 30, 60, 300, 900, 3600],
  },
  live_final_seconds: {
    help: 'Live sessions: time from the end of speech to its final transcript.',
    labels: [],
    bounds: [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30],
  },
  tenant_database_share: {
    help: 'Used share of the database of each tenant that has used more than 60 %, at most hourly, with its uploads and sessions.',
    labels: [],
    bounds: [0.7, 0.8, 0.9, 1],
  },
} as const satisfies Record<string, HistogramDescription>;
export type HistogramName = keyof typeof HISTOGRAMS;

/** The observations of one histogram with one set of label values. */
export interface Observed {
  name: HistogramName;
  /** Values of the labels, in the order of their names. */
  labels: string[];
  /** Number of values in each bucket, not cumulative. The last bucket has no upper bound. */
  counts: number[];
  /** Sum of all values. */
  sum: number;
}

/** Collects observations, one entry for each histogram and set of label values. */
export class ObservedValues {
  readonly #entries = new Map<string, Observed>();

  /** @param value in the unit of the histogram */
  add(name: HistogramName, value: number, ...labels: string[]): void {
    const { bounds } = HISTOGRAMS[name];
    const at = bounds.findIndex((bound) => value <= bound);
    const key = JSON.stringify([name, ...labels]);
    const entry = this.#entries.get(key) ?? { name, labels, counts: Array(bounds.length + 1).fill(0), sum: 0 };
    entry.counts[at < 0 ? bounds.length : at]!++;
    entry.sum += value;
    this.#entries.set(key, entry);
  }

  /** Returns the entries so far and clears them. */
  drain(): Observed[] {
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    return entries;
  }
}
