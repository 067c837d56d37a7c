import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser } from '../../../support/browser.ts';
import { guideExamples, startGuideSite } from '../../../support/guide-page.ts';
import { KEY, type Stack, startStack } from '../../../support/whole-service.ts';

// Every example of the guides, run as a reader would run it: against the whole service, with the repository's
// recording.

const ROOT = join(import.meta.dirname, '../../..');
const GUIDES = join(ROOT, 'docs/guides');
const ADMIN_TOKEN = 'guides-admin-token-0123456789';
/** How long the examples of one guide may take on a slow machine, ms. */
const WITHIN_MS = 240_000;
const run = promisify(execFile);

let stack: Stack;
let folder: string;
beforeAll(async () => {
  mkdirSync(join(ROOT, 'build'), { recursive: true });
  folder = mkdtempSync(join(ROOT, 'build/guides-'));
  await record(SECONDS);
  stack = await startStack({ ADMIN_TOKEN, KEY_PEPPER: 'guides-pepper-0123456789abcdef' });
}, WITHIN_MS);
afterAll(async () => {
  await stack?.stop();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

/** Length of the call that most guides need; a search needs the later words. */
const SECONDS = 8;
const NEEDS: Readonly<Record<string, number>> = { 'stored-conversations.md': 24 };

/** Puts the beginning of the repository's call where the examples expect a recording. */
async function record(seconds: number): Promise<void> {
  const call = join(ROOT, 'test/fixtures/call.wav');
  const pcm = ['-t', String(seconds), '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', join(folder, 'call.wav')];
  await run('ffmpeg', ['-v', 'error', '-y', '-i', call, ...pcm]);
}

const origin = (): string => stack.url.origin;
/** Replaces the addresses and keys of a developer's machine with those of this test. */
const asHere = (text: string): string => text.replaceAll('http://localhost:8787', origin()).replaceAll('your-key', KEY);
async function mintSessionToken(): Promise<string> {
  const headers = { 'X-API-Key': KEY, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ for: { session: 'new' } });
  const answer = await fetch(new URL('/tokens', stack.url), { method: 'POST', headers, body });
  return ((await answer.json()) as { token: string }).token;
}

/** The client from the repository. */
const SDK = join(ROOT, 'src/sdk');

const guides = readdirSync(GUIDES).filter((name) => name.endsWith('.md'));

it.each(guides)('%s: its shell examples run', { timeout: WITHIN_MS }, async (guide) => {
  const scripts = guideExamples(guide).filter(({ language, note }) => language === 'sh' && note === '');
  if (scripts.length === 0) return;
  await record(NEEDS[guide] ?? SECONDS);
  const env = { ...process.env, URL: origin(), KEY, ADMIN_TOKEN };
  // Each example of a page uses what the one before it created.
  const script = scripts.map(({ text }) => text).join('\n');
  const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env, timeout: WITHIN_MS });
  expect(stdout.trim()).not.toBe('');
  expect(stdout).not.toMatch(/"code": ?"[A-Z_]+"|^null$/m);
});

it.each(guides)('%s: its JavaScript runs', { timeout: WITHIN_MS }, async (guide) => {
  const modules = guideExamples(guide).filter(({ language, note }) => language === 'js' && note === '');
  for (const [n, { text }] of modules.entries()) {
    const file = join(folder, `${guide}.${n}.mjs`);
    writeFileSync(
      file,
      asHere(text)
        .replaceAll("'@undertone/sdk'", `'${join(SDK, 'index.ts')}'`)
        .replaceAll("'@undertone/sdk/webhooks'", `'${join(SDK, 'webhooks.ts')}'`),
    );
    const { stdout } = await run(process.execPath, [file], { cwd: folder, timeout: WITHIN_MS });
    expect(stdout.trim()).not.toBe('');
  }
});

it('python.md: its module runs', { timeout: WITHIN_MS }, async () => {
  const [example] = guideExamples('python.md').filter(({ language }) => language === 'python');
  await record(SECONDS);
  const file = join(folder, 'example.py');
  writeFileSync(file, asHere(example!.text));
  const { stdout } = await run('python3', [file], { cwd: folder, timeout: WITHIN_MS });
  expect(stdout).toMatch(/^Speaker_0 Good morning/m);
  expect(stdout).toMatch(/^final_transcript \{.*'text': 'Good morning/m);
});

it('the guides have enough examples', () => {
  const all = guides.flatMap(guideExamples);
  const of = (language: string, note = '') =>
    all.filter((one) => one.language === language && one.note === note).length;
  expect([of('sh') >= 20, of('js') >= 6, of('js', 'browser')]).toEqual([true, true, 1]);
});

/** The call as Chromium's microphone plays it. */
async function microphone(): Promise<string> {
  const path = join(folder, 'microphone.wav');
  const pcm = ['-ac', '1', '-ar', '48000', '-c:a', 'pcm_s16le', path];
  await run('ffmpeg', ['-v', 'error', '-y', '-i', join(folder, 'call.wav'), ...pcm]);
  return path;
}

/** Opens an example as a page of a developer's own site, and collects what goes wrong in it. */
async function visit(example: string, look: (page: Page) => Promise<void>): Promise<void> {
  const site = await startGuideSite(asHere(example), mintSessionToken);
  const browser = await openBrowser(await microphone());
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    await page.goto(site.url);
    await look(page);
    expect(faults).toEqual([]);
  } finally {
    await browser.close();
    site.close();
  }
}

it('live-from-a-browser.md: its page records a microphone, in Chromium', { timeout: WITHIN_MS }, async () => {
  const [example] = guideExamples('live-from-a-browser.md').filter(({ note }) => note === 'browser');
  await visit(example!.text, async (page) => {
    await page.waitForFunction(() => /conversation [0-9a-f-]{36}/.test(document.body.textContent), undefined, {
      timeout: 120_000,
    });
    expect(await page.evaluate(() => document.body.textContent)).toMatch(/Speaker_0: /);
  });
});

it('live-from-a-browser.md: its page without a library does too', { timeout: WITHIN_MS }, async () => {
  const [example] = guideExamples('live-from-a-browser.md').filter(({ language }) => language === 'html');
  await visit(example!.text, async (page) => {
    await page.click('#start');
    await page.waitForSelector('#finals li', { timeout: 60_000 });
    await page.waitForTimeout(4000);
    await page.click('#stop');
    await page.waitForFunction(() => document.querySelector('#state')?.textContent === 'done', undefined, {
      timeout: 120_000,
    });
    expect(await page.textContent('#finals')).toMatch(/good morning/i);
    expect((await page.textContent('#summary'))?.length).toBeGreaterThan(20);
  });
});
