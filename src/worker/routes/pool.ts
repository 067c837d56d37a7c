import { Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { LIMITS } from '../../contract/limits.ts';
import { ANNOUNCE_EVERY_S, type AnnouncementAnswer, AnnouncementSchema } from '../../contract/pool.ts';
import { jsonBody } from '../http/json-body.ts';
import type { AppEnv } from '../identity/env.ts';
import { announcePipeline } from '../pool/place.ts';
import { settingsOf } from '../settings/settings.ts';
import { faultOfPipelineUrl } from '../targets/public-address.ts';

const MAX_JSON_BYTES = 4 * 1024;
/** `Retry-After` of a pipeline that finds the pool full, s. */
const RETRY_AFTER_S = 60;

/** Pipelines outside Cloudflare that join the pool. */
export const pool = new Hono<AppEnv>().post('/pool', async (c) => {
  const { url: text, status } = await jsonBody(c, AnnouncementSchema, MAX_JSON_BYTES);
  const url = URL.parse(text);
  const fault = url ? faultOfPipelineUrl(url) : 'must be an absolute URL';
  if (!url || fault) throw new ServiceError('INVALID_REQUEST', `url: ${fault}`);
  const verdict = await announcePipeline(c.env, { url: url.origin, status });
  if (verdict === 'unreachable')
    throw new ServiceError('INVALID_REQUEST', 'url: no pipeline with this PIPELINE_TOKEN answers there');
  const { jurisdiction } = settingsOf(c.env);
  if (verdict === 'elsewhere')
    throw new ServiceError(
      'INVALID_REQUEST',
      `url: this service works only in the jurisdiction ${jurisdiction}; set JURISDICTION=${jurisdiction} on the pipelines there`,
    );
  if (verdict === 'full')
    throw new ServiceError('OVERLOADED', `The pool already has ${LIMITS.poolMembers} pipelines, its limit`, {
      retryAfter: RETRY_AFTER_S,
    });
  return c.json({ again_in_s: ANNOUNCE_EVERY_S } satisfies AnnouncementAnswer);
});
