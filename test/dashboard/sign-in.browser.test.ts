import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { ADMIN_TOKEN, KEY, OTHER_KEY } from '../../support/service-under-test.ts';
import { shownText, type Visitor } from '../../support/visitor.ts';

// The key in several tabs of one browser.

const dashboard = dashboardUnderTest();

/** Another tab of the same browser. */
async function tab({ context }: Visitor, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(new URL(path, dashboard.service.url).href);
  return page;
}

const heading = (page: Page, name: string): Promise<void> => page.getByRole('heading', { name, exact: true }).waitFor();
const keyIn = (page: Page): Promise<string | null> => page.evaluate(() => sessionStorage.getItem('undertone.key'));

it('a conversation opens signed in by Ctrl-click and by its copied link, without a cookie', async () => {
  const id = await dashboard.analysed();
  const visitor = await dashboard.at('/app');
  const { page, context } = visitor;
  await page.waitForLoadState('networkidle');
  // Playwright sometimes never reports a tab that a click opens, but always its requests.
  const opened = context.waitForEvent('response', (answer) => answer.url().endsWith(`/conversations/${id}/levels`));
  await page
    .locator(`a[href*="${id}"]`)
    .first()
    .click({ modifiers: ['ControlOrMeta'] });
  expect((await opened).status()).toBe(200);
  const copied = await tab(visitor, `/app/conversations/${id}?t=1`);
  await copied.locator('.u').first().waitFor();
  expect(await context.cookies()).toEqual([]);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(KEY);
});

it('signing out signs out every tab, and a new one asks for the key', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await heading(page, 'Conversations');
  const second = await tab(visitor, '/app/sign-in');
  await second.getByRole('button', { name: 'Sign out' }).click();
  await heading(page, 'Sign in');
  expect(await keyIn(page)).toBeNull();
  await page.reload();
  await heading(page, 'Sign in');
  await heading(await tab(visitor, '/app'), 'Sign in');
});

it('with several keys, a new tab takes the key of the tab that was used last', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await heading(page, 'Conversations');
  const other = await tab(visitor, '/app');
  await heading(other, 'Conversations');
  await other.evaluate((key) => sessionStorage.setItem('undertone.key', key), OTHER_KEY);
  await other.reload();
  await heading(other, 'Conversations');
  for (const used of [other, page]) {
    await used.keyboard.press('Shift');
    const fresh = await tab(visitor, '/app');
    await heading(fresh, 'Conversations');
    expect(await keyIn(fresh)).toBe(used === page ? KEY : OTHER_KEY);
    await fresh.close();
  }
});

it('a link with a key that opens in a new tab asks before it replaces the key of another tab', async () => {
  const visitor = await dashboard.at('/app');
  await heading(visitor.page, 'Conversations');
  const second = await tab(visitor, `/app#key=${OTHER_KEY}`);
  await second.getByRole('dialog', { name: 'Sign in with another key?' }).waitFor();
  expect(await keyIn(second)).toBe(KEY);
  expect(second.url()).not.toContain(OTHER_KEY);
});

it('offers the pages of a key, and without one only what needs none', async () => {
  const pages = async (page: Page): Promise<string[]> => page.getByRole('navigation').getByRole('link').allInnerTexts();
  const { page, context } = await dashboard.at('/app');
  await heading(page, 'Conversations');
  const places = ['Conversations', 'Patterns', 'Commitments', 'People', 'Analyse', 'Live', 'Rules', 'Settings'];
  expect(await pages(page)).toEqual([...places, 'Account']);
  // That of the operator is there before the service has said who is signed in, in another tab too.
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  await heading(page, 'Conversations');
  await context.route('**/welcome', () => undefined);
  const second = await context.newPage();
  await second.goto(page.url());
  await heading(second, 'Conversations');
  expect(await pages(second)).toEqual([...places, 'Operations', 'Account']);
  await context.unroute('**/welcome');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out the operator' }).click();
  await expect.poll(() => pages(page)).toEqual([...places, 'Account']);
  // Without a key, only what needs none is offered, on a phone too.
  const visitor = await dashboard.arrive();
  await visitor.goTo('/app');
  await heading(visitor.page, 'Sign in');
  expect(await pages(visitor.page)).toEqual(['Docs', 'Sign in']);
  expect(await visitor.violations()).toEqual([]);
  await visitor.page.setViewportSize({ width: 390, height: 844 });
  expect(await pages(visitor.page)).toEqual(['Docs', 'Sign in']);
  // A page that asks to sign in first is not the one whose place is marked.
  const stranger = await dashboard.arrive();
  await stranger.goTo('/app/people');
  await heading(stranger.page, 'Sign in');
  expect(await stranger.page.locator('nav > [aria-current="page"]').allInnerTexts()).toEqual(['Sign in']);
});

it('says which key this is, what it may do and where its settings are', async () => {
  const expires_at = new Date(Date.now() + 90 * 86_400_000).toISOString();
  const issued = { tenant: 'default', label: 'Call centre', scopes: ['analyze', 'read'] as const, expires_at };
  const { key, id } = await dashboard.service.issue({ ...issued, scopes: [...issued.scopes] });
  const visitor = await dashboard.at('/app/sign-in', { key });
  const { page } = visitor;
  const account = page.locator('.sign', { hasText: 'Signed in with a key' });
  await account.getByText('Call centre').waitFor();
  expect(await shownText(account)).toMatch(
    new RegExp(`Call centre …${id.slice(-8)}\\s+It may analyse and edit and read\\. It expires on `),
  );
  expect(await account.textContent()).not.toContain(key);
  await account.getByRole('link', { name: 'Settings' }).click();
  // A key that may not manage keys learns who does.
  await heading(page, 'Keys');
  await page.getByText('This key cannot open Keys.').waitFor();
  const sections = page.getByRole('navigation', { name: 'Settings' });
  expect(await sections.getByRole('link').allInnerTexts()).toEqual(['Keys', 'Members', 'Settings', 'Data', 'Webhooks']);
  for (const name of ['Members', 'Settings', 'Data', 'Webhooks', 'Keys']) {
    await sections.getByRole('link', { name }).click();
    await heading(page, name);
    expect(await sections.locator('[aria-current="page"]').allInnerTexts()).toEqual([name]);
    // Forced colours draw transparent edges, so that the other links have none.
    const edges = await sections
      .getByRole('link')
      .evaluateAll((links) =>
        links.filter((link) => getComputedStyle(link).borderBottomWidth !== '0px').map((link) => link.textContent),
      );
    expect(edges).toEqual([name]);
    expect(await visitor.violations(), name).toEqual([]);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await visitor.overflows(), name).toBe(false);
    await page.setViewportSize({ width: 1440, height: 900 });
  }
});

it('a key that manages reads the settings of its tenant, and adds no member where nobody can sign in', async () => {
  const { key } = await dashboard.service.issue({ tenant: 'default', scopes: ['read', 'admin'] });
  const { page } = await dashboard.at('/app/keys?section=members', { key });
  const notice = page.locator('.notice.warn', { hasText: 'has to set OIDC_ISSUER' });
  await notice.getByText('Sign-in is not set up:').waitFor();
  expect(await page.getByRole('button', { name: 'Add' }).count()).toBe(0);
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Settings' }).click();
  const settings = page.getByRole('form', { name: 'The tenant’s settings' });
  await settings.getByText('Only the operator, who runs the service, changes these.').waitFor();
  expect(await settings.getByLabel('Tone and emotion').isDisabled()).toBe(true);
  expect(await settings.getByRole('button').count()).toBe(0);
});
