import { type Context, Hono } from 'hono';
import { PUBLISHED_NAMES } from '../../contract/doc-pages.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { AppEnv } from '../identity/env.ts';

/** The pages neither load anything from other origins nor send anything to them. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** A built file's name, without a path. */
const NAME = /^[a-z0-9][a-z0-9-]{0,80}(\.(md|css|js|json|woff2))?$/;

const TYPES: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  woff2: 'font/woff2',
  html: 'text/html; charset=utf-8',
};

/** The OpenAPI description and the documentation that `npm run build` made. */
export const documentation = new Hono<AppEnv>()
  .get('/openapi.json', (c) => built(c, '/openapi.json', 'application/json; charset=utf-8'))
  .get('/llms.txt', (c) => built(c, '/llms.txt', 'text/plain; charset=utf-8'))
  .get('/schemas/:name', (c) => built(c, `/schemas/${nameIn(c, 'name')}`, 'application/schema+json; charset=utf-8'))
  .get('/docs', (c) => built(c, '/docs/', TYPES.html!))
  .get('/docs/:page', async (c) => {
    const page = nameIn(c, 'page');
    const [name = '', extension = 'html'] = page.split('.');
    const published = PUBLISHED_NAMES.get(name);
    if (published !== undefined) return c.redirect(`/docs/${page.replace(name, published)}`, 301);
    return built(c, `/docs/${page}`, TYPES[extension] ?? TYPES.html!);
  });

/** @throws ServiceError NOT_FOUND */
function nameIn(c: Context<AppEnv>, parameter: string): string {
  const name = c.req.param(parameter) ?? '';
  if (!NAME.test(name)) throw new ServiceError('NOT_FOUND');
  return name;
}

/**
 * A built file from the static assets, where a page has no `.html` in its name.
 * @throws ServiceError NOT_FOUND
 */
async function built(c: Context<AppEnv>, path: string, type: string): Promise<Response> {
  if (!c.env.ASSETS) throw new ServiceError('NOT_FOUND', 'This deployment has no dashboard or documentation');
  const known = c.req.header('If-None-Match');
  const request = new Request(new URL(path, c.req.url), { headers: known ? { 'If-None-Match': known } : {} });
  const file = await c.env.ASSETS.fetch(request);
  if (file.status !== 200 && file.status !== 304) {
    await file.body?.cancel();
    throw new ServiceError('NOT_FOUND');
  }
  const headers = new Headers(file.headers);
  headers.set('Content-Security-Policy', POLICY);
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Referrer-Policy', 'no-referrer');
  headers.set('Cache-Control', 'public, max-age=0, must-revalidate');
  if (file.status === 200) headers.set('Content-Type', type);
  return new Response(file.body, { status: file.status, headers });
}
