import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../browser.ts';
import { SPOKEN, sayError, sayEverything } from '../worker/fake-pipeline.ts';
import { ADMIN_TOKEN, KEY, OTHER_KEY, startService, type TestService } from '../worker/worker-under-test.ts';
import { Visitor } from './visitor.ts';

// The pages as a person uses them, on the real Worker; what is said comes from a stand-in for the pipeline.

const CALL = join(import.meta.dirname, '../fixtures/call.wav');
const LAST = SPOKEN.at(-1)!;

let service: TestService;
let browser: Browser;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});
afterEach(async () => {
  service.pipeline.answer = sayEverything;
  await visitor?.leave();
});

const arrive = async (options?: Parameters<typeof Visitor.arrive>[2]): Promise<Visitor> => {
  visitor = await Visitor.arrive(browser, service.url.origin, options);
  return visitor;
};

/** A conversation of a key, made without the pages. */
async function analysed(key = KEY): Promise<string> {
  const body = new FormData();
  body.set('file', new File([readFileSync(CALL)], 'call.wav'));
  const answer = await service.post('/analyze', body, { 'X-API-Key': key });
  return ((await answer.json()) as { conversation_id: string }).conversation_id;
}

describe('a newcomer', () => {
  it('signs in, hears the sample being understood, opens it, and signs out', async () => {
    const { page, faults } = await arrive();
    await visitor.goTo('/');
    await page.getByLabel('Key', { exact: false }).first().fill('no such key');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This key is not known, has expired or was revoked.').waitFor();
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')]);
    await page.getByLabel('Key', { exact: false }).first().fill(OTHER_KEY);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Open an example' }).click();
    await page.getByText(/^Done in /).waitFor();
    expect(await page.getByRole('log').textContent()).toContain(LAST);
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByRole('region', { name: 'Transcript' }).getByText(LAST).waitFor();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('sample-call');
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('link', { name: 'sample-call' }).waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(faults).toEqual([]);
  });

  it('tries it without an account, with the public key', async () => {
    const { page, faults } = await arrive({ theme: 'dark' });
    await visitor.goTo('/app/try');
    await page.getByRole('button', { name: 'Analyse the sample call' }).click();
    await page.getByText(/^Done in /).waitFor();
    expect(faults).toEqual([]);
  });

  it('comes in by the address that `npm start` prints, which then forgets the key', async () => {
    const { page, faults } = await arrive();
    await visitor.goTo(`/app/analyse#key=${KEY}`);
    await page.getByRole('heading', { name: 'Analyse a recording' }).waitFor();
    expect(page.url()).not.toContain(KEY);
    expect(faults).toEqual([]);
  });
});

describe('a recording of one’s own', () => {
  it('is not analysed before it was said who is recorded, and then to the finished page', async () => {
    const { page, faults } = await arrive();
    await visitor.goTo(`/app/analyse#key=${KEY}`);
    await page.locator('input[type=file]').setInputFiles(CALL);
    await page.getByText('Say who is recorded first.').waitFor();
    await page.getByLabel('Our own staff').check();
    await page.getByLabel('What do you want to know?').fill('Was a day agreed?');
    await page.getByRole('button', { name: '2', exact: true }).click();
    await page.locator('input[type=file]').setInputFiles(CALL);
    await page.getByText(/^Done in /).waitFor();
    const { options } = service.pipeline.seen.at(-1)!;
    expect(options).toMatchObject({ goal: 'Was a day agreed?', speakers: 2, affect: 'none' });
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByText('Was a day agreed?').first().waitFor();
    expect(faults).toEqual([]);
  });

  it('says what is wrong with it, in words and with what to report', async () => {
    service.pipeline.answer = sayError('NO_UTTERANCES', 'No utterances detected in uploaded media');
    const { page, faults } = await arrive();
    await visitor.goTo(`/app/analyse#key=${KEY}`);
    await page.getByLabel('Customers or the public').check();
    await page.locator('input[type=file]').setInputFiles(CALL);
    await page.getByText('No speech was found in this file.').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('NO_UTTERANCES');
    service.pipeline.answer = sayEverything;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(/^Done in /).waitFor();
    expect(faults).toEqual([]);
  });
});

