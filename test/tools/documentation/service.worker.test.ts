import { afterAll, beforeAll, expect, it } from 'vitest';
import { openApiDocument } from '../../../src/openapi/document.ts';
import { startService, type TestService } from '../../../support/service-under-test.ts';

// The description and its pages as the Worker serves them.

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(async () => {
  await service?.stop();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(path, service.url), { headers, redirect: 'manual' });

it.each([
  ['/docs', 'text/html'],
  ['/docs/first-analysis', 'text/html'],
  ['/docs/first-analysis.md', 'text/markdown'],
  ['/docs/index.md', 'text/markdown'],
  ['/docs/style.css', 'text/css'],
  ['/docs/page.js', 'text/javascript'],
  ['/openapi.json', 'application/json'],
  ['/schemas/events.json', 'application/schema+json'],
  ['/schemas/webhooks.json', 'application/schema+json'],
  ['/llms.txt', 'text/plain'],
])('%s is open to everybody, as %s, under a strict policy, and not sent twice', async (path, type) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get('Content-Type')?.split(';')[0]]).toEqual([200, type]);
  expect((await answer.text()).length).toBeGreaterThan(50);
  const policy = answer.headers.get('Content-Security-Policy') ?? '';
  expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(policy).not.toContain('unsafe');
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(answer.headers.get('X-Request-Id')).toBeTruthy();
  const again = await get(path, { 'If-None-Match': answer.headers.get('ETag') ?? '' });
  expect([again.status, await again.text()]).toEqual([304, '']);
  const head = await fetch(new URL(path, service.url), { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
});

it('serves the document as it is built', async () => {
  expect(await (await get('/openapi.json')).json()).toEqual(JSON.parse(JSON.stringify(openApiDocument())));
});

it.each([
  ['/docs/', '/docs'],
  ['/docs//', '/docs'],
  ['/docs/first-analysis/?a=1', '/docs/first-analysis?a=1'],
  ['/docs/x%0d%0aSet-Cookie:%20a/', '/docs/x%0d%0aSet-Cookie:%20a'],
  ['/app/', '/app'],
  ['/app/conversations/', '/app/conversations'],
])('%s leads to the page without the slash', async (path, place) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get('Location')]).toEqual([301, place]);
  const posted = await fetch(new URL(path, service.url), { method: 'POST', redirect: 'manual' });
  expect(posted.status).toBeGreaterThanOrEqual(400);
});

it.each([
  ['/docs/api', '/docs/all-of-the-api'],
  ['/docs/live', '/docs/live-in-depth'],
  ['/docs/live.md', '/docs/live-in-depth.md'],
])('%s, the name of a file, leads to the page', async (path, place) => {
  const answer = await get(path);
  expect([answer.status, answer.headers.get('Location')]).toEqual([301, place]);
  expect((await get(place)).status).toBe(200);
});

it.each([
  ...['/docs/no-such-page', '/docs/no-such-page.md', '/docs/..%2findex.html', '/docs/_headers', '/docs/x.html'],
  ...['/schemas/other.json', '/schemas/..%2fopenapi.json', '/docs/first-analysis/more'],
])('%s is not found, in the shape of every error', async (path) => {
  const answer = await get(path);
  expect(answer.status).toBe(404);
  expect(await answer.json()).toMatchObject({ code: 'NOT_FOUND', request_id: answer.headers.get('X-Request-Id') });
});
