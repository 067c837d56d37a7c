import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../browser.ts';
import { KEY, type LiveStack, startLiveStack } from '../live/live-stack.ts';
import { Visitor } from './visitor.ts';

// The page that captures, with a microphone that plays a recording and a service that echoes what it hears.

let folder: string;
let stack: LiveStack;
let browser: Browser;
let visitor: Visitor;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-dashboard-'));
  const microphone = join(folder, 'microphone.wav');
  const call = join(import.meta.dirname, '../fixtures/call.wav');
  execFileSync('ffmpeg', ['-v', 'error', '-i', call, '-ac', '1', '-ar', '48000', '-c:a', 'pcm_s16le', microphone]);
  // Without it no token is minted, and the recording would be fetched whole.
  stack = await startLiveStack({ KEY_PEPPER: 'test-pepper-0123456789abcdef' });
  browser = await openBrowser(microphone);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => visitor?.leave());

it('asks who is recorded, keeps what is said while the line is cut, and leads to the conversation', async () => {
  visitor = await Visitor.arrive(browser, stack.url.origin);
  const { page, context, faults } = visitor;
  await visitor.goTo(`/app/live#key=${KEY}`);
  await page.getByRole('button', { name: 'Go live' }).click();
  await page.getByText('Say who is recorded first.').waitFor();
  await page.getByLabel('Customers or the public').check();
  await page.getByRole('button', { name: 'Go live' }).click();
  const lines = page.getByRole('log').locator('.lu');
  await lines.first().waitFor();
  await page.getByText('Everything sent').waitFor();
  expect(await visitor.violations()).toEqual([]);

  await context.setOffline(true);
  await page.getByText(/^Kept here, \d+ s to send$/).waitFor();
  const before = await lines.count();
  await context.setOffline(false);
  await expect.poll(() => lines.count(), { timeout: 20_000 }).toBeGreaterThan(before + 2);
  await page.getByText('Everything sent').waitFor();

  await page.getByRole('button', { name: 'Mute' }).click();
  await page.getByRole('button', { name: 'Muted' }).waitFor();
  // The capture goes on while another page is looked at.
  await page.getByRole('link', { name: 'Analyse' }).click();
  await page.getByRole('heading', { name: 'Analyse a recording' }).waitFor();
  await page.getByRole('link', { name: 'Live' }).click();
  await page.getByRole('button', { name: 'Finish' }).click();
  await page.getByRole('link', { name: 'Open the conversation' }).click();
  await page.locator('.conv .u').first().waitFor();
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toMatch(/^Live session, /);
  // The stand-in measures no levels, and the score does without; a browser notes the 404, sooner or later.
  const expected = /ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|404 .*\/levels$/;
  expect(faults.filter((fault) => !expected.test(fault))).toEqual([]);
});

it('throws a capture away that is cancelled', async () => {
  visitor = await Visitor.arrive(browser, stack.url.origin);
  const { page, faults } = visitor;
  await visitor.goTo(`/app/live#key=${KEY}`);
  await page.getByLabel('Our own staff').check();
  await page.getByRole('button', { name: 'Go live' }).click();
  await page.getByRole('log').locator('.lu').first().waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Cancelled. Nothing of it was stored.').waitFor();
  expect(faults).toEqual([]);
});

it('says so when the page may not hear the microphone', async () => {
  const deaf = await openBrowser(undefined, 'no');
  try {
    const other = await Visitor.arrive(deaf, stack.url.origin);
    await other.context.clearPermissions();
    await other.goTo(`/app/live#key=${KEY}`);
    await other.page.getByLabel('Customers or the public').check();
    await other.page.getByRole('button', { name: 'Go live' }).click();
    await other.page.getByText('The page may not hear the microphone.').waitFor();
    expect(other.faults).toEqual([]);
  } finally {
    await deaf.close();
  }
});
