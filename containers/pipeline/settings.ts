import { availableParallelism } from 'node:os';
import { CONTAINER_SETTINGS, checkContainerSettings } from '../../src/contract/container-settings.ts';
import { oneOf, optional, readSettings, setting, text, whole } from '../../src/contract/settings.ts';

/** Every variable of the pipeline. `npm run generate -- settings` makes the table of docs/operations/settings.md of them. */
export const PIPELINE_SETTINGS = {
  ...CONTAINER_SETTINGS,
  port: setting('PORT', whole(0, 65_535), '8080', 'where it listens; 0 for any free port'),
  // In the container the Worker comes from outside; a developer's machine keeps it to itself.
  host: setting(
    'HOST',
    text,
    '0.0.0.0',
    'on which address; `npm start` and `npm run pipeline` keep it to this machine',
  ),
  onnxRuntime: setting(
    'ONNX_RUNTIME',
    optional(oneOf('node', 'web')),
    '',
    '`node` runs the models in the native runtime, `web` in WebAssembly; the image holds the native one alone',
    { defaultWords: 'the one that loads' },
  ),
  modelFolder: setting(
    'MODEL_FOLDER',
    text,
    '.undertone/models',
    'where the files of a profile (`ASR_PROFILE`) are kept that are named by an address; nothing else is fetched',
  ),
};

/** A thread more holds its own models, and one machine has no more than a few recordings to share out. */
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
  /** Of the API, as `https://host/v1`. */
  url: string;
  model: string;
  /** '' for none. */
  key: string;
  /** One attempt is given up after it, ms. */
  timeoutMs: number;
}

/** The one an operator names. */
export interface RecognitionEndpoint extends EndpointSettings {
  languages: string[];
}

export interface PipelineSettings {
  /** Null: analyses are heard by what is built in. */
  endpoint: RecognitionEndpoint | null;
  /** File of a recogniser's profile; '' for none. */
  recogniserProfile: string;
  modelFolder: string;
  /** Who hears where an analysis does not choose. */
  recogniser: string;
  /** Live sessions at a time; each holds an ffmpeg process and up to 30 MB an hour of speaker features. */
  maxLiveSessions: number;
  recognitionWorkers: number;
  drainMs: number;
  /** Null: speakers are told apart by the built-in method. */
  speakerModel: SpeakerModel | null;
  port: number;
  host: string;
  onnxRuntime: 'node' | 'web' | undefined;
}

/**
 * @param cores processor cores that this process may use
 * @throws SettingError naming the variable whose value does not fit
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
