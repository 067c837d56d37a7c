import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type { HealthBody, MetricsBody, ReadyBody } from '../../contract/analysis.ts';
import { ERRORS, ServiceError } from '../../contract/errors.ts';
import { type Failure, NAMED_REQUESTS, type OperationsBody } from '../../contract/operations.ts';
import { OperationsQuerySchema } from '../../contract/queries.ts';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import { languageModelSettings } from '../analysis/language-model.ts';
import { reportRequests } from '../http/request-times.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { metricsOf, type Totals } from '../metrics/metrics.ts';
import { prometheusText } from '../metrics/prometheus.ts';
import { offeredRecognisers } from '../pipeline/offered-recognisers.ts';
import { settingsOf } from '../settings/settings.ts';
import type { EndedAnalysis } from '../tenant/overview.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { listTenants } from './tenants.ts';

const PROMETHEUS_TYPES = ['text/plain', 'application/openmetrics-text'];
/** Limit on the number of tenants in one overview. */
const MAX_TENANTS = 100;
/** `Retry-After` when no pipeline responds, seconds. */
const RETRY_AFTER_S = 5;
const HOUR_MS = 3_600_000;

/** Health, readiness, metrics and the operator's overview. */
export const operations = new Hono<AppEnv>()
  .get('/health', (c) => c.json({ status: 'ok' } satisfies HealthBody))
  .get('/ready', async (c) => {
    const recognisers = await offeredRecognisers(c.env, { waitUntil: (work) => c.executionCtx.waitUntil(work) });
    if (!recognisers) throw new ServiceError('OVERLOADED', 'No pipeline responds', { retryAfter: RETRY_AFTER_S });
    return c.json({ status: 'ready', recognisers } satisfies ReadyBody, 200, { 'Cache-Control': 'no-store' });
  })
  .get('/metrics', async (c) => {
    await reportRequests(c.env);
    const totals = await metricsOf(c.env).read();
    const wanted = accepts(c, {
      header: 'Accept',
      supports: ['application/json', ...PROMETHEUS_TYPES],
      default: 'application/json',
    });
    c.header('Cache-Control', 'no-store');
    if (!PROMETHEUS_TYPES.includes(wanted)) return c.json(metricsBody(totals));
    return c.body(prometheusText(SERVICE_VERSION, totals), 200, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    });
  })
  .get('/operations', zValidator('query', OperationsQuerySchema, rejectInvalid), async (c) =>
    c.json(await overview(c, Date.now(), c.req.valid('query').hours), 200, { 'Cache-Control': 'no-store' }),
  );

const metricsBody = ({ events, latency }: Totals): MetricsBody => ({
  version: SERVICE_VERSION,
  events,
  agent_latency_ms: Object.fromEntries(
    Object.entries(latency).map(([scope, { sumMs, count }]) => [scope, rounded(sumMs / count)]),
  ),
});

/** The combined overviews of all tenants. */
async function overview(c: Context<AppEnv>, now: number, hours: number): Promise<OperationsBody> {
  const since = now - hours * HOUR_MS;
  const { tenants: listed, next_cursor: next } = await listTenants(c, '', MAX_TENANTS);
  const overviews = await Promise.all(listed.map(({ id }) => tenantOf(c.env, id).overview(since)));
  const ended = overviews.flatMap((one, i) => one?.ended.map((end) => ({ ...end, tenant: listed[i]!.id })) ?? []);
  const durations = ended.flatMap(({ status, durationMs }) => (status === 'completed' ? [durationMs] : []));
  return {
    version: SERVICE_VERSION,
    since: new Date(since).toISOString(),
    checked_at: new Date(now).toISOString(),
    hours: byHour(ended),
    duration_ms: quantilesOf(durations),
    failures: failuresOf(ended),
    tenants: listed.flatMap(({ id, name }, i) => {
      const one = overviews[i];
      if (!one) return [];
      const { queued, running, deliveries, liveSessions, storedBytes } = one;
      return [{ id, name, queued, running, deliveries, live_sessions: liveSessions, stored_bytes: storedBytes }];
    }),
    is_whole: next === null,
    events: (await metricsOf(c.env).read()).events,
    has_language_model: languageModelSettings(c.env) !== undefined,
    has_live: settingsOf(c.env).liveEnabled,
  };
}

function byHour(ended: readonly EndedAnalysis[]): OperationsBody['hours'] {
  const hours = Map.groupBy(ended, ({ hour }) => hour);
  return [...hours]
    .sort(([a], [b]) => a - b)
    .map(([hour, ends]) => {
      const of = (status: EndedAnalysis['status']): number => ends.filter((end) => end.status === status).length;
      const at = new Date(hour).toISOString();
      return { at, completed: of('completed'), failed: of('failed'), cancelled: of('cancelled') };
    });
}

function failuresOf(ended: readonly (EndedAnalysis & { tenant: string })[]): Failure[] {
  const failed = ended.filter(({ code }) => code !== null).sort((a, b) => b.at - a.at);
  return [...Map.groupBy(failed, ({ code }) => code!)].map(([code, ends]) => ({
    code,
    is_ours: ERRORS[code].status >= 500,
    count: ends.length,
    last_at: new Date(ends[0]!.at).toISOString(),
    requests: ends.slice(0, NAMED_REQUESTS).map(({ requestId, conversationId, tenant }) => ({
      request_id: requestId,
      conversation_id: conversationId,
      tenant,
    })),
  }));
}

/** Quantiles by the nearest-rank method. */
function quantilesOf(values: readonly number[]): OperationsBody['duration_ms'] {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1]!;
  return { median: at(0.5), p95: at(0.95) };
}
