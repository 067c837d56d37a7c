import type { Route } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { make } from '../../support/made-conversations.ts';
import { ADMIN_TOKEN, KEY } from '../../support/service-under-test.ts';
import type { Visitor } from '../../support/visitor.ts';

// Every page while it opens, when the service does not respond or fails, and with a key that is not valid.

const dashboard = dashboardUnderTest();
let id: string;
beforeAll(async () => {
  id = await make(dashboard.service, 'two-people');
});

/** @param ready a part of the finished page */
type PageCase = [name: string, path: () => string, ready: string];
const OF_A_KEY: PageCase[] = [
  ['the list', () => '/app', '[data-row]'],
  ['a conversation', () => `/app/conversations/${id}`, '.summary .line'],
  ['Patterns', () => '/app/patterns', '.shelf li'],
  ['Commitments', () => '/app/commitments', '.totals'],
  ['People', () => '/app/people', '.empty'],
  ['Playlists', () => '/app/playlists', '.empty'],
  ['Webhooks', () => '/app/webhooks', '.empty'],
  ['Compare', () => `/app/compare?a=${id}&b=${id}`, '.cmpt'],
];
/** Pages that send no request of their own until the user acts. */
const QUIET: PageCase[] = [
  ['Analyse', () => '/app/analyse', '.drop'],
  ['Live', () => '/app/live', '.begin'],
  ['a new rule', () => '/app/rules/new', '.rule1'],
  ['the account', () => '/app/sign-in', '.sign'],
];
const OF_THE_OPERATOR: PageCase[] = [
  ['Keys', () => '/app/keys', '.kt'],
  ['Members', () => '/app/keys?section=members', '.members'],
  ['Operations', () => '/app/operations', '.tiles'],
];

/** A page of a tenant has its own title and the links to the others in every state. */
async function expectSection({ page }: Visitor, name: string): Promise<void> {
  if (!/Keys|Members/.test(name)) return;
  expect(await page.locator('h1').allInnerTexts()).toEqual([name]);
  const current = page.getByRole('navigation', { name: 'Settings' }).locator('[aria-current="page"]');
  expect(await current.allInnerTexts()).toEqual([name]);
}

/** Handles every request to the API, and none to the pages' own files. */
const answer = ({ page }: Visitor, handle: (route: Route) => unknown): Promise<unknown> =>
  page.route((url) => !/^\/(app|assets)(\/|$)/.test(url.pathname), handle);

async function arrive(path: string): Promise<Visitor> {
  const visitor = await dashboard.at('/app/sign-in');
  if (!/keys|operations/.test(path)) return visitor;
  await visitor.page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await visitor.page.getByRole('button', { name: 'Sign in as the operator' }).click();
  await visitor.page.locator('[data-row]').first().waitFor();
  return visitor;
}

describe.each([...OF_A_KEY, ...OF_THE_OPERATOR, ...QUIET])('%s', (name, path, ready) => {
  it('says so while the service does not respond, and goes on when the connection is back', async () => {
    const visitor = await arrive(path());
    visitor.expects(/ERR_INTERNET_DISCONNECTED/);
    const { page } = visitor;
    await answer(visitor, (route) => route.abort('internetdisconnected'));
    await visitor.goTo(path());
    const alert = page.getByRole('alert');
    await alert.getByText('The service does not respond. Check your connection and try again.').waitFor();
    await alert.getByRole('button', { name: 'Try again' }).waitFor();
    expect(await alert.count()).toBe(1);
    await expectSection(visitor, name);
    // The message says it, and no passing one beside it.
    await expect.poll(() => page.locator('.tip.status:not(.off)').count()).toBe(0);
    expect(await page.locator('.sk, table, .tiles').count()).toBe(0);
    expect(await visitor.violations()).toEqual([]);
    await page.unrouteAll();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await page.locator(ready).first().waitFor();
    await alert.waitFor({ state: 'detached' });
  });
});

it.each([...OF_A_KEY, ...OF_THE_OPERATOR])('%s has its frame while it opens', async (name, path, ready) => {
  const visitor = await arrive(path());
  const { page } = visitor;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  await answer(visitor, (route) => opened.then(() => route.continue()));
  await visitor.goTo(path());
  await page.locator('.sk').first().waitFor();
  if (!/Keys|Operations/.test(name))
    await page
      .getByText(/^Loading/)
      .first()
      .waitFor();
  expect(await page.locator('main').count()).toBe(1);
  expect(await page.getByRole('alert').count()).toBe(0);
  await expectSection(visitor, name);
  expect(await visitor.overflows()).toBe(false);
  open();
  await page.locator(ready).first().waitFor();
  await expect.poll(() => page.locator('.sk').count()).toBe(0);
});

it.each([...OF_A_KEY, ...QUIET, ...OF_THE_OPERATOR])('%s names a key in a link that is not valid', async (_, path) => {
  const visitor = await dashboard.arrive();
  visitor.expects(/401/);
  await visitor.goTo(`${path()}#key=no-such-key`);
  const alert = visitor.page.getByRole('alert');
  await alert.getByText('The key saved in this browser does not work: it is unknown, expired or revoked.').waitFor();
  if (/keys|operations/.test(path())) {
    await visitor.page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await visitor.page.getByRole('button', { name: 'Sign in as the operator' }).click();
  } else {
    await visitor.page.getByLabel('Key', { exact: false }).first().fill(KEY);
    await visitor.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  }
  await alert.waitFor({ state: 'detached' });
});

it('a shared link that is not valid says so and leaves the visitor’s own key', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await page.locator('[data-row]').first().waitFor();
  visitor.expects(/401/);
  await visitor.goTo(`/app/shared/${id}#token=expired`);
  await page.getByText('It has expired or was not copied completely.', { exact: false }).waitFor();
  await visitor.goTo('/app');
  await page.locator('[data-row]').first().waitFor();
});

it('another key that a link offers shows its own conversations at once', async () => {
  const { key } = await dashboard.service.issue();
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await page.locator('[data-row]').first().waitFor();
  await visitor.goTo(`/app?other#key=${key}`);
  await page.getByRole('button', { name: "Use the link's key" }).click();
  await page.getByText('Nothing yet.').waitFor();
});

it('an operator whose session has ended is asked to sign in again, and the key stays', async () => {
  const visitor = await arrive('/app/operations');
  const { page, context } = visitor;
  await visitor.goTo('/app/operations');
  await page.locator('.tiles').waitFor();
  await context.clearCookies();
  visitor.expects(/401/);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('heading', { name: 'For the operator' }).waitFor();
  await visitor.goTo('/app');
  await page.locator('[data-row]').first().waitFor();
});
