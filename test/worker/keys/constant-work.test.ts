import { timingSafeEqual, webcrypto } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Env } from '../../../src/worker/identity/env.ts';
import { issuedCaller } from '../../../src/worker/keys/issued.ts';
import { digestOf } from '../../../src/worker/keys/pepper.ts';
import { newToken, randomLetters } from '../../../src/worker/keys/token.ts';
import { configuredCaller } from '../../../src/worker/tenant/keys/configured.ts';
import type { KeyRecord } from '../../../src/worker/tenant/tenant.ts';

/** The work of checking a key, which an attacker could measure by time. */
const work = { compared: 0, hashed: 0, asked: 0 };
const records = new Map<string, KeyRecord>();
const KEYS = ['first-key', 'middle-key', 'last-key'];
const env = {
  API_KEYS: KEYS.join(),
  KEY_PEPPER: 'a-pepper-for-this-test-0123456789',
  KEY_TRUST_SECONDS: '30',
  TENANT: {
    idFromName: (name: string) => name,
    get: () => ({
      key: async (id: string) => {
        work.asked++;
        return records.get(id) ?? null;
      },
    }),
  },
} as unknown as Env;

beforeAll(() => {
  // workerd has it, Node does not; the real one, counted.
  const { digest, sign } = webcrypto.subtle;
  Object.assign(crypto.subtle, {
    timingSafeEqual: (a: ArrayBuffer, b: ArrayBuffer) => {
      work.compared++;
      return timingSafeEqual(new Uint8Array(a), new Uint8Array(b));
    },
    digest: (...args: Parameters<typeof digest>) => {
      work.hashed++;
      return digest.apply(webcrypto.subtle, args);
    },
    sign: (...args: Parameters<typeof sign>) => {
      work.hashed++;
      return sign.apply(webcrypto.subtle, args);
    },
  });
});
beforeEach(() => records.clear());

async function workOf(look: () => Promise<unknown>): Promise<typeof work> {
  const before = { ...work };
  await look();
  return {
    compared: work.compared - before.compared,
    hashed: work.hashed - before.hashed,
    asked: work.asked - before.asked,
  };
}

it('every key of the settings takes the same work, and so does an invalid one', async () => {
  await configuredCaller(env, 'warm');
  const tried = [
    ...KEYS,
    ...Array.from({ length: 2000 }, (_, i) => `${KEYS[i % 3]!.slice(0, i % 10)}${randomLetters(1 + (i % 30))}`),
  ];
  for (const key of tried)
    expect(await workOf(() => configuredCaller(env, key))).toEqual({ compared: 3, hashed: 1, asked: 0 });
});

it('an issued key takes the same work wherever it is wrong, and so does an unknown one', async () => {
  const place = { tenant: 'acme', id: 'AbCdEfGhIjKl' };
  const right = newToken(place);
  records.set(place.id, {
    digest: await digestOf(env, right),
    scopes: ['read'],
    limits: { key: {}, tenant: {} },
    expiresAt: null,
    member: null,
    isRevoked: false,
    label: 'CRM',
    createdAt: 0,
  });
  expect(await issuedCaller(env, right)).toMatchObject({ caller: { keyId: place.id } });
  const secret = right.split('_').at(-1)!;
  for (let i = 0; i < 2000; i++) {
    // Right up to some letter, then wrong.
    const at = i % secret.length;
    const wrong = secret.slice(0, at) + (secret[at] === 'x' ? 'y' : 'x') + secret.slice(at + 1);
    const token = `ut_acme_${place.id}_${wrong}`;
    let found: unknown;
    const done = await workOf(async () => {
      found = await issuedCaller(env, token);
    });
    expect({ found, ...done }).toEqual({ found: null, compared: 1, hashed: 1, asked: 0 });
  }
  // The tenant is asked once about an unknown id; after that the work is the same again.
  const unknown = newToken({ tenant: 'acme', id: 'NobodyNobody' });
  expect(await workOf(() => issuedCaller(env, unknown))).toEqual({ compared: 1, hashed: 1, asked: 1 });
  expect(await workOf(() => issuedCaller(env, unknown))).toEqual({ compared: 1, hashed: 1, asked: 0 });
});

it('a text that cannot be a token causes no work', async () => {
  for (const text of ['', 'x', 'ut_', 'a'.repeat(10_000), `ut_acme_AbCdEfGhIjKl_${'a'.repeat(10_000)}`, 'ключ'])
    expect(await workOf(() => issuedCaller(env, text))).toEqual({ compared: 0, hashed: 0, asked: 0 });
});
