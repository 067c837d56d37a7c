import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { make } from '../../support/made-conversations.ts';
import { KEY } from '../../support/service-under-test.ts';
import type { Visitor } from '../../support/visitor.ts';

// Whole flows by keyboard alone. Nothing is clicked, and the focus is always visible.

const dashboard = dashboardUnderTest();
/** More stops than any page has. */
const MOST_STOPS = 150;

/** The focused element: its role or tag and its name, and whether it has a ring. */
const focused = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement as HTMLElement;
    const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const label = (element as HTMLInputElement).labels?.[0]?.textContent;
    return {
      name: (element.getAttribute('aria-label') ?? label ?? element.textContent ?? '').trim(),
      tag: element.tagName.toLowerCase(),
      isRinged: (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2) || boxShadow !== 'none',
      isInView: box.bottom > 0 && box.top < innerHeight && box.width > 0,
      borderColor,
    };
  });

/** Presses Tab until the named element has the focus. Each stop on the way must be visible. */
async function tabTo(page: Page, name: RegExp | string, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    await page.keyboard.press(key);
    const now = await focused(page);
    if (now.tag === 'body') continue;
    expect(now, `the focus on ${now.name || now.tag} cannot be seen`).toMatchObject({ isRinged: true, isInView: true });
    if (typeof name === 'string' ? now.name.startsWith(name) : name.test(now.name)) return;
    passed.push(now.name || now.tag);
  }
  throw new Error(`${name} is not reached: ${passed.join(', ')}`);
}

/** Opens a menu, and its item of the name. */
async function choose(page: Page, menu: string, item: string): Promise<void> {
  await tabTo(page, menu);
  await page.keyboard.press('Enter');
  await page.getByRole('menu').waitFor();
  for (let stop = 0; stop < 20; stop++) {
    if ((await focused(page)).name === item) return page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
  }
  throw new Error(`${item} is not in the menu`);
}

const start = async (path: string): Promise<Visitor> => {
  const visitor = await dashboard.arrive();
  await visitor.goTo(path);
  return visitor;
};

it('from the sign-in through the sample to a second, a name, a file, and its deletion', async () => {
  const { page } = await start('/app');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await tabTo(page, /^KeyPaste the key/);
  await page.keyboard.type(KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  await tabTo(page, 'Analyse the sample call');
  await page.keyboard.press('Enter');
  await page.getByText(/^Done in /).waitFor();
  await tabTo(page, 'Open');
  await page.keyboard.press('Enter');
  await page.locator('.u').first().waitFor();

  const slider = page.getByRole('slider');
  await tabTo(page, 'Position in the conversation');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^0:02 of/);
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toMatch(/^0:03 of/);
  await tabTo(page, /^Evidence at/);
  await page.keyboard.press('Enter');
  await page.getByRole('complementary').getByText('How reliable this is').waitFor();
  await page.keyboard.press('Escape');

  await tabTo(page, 'Rename');
  await page.keyboard.press('Enter');
  await page.getByLabel('Name of Speaker A').waitFor();
  expect((await focused(page)).name).toBe('Name of Speaker A');
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.locator('.u .nm1').first().textContent()).toBe('Ada');

  const download = page.waitForEvent('download');
  await choose(page, 'Export', 'Text');
  expect((await download).suggestedFilename()).toBe('sample-call.txt');
  await choose(page, 'More', 'Delete');
  await tabTo(page, 'Delete it');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Deleted' }).waitFor();

  await tabTo(page, /^Account/);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Signed in with a key' }).waitFor();
  await tabTo(page, 'Sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'With an API key' }).waitFor();
});

