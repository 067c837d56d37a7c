import { CONTAINER_SETTINGS, checkContainerSettings, PIPELINE_TOKEN } from '../../contract/container-settings.ts';
import { LARGEST_CHUNK_BYTES, TTL_SECONDS } from '../../contract/live.ts';
import { JURISDICTION_REGIONS, JURISDICTIONS, type PoolRegion, REGIONS } from '../../contract/regions.ts';
import {
  address,
  list,
  oneOf,
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
/** Shortest accepted secret, characters. */
const LEAST_SECRET_CHARS = 24;
/** Limited so that a revoked key stops working everywhere within a minute. */
const MOST_TRUST_SECONDS = 30;

/**
 * Every variable of the Worker, declared once. `npm start` passes them on, and the table in the operations guide is
 * generated from them. Sizes are converted to bytes when they are read.
 */
export const WORKER_SETTINGS = {
  apiKeys: setting(
    'API_KEYS',
    keyEntries,
    '',
    'the accepted keys, separated by commas or white space; `sha256:<hex>` stands for the key with that digest, so the key itself need not be stored; the prefix `<tenant>:` names its tenant (below)',
    { isSecret: true },
  ),
  demoApiKey: setting('DEMO_API_KEY', optional(keyEntry), '', 'an additional, public key', {
    defaultDescription: 'none; `npm start` generates one and keeps it',
  }),
  demoIsPublic: setting(
    'DEMO_IS_PUBLIC',
    onOff,
    'true',
    'whether the service gives the demo key to anyone; it then has its own limits, otherwise it is an ordinary key',
    { defaultDescription: 'true; false under `npm start`' },
  ),
  keyPepper: setting(
    'KEY_PEPPER',
    optional(secret(LEAST_SECRET_CHARS)),
    '',
    'the secret that protects stored keys and signs browser tokens; without it, no keys or tokens are issued',
    { isSecret: true, defaultDescription: 'none; `npm start` generates one and keeps it' },
  ),
  keyTrustSeconds: setting(
    'KEY_TRUST_SECONDS',
    positive(1, MOST_TRUST_SECONDS),
    String(MOST_TRUST_SECONDS),
    'how long an issued key is trusted before it is checked again; a revoked key stops working within this time',
  ),
  adminToken: setting(
    'ADMIN_TOKEN',
    optional(secret(LEAST_SECRET_CHARS)),
    '',
    "the operator's secret, for managing tenants; without it, there is no access by admin token",
    { isSecret: true, defaultDescription: 'none; `npm start` generates one and keeps it' },
  ),
  accessOperators: setting(
    'ACCESS_OPERATORS',
    words,
    '',
    'the e-mail addresses that Cloudflare Access admits as operator, separated by commas, or `*` for everyone it admits',
  ),
  oidcIssuer: setting(
    'OIDC_ISSUER',
    optional(address),
    '',
    'the OpenID Connect issuer with which people sign in, exactly as its configuration names it (`https://login.example.com`)',
  ),
  oidcClientId: setting('OIDC_CLIENT_ID', text, '', 'the id of this service at that issuer'),
  oidcClientSecret: setting('OIDC_CLIENT_SECRET', text, '', 'the secret of that client; absent for a public client', {
    isSecret: true,
  }),
  oidcTrustsEmail: setting(
    'OIDC_TRUSTS_EMAIL',
    onOff,
    'false',
    'whether an e-mail address counts that the issuer sends without `email_verified`; only for an issuer whose people cannot choose their addresses',
  ),
  ...LIMIT_SETTINGS,
  maxFileBytes: setting('MAX_FILE_SIZE_MB', positive(MEBIBYTE), '500', 'maximum size of an uploaded file'),
  maxUploadsPerKey: setting(
    'MAX_UPLOADS_PER_KEY',
    whole(1),
    '10',
    'files that one key may upload at once; further ones get a 429 with `Retry-After`',
  ),
  keptUploadMs: setting(
    'KEPT_UPLOAD_HOURS',
    positive(3_600_000),
    '24',
    'how long an upload is kept after the service failed to analyse it, so that the analysis can be requested again',
  ),
  uploadStallSeconds: setting(
    'UPLOAD_STALL_SECONDS',
    positive(),
    '60',
    'an upload that sends less than 1 kB/s for this long ends with 400 `UPLOAD_STALLED`',
  ),
  liveEnabled: setting(
    'ENABLE_LIVE_STREAMING',
    onOff,
    'true',
    'whether live capture is available; if not, `/analyze/live/*` returns 404',
  ),
  maxChunkBytes: setting(
    'MAX_CHUNK_BYTES',
    whole(1, LARGEST_CHUNK_BYTES),
    String(MEBIBYTE),
    `maximum size of one live chunk; at most ${LARGEST_CHUNK_BYTES / 1e6} MB: a chunk is one row of SQLite, which holds 2 MB`,
  ),
  liveChunkMs: setting(
    'LIVE_CHUNK_MS',
    whole(1, 60_000),
    '500',
    'target length of a live chunk, ms; the response to a start returns it as `chunk_ms`, and the client library uses it. Longer chunks need fewer requests and rows, but their length adds to the delay of every text',
  ),
  maxSessionBytes: setting(
    'MAX_SESSION_MB',
    positive(MEBIBYTE),
    '500',
    'maximum size of one live session; a chunk beyond it gets a 400 `FILE_TOO_LARGE`, and the session stays open and can be finalized',
  ),
  liveTtlMinSeconds: setting(
    'LIVE_TTL_MIN_SECONDS',
    positive(),
    String(TTL_SECONDS.min),
    'the minimum of `ttl_seconds`',
  ),
  liveTtlMaxSeconds: setting(
    'LIVE_TTL_MAX_SECONDS',
    positive(),
    String(TTL_SECONDS.max),
    'the maximum of `ttl_seconds`',
  ),
  liveTtlDefaultSeconds: setting(
    'LIVE_TTL_DEFAULT_SECONDS',
    positive(),
    String(TTL_SECONDS.default),
    'how long a live session stays open without a chunk or keepalive if the client sends no `ttl_seconds`',
  ),
  liveGraceSeconds: setting(
    'LIVE_GRACE_SECONDS',
    positive(),
    // The session is cleaned up 30 s after `done` is delivered (decisions).
    '30',
    'how long the stream of a finished session can be resumed after its last event was delivered',
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
    'the OpenAI-compatible endpoint that serves the model; if absent, the Workers AI binding `AI`',
  ),
  llmApiKey: setting('LLM_API_KEY', text, '', 'the key of that endpoint', { isSecret: true }),
  runtimeUrls: setting(
    'RUNTIME_URL',
    list(address),
    '',
    'URLs of pipelines that run as plain processes, separated by commas; if absent, the Container binding is used, or, where the runtime has no containers, the pipeline of `npm run pipeline`',
  ),
  pipelineToken: PIPELINE_TOKEN,
  pipelinePort: setting(
    'PIPELINE_PORT',
    whole(1, 65_535),
    '8790',
    'the port on which `npm run pipeline` listens, and where `wrangler dev` on its own looks for it',
  ),
  poolMax: setting(
    'POOL_MAX',
    whole(1),
    '5',
    'containers of an application at most; keep it equal to `max_instances` in wrangler.toml. Under `npm start`, the number of pipelines',
    { defaultDescription: '5; 1 under `npm start`' },
  ),
  poolMin: setting(
    'POOL_MIN',
    whole(0),
    '0',
    'containers of the pool that run even without work, so that no live session waits for a start',
  ),
  poolRegions: setting(
    'POOL_REGIONS',
    list(oneOf(...REGIONS)),
    '',
    `regions in which containers run, the main one first, separated by commas: ${REGIONS.map((region) => `\`${region}\``).join(', ')}; without it, Cloudflare chooses. \`npm run deploy\` sets it`,
  ),
  jurisdiction: setting(
    'JURISDICTION',
    optional(oneOf(...JURISDICTIONS)),
    '',
    'the jurisdiction in which everything stays, `eu` or `us`; see [deploying.md](deploying.md#regions-and-jurisdiction). `npm run deploy` sets it. Only Cloudflare has jurisdictions, so `npm start` refuses it',
  ),
  pipelineApplication: setting(
    'PIPELINE_APPLICATION',
    oneOf('a', 'b'),
    'a',
    'which of the two container applications gets new work; `npm run deploy` sets it',
  ),
  trialTenant: setting(
    'PIPELINE_TRIAL_TENANT',
    text,
    '',
    'the tenant whose work goes to the other application; `npm run deploy` sets it while it tries a new image',
  ),
  analysesPerPipeline: setting(
    'ANALYSES_PER_PIPELINE',
    whole(1),
    '4',
    'files that one pipeline analyses at once; the others wait in the queue. Half of the slots are reserved for tenants that have none',
  ),
  allowPrivateTargets: setting(
    'ALLOW_PRIVATE_TARGETS',
    onOff,
    'false',
    'for development and tests, never in production: allows webhooks and files at private addresses, and over http',
  ),
  dnsResolverUrl: setting(
    'DNS_RESOLVER_URL',
    optional(address),
    '',
    'the DNS-over-HTTPS resolver that looks up the host names of webhooks and files before they are called (`application/dns-json`, such as `https://cloudflare-dns.com/dns-query`)',
    { defaultDescription: "none; `npm start` uses this machine's own resolver" },
  ),
  s3BucketUrl: setting(
    'S3_BUCKET_URL',
    optional(address),
    '',
    'S3 URL of the bucket (`https://<account>.r2.cloudflarestorage.com/<bucket>`); together with the two settings below, it lets clients send parts of uploads directly to the bucket',
  ),
  s3AccessKeyId: setting('S3_ACCESS_KEY_ID', text, '', 'a key that may write to that bucket'),
  s3SecretAccessKey: setting('S3_SECRET_ACCESS_KEY', text, '', 'the secret of that key', { isSecret: true }),
  requestIdHeader: setting(
    'REQUEST_ID_HEADER',
    text,
    '',
    'the request header from which the Worker takes the request id; set it only behind a proxy that sets this header and removes it from client requests',
  ),
  startedAt: setting(
    'SERVICE_STARTED_AT',
    optional(time),
    '',
    'when the service started (ISO 8601), if all of it runs in one process tree: work that began earlier has ended; `npm start` sets it',
  ),
  ...CONTAINER_SETTINGS,
};

export type Settings = SettingsOf<typeof WORKER_SETTINGS>;
export type PipelineApplication = Settings['pipelineApplication'];
/** The unparsed variables of a deployment. */
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
  const { jurisdiction, poolRegions } = settings;
  const inside: readonly PoolRegion[] = jurisdiction === undefined ? REGIONS : JURISDICTION_REGIONS[jurisdiction];
  if (!poolRegions.every((region) => inside.includes(region)))
    throw new SettingError('POOL_REGIONS', `have no region outside JURISDICTION (${inside.join(', ')})`);
  checkContainerSettings(settings);
  known.set(env, settings);
  return settings;
}

/** The one setting that is needed before the others are validated. */
export const requestIdHeader = (env: object): string => readSetting(WORKER_SETTINGS.requestIdHeader, env);