describe('a conversation', () => {
  it('leads from claims, words, phases and keys to the second they rest on', async () => {
    const id = await analysed();
    const { page, faults } = await arrive();
    await visitor.goTo(`/app/conversations/${id}#key=${KEY}`);
    const time = page.getByRole('slider');
    const now = (): Promise<string | null> => time.getAttribute('aria-valuetext');
    await page.locator('.ev').last().click();
    await expect.poll(now).toMatch(/^0:0[2-4] of 0:0\d, Speaker/);
    await page.getByRole('button', { name: 'People', exact: true }).last().click();
    await page.locator('.u .txt').first().click();
    await expect.poll(now).toMatch(/^0:0[01] of/);
    await page.keyboard.press('ArrowRight');
    await expect.poll(now).toMatch(/^0:0[56] of/);
    await page.keyboard.press('/');
    await page.keyboard.type('price');
    await expect.poll(() => page.locator('.shd').textContent()).toContain('1 of');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('heading', { name: 'Keyboard' }).count()).toBe(0);
    expect(faults).toEqual([]);
  });

  it('is renamed, merged and undone everywhere, exported, shared for a while, and deleted with a receipt', async () => {
    const id = await analysed();
    const { page, context, faults } = await arrive();
    await visitor.goTo(`/app/conversations/${id}#key=${KEY}`);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of Speaker A').fill('Željka שלום 山田');
    await page.getByRole('button', { name: 'Rename everywhere' }).click();
    await expect.poll(() => page.locator('.u .nm1').first().textContent()).toBe('Željka שלום 山田');
    expect(await page.locator('.what').textContent()).not.toMatch(/Speaker_\d/);

    const more = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await more('Change the title');
    await page.getByLabel('Title', { exact: false }).last().fill('Kick-off');
    await page.getByRole('button', { name: 'Change it' }).click();
    await page.getByRole('heading', { name: 'Kick-off' }).waitFor();
    await more('Undo the last edit');
    await page.getByRole('heading', { name: 'call', exact: true }).waitFor();

    for (const [format, extension] of [
      ['Markdown', 'md'],
      ['Page in one file (HTML)', 'html'],
      ['Subtitles (WebVTT)', 'vtt'],
      ['Everything (JSON)', 'json'],
      ['Recording', 'wav'],
    ] as const) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: format }).click();
      expect((await download).suggestedFilename()).toBe(`call.${extension}`);
    }

    await more('Share a link');
    await page.getByRole('button', { name: 'Make a link' }).click();
    const link = await page.locator('dialog input').inputValue();
    await page.getByRole('button', { name: 'Copy the link' }).click();
    const stranger = await Visitor.arrive(browser, service.url.origin);
    await stranger.page.goto(link);
    await stranger.page.getByRole('region', { name: 'Transcript' }).getByText(LAST).waitFor();
    expect(await stranger.page.getByRole('button', { name: 'Rename' }).count()).toBe(0);
    expect(await stranger.violations()).toEqual([]);
    expect(stranger.faults).toEqual([]);
    await stranger.leave();

    await more('Delete');
    await page.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('heading', { name: 'Deleted' }).waitFor();
    expect(await page.locator('.receipt').textContent()).toContain('result.json');
    await visitor.goTo(`/app/conversations/${id}`);
    await page.getByText('It was deleted, or is of another key.').waitFor();
    expect(faults.filter((fault) => !fault.includes('404'))).toEqual([]);
    await context.clearCookies();
  });

  it('is found by its words, leads to their second, and stands beside another', async () => {
    await analysed();
    await analysed();
    const { page, faults } = await arrive();
    await visitor.goTo(`/app#key=${KEY}`);
    await page.getByRole('searchbox').fill('tuesday');
    await page.locator('.hit1').first().waitFor();
    expect(await page.locator('.hit1 mark').first().textContent()).toBe('Tuesday');
    await page.getByRole('button', { name: 'Compare two' }).click();
    for (const box of (await page.getByRole('checkbox').all()).slice(0, 2)) await box.check();
    await page.getByRole('button', { name: 'Compare 2 of 2' }).click();
    await page.getByRole('rowheader', { name: 'Interactivity' }).waitFor();
    expect(await page.locator('.cmp').count()).toBe(2);
    expect(faults).toEqual([]);
  });
});

