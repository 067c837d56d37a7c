import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { etag } from 'hono/etag';
import { LineQuerySchema, MomentQuerySchema } from '../../contract/patterns.ts';
import { unwrapped } from '../../contract/result.ts';
import { TrendExportQuerySchema, TrendQuerySchema } from '../../contract/trends.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { TREND_FILES } from '../results/exports/trends.ts';
import { tenantOf } from '../tenant/tenant.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };
/** A browser keeps a response and asks whether it is still current. */
const ASK_AGAIN = { 'Cache-Control': 'private, no-cache' };

/** Moments, lines and trends of all conversations. */
export const patterns = new Hono<AppEnv>()
  .get('/moments', etag(), zValidator('query', MomentQuerySchema, rejectInvalid), async (c) =>
    c.json(unwrapped(await patternsOf(c).moments(c.req.valid('query'))), 200, ASK_AGAIN),
  )

  .get('/lines', etag(), zValidator('query', LineQuerySchema, rejectInvalid), async (c) =>
    c.json(unwrapped(await patternsOf(c).lines(c.req.valid('query'))), 200, ASK_AGAIN),
  )

  .get('/trends', etag(), zValidator('query', TrendQuerySchema, rejectInvalid), async (c) =>
    c.json(unwrapped(await patternsOf(c).trends(c.req.valid('query'))), 200, ASK_AGAIN),
  )

  .get('/trends/export', zValidator('query', TrendExportQuerySchema, rejectInvalid), async (c) => {
    const { format, ...query } = c.req.valid('query');
    const { contentType, extension, write } = TREND_FILES[format];
    return c.body(write(unwrapped(await patternsOf(c).trends(query))), 200, {
      ...NO_STORE,
      'Content-Type': contentType,
      'Content-Disposition': `attachment; filename="trends${extension}"`,
    });
  });

const patternsOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).patterns;
