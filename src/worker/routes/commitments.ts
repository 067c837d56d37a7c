import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import {
  CommitmentExportQuerySchema,
  CommitmentPatchSchema,
  CommitmentQuerySchema,
} from '../../contract/commitments.ts';
import { unwrapped } from '../../contract/result.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { keyIdOf } from '../keys/token.ts';
import { COMMITMENT_FILES } from '../results/exports/commitments.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limit on a JSON body, bytes. */
const MAX_JSON_BYTES = 4 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

/** Commitments of all conversations: who owes whom what, and until when. */
export const commitments = new Hono<AppEnv>()
  .get('/commitments', zValidator('query', CommitmentQuerySchema, rejectInvalid), async (c) =>
    c.json(unwrapped(await commitmentsOf(c).list(c.req.valid('query'))), 200, NO_STORE),
  )

  .get('/commitments/export', zValidator('query', CommitmentExportQuerySchema, rejectInvalid), async (c) => {
    const query = c.req.valid('query');
    const { contentType, extension, write } = COMMITMENT_FILES[query.format];
    return c.body(write(await commitmentsOf(c).all(query)), 200, {
      ...NO_STORE,
      'Content-Type': contentType,
      'Content-Disposition': `attachment; filename="commitments${extension}"`,
    });
  })

  .patch('/commitments/:commitment_id', async (c) => {
    const { tenant, keyId: id } = c.var.caller;
    const patch = await jsonBody(c, CommitmentPatchSchema, MAX_JSON_BYTES);
    const changed = await commitmentsOf(c).patch(c.req.param('commitment_id'), patch, keyIdOf({ tenant, id }));
    const commitment = unwrapped(changed);
    c.set('accessed', commitment.conversation_id);
    return c.json(commitment, 200, NO_STORE);
  });

const commitmentsOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).commitments;
