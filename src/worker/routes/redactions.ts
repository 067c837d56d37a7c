import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import type { Receipt } from '../../contract/receipts.ts';
import { NewRedactionSchema, type RedactionJobBody, StoredRedactionSchema } from '../../contract/redactions.ts';
import { unwrapped } from '../../contract/result.ts';
import { jsonBody } from '../http/json-body.ts';
import type { Actor } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import { acceptedResponse, prefersAsync, waitForEnd } from '../jobs/answers.ts';
import { callerName } from '../keys/admit-analysis.ts';
import { addressOf } from '../keys/operator.ts';
import { receiptSigner } from '../keys/receipts.ts';
import { callerTitle } from '../keys/token.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Limit on a JSON body, bytes. */
const MAX_JSON_BYTES = 16 * 1024;

/** Redaction of what is stored already: of one conversation, and of everything that matches a filter. */
export const redactions = new Hono<AppEnv>()
  .post('/conversations/:conversation_id/redact', async (c) => {
    const { tenant, caller } = c.var;
    const { kinds } = await jsonBody(c, StoredRedactionSchema, MAX_JSON_BYTES);
    const sign = await receiptSigner(c.env);
    const id = c.req.param('conversation_id');
    const begun = await tenantOf(c.env, tenant).redact(id, kinds, callerName(caller), actorOf(c));
    const { run, receipt } = unwrapped(begun);
    if (prefersAsync(c)) return acceptedResponse(c, run);
    await waitForEnd(c, run);
    const done = await tenantOf(c.env, tenant).receipt(receipt);
    // The result could not be installed yet. It is tried again.
    if (!done) return acceptedResponse(c, run);
    return c.json((await sign(done, { tenant })) satisfies Receipt, 200, { 'Cache-Control': 'no-store' });
  })

  .post('/redactions', async (c) => {
    const { tenant, caller } = c.var;
    // The demo key is public, so anybody could destroy the recordings of others.
    if (caller.kind === 'demo') throw new ServiceError('FORBIDDEN', 'The demo key cannot redact over a filter');
    const asked = await jsonBody(c, NewRedactionSchema, MAX_JSON_BYTES);
    const begun = await tenantOf(c.env, tenant).redactions.add(asked, callerName(caller), actorOf(c));
    const body: RedactionJobBody = unwrapped(begun);
    return c.json(body, 202, { Location: `/redactions/${body.redaction_id}` });
  })

  .get('/redactions/:redaction_id', async (c) => {
    const read = await tenantOf(c.env, c.var.tenant).redactions.read(c.req.param('redaction_id'));
    return c.json(unwrapped(read) satisfies RedactionJobBody, 200, { 'Cache-Control': 'no-store' });
  });

const actorOf = (c: Context<AppEnv>): Actor => ({
  who: callerTitle(c.var.caller),
  address: addressOf(c),
  requestId: c.var.requestId,
});
