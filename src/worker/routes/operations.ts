import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type { MetricsBody } from '../../contract/analysis.ts';
import { SERVICE_VERSION } from '../../contract/version.ts';
import type { AppEnv } from '../env.ts';
import { metricsOf } from '../metrics/metrics.ts';
import { prometheusText } from '../metrics/prometheus.ts';

const PROMETHEUS_TYPES = ['text/plain', 'application/openmetrics-text'];

/** What an operator's own tools ask. */
export const operations = new Hono<AppEnv>()
  .get('/health', (c) => c.json({ status: 'ok' }))
  .get('/metrics', async (c) => {
    const { events, latencyMs } = await metricsOf(c.env).read();
    const metrics: MetricsBody = { version: SERVICE_VERSION, events, agent_latency_ms: latencyMs };
    const wanted = accepts(c, {
      header: 'Accept',
      supports: ['application/json', ...PROMETHEUS_TYPES],
      default: 'application/json',
    });
    c.header('Cache-Control', 'no-store');
    if (!PROMETHEUS_TYPES.includes(wanted)) return c.json(metrics);
    return c.body(prometheusText(metrics), 200, { 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
