import { availableParallelism, hostname } from 'node:os';
import {
  CONTAINER_SETTINGS,
  checkContainerSettings,
  LEAST_TOKEN_CHARS,
  PIPELINE_TOKEN,
} from '../../src/contract/container-settings.ts';
import { JURISDICTIONS, type Jurisdiction, type PoolRegion, REGIONS } from '../../src/contract/regions.ts';
import {
  address,
  oneOf,
  optional,
  readSettings,
  SettingError,
  setting,
  text,
  whole,
} from '../../src/contract/settings.ts';

/**
 * Every variable of the pipeline. `npm run generate -- settings` builds the table in docs/operations/settings.md from
 * them.
 */
export const PIPELINE_SETTINGS = {
  ...CONTAINER_SETTINGS,
  token: PIPELINE_TOKEN,
  poolUrl: setting(
    'POOL_URL',
    optional(address),
    '',
    'address of the service whose pool this pipeline joins, such as `https://undertone.example.com`; needs `PIPELINE_TOKEN`',
  ),
  advertiseUrl: setting(
    'ADVERTISE_URL',
    optional(address),
    '',
    'address at which that service reaches this pipeline and no other one; https, unless it is on a private network',
    { defaultDescription: "`http://`, the machine's host name, and `PORT`" },
  ),
  region: setting(
    'REGION',
    optional(oneOf(...REGIONS)),
    '',
    'region of this machine, one of those of `POOL_REGIONS`; live sessions of clients near it go here first',
  ),
  jurisdiction: setting(
    'JURISDICTION',
    optional(oneOf(...JURISDICTIONS)),
    '',
    'jurisdiction of this machine, `eu` or `us`; a service with that setting gives work only to pipelines in it',
  ),
  port: setting('PORT', whole(0, 65_535), '8080', 'port to listen on; 0 for any free port'),
  // In a container, the Worker connects from outside. On a developer's machine, the server listens only locally.
  host: setting(
    'HOST',
    text,
    '0.0.0.0',
    'address to listen on; `npm start` and `npm run pipeline` listen on this machine only',
  ),
  onnxRuntime: setting(
    'ONNX_RUNTIME',
    optional(oneOf('node', 'web')),
    '',
    '`node` runs the models in the native runtime, `web` in WebAssembly; the image contains the native one only',
    { defaultDescription: 'whichever loads' },
  ),
  modelFolder: setting(
    'MODEL_FOLDER',
    text,
    '.undertone/models',
    'folder for the files of a profile (`ASR_PROFILE`) that its profile names by URL; nothing else is fetched',
  ),
};

/** Each additional thread loads its own models, and one machine handles only a few recordings at a time. */
const MOST_WORKERS = 8;
/** Live sessions that one of them carries (`npm run bench -- live`). */
const SESSIONS_PER_WORKER = 6;

/** A speaker-embedding model chosen by the operator. */
export interface SpeakerModel {
  /** Path of an ONNX file. */
  path: string;
  /** Hexadecimal SHA-256 of the file, in lower case. */
  sha256: string;
}

/** An OpenAI-compatible transcription endpoint. */
export interface EndpointSettings {
  /** URL of the API, such as `https://host/v1`. */
  url: string;
  model: string;
  /** '' for none. */
  key: string;
  /** Time after which an attempt is abandoned, ms. */
  timeoutMs: number;
}

/** The endpoint configured by the operator. */
export interface RecognitionEndpoint extends EndpointSettings {
  languages: string[];
}

export interface PipelineSettings {
  /** Null when the built-in engine transcribes. */
  endpoint: RecognitionEndpoint | null;
  /** File with a recogniser's profile. '' for none. */
  recogniserProfile: string;
  modelFolder: string;
  /** The engine of an analysis that does not choose one. */
  recogniser: string;
  /** Concurrent live sessions. Each has an ffmpeg process and up to 30 MB of speaker features per hour. */
  maxLiveSessions: number;
  recognitionWorkers: number;
  drainMs: number;
  /** Null when the built-in method distinguishes the speakers. */
  speakerModel: SpeakerModel | null;
  /** Demanded of every request but `/readyz`. '' for none. */
  token: string;
  /** The service whose pool this process joins. Undefined for none. */
  poolUrl: string | undefined;
  /** Undefined: the machine's host name. */
  advertiseUrl: string | undefined;
  port: number;
  host: string;
  region: PoolRegion | undefined;
  jurisdiction: Jurisdiction | undefined;
  onnxRuntime: 'node' | 'web' | undefined;
}

/**
 * @param cores processor cores that this process may use
 * @throws SettingError naming the variable with an invalid value
 */
export function pipelineSettings(env: object = process.env, cores = availableParallelism()): PipelineSettings {
  const read = readSettings(PIPELINE_SETTINGS, env);
  checkContainerSettings(read);
  if (read.poolUrl !== undefined && read.token.length < LEAST_TOKEN_CHARS)
    throw new SettingError(
      'POOL_URL',
      `be set together with a PIPELINE_TOKEN of at least ${LEAST_TOKEN_CHARS} characters`,
    );
  const { maxLiveSessions, recognitionWorkers, drainSeconds, speakerModel, speakerModelSha256, ...rest } = read;
  const { asrUrl, asrModel, asrKey, asrLanguages, asrTimeoutMs, ...others } = rest;
  const endpoint = { model: asrModel, key: asrKey, languages: asrLanguages, timeoutMs: asrTimeoutMs };
  const workers = recognitionWorkers ?? Math.min(cores, MOST_WORKERS);
  return {
    ...others,
    endpoint: asrUrl === undefined ? null : { ...endpoint, url: asrUrl },
    maxLiveSessions: maxLiveSessions ?? SESSIONS_PER_WORKER * workers,
    recognitionWorkers: workers,
    drainMs: drainSeconds * 1000,
    speakerModel: speakerModelSha256 === undefined ? null : { path: speakerModel, sha256: speakerModelSha256 },
  };
}

/** The address at which the service reaches this process. @param port that it listens on */
export const advertisedUrl = ({ advertiseUrl }: PipelineSettings, port: number): string =>
  advertiseUrl ?? `http://${hostname()}:${port}`;
