import { type Context, Hono } from 'hono';
import type { AccessAct } from '../../contract/access-log.ts';
import { type Batch, type BatchItem, type BatchResult, BatchSchema } from '../../contract/batch.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { Scope } from '../../contract/keys.ts';
import { unwrapped } from '../../contract/result.ts';
import { filesStream } from '../conversations/answers.ts';
import { jsonBody } from '../http/json-body.ts';
import { routeOf } from '../http/route-of.ts';
import type { AppEnv } from '../identity/env.ts';
import { logRefusal } from '../keys/access-log.ts';
import { receiptSigner } from '../keys/receipts.ts';
import { callerTitle } from '../keys/token.ts';
import { EXPORTS } from '../results/exports/formats.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { NDJSON } from './conversations.ts';

/** Limit on a JSON body, bytes. It is enough for 200 ids of 128 characters. */
const MAX_JSON_BYTES = 64 * 1024;

/** One act on several conversations. */
export const batch = new Hono<AppEnv>().post('/conversations/batch', async (c) => {
  const { tenant, caller } = c.var;
  const asked = await jsonBody(c, BatchSchema, MAX_JSON_BYTES);
  const { scope, act } = needsOf(asked);
  if (!caller.scopes.includes(scope)) {
    logRefusal(c, caller, routeOf(c) ?? '');
    throw new ServiceError('FORBIDDEN', `This key lacks the scope "${scope}"`);
  }
  // The demo key is public, so anybody could destroy the recordings of others.
  if (asked.delete && asked.filter && caller.kind === 'demo')
    throw new ServiceError('FORBIDDEN', 'The demo key cannot delete over a filter');
  const { ids, known } = unwrapped(await tenantOf(c.env, tenant).conversations.chosen(asked));
  if (asked.export) {
    c.set('accessedEach', { act, conversations: known });
    return c.body(filesStream(c.env, tenant, ids, EXPORTS[asked.export]), 200, NDJSON);
  }
  const sign = await receiptSigner(c.env);
  const changed = await tenantOf(c.env, tenant).conversations.batch(ids, asked, callerTitle(caller));
  const { items, receipt } = changed;
  const done = items.filter(({ outcome }) => outcome === 'done');
  c.set('accessedEach', { act, conversations: done.map((item) => item.conversation_id) });
  return answer(c, items, receipt && (await sign(receipt, { tenant })));
});

function answer(c: Context<AppEnv>, items: BatchItem[], receipt: BatchResult['receipt']): Response {
  const countOf = (outcome: BatchItem['outcome']): number => items.filter((item) => item.outcome === outcome).length;
  const counts = { done: countOf('done'), unchanged: countOf('unchanged'), failed: countOf('failed') };
  return c.json({ ...counts, items, receipt } satisfies BatchResult, 200, { 'Cache-Control': 'no-store' });
}

/** The scope that an act needs, and its name in the access log. */
function needsOf(asked: Batch): { scope: Scope; act: AccessAct } {
  if (asked.delete) return { scope: 'delete', act: 'deleted' };
  if (asked.export) return { scope: 'read', act: 'exported' };
  return { scope: 'analyze', act: 'edited' };
}
