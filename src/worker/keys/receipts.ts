import { CompactSign } from 'jose';
import type { ReceiptKeys, ReceiptOrigin } from '../../contract/receipts.ts';
import type { Env } from '../identity/env.ts';
import { directoryOf, type ReceiptKey } from '../tenant/directory.ts';

const ALGORITHM = 'EdDSA';
const TYPE = 'undertone-receipt+jws';

/** Caches values, not promises. The promise of a dropped request would never settle for other requests. */
const known = new WeakMap<Env, ReceiptKey>();

/** The key of the deployment's receipts, which is made once and never changes. */
async function keyOf(env: Env): Promise<ReceiptKey> {
  const before = known.get(env);
  if (before) return before;
  const key = await directoryOf(env).receiptKey();
  known.set(env, key);
  return key;
}

/** The public part of the key, for anybody who checks a receipt. */
export async function receiptKeys(env: Env): Promise<ReceiptKeys> {
  const { kid, x } = await keyOf(env);
  return { keys: [{ kty: 'OKP', crv: 'Ed25519', x, kid, alg: ALGORITHM, use: 'sig' }] };
}

/**
 * Signs receipts. Ask for it before anything is deleted, so that a deletion never ends without its receipt.
 * @returns a function that adds the signed form to a receipt
 */
export async function receiptSigner(
  env: Env,
): Promise<<T extends object>(receipt: T, origin: ReceiptOrigin) => Promise<T & { signed: string }>> {
  const { kid, x, d } = await keyOf(env);
  const key = await crypto.subtle.importKey('jwk', { kty: 'OKP', crv: 'Ed25519', x, d }, 'Ed25519', false, ['sign']);
  return async (receipt, origin) => {
    const payload = new TextEncoder().encode(JSON.stringify({ ...receipt, ...origin }));
    const signed = await new CompactSign(payload).setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid }).sign(key);
    return { ...receipt, signed };
  };
}
