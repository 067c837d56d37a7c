import type { WorkersAi } from './analysis/language-model.ts';
import type { JobRequest } from './jobs/job.ts';
import type { Admin } from './keys/access.ts';
import type { Caller } from './keys/caller.ts';
import type { Operator } from './keys/operator.ts';
import type { LiveSession } from './live/session.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { PipelineContainer } from './pipeline/pipeline-container.ts';
import type { AnalysisQueue } from './queue/analysis-queue.ts';
import type { SettingVariables } from './settings.ts';
import type { Directory } from './tenants/directory.ts';
import type { Tenant } from './tenants/tenant.ts';

/** The bindings of wrangler.toml; its variables, and the secrets an operator sets beside them, are those of `settings.ts`. */
export interface Env extends SettingVariables {
  MEDIA: R2Bucket;
  LIVE: DurableObjectNamespace<LiveSession>;
  METRICS: DurableObjectNamespace<Metrics>;
  PIPELINE: DurableObjectNamespace<PipelineContainer>;
  TENANT: DurableObjectNamespace<Tenant>;
  DIRECTORY: DurableObjectNamespace<Directory>;
  QUEUE: DurableObjectNamespace<AnalysisQueue>;
  ANALYSIS: Workflow<JobRequest>;
  /** The built dashboard; absent where a test runs the Worker alone. */
  ASSETS?: Fetcher;
  /** Workers AI, where an operator binds it. */
  AI?: WorkersAi;
}

/** What every Hono route of this Worker knows of a request. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Who calls, and the tenant it belongs to. Set by `requireAccess`, on every route that is not open. */
    caller: Caller;
    tenant: string;
    /** Who administers, and the operator where it is that. Set by `requireAccess`, on the routes of administration. */
    admin: Admin;
    operator: Operator;
  };
}
