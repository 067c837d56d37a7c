import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { MADE, make } from '../support/made-conversations.ts';
import { KEY as MADE_KEY, startService } from '../support/service-under-test.ts';
import { startProcess } from '../support/started.ts';
import { freePort } from '../tools/machine.ts';

// `npm run generate -- pictures`: takes pictures of every page at four widths, in both themes and as printed, from the
// service as `npm start` runs it with the sample call; of every state of a conversation (support/made-conversations.ts);
// and of every page while it opens, without a connection and without permission. Some are also taken without colours, as
// a deuteranope sees them and with forced colours, for judgement by eye. A page that scrolls is also shown whole. All are
// written to an ignored folder, and those of the README also to docs/pictures. `--shown` takes only those of the README,
// `--pages` only those of the pages whose names follow, and `--states` only those of the states whose names follow. Names in other
// scripts need fonts: `apt-get install fonts-noto-core fonts-noto-cjk` on Debian.

const ROOT = join(import.meta.dirname, '..');
const SEEN = join(ROOT, 'build/pictures');
const SHOWN = join(ROOT, 'docs/pictures');
const ADMIN = 'pictures-admin-token-0123456789';
const KEY = 'key-of-the-pictures';
const WIDTHS = { desktop: [1440, 900], tablet: [900, 1100], phone: [390, 844], narrow: [320, 640] } as const;
/** Widths of A4 paper between the margins, CSS px. */
const PAPER = { portrait: 718, landscape: 1047 } as const;
/** Height up to which a page is shown whole, px. */
const WHOLE_PX = 5_000;
/** Time after which all animations have ended. */
const SETTLED_MS = 400;
const THEMES = ['light', 'dark'] as const;
/** Page, width and theme of each picture in the README. */
const IN_README = ['conversation-desktop-light', 'conversation-phone-dark', 'analyse-desktop-light'];

const IS_SHOWN_ALONE = process.argv.includes('--shown');
const IS_STATES_ALONE = process.argv.includes('--states');
const ARE_PAGES_ALONE = process.argv.includes('--pages');
/** The names after an option; without any, all are meant. */
const NAMED = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const STATES = IS_STATES_ALONE && NAMED.length > 0 ? NAMED : Object.keys(MADE);
const isTaken = (picture: string): boolean =>
  ARE_PAGES_ALONE
    ? NAMED.includes(picture.replace(/-(desktop|tablet|phone|narrow)-\w+$/, ''))
    : !IS_SHOWN_ALONE || IN_README.includes(picture);

interface Scene {
  path: string;
  /** Selector of an element that is present once the page is ready. */
  ready: string;
  act?: (page: Page) => Promise<void>;
}

async function sample(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(`${url}/app/analyse?sample#key=${KEY}`);
  await page.getByRole('link', { name: 'Open', exact: true }).click({ timeout: 120_000 });
  await page.locator('.conv .u').first().waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  await page.close();
  return id;
}

