import type { LanguageModelEnv } from './analysis/language-model.ts';
import type { Admin } from './keys/access.ts';
import type { Caller } from './keys/caller.ts';
import type { Operator } from './keys/operator.ts';
import type { LiveSession } from './live/session.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { ContainerVariable } from './pipeline/container-variables.ts';
import type { PipelineContainer } from './pipeline/pipeline-container.ts';
import type { Directory } from './tenants/directory.ts';
import type { Tenant } from './tenants/tenant.ts';

/** The bindings and variables of wrangler.toml, and the secrets an operator sets beside them. */
export interface Env extends LanguageModelEnv, Partial<Record<ContainerVariable, string>> {
  MEDIA: R2Bucket;
  LIVE: DurableObjectNamespace<LiveSession>;
  METRICS: DurableObjectNamespace<Metrics>;
  PIPELINE: DurableObjectNamespace<PipelineContainer>;
  TENANT: DurableObjectNamespace<Tenant>;
  DIRECTORY: DurableObjectNamespace<Directory>;
  /** Base addresses of pipelines that run as plain processes, separated by commas; empty for the Container binding. */
  RUNTIME_URL?: string;
  /** Header in which whatever stands before this Worker gives a request its id; empty: the Worker gives every id. */
  REQUEST_ID_HEADER?: string;
  /**
   * Keys that may call, separated by commas or white space; `sha256:<hex>` stands for a key whose digest it is, and
   * `<tenant>:` before either says whose key it is.
   */
  API_KEYS?: string;
  /** One more key, public, for trying the service. */
  DEMO_API_KEY?: string;
  /** The secret under which issued keys are stored and browser tokens signed; without it none are issued. */
  KEY_PEPPER?: string;
  /** The operator's own secret; without it nobody manages tenants by it. */
  ADMIN_TOKEN?: string;
  /** Whom Cloudflare Access lets in as operator: addresses separated by commas, or `*` for everybody it lets in. */
  ACCESS_OPERATORS?: string;
  KEY_TRUST_SECONDS?: string;
  MAX_REQUESTS_PER_MINUTE_PER_KEY?: string;
  MAX_REQUESTS_PER_MINUTE_PER_TENANT?: string;
  MAX_SESSIONS_PER_TENANT?: string;
  MAX_ANALYSES_PER_KEY?: string;
  MAX_ANALYSES_PER_TENANT?: string;
  MAX_AUDIO_MINUTES_PER_DAY_PER_KEY?: string;
  MAX_AUDIO_MINUTES_PER_DAY_PER_TENANT?: string;
  MAX_STORED_GB_PER_TENANT?: string;
  DEMO_IS_PUBLIC?: string;
  DEMO_REQUESTS_PER_MINUTE?: string;
  DEMO_SESSIONS?: string;
  DEMO_ANALYSES?: string;
  DEMO_AUDIO_MINUTES_PER_DAY?: string;
  DEMO_STORED_GB?: string;
  DEMO_FILE_SIZE_MB?: string;
  DEMO_RETENTION_DAYS?: string;
  MAX_FILE_SIZE_MB?: string;
  ENABLE_LIVE_STREAMING?: string;
  MAX_CHUNK_BYTES?: string;
  MAX_SESSION_MB?: string;
  MAX_SESSIONS_PER_KEY?: string;
  MAX_UPLOADS_PER_KEY?: string;
  UPLOAD_STALL_SECONDS?: string;
  LIVE_TTL_MIN_SECONDS?: string;
  LIVE_TTL_MAX_SECONDS?: string;
  LIVE_TTL_DEFAULT_SECONDS?: string;
  LIVE_GRACE_SECONDS?: string;
  PIPELINE_INSTANCES?: string;
  /** Where one process tree is the whole service: when it started, ISO 8601. Nothing of before can still run then. */
  SERVICE_STARTED_AT?: string;
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

/** The variables, parsed. Sizes are bytes; a megabyte is 1,048,576 of them. */
export interface Settings {
  /** Pipelines that run as plain processes; none for the Container binding. */
  runtimeUrls: string[];
  maxFileBytes: number;
  liveEnabled: boolean;
  maxChunkBytes: number;
  maxSessionBytes: number;
  /** How many recordings one key may be sending at a time. */
  maxUploadsPerKey: number;
  /** How long a body may bring less than it must before it is ended. */
  uploadStallSeconds: number;
  /** How many containers share the work in production; `max_instances` of wrangler.toml. */
  pipelineInstances: number;
  /** Unix time, ms; undefined where other instances may run too. */
  startedAt: number | undefined;
}

export const MEBIBYTE = 1024 * 1024;

/**
 * Reads the variables of a deployment.
 * @throws RangeError naming the variable whose value does not fit
 */
export function settingsOf(env: Env): Settings {
  return {
    runtimeUrls: (env.RUNTIME_URL ?? '').split(',').flatMap((url) => url.trim() || []),
    maxFileBytes: positive('MAX_FILE_SIZE_MB', env.MAX_FILE_SIZE_MB, 500) * MEBIBYTE,
    liveEnabled: flag('ENABLE_LIVE_STREAMING', env.ENABLE_LIVE_STREAMING, true),
    maxChunkBytes: whole('MAX_CHUNK_BYTES', env.MAX_CHUNK_BYTES, MEBIBYTE),
    maxSessionBytes: positive('MAX_SESSION_MB', env.MAX_SESSION_MB, 500) * MEBIBYTE,
    maxUploadsPerKey: whole('MAX_UPLOADS_PER_KEY', env.MAX_UPLOADS_PER_KEY, 10),
    uploadStallSeconds: positive('UPLOAD_STALL_SECONDS', env.UPLOAD_STALL_SECONDS, 60),
    pipelineInstances: whole('PIPELINE_INSTANCES', env.PIPELINE_INSTANCES, 5),
    startedAt: moment('SERVICE_STARTED_AT', env.SERVICE_STARTED_AT),
  };
}

/** @throws RangeError naming the variable whose value is not a positive decimal number */
export function positive(name: string, value: string | undefined, fallback: number): number {
  const text = value?.trim() ?? '';
  if (text === '') return fallback;
  const number = /^\d+(\.\d+)?$/.test(text) ? Number(text) : 0;
  if (!(number > 0 && Number.isFinite(number))) throw new RangeError(`${name} must be a positive number`);
  return number;
}

export function whole(name: string, value: string | undefined, fallback: number): number {
  const number = positive(name, value, fallback);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${name} must be a whole number`);
  return number;
}

export function flag(name: string, value: string | undefined, fallback: boolean): boolean {
  const text = value?.trim().toLowerCase() ?? '';
  if (text === '') return fallback;
  if (!['true', '1', 'false', '0'].includes(text)) throw new RangeError(`${name} must be true, 1, false or 0`);
  return text === 'true' || text === '1';
}

function moment(name: string, value: string | undefined): number | undefined {
  const text = value?.trim() ?? '';
  if (text === '') return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw new RangeError(`${name} must be a time of ISO 8601`);
  return time;
}
