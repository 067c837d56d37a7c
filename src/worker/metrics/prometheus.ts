import type { MetricsBody } from '../../contract/analysis.ts';

/** The counters in Prometheus' text exposition format 0.0.4. */
export function prometheusText({ version, events, agent_latency_ms }: MetricsBody): string {
  return [
    '# HELP undertone_info Version of the service.',
    '# TYPE undertone_info gauge',
    `undertone_info{version="${version}"} 1`,
    '# HELP undertone_events_total Server-Sent Events emitted, by name.',
    '# TYPE undertone_events_total counter',
    ...samples('undertone_events_total', 'event', events),
    '# HELP undertone_agent_latency_ms Average latency by agent scope, milliseconds.',
    '# TYPE undertone_agent_latency_ms gauge',
    ...samples('undertone_agent_latency_ms', 'scope', agent_latency_ms),
    '',
  ].join('\n');
}

const samples = (metric: string, label: string, values: Record<string, number>): string[] =>
  Object.entries(values).map(([name, value]) => `${metric}{${label}="${name}"} ${value}`);
