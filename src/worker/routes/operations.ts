import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type { HealthBody, MetricsBody, ReadyBody } from '../../contract/analysis.ts';
import { ERRORS, ServiceError } from '../../contract/errors.ts';
import {
  type Failure,
  NAMED_DEAD_LETTERS,
  NAMED_DELIVERIES,
  NAMED_REQUESTS,
  type OperationsBody,
  type PoolInstanceBody,
  type Quantiles,
} from '../../contract/operations.ts';
import { BackupQuerySchema, OperationsQuerySchema } from '../../contract/queries.ts';
import { SERVICE_VERSION } from '../../contract/version.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import { languageModelSettings } from '../analysis/language-model.ts';
import { backUp, restore } from '../backup/backup.ts';
import { reportRequests } from '../http/request-times.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv, Env } from '../identity/env.ts';
import { metricsOf, type Totals } from '../metrics/metrics.ts';
import { type GaugeValues, prometheusText } from '../metrics/prometheus.ts';
import { estimatedQuantiles } from '../metrics/quantiles.ts';
import {
  idleApplication,
  offeredRecognisers,
  type PipelineGroup,
  respondingPipelines,
} from '../pipeline/offered-recognisers.ts';
import { announcedPipelines, poolOverview } from '../pool/place.ts';
import type { PoolMember } from '../pool/pool-directory.ts';
import { settingsOf } from '../settings/settings.ts';
import type { FailuresOfCode, HourOfAnalyses } from '../tenant/overview.ts';
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
    const recognisers = await offeredRecognisers(c.env, {
      waitUntil: (work) => c.executionCtx.waitUntil(work),
      announced: () => announcedPipelines(c.env),
    });
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
    return c.body(prometheusText(SERVICE_VERSION, totals, await gaugeValues(c.env)), 200, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
    });
  })
  .post('/backup', zValidator('query', BackupQuerySchema, rejectInvalid), async (c) =>
    c.json(await backUp(c.env, c.req.valid('query').cursor)),
  )
  .post('/restore', zValidator('query', BackupQuerySchema, rejectInvalid), async (c) =>
    c.json(await restore(c.env, c.req.valid('query').cursor, c.var.admin)),
  )
  .get('/operations', zValidator('query', OperationsQuerySchema, rejectInvalid), async (c) =>
    c.json(await overview(c, Date.now(), c.req.valid('query').hours), 200, { 'Cache-Control': 'no-store' }),
  );

async function gaugeValues(env: Env): Promise<GaugeValues> {
  const [pool, pipelines] = await Promise.all([poolOverview(env), pipelinesOf(env)]);
  const sum = (of: (member: PoolMember) => number): number => pool.members.reduce((all, member) => all + of(member), 0);
  return {
    queue_slots: pool.places,
    queue_running: pool.running,
    queue_waiting: pool.waiting,
    live_slots: sum(({ state, slots }) => (state === 'ready' ? slots.live : 0)),
    live_running: sum(({ live }) => live),
    live_waiting: pool.waitingLive,
    live_lag_seconds_most: Math.max(0, ...pool.members.map(({ lagMs }) => lagMs)) / 1000,
    pipelines_starting: sum(({ state }) => Number(state === 'starting')),
    pipelines_draining: sum(({ state }) => Number(state === 'draining' || state === 'silent')),
    pipelines: pipelines.total,
    pipelines_ready: pipelines.ready,
    pipeline_work: pipelines.work,
  };
}

const pipelinesOf = async (env: Env): Promise<PipelineGroup> => respondingPipelines(env, await announcedPipelines(env));

const metricsBody = ({ events, latency }: Totals): MetricsBody => ({
  version: SERVICE_VERSION,
  events,
  agent_latency_ms: Object.fromEntries(
    Object.entries(latency).map(([scope, { sumMs, count }]) => [scope, rounded(sumMs / count)]),
  ),
});

const instanceBody = (member: PoolMember): PoolInstanceBody => ({
  name: member.name,
  state: member.state,
  live: { slots: member.slots.live, used: member.live },
  files: { slots: member.slots.batch, used: member.batch },
  busy: rounded(member.busy),
  lag_ms: Math.round(member.lagMs),
  memory_bytes: member.rssBytes,
  reported_at: new Date(member.beatAt).toISOString(),
});

