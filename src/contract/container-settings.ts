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
 * Settings of the pipeline that come to a container through the Worker, which reads them first: a value that does not fit
 * is told where it was set, and not by a container that does not start.
 */
export const CONTAINER_SETTINGS = {
  maxLiveSessions: setting(
    'MAX_LIVE_SESSIONS',
    whole(1),
    '64',
    'live sessions at a time in one pipeline; one beyond it waits in the Worker, or goes to another container',
  ),
  recognitionWorkers: setting(
    'RECOGNITION_WORKERS',
    optional(whole(1)),
    '',
    'threads that do the work of the models; each holds its own',
    { defaultWords: 'one a processor core, 8 at most' },
  ),
  drainSeconds: setting(
    'DRAIN_SECONDS',
    whole(0),
    // A rollout of Cloudflare's ends a container 15 minutes after SIGTERM; this leaves one of them.
    '840',
    'after SIGTERM, how long work under way may take; 0 under `npm start`',
  ),
  speakerModel: setting(
    'SPEAKER_MODEL',
    text,
    '',
    'an ONNX model of voices that tells speakers apart in place of the built-in method: its file (in the image: copy it there); see [diarization.md](diarization.md)',
  ),
  speakerModelSha256: setting(
    'SPEAKER_MODEL_SHA256',
    optional(sha256),
    '',
    'the digest of that file; the two are set together',
  ),
  asrUrl: setting(
    'ASR_URL',
    optional(address),
    '',
    'an OpenAI-compatible endpoint of speech recognition, as `https://host/v1`, that analyses may choose as `endpoint`; see [recognisers.md](recognisers.md)',
  ),
  asrModel: setting('ASR_MODEL', text, 'whisper-1', 'the model that is asked for there'),
  asrKey: setting('ASR_API_KEY', text, '', 'the key of that endpoint', { isSecret: true }),
  asrLanguages: setting('ASR_LANGUAGES', list(text), 'en', 'the languages it understands (BCP 47), between commas'),
  asrTimeoutMs: setting(
    'ASR_TIMEOUT_SECONDS',
    positive(1000, 30),
    '15',
    'how long one of three attempts may take; the built-in recogniser hears the segment after that',
  ),
  recogniserProfile: setting(
    'ASR_PROFILE',
    text,
    '',
    "the profile of one more recogniser that runs here, a JSON file (in the image: copy it there, with the model's files); see [recognisers.md](recognisers.md)",
  ),
  recogniser: setting(
    'RECOGNISER',
    text,
    'moonshine-tiny',
    'who hears the words where an analysis does not choose: `moonshine-tiny`, `endpoint`, or the id of the profile',
  ),
};

/** @throws SettingError for values of which each fits and which do not go together */
export function checkContainerSettings(settings: SettingsOf<typeof CONTAINER_SETTINGS>): void {
  if ((settings.speakerModel === '') !== (settings.speakerModelSha256 === undefined))
    throw new SettingError('SPEAKER_MODEL', 'be set together with SPEAKER_MODEL_SHA256');
  if (settings.recogniser === 'endpoint' && settings.asrUrl === undefined)
    throw new SettingError('RECOGNISER', 'not be `endpoint` without ASR_URL');
}

/** Those that are set, as a container is given them. One that runs keeps what it was started with. */
export function containerVariables(env: object): Record<string, string> {
  return Object.fromEntries(
    Object.values(CONTAINER_SETTINGS).flatMap(({ name }) => {
      const value: unknown = Reflect.get(env, name);
      return value === undefined || String(value).trim() === '' ? [] : [[name, String(value)]];
    }),
  );
}

/** Whether the endpoint of speech recognition, if one is set, is asked by TLS. */
export const isAskedByTls = (env: object): boolean =>
  readSetting(CONTAINER_SETTINGS.asrUrl, env)?.startsWith('https:') ?? false;

/** The host of the endpoint of speech recognition, if one is set. */
export function recogniserHosts(env: object): string[] {
  const host = readSetting(CONTAINER_SETTINGS.asrUrl, env)?.match(/^https?:\/\/([^\s/:?#]+)/)?.[1];
  return host === undefined ? [] : [host];
}