describe('the operator', () => {
  it('signs in, makes a tenant, issues, rotates and revokes a key, and sees what was done', async () => {
    const { page, faults } = await arrive();
    await visitor.goTo('/app/keys');
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign in as the operator' }).click();
    await page.getByRole('button', { name: 'New tenant' }).click();
    await page.getByRole('form', { name: 'New tenant' }).getByLabel('Name').fill('Northwest');
    await page.getByRole('button', { name: 'Make it' }).click();
    await page.getByRole('heading', { name: 'Settings of Northwest' }).waitFor();

    await page.getByRole('button', { name: 'Issue a key' }).click();
    await page.getByRole('form', { name: 'Issue a key' }).getByLabel('Name').fill('CRM import');
    await page.getByRole('button', { name: 'Issue the key' }).click();
    const issued = await page.locator('.kk code').textContent();
    expect(issued).toMatch(/^ut_/);
    // A stray key or click does not lose it.
    await page.keyboard.press('Escape');
    expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await page.getByLabel('I have stored it').check();
    await page.getByRole('button', { name: 'Done' }).click();
    expect(await page.content()).not.toContain(issued);

    await page.getByRole('button', { name: 'Rotate CRM import' }).click();
    await page.getByRole('button', { name: '1 h', exact: true }).click();
    await page.getByRole('button', { name: 'Issue the new key' }).click();
    await page.getByText('Rotating').waitFor();
    expect(await page.locator('.kk code').textContent()).not.toBe(issued);
    await page.getByRole('button', { name: 'Revoke CRM import' }).first().click();
    expect(await page.getByRole('button', { name: 'Revoke', exact: true }).isDisabled()).toBe(true);
    await page.getByLabel('to revoke it', { exact: false }).fill('CRM import');
    await page.getByRole('button', { name: 'Revoke', exact: true }).click();
    await page.locator('.chip', { hasText: 'Revoked' }).waitFor();

    await page
      .getByRole('form', { name: /settings/ })
      .getByLabel('Tone and emotion')
      .selectOption('none');
    await page.getByRole('button', { name: 'Keep these settings' }).click();
    await page.getByText('Kept', { exact: true }).waitFor();

    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByText('tenant.created').waitFor();
    expect(await page.locator('.tiles').textContent()).toContain('Analyses');
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out the operator' }).click();
    await page.getByLabel('Admin token').waitFor();
    await page.getByRole('link', { name: 'Operations' }).click();
    await page.getByRole('heading', { name: 'For the operator' }).waitFor();
    expect(faults).toEqual([]);
  });
});

// Contrast goes with the theme, and what fits with the width.
describe.each([
  ['light', 1440],
  ['dark', 390],
] as const)('in the %s theme, %i px wide', (theme, width) => {
  it('no page has a fault that axe finds, and none is wider than the window', async () => {
    const id = await analysed();
    const { page, faults } = await arrive({ theme, width });
    await visitor.goTo(`/app/sign-in#key=${KEY}`);
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign in as the operator' }).click();
    await page.locator('[data-row]').first().waitFor();
    const pages: [path: string, ready: string][] = [
      ['/app', '[data-row]'],
      ['/app/analyse', '.drop'],
      ['/app/live', '.begin'],
      ['/app/keys', '.tenant'],
      ['/app/operations', '.tiles'],
      ['/app/sign-in', '.sign'],
      ['/app/try', '.try1'],
      [`/app/compare?a=${id}&b=${id}`, '.cmpt'],
      [`/app/conversations/${id}`, '.what .line'],
      ['/app/nowhere', '.head'],
    ];
    for (const [path, ready] of pages) {
      await visitor.goTo(path);
      await page.locator(ready).first().waitFor();
      expect.soft(await visitor.violations(), path).toEqual([]);
      expect.soft(await visitor.overflows(), path).toBe(false);
    }
    expect(faults).toEqual([]);
  });
});
