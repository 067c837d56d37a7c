import {
  address,
  list,
  optional,
  positive,
  readSetting,
  SettingError,
  type SettingsOf,
  setting,
  sha256,
  text,
  whole,
} from './settings.ts';

/**
 * Settings of the pipeline that reach a container through the Worker. The Worker validates them first, so that an
 * invalid value is reported and does not keep a container from starting.
 */
export const CONTAINER_SETTINGS = {
  maxLiveSessions: setting(
    'MAX_LIVE_SESSIONS',
    optional(whole(1)),
    '',
    'live sessions that one pipeline runs at a time; the pool gives further ones to other pipelines, or refuses them',
    // `npm run bench -- live`: two threads carry twelve.
    { defaultDescription: 'six for each thread that runs the models' },
  ),
  recognitionWorkers: setting(
    'RECOGNITION_WORKERS',
    optional(whole(1)),
    '',
    'threads that run the models; each loads its own copy',
    { defaultDescription: 'one per processor core, at most 8' },
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    whole(0),
    // A Cloudflare rollout ends a container 15 minutes after SIGTERM; this leaves one minute to spare.
    '840',
    'how long running work may continue after SIGTERM; 0 under `npm start`',
  ),
  speakerModel: setting(
    'SPEAKER_MODEL',
    text,
    '',
    'the file of an ONNX speaker-embedding model to use for diarisation instead of the built-in method (copy it into the image); see [diarization.md](diarization.md)',
  ),
  speakerModelSha256: setting(
    'SPEAKER_MODEL_SHA256',
    optional(sha256),
    '',
    'the SHA-256 of that file; set both or neither',
  ),
  asrUrl: setting(
    'ASR_URL',
    optional(address),
    '',
    'an OpenAI-compatible speech recognition endpoint, such as `https://host/v1`, which analyses can choose as `endpoint`; see [recognisers.md](recognisers.md)',
  ),
  asrModel: setting('ASR_MODEL', text, 'whisper-1', 'the model to request from that endpoint'),
  asrKey: setting('ASR_API_KEY', text, '', 'the API key of that endpoint', { isSecret: true }),
  asrLanguages: setting('ASR_LANGUAGES', list(text), 'en', 'the languages it recognises (BCP 47), separated by commas'),
  asrTimeoutMs: setting(
    'ASR_TIMEOUT_SECONDS',
    positive(1000, 30),
    '15',
    'the time limit of each of three attempts; after the third the built-in recogniser transcribes the segment',
  ),
  recogniserProfile: setting(
    'ASR_PROFILE',
    text,
    '',
    "the JSON profile of an additional recogniser that runs in the pipeline (copy it and the model's files into the image); see [recognisers.md](recognisers.md)",
  ),
  recogniser: setting(
    'RECOGNISER',
    text,
    'moonshine-tiny',
    'the default recogniser: `moonshine-tiny`, `endpoint`, or the id of the profile',
  ),
};

/** Shortest token with which a pipeline may announce itself. */
export const LEAST_TOKEN_CHARS = 24;

/** A setting of the Worker and of a pipeline that runs as a plain process. Containers do not get it. */
export const PIPELINE_TOKEN = setting(
  'PIPELINE_TOKEN',
  text,
  '',
  'the secret that the Worker sends to pipelines outside Cloudflare, that such a pipeline demands, and with which it joins the pool (`POOL_URL`; then at least 24 characters); set it on both sides wherever others can reach the pipeline',
  { isSecret: true },
);

/** @throws SettingError for values that are valid alone but not together */
export function checkContainerSettings(settings: SettingsOf<typeof CONTAINER_SETTINGS>): void {
  if ((settings.speakerModel === '') !== (settings.speakerModelSha256 === undefined))
    throw new SettingError('SPEAKER_MODEL', 'be set together with SPEAKER_MODEL_SHA256');
  if (settings.recogniser === 'endpoint' && settings.asrUrl === undefined)
    throw new SettingError('RECOGNISER', 'not be `endpoint` without ASR_URL');
}

/**
 * The environment variables of a container, for the settings that have a value. A running container keeps the values
 * that it was started with.
 */
export function containerVariables(env: object): Record<string, string> {
  return Object.fromEntries(
    Object.values(CONTAINER_SETTINGS).flatMap(({ name }) => {
      const value: unknown = Reflect.get(env, name);
      return value === undefined || String(value).trim() === '' ? [] : [[name, String(value)]];
    }),
  );
}

/** Whether a speech recognition endpoint is set and uses TLS. */
export const usesTls = (env: object): boolean =>
  readSetting(CONTAINER_SETTINGS.asrUrl, env)?.startsWith('https:') ?? false;

/** The host of the speech recognition endpoint, if one is set. */
export function recogniserHosts(env: object): string[] {
  const host = readSetting(CONTAINER_SETTINGS.asrUrl, env)?.match(/^https?:\/\/([^\s/:?#]+)/)?.[1];
  return host === undefined ? [] : [host];
}
