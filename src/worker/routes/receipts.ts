import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { type ReceiptList, ReceiptQuerySchema } from '../../contract/receipts.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { receiptKeys, receiptSigner } from '../keys/receipts.ts';
import { tenantOf } from '../tenant/tenant.ts';

/** Receipts of what was deleted or redacted, and the public key with which they can be checked. */
export const receipts = new Hono<AppEnv>()
  .get('/receipts', zValidator('query', ReceiptQuerySchema, rejectInvalid), async (c) => {
    const { tenant } = c.var;
    const sign = await receiptSigner(c.env);
    const { receipts: stored, next_cursor } = await tenantOf(c.env, tenant).receipts(c.req.valid('query'));
    const signed = await Promise.all(stored.map((receipt) => sign(receipt, { tenant })));
    return c.json({ receipts: signed, next_cursor } satisfies ReceiptList, 200, { 'Cache-Control': 'no-store' });
  })

  .get('/receipts/keys', async (c) =>
    c.json(await receiptKeys(c.env), 200, { 'Cache-Control': 'public, max-age=3600' }),
  );
