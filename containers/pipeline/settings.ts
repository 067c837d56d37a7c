import { availableParallelism } from 'node:os';

/**
 * The pipeline's own settings. In the container they come through `CONTAINER_VARIABLES` of the Worker. PORT, HOST and what
 * chooses models (ONNX_RUNTIME, SPEAKER_MODEL, SPEAKER_MODEL_SHA256) are read where they are used.
 */
export interface PipelineSettings {
  /** `MAX_LIVE_SESSIONS`: live sessions at a time; each holds an ffmpeg process and up to 30 MB an hour of speaker features. */
  maxLiveSessions: number;
  /** `RECOGNITION_WORKERS`: threads that do the work of the models. */
  recognitionWorkers: number;
  /** `DRAIN_SECONDS`: after SIGTERM, work under way may take this long, ms. */
  drainMs: number;
}

/** A thread more holds its own models, and one machine has no more than a few recordings to share out. */
const MOST_WORKERS = 8;

/**
 * @param cores processor cores that this process may use
 * @throws RangeError naming the variable whose value is not a whole number in its bounds
 */
export function pipelineSettings(
  env: Record<string, string | undefined> = process.env,
  cores = availableParallelism(),
): PipelineSettings {
  const whole = (name: string, least: number, fallback: number): number => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return fallback;
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < least)
      throw new RangeError(`${name} must be a whole number from ${least} on, not "${text}"`);
    return value;
  };
  return {
    maxLiveSessions: whole('MAX_LIVE_SESSIONS', 1, 64),
    recognitionWorkers: whole('RECOGNITION_WORKERS', 1, Math.min(cores, MOST_WORKERS)),
    // A rollout of Cloudflare's ends a container 15 minutes after SIGTERM; this leaves one of them.
    drainMs: whole('DRAIN_SECONDS', 0, 840) * 1000,
  };
}
