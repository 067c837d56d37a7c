import type { Context } from 'hono';
import { LEAST_TOKEN_CHARS } from '../../contract/container-settings.ts';
import { ServiceError } from '../../contract/errors.ts';
import { bearerOf } from '../http/bearer.ts';
import { sha256 } from '../identity/digests.ts';
import type { AppEnv } from '../identity/env.ts';
import { settingsOf } from '../settings/settings.ts';
import { FailedAttempts } from './failed-attempts.ts';
import { addressOf } from './operator.ts';

/** Number of wrong tokens allowed from one address in a minute. */
const TRIES_A_MINUTE = 20;

const WRONG = `PIPELINE_TOKEN differs, is missing or is shorter than ${LEAST_TOKEN_CHARS} characters`;

const brake = new FailedAttempts(TRIES_A_MINUTE);

/**
 * Admits a pipeline by `Authorization: Bearer <PIPELINE_TOKEN>`. A token that is too short to be announced with admits
 * nobody.
 * @throws ServiceError INVALID_KEY, RATE_LIMITED after too many wrong tokens
 */
export async function requirePipelineToken(c: Context<AppEnv>): Promise<void> {
  const token = bearerOf(c) ?? '';
  if (token === '') throw new ServiceError('INVALID_KEY', WRONG);
  const own = settingsOf(c.env).pipelineToken;
  const [given, expected] = await Promise.all([sha256(token), sha256(own)]);
  if (crypto.subtle.timingSafeEqual(given, expected) && own.length >= LEAST_TOKEN_CHARS) return;
  const address = addressOf(c);
  if (address !== '') {
    brake.requireLeft(address, Date.now());
    brake.count(address, Date.now());
  }
  throw new ServiceError('INVALID_KEY', WRONG);
}
