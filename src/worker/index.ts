import { app } from './app.ts';
import type { Env } from './identity/env.ts';
import { settingsOf } from './settings/settings.ts';
import { mediaStore } from './storage/media-store.ts';
import { sweepPending } from './storage/pending.ts';
import { tenantOf } from './tenant/tenant.ts';

// Containers send their outgoing requests through this class (`pipeline/pipeline-container.ts`).
export { ContainerProxy } from '@cloudflare/containers';
export { AnalysisJob } from './jobs/analysis-job.ts';
export { LiveSession } from './live/session.ts';
export { Metrics } from './metrics/metrics.ts';
export { PipelineContainer, PipelineContainerB } from './pipeline/pipeline-container.ts';
export { PoolDirectory } from './pool/pool-directory.ts';
export { AnalysisQueue } from './queue/analysis-queue.ts';
export { Directory } from './tenant/directory.ts';
export { Tenant } from './tenant/tenant.ts';

export default {
  fetch: app.fetch,
  /** Runs hourly (wrangler.toml), and once at startup when the service runs as local processes. */
  async scheduled(_, env) {
    const isOpen = (tenant: string, id: string) => tenantOf(env, tenant).jobs.isOpen(id);
    const failures = await sweepPending(mediaStore(env), isOpen, Date.now(), settingsOf(env).startedAt);
    if (failures > 0) throw new Error(`${failures} abandoned recordings could not be removed`);
  },
} satisfies ExportedHandler<Env>;
