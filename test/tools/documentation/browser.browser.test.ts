import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../../../support/browser.ts';
import { startService, type TestService } from '../../../support/service-under-test.ts';
import { axeOf } from '../../../support/visitor.ts';

// The pages as the Worker serves them, under its policy, in a browser: both themes, desktop and phone.

const SIZES = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } } as const;
const THEMES = ['light', 'dark'] as const;
/** Checked in all four ways; the others in one way each, by turns. */
const THOROUGHLY = ['/docs', '/docs/message-sequence', '/docs/api-tokens'];
/** The kinds of elements that axe has read: it would find the same in another page of these kinds. */
const read = new Set<string>();
/** The kinds of elements of a page: their names, classes and roles, each with that of its parent. */
const kindsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const kind = (element: Element | null) =>
      element && [element.localName, ...element.classList, element.getAttribute('role')].join(' ');
    return [
      ...new Set([...document.body.querySelectorAll('*')].map((one) => `${kind(one.parentElement)} > ${kind(one)}`)),
    ];
  });

let service: TestService;
let browser: Browser;
let paths: string[];
beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
  const llms = await (await fetch(new URL('/llms.txt', service.url))).text();
  paths = [...llms.matchAll(/\((\/docs\/[\w-]+)\.md\)/g)].map(([, path = '']) => path.replace('/docs/index', '/docs'));
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

/** A page of one size in one theme, which shows one path after the other, and what goes wrong in it. */
async function openLook(size: keyof typeof SIZES, theme: (typeof THEMES)[number]) {
  const context = await browser.newContext({ locale: 'en-US', viewport: SIZES[size], colorScheme: theme });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => message.type() === 'error' && faults.push(`console: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== service.url.origin) faults.push(`asks ${request.url()}`);
  });
  return { name: `${size}, ${theme}`, page, faults };
}

/** The faults of a path, found in one visit. */
async function faultsOf(path: string, { name, page, faults }: Awaited<ReturnType<typeof openLook>>): Promise<string[]> {
  const response = await page.goto(new URL(path, service.url).href);
  if (response?.status() !== 200) faults.push(`is a ${response?.status()}`);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wide > 0) faults.push(`is ${wide} pixels too wide`);
  const kinds = await kindsOf(page);
  const isRead = THOROUGHLY.includes(path) || kinds.some((kind) => !read.has(kind)) || process.env.DOCS_WHOLE === '1';
  if (isRead) for (const kind of kinds) read.add(kind);
  const violations = isRead ? (await axeOf(page).analyze()).violations : [];
  for (const { id, impact, nodes } of violations)
    if (impact === 'serious' || impact === 'critical')
      faults.push(`${id}: ${nodes.slice(0, 3).map(({ html }) => html)}`);
  return faults.splice(0).map((fault) => `${path}, ${name}: ${fault}`);
}

it('axe finds nothing serious on any page, in both themes, on a desk and on a phone; nothing leaves the origin', async () => {
  expect(paths.length).toBeGreaterThan(25);
  const ways = THEMES.flatMap((theme) => (['desk', 'phone'] as const).map((size) => openLook(size, theme)));
  const looks = await Promise.all(ways);
  const faults: string[] = [];
  for (const [i, path] of paths.entries())
    for (const look of THOROUGHLY.includes(path) ? looks : [looks[i % looks.length]!])
      faults.push(...(await faultsOf(path, look)));
  expect(faults).toEqual([]);
}, 600_000);

it('the theme can be chosen and persists; an example can be copied; the list of pages is collapsed on a phone', async () => {
  const context = await browser.newContext({ locale: 'en-US', viewport: SIZES.phone, colorScheme: 'light' });
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url.origin });
  const page = await context.newPage();
  await page.goto(new URL('/docs/first-analysis', service.url).href);
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  expect(await page.evaluate(() => document.querySelector('details')?.open)).toBe(false);
  await page.getByRole('button', { name: 'Dark theme' }).click();
  expect(await page.getByRole('button', { name: 'Light theme' }).isVisible()).toBe(true);
  expect(await background()).not.toBe(light);
  await page.reload();
  expect(await background()).not.toBe(light);
  await page.getByRole('button', { name: 'Copy' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/analyze');
  await context.close();
});

it('can be read without its script', async () => {
  const context = await browser.newContext({ locale: 'en-US', javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(new URL('/docs/limits', service.url).href);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Limits');
  expect(await page.getByRole('link', { name: 'Webhooks' }).first().isVisible()).toBe(true);
  await context.close();
});

it('a search finds a section by the beginning of its words, and its result opens there', async () => {
  const { page, faults } = await openLook('desk', 'light');
  await page.goto(new URL('/docs', service.url).href);
  await page.keyboard.press('/');
  await page.keyboard.type('webhook signat');
  const results = page.getByRole('search').getByRole('listitem');
  await expect.poll(() => results.count()).toBeGreaterThan(0);
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.closest('li') !== null)).toBe(true);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/docs\/[\w-]+(#[\w-]+)?$/);
  expect((await page.locator('article').textContent())?.toLowerCase()).toContain('signat');
  await page.getByRole('searchbox').fill('zyzzyva');
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Nothing found for “zyzzyva”.');
  expect(faults).toEqual([]);
  await page.context().close();
});
