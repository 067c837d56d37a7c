import { Hono } from 'hono';
import type { AppEnv } from '../identity/env.ts';
import { receiptKeys } from '../keys/receipts.ts';

/** The public key of receipts. */
export const receipts = new Hono<AppEnv>().get('/receipts/keys', async (c) =>
  c.json(await receiptKeys(c.env), 200, { 'Cache-Control': 'public, max-age=3600' }),
);
