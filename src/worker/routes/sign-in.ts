import { zValidator } from '@hono/zod-validator';
import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import {
  CallbackQuerySchema,
  EmailSchema,
  type MemberList,
  MembersQuerySchema,
  NewMemberSchema,
  SignInQuerySchema,
} from '../../contract/members.ts';
import { unwrapped } from '../../contract/result.ts';
import { isTenantId } from '../../contract/tenants.ts';
import { jsonBody } from '../http/json-body.ts';
import { rejectInvalid, validated } from '../http/validation.ts';
import type { AppEnv } from '../identity/env.ts';
import { authorizationUrl, signedInEmail } from '../keys/oidc.ts';
import {
  closePersonSession,
  openPersonSession,
  recalledSignIn,
  redirectUriOf,
  rememberSignIn,
} from '../keys/person.ts';
import { randomLetters } from '../keys/token.ts';
import { tenantOf } from '../tenant/tenant.ts';
import { ownOrRequested } from './operator.ts';
import { requireTenant } from './tenants.ts';

const MAX_JSON_BYTES = 4 * 1024;
const NO_STORE = { 'Cache-Control': 'no-store' };
/** 43 base-62 characters carry 256 bits. */
const SECRET_CHARS = 43;

/** Signing in of people with OpenID Connect, and the people who may. */
export const signIn = new Hono<AppEnv>()
  .get('/sign-in', zValidator('query', SignInQuerySchema, rejectInvalid), async (c) => {
    const { tenant, to } = c.req.valid('query');
    if (!isTenantId(tenant)) throw new ServiceError('INVALID_REQUEST', 'tenant: is not the id of a tenant');
    const begun = {
      state: randomLetters(SECRET_CHARS),
      nonce: randomLetters(SECRET_CHARS),
      verifier: randomLetters(SECRET_CHARS),
    };
    const address = await authorizationUrl(c.env, { ...begun, redirectUri: redirectUriOf(c) });
    await rememberSignIn(c, { ...begun, tenant, to });
    c.header('Cache-Control', 'no-store');
    return c.redirect(address, 302);
  })

  .get('/sign-in/callback', zValidator('query', CallbackQuerySchema, rejectInvalid), async (c) => {
    const { code, state } = c.req.valid('query');
    const { tenant, to, ...begun } = await recalledSignIn(c, state);
    if (code === undefined) throw new ServiceError('INVALID_KEY', 'The sign-in was refused by the issuer');
    const email = await signedInEmail(c.env, code, { ...begun, redirectUri: redirectUriOf(c) });
    await openPersonSession(c, tenant, email);
    c.header('Cache-Control', 'no-store');
    return c.redirect(to, 302);
  })

  .delete('/sign-in', async (c) => {
    await closePersonSession(c);
    return c.body(null, 204);
  })

  .get('/members', zValidator('query', MembersQuerySchema, rejectInvalid), async (c) => {
    const members = await tenantOf(c.env, await tenantIn(c, c.req.valid('query').tenant)).members.list();
    return c.json({ members } satisfies MemberList, 200, NO_STORE);
  })

  .put('/members/:email', zValidator('query', MembersQuerySchema, rejectInvalid), async (c) => {
    const { role } = await jsonBody(c, NewMemberSchema, MAX_JSON_BYTES);
    const tenant = tenantOf(c.env, await tenantIn(c, c.req.valid('query').tenant));
    return c.json(unwrapped(await tenant.members.put(emailIn(c), role, c.var.admin)));
  })

  .delete('/members/:email', zValidator('query', MembersQuerySchema, rejectInvalid), async (c) => {
    const tenant = tenantOf(c.env, await tenantIn(c, c.req.valid('query').tenant));
    unwrapped(await tenant.members.remove(emailIn(c), c.var.admin));
    return c.body(null, 204);
  });

const emailIn = (c: Context<AppEnv>): string => validated(EmailSchema, c.req.param('email') ?? '');

/** @throws ServiceError INVALID_REQUEST when the operator names none, FORBIDDEN for another tenant than the caller's */
async function tenantIn(c: Context<AppEnv>, requested: string | undefined): Promise<string> {
  const tenant = ownOrRequested(c.var.admin, requested);
  if (tenant === undefined) throw new ServiceError('INVALID_REQUEST', 'tenant: the operator must name a tenant');
  await requireTenant(c, tenant);
  return tenant;
}
