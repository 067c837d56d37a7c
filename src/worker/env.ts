import type { LanguageModelEnv } from './analysis/language-model.ts';
import type { PipelineContainer } from './analysis/pipeline-container.ts';
import type { LiveQuota } from './live/quota.ts';
import type { LiveSession } from './live/session.ts';
import type { Metrics } from './metrics/metrics.ts';

/** The bindings and variables of wrangler.toml, and the secrets an operator sets beside them. */
export interface Env extends LanguageModelEnv {
  MEDIA: R2Bucket;
  LIVE: DurableObjectNamespace<LiveSession>;
  LIVE_QUOTA: DurableObjectNamespace<LiveQuota>;
  METRICS: DurableObjectNamespace<Metrics>;
  PIPELINE: DurableObjectNamespace<PipelineContainer>;
  /** Base address of a pipeline that runs as a plain process; empty for the Container binding. */
  RUNTIME_URL?: string;
  /** Keys that may call, separated by commas or white space; `sha256:<hex>` stands for a key whose digest it is. */
  API_KEYS?: string;
  /** One more key, public, for trying the service. */
  DEMO_API_KEY?: string;
  MAX_FILE_SIZE_MB?: string;
  ENABLE_LIVE_STREAMING?: string;
  MAX_CHUNK_BYTES?: string;
  MAX_SESSION_MB?: string;
  MAX_SESSIONS_PER_KEY?: string;
  LIVE_TTL_MIN_SECONDS?: string;
  LIVE_TTL_MAX_SECONDS?: string;
  LIVE_TTL_DEFAULT_SECONDS?: string;
  LIVE_GRACE_SECONDS?: string;
  PIPELINE_INSTANCES?: string;
}

/** What every Hono route of this Worker knows of a request. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** Who calls: the first digits of the key's digest, never the key. Set by `requireKey`. */
    tenant: string;
  };
}

/** The variables, parsed. Sizes are bytes; a megabyte is 1,048,576 of them. */
export interface Settings {
  runtimeUrl: string;
  maxFileBytes: number;
  liveEnabled: boolean;
  maxChunkBytes: number;
  maxSessionBytes: number;
  maxSessionsPerKey: number;
  /** How many containers share the work in production; `max_instances` of wrangler.toml. */
  pipelineInstances: number;
}

const MEBIBYTE = 1024 * 1024;

/**
 * Reads the variables of a deployment.
 * @throws RangeError naming the variable whose value is not a positive number.
 */
export function settingsOf(env: Env): Settings {
  return {
    runtimeUrl: env.RUNTIME_URL ?? '',
    maxFileBytes: positive('MAX_FILE_SIZE_MB', env.MAX_FILE_SIZE_MB, 500) * MEBIBYTE,
    liveEnabled: ['true', '1'].includes((env.ENABLE_LIVE_STREAMING ?? 'true').trim().toLowerCase()),
    maxChunkBytes: positive('MAX_CHUNK_BYTES', env.MAX_CHUNK_BYTES, MEBIBYTE),
    maxSessionBytes: positive('MAX_SESSION_MB', env.MAX_SESSION_MB, 500) * MEBIBYTE,
    maxSessionsPerKey: positive('MAX_SESSIONS_PER_KEY', env.MAX_SESSIONS_PER_KEY, 20),
    pipelineInstances: positive('PIPELINE_INSTANCES', env.PIPELINE_INSTANCES, 5),
  };
}

function positive(name: string, value: string | undefined, fallback: number): number {
  if (value === undefined || value.trim() === '') return fallback;
  const number = Number(value);
  if (!(number > 0 && Number.isFinite(number))) throw new RangeError(`${name} must be a positive number`);
  return number;
}
