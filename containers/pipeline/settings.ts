import { availableParallelism } from 'node:os';
import { CONTAINER_SETTINGS, checkContainerSettings } from '../../src/contract/container-settings.ts';
import { oneOf, optional, readSettings, setting, text, whole } from '../../src/contract/settings.ts';

/** Every variable of the pipeline. `npm run generate -- settings` makes the table of docs/operations/settings.md of them. */
export const PIPELINE_SETTINGS = {
  ...CONTAINER_SETTINGS,
  port: setting('PORT', whole(0, 65_535), '8080', 'port to listen on; 0 for any free port'),
  // In a container the Worker connects from outside; a developer's machine listens to itself only.
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

/** Each further thread holds its own models, and one machine shares out no more than a few recordings. */
const MOST_WORKERS = 8;

/** A speaker-embedding model named by the operator. */
export interface SpeakerModel {
  /** Path of an ONNX file. */
  path: string;
  /** Hexadecimal SHA-256 of the file, in lower case. */
  sha256: string;
}

/** An OpenAI-compatible transcription endpoint. */
export interface EndpointSettings {
  /** URL of the API, as `https://host/v1`. */
  url: string;
  model: string;
  /** '' for none. */
  key: string;
  /** One attempt is abandoned after this time, ms. */
  timeoutMs: number;
}

/** The endpoint that the operator names. */
export interface RecognitionEndpoint extends EndpointSettings {
  languages: string[];
}

export interface PipelineSettings {
  /** Null: the built-in engine transcribes. */
  endpoint: RecognitionEndpoint | null;
  /** File of a recogniser's profile; '' for none. */
  recogniserProfile: string;
  modelFolder: string;
  /** The engine of an analysis that does not choose one. */
  recogniser: string;
  /** Live sessions at a time; each holds an ffmpeg process and up to 30 MB an hour of speaker features. */
  maxLiveSessions: number;
  recognitionWorkers: number;
  drainMs: number;
  /** Null: the built-in method distinguishes the speakers. */
  speakerModel: SpeakerModel | null;
  port: number;
  host: string;
  onnxRuntime: 'node' | 'web' | undefined;
}

/**
 * @param cores processor cores that this process may use
 * @throws SettingError naming the variable whose value is not valid
 */
export function pipelineSettings(env: object = process.env, cores = availableParallelism()): PipelineSettings {
  const read = readSettings(PIPELINE_SETTINGS, env);
  checkContainerSettings(read);
  const { maxLiveSessions, recognitionWorkers, drainSeconds, speakerModel, speakerModelSha256, ...rest } = read;
  const { asrUrl, asrModel, asrKey, asrLanguages, asrTimeoutMs, ...others } = rest;
  const endpoint = { model: asrModel, key: asrKey, languages: asrLanguages, timeoutMs: asrTimeoutMs };
  return {
    ...others,
    endpoint: asrUrl === undefined ? null : { ...endpoint, url: asrUrl },
    maxLiveSessions,
    recognitionWorkers: recognitionWorkers ?? Math.min(cores, MOST_WORKERS),
    drainMs: drainSeconds * 1000,
    speakerModel: speakerModelSha256 === undefined ? null : { path: speakerModel, sha256: speakerModelSha256 },
  };
}
