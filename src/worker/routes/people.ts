import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import { NewPersonSchema, PersonPatchSchema, PersonProposalsQuerySchema } from '../../contract/people.ts';
import { unwrapped } from '../../contract/result.ts';
import { proposalsFor } from '../conversations/proposals.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limit on a JSON body, bytes. */
const MAX_JSON_BYTES = 16 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };

/** People: who the speakers of conversations are. */
export const people = new Hono<AppEnv>()
  .post('/people', async (c) => {
    // The demo key is public, so anybody could read and change its tenant's people.
    if (c.var.caller.kind === 'demo') throw new ServiceError('FORBIDDEN', 'The demo key cannot have people');
    return c.json(unwrapped(await peopleOf(c).add(await jsonBody(c, NewPersonSchema, MAX_JSON_BYTES))), 201);
  })

  .get('/people', async (c) => c.json({ people: await peopleOf(c).list() }, 200, NO_STORE))

  .get('/people/:person_id', async (c) => c.json(unwrapped(await peopleOf(c).read(idOf(c))), 200, NO_STORE))

  .get('/people/:person_id/proposals', zValidator('query', PersonProposalsQuerySchema, rejectInvalid), async (c) =>
    c.json(await proposalsFor({ env: c.env, tenant: c.var.tenant, id: idOf(c) }, c.req.valid('query')), 200, NO_STORE),
  )

  .patch('/people/:person_id', async (c) =>
    c.json(unwrapped(await peopleOf(c).patch(idOf(c), await jsonBody(c, PersonPatchSchema, MAX_JSON_BYTES)))),
  )

  .delete('/people/:person_id', async (c) => c.json(unwrapped(await peopleOf(c).remove(idOf(c)))));

const peopleOf = (c: Context<AppEnv>) => tenantOf(c.env, c.var.tenant).people;
const idOf = (c: Context<AppEnv>): string => c.req.param('person_id') ?? '';