it('every key of the list does what it says', async () => {
  const id = await make(dashboard.service, 'two-people');
  const { page } = await start(`/app/conversations/${id}#key=${KEY}`);
  await page.locator('.u').nth(23).waitFor();
  const time = async (): Promise<number> => Number(await page.getByRole('slider').getAttribute('aria-valuenow'));
  const press = (key: string): Promise<void> => page.keyboard.press(key);
  const becomes = (seconds: number): Promise<void> => expect.poll(time).toBe(seconds);

  await press('ArrowRight');
  await becomes(5);
  await press('Shift+ArrowLeft');
  await becomes(4);
  await press('ArrowDown');
  await becomes(6);
  await press('j');
  await becomes(12);
  await press('k');
  await becomes(6);
  await press('End');
  expect(await time()).toBeGreaterThan(140);
  await press('Home');
  await becomes(0);

  const pins = await page
    .locator('.mrow1 .tt')
    .evaluateAll((times) =>
      times.map(({ textContent }) => textContent.split(':').reduce((sum, part) => 60 * sum + +part, 0)),
    );
  const [first, second] = [...new Set(pins)].sort((a, b) => a - b) as [number, number];
  await press('m');
  await becomes(Math.round(first + 0.4));
  await press('m');
  await becomes(Math.round(second + 0.4));
  await press('M');
  await becomes(Math.round(first + 0.4));
  await press('Home');
  // The first begins with the first word.
  await press('p');
  await press('p');
  const phase = await time();
  expect(phase).toBeGreaterThan(0);
  await press('P');
  expect(await time()).toBeLessThan(phase);

  await press('Enter');
  const measures = page.getByRole('complementary').getByText('How reliable this is');
  await measures.waitFor();
  await press('Escape');
  await expect.poll(() => measures.count()).toBe(0);
  await press('1');
  await expect.poll(() => page.locator('.lanelab.dim').count()).toBe(1);
  await press('1');
  await expect.poll(() => page.locator('.lanelab.dim').count()).toBe(0);
  await press(']');
  await page.getByRole('button', { name: '1.25×' }).first().waitFor();
  await press('[');
  await page.getByRole('button', { name: '1×' }).first().waitFor();
  await press('+');
  await page.locator('.mini').waitFor();
  await press('-');
  await expect.poll(() => page.locator('.mini').count()).toBe(0);
  await press('u');
  await expect
    .poll(() => page.getByRole('button', { name: 'Uncertain words' }).getAttribute('aria-pressed'))
    .toBe('true');
  await press('c');
  await page.getByText(/^Link to/).waitFor();
  await press('/');
  await page.keyboard.type('m');
  expect(await page.getByRole('searchbox').inputValue(), 'no key acts in a field').toBe('m');
  await press('Escape');
  await press('Space');
  await page.getByRole('button', { name: 'Pause' }).first().waitFor();
  await press('Space');
  await page.getByRole('button', { name: 'Play', exact: true }).first().waitFor();

  await press('?');
  await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
  await tabTo(page, /^Single keys act/);
  await press('Space');
  await press('Escape');
  await expect.poll(() => page.getByRole('heading', { name: 'Keyboard' }).count()).toBe(0);
  await press('Home');
  await press('m');
  expect(await time(), 'switched off').toBe(0);
});

it('the first stop skips the navigation, to what the page shows', async () => {
  const { page } = await start('/app');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.keyboard.press('Tab');
  expect(await focused(page)).toMatchObject({ name: 'Skip to the content', isRinged: true, isInView: true });
  await page.keyboard.press('Enter');
  expect((await focused(page)).tag).toBe('main');
  await tabTo(page, /^KeyPaste the key/);
});

it('j, k and Enter move through the list', async () => {
  await dashboard.analysed();
  const { page } = await start(`/app#key=${KEY}`);
  await page.locator('[data-row]').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  expect((await focused(page)).isRinged).toBe(true);
  const href = await page.evaluate(() => document.activeElement!.getAttribute('href'));
  expect(href).toBe(await page.locator('[data-row]').first().getAttribute('href'));
  await page.keyboard.press('Enter');
  await page.locator('.u').first().waitFor();
});

it('the operator issues, rotates and revokes a key', async () => {
  const { page } = await start('/app/keys');
  await tabTo(page, /^Admin token/);
  await page.keyboard.type('test-admin-token-0123456789');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Keys', exact: true }).waitFor();
  await tabTo(page, 'Issue a key');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Name/);
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await page.locator('.kk code').waitFor();
  await tabTo(page, /stored it/);
  await page.keyboard.press('Space');
  await tabTo(page, 'Done');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Revoke By hand');
  await page.keyboard.press('Enter');
  await tabTo(page, /^Type By hand/);
  await page.keyboard.type('By hand');
  await page.keyboard.press('Enter');
  await page.locator('.chip', { hasText: 'Revoked' }).waitFor();
});
