import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import {
  type CurrentKeyBody,
  DEFAULT_SCOPES,
  type IssuedKey,
  type KeyBody,
  type KeyList,
  KeyPatchSchema,
  NewKeySchema,
  type RotatedKey,
  RotationSchema,
} from '../../contract/keys.ts';
import { KeysQuerySchema, UsageQuerySchema } from '../../contract/queries.ts';
import { unwrapped } from '../../contract/result.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid } from '../http/validation.ts';
import type { Admin, Caller } from '../identity/caller.ts';
import type { AppEnv } from '../identity/env.ts';
import { reportToTenants } from '../keys/metering.ts';
import { digestOf } from '../keys/pepper.ts';
import { type KeyPlace, keyIdOf, newKeyId, newToken, placeOfId } from '../keys/token.ts';
import { isoOf } from '../sqlite/values.ts';
import { configuredCallers } from '../tenant/keys/configured.ts';
import { timeOf } from '../tenant/keys/key-store.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { listTenants, requireTenant } from './tenants.ts';

const MAX_JSON_BYTES = 64 * 1024;
/** Tenant of a key when the operator gives none. */
const DEFAULT_TENANT = 'default';
/** Tenants per page of the list. */
const TENANTS_A_PAGE = 20;
const DAY_MS = 86_400_000;

/** Management of keys, by the operator or, within its own tenant, by a key with the scope `admin`. */
export const keys = new Hono<AppEnv>()
  .post('/keys', async (c) => {
    const { admin } = c.var;
    const { label, tenant, scopes, expires_at = null, limits } = await jsonBody(c, NewKeySchema, MAX_JSON_BYTES);
    requireOperatorFor(admin, 'limits', limits);
    requireOperatorFor(
      admin,
      'unredacted',
      scopes?.find((scope) => scope === 'unredacted'),
    );
    const owner = await ownerOf(c, tenant);
    const place = { tenant: owner, id: newKeyId() };
    const key = newToken(place);
    const stored = {
      id: place.id,
      digest: await digestOf(c.env, key),
      label,
      scopes: scopes ?? [...DEFAULT_SCOPES],
      limits: limits ?? {},
      expiresAt: timeOf(expires_at),
    };
    const issued: IssuedKey = { ...unwrapped(await tenantOf(c.env, owner).issueKey(stored, admin)), key };
    return c.json(issued, 201, { 'Cache-Control': 'no-store' });
  })

  .get('/keys', zValidator('query', KeysQuerySchema, rejectInvalid), async (c) => {
    const { tenant, cursor } = c.req.valid('query');
    await reportToTenants(c.env);
    const own = c.var.admin.tenant ?? tenant;
    if (own !== undefined) {
      requireOwn(c.var.admin, tenant ?? own);
      return c.json({ keys: await keysOf(c, own), next_cursor: null } satisfies KeyList);
    }
    const page = await listTenants(c, cursor, TENANTS_A_PAGE);
    const found = await Promise.all(page.tenants.map(({ id }) => keysOf(c, id)));
    return c.json({ keys: found.flat(), next_cursor: page.next_cursor } satisfies KeyList);
  })

  .get('/keys/current', async (c) => c.json(await currentKey(c)))

  .patch('/keys/:key_id', async (c) => {
    const place = await issuedPlaceOf(c);
    const patch = await jsonBody(c, KeyPatchSchema, MAX_JSON_BYTES);
    requireOperatorFor(c.var.admin, 'limits', patch.limits);
    requireOperatorFor(
      c.var.admin,
      'unredacted',
      patch.scopes?.find((scope) => scope === 'unredacted'),
    );
    return c.json(unwrapped(await tenantOf(c.env, place.tenant).patchKey(place.id, patch, c.var.admin)));
  })

  .delete('/keys/:key_id', async (c) => {
    const place = await issuedPlaceOf(c);
    return c.json(unwrapped(await tenantOf(c.env, place.tenant).revokeKey(place.id, c.var.admin)));
  })

  .post('/keys/:key_id/rotate', async (c) => {
    const place = await issuedPlaceOf(c);
    const { overlap_seconds: overlap } = await jsonBody(c, RotationSchema, MAX_JSON_BYTES);
    const next = { tenant: place.tenant, id: newKeyId() };
    const key = newToken(next);
    const stored = { id: next.id, digest: await digestOf(c.env, key) };
    const rotated = await tenantOf(c.env, place.tenant).rotateKey(place.id, stored, overlap, c.var.admin);
    const { issued, replaces } = unwrapped(rotated);
    return c.json({ ...issued, key, replaces } satisfies RotatedKey, 201, { 'Cache-Control': 'no-store' });
  })

  .get('/keys/:key_id/usage', zValidator('query', UsageQuerySchema, rejectInvalid), async (c) => {
    const place = placeOf(c);
    await reportToTenants(c.env);
    if (!(await keysOf(c, place.tenant)).some(({ id }) => id === keyIdOf(place))) throw unknownKey();
    const since = Date.now() - (c.req.valid('query').days - 1) * DAY_MS;
    return c.json({ id: keyIdOf(place), days: await tenantOf(c.env, place.tenant).keyUsage(place.id, since) });
  });

