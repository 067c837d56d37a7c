import { CONTAINER_SETTINGS, checkContainerSettings } from '../../contract/container-settings.ts';
import { LARGEST_CHUNK_BYTES, TTL_SECONDS } from '../../contract/live.ts';
import {
  address,
  list,
  onOff,
  optional,
  positive,
  readSetting,
  readSettings,
  SettingError,
  type SettingsOf,
  secret,
  setting,
  text,
  time,
  type VariablesOf,
  whole,
  words,
} from '../../contract/settings.ts';
import { keyEntries, keyEntry } from './key-entries.ts';
import { LIMIT_SETTINGS } from './limit-settings.ts';

export const MEBIBYTE = 1024 * 1024;
/** A shorter secret is refused, characters. */
const LEAST_SECRET_CHARS = 24;
/** Bounded so that a revoked key stops working everywhere within a minute. */
const MOST_TRUST_SECONDS = 30;

/**
 * Every variable of the Worker, declared once. `npm start` passes them on, and the table of the operations guide is
 * generated from them. Sizes are in bytes once read.
 */
export const WORKER_SETTINGS = {
  apiKeys: setting(
    'API_KEYS',
    keyEntries,
    '',
    'the keys that may call, separated by commas or white space; `sha256:<hex>` stands for the key with that digest, so that no key need be stored; `<tenant>:` before either says whose it is (below)',
    { isSecret: true },
  ),
  demoApiKey: setting('DEMO_API_KEY', optional(keyEntry), '', 'one more key, public', {
    defaultDescription: 'none; made at random once and kept under `npm start`',
  }),
  demoIsPublic: setting(
    'DEMO_IS_PUBLIC',
    onOff,
    'true',
    'whether anyone may have the demo key, which then has limits of its own; otherwise it is a key like any other',
    { defaultDescription: 'true; false under `npm start`' },
  ),
  keyPepper: setting(
    'KEY_PEPPER',
    optional(secret(LEAST_SECRET_CHARS)),
    '',
    'the secret under which issued keys are stored and browser tokens signed; without it none are issued',
    { isSecret: true, defaultDescription: 'none; made once and kept under `npm start`' },
  ),
  keyTrustSeconds: setting(
    'KEY_TRUST_SECONDS',
    positive(1, MOST_TRUST_SECONDS),
    String(MOST_TRUST_SECONDS),
    'how long an issued key is trusted without asking anew: so much later at most a revoked one stops',
  ),
  adminToken: setting(
    'ADMIN_TOKEN',
    optional(secret(LEAST_SECRET_CHARS)),
    '',
    "the operator's own secret; without it nobody manages tenants by it",
    { isSecret: true, defaultDescription: 'none; made once and kept under `npm start`' },
  ),
  accessOperators: setting(
    'ACCESS_OPERATORS',
    words,
    '',
    'whom Cloudflare Access lets in as operator: addresses separated by commas, or `*` for everybody it lets in',
  ),
  ...LIMIT_SETTINGS,
  maxFileBytes: setting('MAX_FILE_SIZE_MB', positive(MEBIBYTE), '500', 'size of an uploaded file'),
  maxUploadsPerKey: setting(
    'MAX_UPLOADS_PER_KEY',
    whole(1),
    '10',
    'files being received at a time for one key; one more is a 429 with `Retry-After`',
  ),
  keptUploadMs: setting(
    'KEPT_UPLOAD_HOURS',
    positive(3_600_000),
    '24',
    'how long an upload stays whose analysis a machine failed, so that it can be asked for again',
  ),
  uploadStallSeconds: setting(
    'UPLOAD_STALL_SECONDS',
    positive(),
    '60',
    'an upload that brings nothing, or under 1 kB/s, for so long ends with 400 `UPLOAD_STALLED`',
  ),
  liveEnabled: setting(
    'ENABLE_LIVE_STREAMING',
    onOff,
    'true',
    'whether live capture is offered; otherwise `/analyze/live/*` answers 404',
  ),
  maxChunkBytes: setting(
    'MAX_CHUNK_BYTES',
    whole(1, LARGEST_CHUNK_BYTES),
    String(MEBIBYTE),
    `size of one live chunk; at most ${LARGEST_CHUNK_BYTES / 1e6} MB: a chunk is one row of SQLite, which holds 2 MB`,
  ),
  maxSessionBytes: setting(
    'MAX_SESSION_MB',
    positive(MEBIBYTE),
    '500',
    'bytes of one live session; a chunk beyond it is a 400 `FILE_TOO_LARGE`, and the session stays open and can be finalized',
  ),
  liveTtlMinSeconds: setting('LIVE_TTL_MIN_SECONDS', positive(), String(TTL_SECONDS.min), 'the least `ttl_seconds`'),
  liveTtlMaxSeconds: setting('LIVE_TTL_MAX_SECONDS', positive(), String(TTL_SECONDS.max), 'the most `ttl_seconds`'),
  liveTtlDefaultSeconds: setting(
    'LIVE_TTL_DEFAULT_SECONDS',
    positive(),
    String(TTL_SECONDS.default),
    'how long a live session stays open without a chunk or keepalive when its client names no `ttl_seconds`',
  ),
  liveGraceSeconds: setting(
    'LIVE_GRACE_SECONDS',
    positive(),
    // After `done` is delivered the session is cleaned up with a grace of 30 s (decisions).
    '30',
    'how long a finished session can still be resumed once its last event was delivered',
  ),
  llmModel: setting(
    'LLM_MODEL',
    text,
    '',
    'the language model that may write summaries, name phases and mark moments (below)',
  ),
  llmBaseUrl: setting(
    'LLM_BASE_URL',
    optional(address),
    '',
    'the OpenAI-compatible endpoint that has it; none: the Workers AI binding `AI`',
  ),
  llmApiKey: setting('LLM_API_KEY', text, '', 'the key of that endpoint', { isSecret: true }),
  runtimeUrls: setting(
    'RUNTIME_URL',
    list(address),
    '',
    'addresses of pipelines that run as plain processes, separated by commas; none: the Container binding, and where the runtime has no containers what `npm run pipeline` starts',
  ),
  pipelinePort: setting(
    'PIPELINE_PORT',
    whole(1, 65_535),
    '8790',
    'where `npm run pipeline` listens, and a plain `wrangler dev` looks for it',
  ),
  pipelineInstances: setting(
    'PIPELINE_INSTANCES',
    whole(1),
    '5',
    'containers that share the work; keep it equal to `max_instances` in wrangler.toml',
  ),
  analysesPerPipeline: setting(
    'ANALYSES_PER_PIPELINE',
    whole(1),
    '4',
    'files that one pipeline works on at a time; the others wait in the queue before it. Half of the places are kept for tenants that have none',
  ),
  allowPrivateTargets: setting(
    'ALLOW_PRIVATE_TARGETS',
    onOff,
    'false',
    'for developers and tests, never in production: webhooks and files may lie at private addresses, and over http',
  ),
  dnsResolverUrl: setting(
    'DNS_RESOLVER_URL',
    optional(address),
    '',
    'where names in the addresses of webhooks and files are looked up before they are called (`application/dns-json`, as `https://cloudflare-dns.com/dns-query`)',
    { defaultDescription: "nowhere; this machine's own resolver under `npm start`" },
  ),
  s3BucketUrl: setting(
    'S3_BUCKET_URL',
    optional(address),
    '',
    'address of the bucket by the S3 protocol (`https://<account>.r2.cloudflarestorage.com/<bucket>`): with the two below, parts of uploads may go straight to it',
  ),
  s3AccessKeyId: setting('S3_ACCESS_KEY_ID', text, '', 'a key that may write to that bucket'),
  s3SecretAccessKey: setting('S3_SECRET_ACCESS_KEY', text, '', 'and its secret', { isSecret: true }),
  requestIdHeader: setting(
    'REQUEST_ID_HEADER',
    text,
    '',
    "a header whose id the Worker takes for its own; name one only where a proxy in front sets it and lets no client's through",
  ),
  startedAt: setting(
    'SERVICE_STARTED_AT',
    optional(time),
    '',
    'where one process tree is the whole service, when it began, ISO 8601: nothing of before still runs; `npm start` sets it',
  ),
  ...CONTAINER_SETTINGS,
};

export type Settings = SettingsOf<typeof WORKER_SETTINGS>;
/** The raw variables of a deployment. */
export type SettingVariables = Partial<Record<VariablesOf<typeof WORKER_SETTINGS>, string>>;

const known = new WeakMap<object, Settings>();

/**
 * The settings of a deployment.
 * @throws SettingError naming the variable with an invalid value
 */
export function settingsOf(env: object): Settings {
  const before = known.get(env);
  if (before) return before;
  const settings = readSettings(WORKER_SETTINGS, env);
  const { liveTtlMinSeconds: min, liveTtlDefaultSeconds: usual, liveTtlMaxSeconds: max } = settings;
  if (min > usual || usual > max)
    throw new SettingError('LIVE_TTL_DEFAULT_SECONDS', 'be between LIVE_TTL_MIN_SECONDS and LIVE_TTL_MAX_SECONDS');
  checkContainerSettings(settings);
  known.set(env, settings);
  return settings;
}

/** The one setting that is needed before the others are validated. */
export const requestIdHeader = (env: object): string => readSetting(WORKER_SETTINGS.requestIdHeader, env);
