import { TTL_SECONDS } from '../../contract/live.ts';
import { type Env, positive, settingsOf } from '../env.ts';

/** The bounds of live capture. */
export interface LiveLimits {
  enabled: boolean;
  ttlSeconds: { min: number; max: number; default: number };
  /** How long an ended session stays after its terminal event was delivered. */
  graceMs: number;
  maxChunkBytes: number;
  /** How long a chunk's body may bring less than it must. */
  stallSeconds: number;
}

/** `done` delivered: the session is cleaned up after a grace of 30 s (decisions). */
const GRACE_SECONDS = 30;
/** A row of Durable Object SQLite holds 2 MB; a chunk is one row. */
const MAX_ROW_BYTES = 1_900_000;

/**
 * The limits of a deployment.
 * @throws RangeError naming the variable whose value does not fit
 */
export function liveLimits(env: Env): LiveLimits {
  const settings = settingsOf(env);
  return {
    enabled: settings.liveEnabled,
    ttlSeconds: {
      min: positive('LIVE_TTL_MIN_SECONDS', env.LIVE_TTL_MIN_SECONDS, TTL_SECONDS.min),
      max: positive('LIVE_TTL_MAX_SECONDS', env.LIVE_TTL_MAX_SECONDS, TTL_SECONDS.max),
      default: positive('LIVE_TTL_DEFAULT_SECONDS', env.LIVE_TTL_DEFAULT_SECONDS, TTL_SECONDS.default),
    },
    graceMs: positive('LIVE_GRACE_SECONDS', env.LIVE_GRACE_SECONDS, GRACE_SECONDS) * 1000,
    maxChunkBytes: Math.min(settings.maxChunkBytes, MAX_ROW_BYTES),
    stallSeconds: settings.uploadStallSeconds,
  };
}
