// The objectives that a deployment watches, over what `GET /metrics` counts. deploy/prometheus/alerts.yml has the same
// ones as alerts.

/** One line of Prometheus' text format. */
export interface MetricSample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export function samplesOf(text: string): MetricSample[] {
  return [...text.matchAll(/^(\w+)(?:\{([^}]*)\})? (\S+)$/gm)].map(([, name = '', labels = '', value]) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label = '', of = '']) => [label, of])),
    value: Number(value),
  }));
}

const REQUESTS = 'undertone_request_seconds_count';
const STARTS = 'POST /analyze/live/start';

interface Part {
  metric: string;
  /** Chooses samples by their labels. */
  isIn?: (labels: MetricSample['labels']) => boolean;
}

/** A share of what happened, and the largest one that is accepted. */
export interface Objective {
  name: string;
  bad: Part;
  /** Subtracted from `all` if the metric counts the good ones. */
  all: Part;
  countsGood?: boolean;
  most: number;
  /** With fewer events nothing is concluded. */
  least: number;
}

const FINALS = 'undertone_live_final_seconds';

export const OBJECTIVES: readonly Objective[] = [
  {
    name: 'requests that failed (5xx, without 503)',
    bad: { metric: REQUESTS, isIn: ({ status }) => status === '5xx' },
    all: { metric: REQUESTS },
    most: 0.01,
    least: 100,
  },
  {
    name: 'live sessions refused at their start (503)',
    bad: { metric: REQUESTS, isIn: ({ route, status }) => route === STARTS && status === '503' },
    all: { metric: REQUESTS, isIn: ({ route }) => route === STARTS },
    most: 0.02,
    least: 20,
  },
  {
    name: 'final texts later than 2 s after the end of speech',
    bad: { metric: `${FINALS}_bucket`, isIn: ({ le }) => le === '2' },
    all: { metric: `${FINALS}_count` },
    countsGood: true,
    most: 0.05,
    least: 100,
  },
  {
    name: 'readings of a lag of more than 5 s in live sessions',
    bad: { metric: 'undertone_live_lag_seconds_bucket', isIn: ({ le }) => le === '5' },
    all: { metric: 'undertone_live_lag_seconds_count' },
    countsGood: true,
    most: 0.05,
    least: 40,
  },
  {
    name: 'analyses that waited longer than 15 min for a slot',
    bad: { metric: 'undertone_queue_seconds_bucket', isIn: ({ le }) => le === '900' },
    all: { metric: 'undertone_queue_seconds_count' },
    countsGood: true,
    most: 0.05,
    least: 20,
  },
];

/** An objective that is missed. */
export interface Miss {
  name: string;
  share: number;
  most: number;
  of: number;
}

/** The objectives that were missed between two readings of `GET /metrics`. */
export function missesBetween(before: readonly MetricSample[], after: readonly MetricSample[]): Miss[] {
  const grown = ({ metric, isIn = () => true }: Part): number => {
    const sum = (samples: readonly MetricSample[]): number =>
      samples.reduce((total, one) => total + (one.name === metric && isIn(one.labels) ? one.value : 0), 0);
    return sum(after) - sum(before);
  };
  return OBJECTIVES.flatMap(({ name, bad, all, countsGood, most, least }) => {
    const of = grown(all);
    if (of < least) return [];
    const share = (countsGood ? of - grown(bad) : grown(bad)) / of;
    return share > most ? [{ name, share, most, of }] : [];
  });
}

export const describeMiss = ({ name, share, most, of }: Miss): string =>
  `${(share * 100).toFixed(1)} % of ${of}: ${name}; the limit is ${most * 100} %`;
