import { type PipelineReport, PipelineReportSchema } from '../../contract/pipeline.ts';
import { within } from '../deadline.ts';
import type { Env } from '../identity/env.ts';
import { pipelineHealth, pipelineHost } from '../pipeline/hosts.ts';
import { requestPipeline } from '../pipeline/pipeline.ts';

/** Time limit of a report, ms. It is shorter than the interval of reports. */
const REPORT_MS = 4_000;
/** Time limit of a container's start, ms. The container class waits up to 28 s. */
const START_MS = 40_000;
/** Statuses with which the platform refuses to start another container. */
const RATE_LIMITED: readonly number[] = [429, 503];

/** The report of an instance; null when it does not answer in time. */
export async function reportOf(env: Env, name: string, withinMs = REPORT_MS): Promise<PipelineReport | null> {
  const ended = new AbortController();
  const report = await within(
    reportIn(() => pipelineHealth(env, name, ended.signal)),
    withinMs,
  );
  ended.abort();
  return report === 'late' ? null : report;
}

/** Starts a container. @returns its first report, or why there is none */
export async function startInstance(env: Env, name: string): Promise<PipelineReport | { isRateLimited: boolean }> {
  let status = 0;
  const started = reportIn(async () => {
    const response = await pipelineHost(env, name).fetch('/healthz');
    ({ status } = response);
    return response;
  });
  const report = await within(started, START_MS);
  return report === 'late' || report === null ? { isRateLimited: RATE_LIMITED.includes(status) } : report;
}

/** Ends a live session on an instance that holds it without a lease. A file there ends with its connection. */
export async function revoke(env: Env, name: string, id: string): Promise<void> {
  const path = `/sessions/${encodeURIComponent(id)}`;
  const response = await requestPipeline(pipelineHost(env, name), path, { method: 'DELETE' }, REPORT_MS).catch(
    () => undefined,
  );
  await response?.body?.cancel();
}

/** The report in a response to a health check. Null when there is none. Never rejects. */
async function reportIn(health: () => Promise<Response>): Promise<PipelineReport | null> {
  try {
    const response = await health();
    const body: unknown = await response.json();
    return response.ok ? PipelineReportSchema.parse(body) : null;
  } catch {
    return null;
  }
}
