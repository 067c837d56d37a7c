import { type Context, Hono } from 'hono';
import { ServiceError } from '../../contract/errors.ts';
import type { WelcomeBody } from '../../contract/keys.ts';
import type { AppEnv } from '../identity/env.ts';
import { hasSignIn } from '../keys/oidc.ts';
import { operatorOf } from '../keys/operator.ts';
import { personOf, roleOf } from '../keys/person.ts';
import { settingsOf } from '../settings/settings.ts';

/** The dashboard's pages, and the files they need before anybody has signed in. */
export const dashboard = new Hono<AppEnv>()
  .get('/', (c) => c.redirect('/app', 302))
  .get('/app', (c) => page(c))
  .get('/app/:page', (c) => page(c))
  .get('/app/:page/:id', (c) => page(c))

  .get('/welcome', async (c) => {
    const { demoApiKey, demoIsPublic } = settingsOf(c.env);
    // A key configured by its digest cannot be shown.
    const isShowable = demoIsPublic && demoApiKey && !demoApiKey.key.startsWith('sha256:');
    const operator = await operatorOf(c);
    const person = await personOf(c);
    const body: WelcomeBody = {
      demo_key: isShowable ? demoApiKey.key : null,
      operator: operator?.who ?? null,
      has_sign_in: hasSignIn(c.env),
      person: person && { email: person.member ?? '', tenant: person.tenant, role: roleOf(person) },
    };
    return c.json(body, 200, { 'Cache-Control': 'no-store' });
  });

/** Every page is the same document, which reads its own address. */
async function page(c: Context<AppEnv>): Promise<Response> {
  if (!c.env.ASSETS) throw new ServiceError('NOT_FOUND', 'This deployment has no dashboard or documentation');
  const headers = new Headers();
  const known = c.req.header('If-None-Match');
  if (known) headers.set('If-None-Match', known);
  // The static assets redirect the document's own path to this one.
  return c.env.ASSETS.fetch(new Request(new URL('/', c.req.url), { headers }));
}
