import { HISTOGRAMS, type HistogramName } from './histograms.ts';
import type { Totals } from './metrics.ts';

const PREFIX = 'undertone_';

/** The state of the service at the time of a scrape, by the names of gauges. */
export const GAUGES = {
  queue_slots: 'Analyses of files that may run at once.',
  queue_running: 'Analyses of files that hold a slot.',
  queue_waiting: 'Analyses of files that wait for a slot.',
  live_slots: 'Live sessions that may run at once.',
  live_running: 'Live sessions that hold a slot.',
  live_waiting: 'Live sessions that wait for a slot.',
  live_lag_seconds_most: 'The largest lag that a pipeline reports for its live sessions.',
  pipelines_starting: 'Pipelines that start.',
  pipelines_draining: 'Pipelines that take no new work, or do not answer.',
  pipelines: 'Pipelines that get new work.',
  pipelines_ready: 'Pipelines that respond. A container sleeps until an analysis starts it.',
  pipeline_work: 'Analyses and live sessions on the pipelines that respond.',
} as const;
export type GaugeValues = Record<keyof typeof GAUGES, number>;

/** The counters and gauges in Prometheus' text exposition format 0.0.4. */
export function prometheusText(version: string, { events, latency, observed }: Totals, gauges: GaugeValues): string {
  return [
    ...head('info', 'gauge', 'Version of the service.'),
    sample('info', { version }, 1),
    ...Object.entries(gauges).flatMap(([name, value]) => [
      ...head(name, 'gauge', GAUGES[name as keyof typeof GAUGES]),
      sample(name, {}, value),
    ]),
    ...head('events_total', 'counter', 'Server-Sent Events emitted, by name.'),
    ...Object.entries(events).map(([event, count]) => sample('events_total', { event }, count)),
    ...head('agent_seconds', 'summary', 'Time of one unit of work, by agent scope.'),
    ...Object.entries(latency).flatMap(([scope, { sumMs, count }]) => [
      sample('agent_seconds_sum', { scope }, sumMs / 1000),
      sample('agent_seconds_count', { scope }, count),
    ]),
    ...(Object.keys(HISTOGRAMS) as HistogramName[]).flatMap((name) => histogram(name, observed)),
    '',
  ].join('\n');
}

function histogram(name: HistogramName, observed: Totals['observed']): string[] {
  const { help, labels: names, bounds } = HISTOGRAMS[name];
  const own = observed.filter((one) => one.name === name);
  const lines = own.flatMap(({ labels: values, counts, sum }) => {
    const labels = Object.fromEntries(names.map((label, i) => [label, values[i] ?? '']));
    let below = 0;
    const buckets = [...bounds, '+Inf'].map((le, i) => {
      below += counts[i] ?? 0;
      return sample(`${name}_bucket`, { ...labels, le: String(le) }, below);
    });
    return [...buckets, sample(`${name}_sum`, labels, sum), sample(`${name}_count`, labels, below)];
  });
  return [...head(name, 'histogram', help), ...lines];
}

const head = (name: string, type: string, help: string): string[] => [
  `# HELP ${PREFIX}${name} ${help}`,
  `# TYPE ${PREFIX}${name} ${type}`,
];

/** Label values are names that this service defines, without quotes, backslashes or line breaks. */
function sample(name: string, labels: Record<string, string>, value: number): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
  return `${PREFIX}${name}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}
