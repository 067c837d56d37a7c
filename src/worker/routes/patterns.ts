import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { etag } from 'hono/etag';
import {
  LineExportQuerySchema,
  LineQuerySchema,
  MomentExportQuerySchema,
  MomentQuerySchema,
} from '../../contract/patterns.ts';
import { unwrapped } from '../../contract/result.ts';
import { TrendExportQuerySchema, TrendQuerySchema } from '../../contract/trends.ts';
import { rejectInvalid } from '../http/validation.ts';
import { hexOf, sha256 } from '../identity/digests.ts';
import type { AppEnv } from '../identity/env.ts';
import { lineTable, momentTable } from '../results/exports/hits.ts';
import { type ExportedTable, TABLE_FILES } from '../results/exports/table.ts';
import { trendTable } from '../results/exports/trends.ts';
import { tenantOf } from '../tenant/tenant.ts';

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Moments, lines and trends of all conversations. */
export const patterns = new Hono<AppEnv>()
  .get('/moments', etag(), zValidator('query', MomentQuerySchema, rejectInvalid), async (c) =>
    written(c, unwrapped(await patternsOf(c).moments(c.req.valid('query')))),
  )

  .get('/lines', etag(), zValidator('query', LineQuerySchema, rejectInvalid), async (c) =>
    written(c, unwrapped(await patternsOf(c).lines(c.req.valid('query')))),
  )

  .get('/trends', etag(), zValidator('query', TrendQuerySchema, rejectInvalid), async (c) =>
    written(c, unwrapped(await patternsOf(c).trends(c.req.valid('query')))),
  )

  .get('/trends/export', zValidator('query', TrendExportQuerySchema, rejectInvalid), async (c) => {
    const { format, ...query } = c.req.valid('query');
    return tableFile(c, { name: 'trends', format, table: trendTable(unwrapped(await patternsOf(c).allTrends(query))) });
  })

  .get('/moments/export', zValidator('query', MomentExportQuerySchema, rejectInvalid), async (c) => {
    const { format, ...query } = c.req.valid('query');
    return tableFile(c, {
      name: 'moments',
      format,
      table: momentTable(unwrapped(await patternsOf(c).allMoments(query))),
    });
  })

  .get('/lines/export', zValidator('query', LineExportQuerySchema, rejectInvalid), async (c) => {
    const { format, ...query } = c.req.valid('query');
    return tableFile(c, { name: 'lines', format, table: lineTable(unwrapped(await patternsOf(c).allLines(query))) });
  });

/**
 * A response with JSON that the tenant's object has written. A browser keeps it and asks whether it is still current.
 * Hono's own tag would read the body once more.
 */
async function written(c: Context<AppEnv>, json: string): Promise<Response> {
  return c.body(json, 200, {
    'Cache-Control': 'private, no-cache',
    'Content-Type': 'application/json',
    ETag: `"${hexOf(await sha256(json))}"`,
  });
}

function tableFile(
  c: Context<AppEnv>,
  { name, format, table }: { name: string; format: keyof typeof TABLE_FILES; table: ExportedTable },
): Response {
  const { contentType, extension, write } = TABLE_FILES[format];
  return c.body(write(table), 200, {
    ...NO_STORE,
    'Content-Type': contentType,
    'Content-Disposition': `attachment; filename="${name}${extension}"`,
  });
}

const patternsOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).patterns;