async function take(browser: Browser, url: string, id: string): Promise<void> {
  const scenes: Record<string, Scene> = {
    conversations: { path: '/app', ready: '[data-row]' },
    conversation: { path: `/app/conversations/${id}?t=15`, ready: '.summary .line' },
    utterance: {
      path: `/app/conversations/${id}`,
      ready: '.summary .line',
      act: (page) => page.keyboard.press('Enter'),
    },
    analyse: { path: '/app/analyse?sample', ready: 'text=/^Done in/' },
    live: { path: '/app/live', ready: '.begin' },
    keys: { path: '/app/keys', ready: '.tenant' },
    operations: { path: '/app/operations', ready: '.tiles' },
    patterns: { path: '/app/patterns', ready: '.shelf li, .empty' },
    rules: { path: '/app/rules', ready: '.rules2, .empty' },
    rule: { path: '/app/rules/new', ready: '.rule1' },
    commitments: { path: '/app/commitments', ready: '.owed, .empty' },
    people: { path: '/app/people', ready: 'main table, .empty' },
    playlists: { path: '/app/playlists', ready: '.empty' },
    compare: { path: `/app/compare?a=${id}&b=${id}`, ready: '.cmpt' },
    try: { path: '/app/try', ready: '.head' },
    'sign-in': { path: '/app/sign-in', ready: '.sign' },
  };
  for (const theme of THEMES)
    for (const [device, [width, height]] of Object.entries(WIDTHS)) {
      if (!Object.keys(scenes).some((name) => isTaken(`${name}-${device}-${theme}`))) continue;
      const context = await browser.newContext({
        colorScheme: theme,
        viewport: { width, height },
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.goto(`${url}/app/sign-in#key=${KEY}`);
      await page.getByLabel('Admin token').fill(ADMIN);
      await page.getByRole('button', { name: 'Sign in as the operator' }).click();
      await page.locator('[data-row]').first().waitFor();
      for (const [name, { path, ready, act }] of Object.entries(scenes)) {
        const picture = `${name}-${device}-${theme}`;
        if (!isTaken(picture)) continue;
        await page.goto(url + path);
        // On a phone, the element may be in another tab of the page.
        await page.locator(ready).first().waitFor({ state: 'attached', timeout: 120_000 });
        await act?.(page);
        await page.evaluate(() => document.fonts.ready);
        await page.waitForTimeout(SETTLED_MS);
        await page.screenshot({ path: join(SEEN, `${picture}.png`) });
        if (IN_README.includes(picture) && !ARE_PAGES_ALONE)
          await page.screenshot({ path: join(SHOWN, `${picture}.png`) });
        if (IS_SHOWN_ALONE) continue;
        await takeWhole(page, picture);
        if (device !== 'desktop') continue;
        await takeForced(page, picture);
        if (theme === 'light') await takePaper(page, picture);
      }
      await context.close();
    }
}

/** A picture of a page that is taller than its window. The height of the window is restored. */
async function takeWhole(page: Page, picture: string): Promise<void> {
  const size = page.viewportSize()!;
  const height = await page.evaluate(() => {
    const main = document.querySelector('main.page');
    return main ? innerHeight + main.scrollHeight - main.clientHeight : 0;
  });
  if (height <= size.height) return;
  await page.setViewportSize({ ...size, height: Math.min(WHOLE_PX, height) });
  await page.screenshot({ path: join(SEEN, `${picture}-whole.png`) });
  await page.setViewportSize(size);
}

async function takePaper(page: Page, picture: string): Promise<void> {
  const size = page.viewportSize()!;
  await page.emulateMedia({ media: 'print' });
  for (const [paper, width] of Object.entries(PAPER)) {
    await page.setViewportSize({ width, height: size.height });
    await page.waitForTimeout(SETTLED_MS);
    await page.screenshot({ path: join(SEEN, `${picture}-${paper}.png`), fullPage: true });
  }
  await page.emulateMedia({ media: null });
  await page.setViewportSize(size);
}

async function takeForced(page: Page, picture: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.waitForTimeout(SETTLED_MS);
  await page.screenshot({ path: join(SEEN, `${picture}-forced.png`) });
  await page.emulateMedia({ forcedColors: null });
}

/** Takes pictures of a conversation in extreme states: as it opens, its transcript, and one utterance. */
async function takeStates(): Promise<void> {
  const service = await startService();
  const browser = await openBrowser();
  for (const name of STATES) {
    const id = await make(service, name);
    for (const theme of THEMES)
      for (const [device, [width, height]] of Object.entries(WIDTHS)) {
        const context = await browser.newContext({
          colorScheme: theme,
          viewport: { width, height },
          reducedMotion: 'reduce',
        });
        const page = await context.newPage();
        const shoot = (what: string): Promise<unknown> =>
          page.screenshot({ path: join(SEEN, `${what}-${device}-${theme}.png`) });
        await page.goto(`${service.url.origin}/app/conversations/${id}#key=${MADE_KEY}`);
        await page.locator('.summary .line, .empty').first().waitFor({ timeout: 120_000 });
        await page.evaluate(() => document.fonts.ready);
        await page.waitForTimeout(SETTLED_MS);
        await shoot(`state-${name}`);
        if (device !== 'desktop') {
          const transcript = page.getByRole('tab', { name: 'Transcript' });
          if ((device === 'phone' || device === 'narrow') && (await transcript.count()) > 0) {
            await transcript.click();
            await shoot(`state-${name}-transcript`);
          }
        } else if (name === 'two-people' || name === 'eight-people') await takeSights(page, name, theme);
        // On a phone, the transcript is already open.
        if (name !== 'failed-job') {
          await page.locator('.u .cue').first().click();
          await page.waitForTimeout(SETTLED_MS);
          await shoot(`state-${name}-utterance`);
        }
        await context.close();
      }
  }
  await browser.close();
  await service.stop();
}

/** Speakers, moments and tone must be distinguishable without colours, or with only some of them. */
async function takeSights(page: Page, name: string, theme: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['achromatopsia', 'deuteranopia'] as const) {
    await devtools.send('Emulation.setEmulatedVisionDeficiency', { type });
    await page.screenshot({ path: join(SEEN, `sight-${name}-${type}-${theme}.png`) });
  }
  await devtools.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
}

async function takePages(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), 'undertone-pictures-'));
  const port = await freePort();
  const settings = { PORT: String(port), STATE_DIR: state, ADMIN_TOKEN: ADMIN, DEMO_API_KEY: KEY };
  const service = startProcess(['scripts/start.ts'], settings);
  try {
    await service.line(/ready at/);
    const browser = await openBrowser();
    const url = `http://localhost:${port}`;
    await take(browser, url, await sample(browser, url));
    await browser.close();
  } finally {
    service.process.kill('SIGTERM');
    await service.ended;
    rmSync(state, { recursive: true, force: true });
  }
}

for (const folder of [SEEN, SHOWN]) mkdirSync(folder, { recursive: true });
if (!IS_STATES_ALONE) await takePages();
if (!IS_SHOWN_ALONE && !ARE_PAGES_ALONE) await takeStates();
console.log(`the pictures are in ${SEEN}`);