/** The overviews of all tenants combined. */
async function overview(c: Context<AppEnv>, now: number, hours: number): Promise<OperationsBody> {
  const since = now - hours * HOUR_MS;
  const { tenants: listed, next_cursor: next } = await listTenants(c, '', MAX_TENANTS);
  const [overviews, pool, pipelines, idle, totals] = await Promise.all([
    Promise.all(listed.map(({ id }) => tenantOf(c.env, id).overview(since))),
    poolOverview(c.env),
    pipelinesOf(c.env),
    idleApplication(c.env),
    metricsOf(c.env).read(),
  ]);
  const known = overviews.flatMap((one, i) => (one ? [{ ...one, ...listed[i]! }] : []));
  return {
    version: SERVICE_VERSION,
    since: new Date(since).toISOString(),
    checked_at: new Date(now).toISOString(),
    hours: combinedHours(known.flatMap((one) => one.hours)),
    duration_ms: quantilesOf(known.flatMap(({ durations }) => durations)),
    queue: { slots: pool.places, running: pool.running, waiting: pool.waiting },
    pipelines: { total: pipelines.total, ready: pipelines.ready },
    pool: { instances: pool.members.map(instanceBody), waiting_live: pool.waitingLive },
    ...(idle && { idle_application: { ready: idle.ready, work: idle.work } }),
    live_final_ms: estimatedQuantiles('live_final_seconds', totals.observed),
    failures: combinedFailures(known),
    dead_letters: known
      .flatMap(({ id: tenant, deadLetters = [] }) => deadLetters.map((one) => ({ ...one, tenant })))
      .sort((a, b) => b.failed_at.localeCompare(a.failed_at))
      .slice(0, NAMED_DEAD_LETTERS),
    undelivered: known
      .flatMap(({ id: tenant, undelivered = [] }) => undelivered.map((one) => ({ ...one, tenant })))
      .sort((a, b) => (b.last_attempt_at ?? '').localeCompare(a.last_attempt_at ?? ''))
      .slice(0, NAMED_DELIVERIES),
    tenants: known.map(({ id, name, queued, running, deliveries, liveSessions, storedBytes, databaseShare }) => ({
      ...{ id, name, queued, running, deliveries },
      live_sessions: liveSessions,
      stored_bytes: storedBytes,
      ...(databaseShare !== undefined && { database_share: databaseShare }),
    })),
    is_whole: next === null,
    events: totals.events,
    has_language_model: languageModelSettings(c.env) !== undefined,
    has_live: settingsOf(c.env).liveEnabled,
  };
}

function combinedHours(all: readonly HourOfAnalyses[]): OperationsBody['hours'] {
  return [...Map.groupBy(all, ({ hour }) => hour)]
    .sort(([a], [b]) => a - b)
    .map(([hour, parts]) => {
      const sum = (of: 'completed' | 'failed' | 'cancelled'): number => parts.reduce((n, part) => n + part[of], 0);
      const at = new Date(hour).toISOString();
      return { at, completed: sum('completed'), failed: sum('failed'), cancelled: sum('cancelled') };
    });
}

/** The failures of all tenants by code. The code with the newest failure comes first. */
function combinedFailures(of: readonly { id: string; failures: readonly FailuresOfCode[] }[]): Failure[] {
  const all = of.flatMap(({ id, failures }) => failures.map((one) => ({ ...one, tenant: id })));
  return [...Map.groupBy(all, ({ code }) => code)]
    .map(([code, parts]): Failure => {
      const newest = parts
        .flatMap(({ newest, tenant }) => newest.map((one) => ({ ...one, tenant })))
        .sort((a, b) => b.at - a.at)
        .slice(0, NAMED_REQUESTS);
      return {
        code,
        is_ours: ERRORS[code].status >= 500,
        count: parts.reduce((sum, { count }) => sum + count, 0),
        last_at: new Date(newest[0]!.at).toISOString(),
        requests: newest.map(({ requestId, conversationId, tenant, at, startedAt, reason, isKept }) => ({
          request_id: requestId,
          conversation_id: conversationId,
          tenant,
          at: new Date(at).toISOString(),
          ...(startedAt !== undefined && { started_at: new Date(startedAt).toISOString() }),
          reason,
          can_retry: isKept,
        })),
      };
    })
    .sort((a, b) => b.last_at.localeCompare(a.last_at));
}

/** Quantiles of counted values by nearest rank. */
function quantilesOf(values: readonly { ms: number; count: number }[]): Quantiles | null {
  const sorted = values.toSorted((a, b) => a.ms - b.ms);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const at = (share: number): number => {
    let below = 0;
    return sorted.find(({ count }) => {
      below += count;
      return below >= share * total;
    })!.ms;
  };
  return { median: at(0.5), p95: at(0.95) };
}