const unknownKey = (): ServiceError => new ServiceError('NOT_FOUND', 'Unknown key');

/** The tenant of a new key. @throws ServiceError NOT_FOUND, or FORBIDDEN for another tenant */
async function ownerOf(c: Context<AppEnv>, requested: string | undefined): Promise<string> {
  const { admin } = c.var;
  const tenant = requested ?? admin.tenant ?? DEFAULT_TENANT;
  requireOwn(admin, tenant);
  if (tenant === DEFAULT_TENANT) await tenantOf(c.env, tenant).create(tenant);
  else await requireTenant(c, tenant);
  return tenant;
}

/** A tenant's issued and configured keys. */
async function keysOf(c: Context<AppEnv>, tenant: string): Promise<KeyBody[]> {
  await requireTenant(c, tenant);
  const configured = (await configuredCallers(c.env)).filter((caller) => caller.tenant === tenant);
  const [issued, ...lastUses] = await Promise.all([
    tenantOf(c.env, tenant).keys(),
    ...configured.map(({ keyId }) => tenantOf(c.env, tenant).lastUse(keyId)),
  ]);
  return [...issued, ...configured.map((caller, i) => configuredBody(caller, lastUses[i] ?? null))];
}

/** @throws ServiceError INVALID_KEY if the key was forgotten since it was checked */
async function currentKey(c: Context<AppEnv>): Promise<CurrentKeyBody> {
  const { caller } = c.var;
  const { tenant, keyId, kind, member } = caller;
  if (kind !== 'issued') {
    const { id, label, scopes, source, created_at, expires_at } = configuredBody(caller, null);
    return { id, tenant, label, scopes, source, created_at, expires_at };
  }
  const key = await tenantOf(c.env, tenant).key(keyId);
  if (!key) throw new ServiceError('INVALID_KEY');
  return {
    id: keyIdOf({ tenant, id: keyId }),
    tenant,
    label: key.label,
    scopes: [...caller.scopes],
    source: member === undefined ? 'issued' : 'sign_in',
    created_at: new Date(key.createdAt).toISOString(),
    expires_at: isoOf(key.expiresAt),
  };
}

const configuredBody = ({ tenant, keyId, kind, scopes }: Caller, lastUsedAt: string | null): KeyBody => ({
  id: keyIdOf({ tenant, id: keyId }),
  tenant,
  label: kind === 'demo' ? 'DEMO_API_KEY' : 'API_KEYS',
  scopes: [...scopes],
  limits: {},
  source: 'settings',
  status: 'active',
  created_at: null,
  expires_at: null,
  revoked_at: null,
  last_used_at: lastUsedAt,
  replaced_by: null,
});

/**
 * The key in the path, if the administrator may manage it.
 * @throws ServiceError NOT_FOUND, also for another tenant's key
 */
function placeOf(c: Context<AppEnv>): KeyPlace {
  const place = placeOfId(c.req.param('key_id') ?? '');
  const { tenant } = c.var.admin;
  if (!place || (tenant !== null && place.tenant !== tenant)) throw unknownKey();
  return place;
}

/**
 * The same, but for issued keys only.
 * @throws ServiceError INVALID_REQUEST for a configured key
 */
async function issuedPlaceOf(c: Context<AppEnv>): Promise<KeyPlace> {
  const place = placeOf(c);
  const configured = await configuredCallers(c.env);
  if (configured.some(({ tenant, keyId }) => tenant === place.tenant && keyId === place.id))
    throw new ServiceError('INVALID_REQUEST', 'This key comes from the settings: change API_KEYS or DEMO_API_KEY');
  return place;
}

function requireOwn({ tenant }: Admin, requested: string): void {
  if (tenant !== null && requested !== tenant)
    throw new ServiceError('FORBIDDEN', 'This key can only manage its own tenant');
}

function requireOperatorFor({ tenant }: Admin, field: string, value: unknown): void {
  if (tenant !== null && value !== undefined)
    throw new ServiceError('FORBIDDEN', `${field}: only the operator may set this field`);
}
