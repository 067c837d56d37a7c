import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { MADE, make } from '../support/made-conversations.ts';
import { KEY as MADE_KEY, startService } from '../support/service-under-test.ts';
import { startProcess } from '../support/started.ts';
import { freePort } from '../tools/machine.ts';
import {
  DEVICES,
  isTaken,
  openWindow,
  SEEN,
  settle,
  shoot,
  shootForced,
  shootPaper,
  shootSights,
  shootWhole,
  THEMES,
} from './pictures/camera.ts';
import { fill } from './pictures/filled-service.ts';
import { takePages } from './pictures/page-pictures.ts';
import { say } from './start/command.ts';
import { buildDashboard } from './start/dashboard.ts';

// `npm run generate -- pictures`: takes pictures of every page at four widths, in both themes and as printed: with data,
// without any, while it opens, without a connection, with a key that is not valid, and without permission. The sample call
// is analysed by the service as `npm start` runs it; a conversation is also taken in every state of
// support/made-conversations.ts. Some are taken without colours, as a deuteranope sees them and with forced colours, for
// judgement by eye. A page that scrolls is also shown whole. All are written to an ignored folder, and those of the README
// also to docs/pictures. `--shown` takes only those of the README, `--pages` only the pages whose names follow, and
// `--states` only the states of a conversation whose names follow; `--quick` takes a desktop in light and a phone in dark
// alone.
// Names in other scripts need fonts: `apt-get install fonts-noto-core fonts-noto-cjk` on Debian.

const ROOT = join(import.meta.dirname, '..');
const SHOWN = join(ROOT, 'docs/pictures');
const KEY = 'key-of-the-pictures';
/** Page, width and theme of each picture in the README. */
const IN_README = ['sample-desktop-light', 'sample-phone-dark', 'analysed-desktop-light'];
/** The names of the pictures in the README, where they differ. */
const README_NAMES: Readonly<Record<string, string>> = {
  'sample-desktop-light': 'conversation-desktop-light',
  'sample-phone-dark': 'conversation-phone-dark',
  'analysed-desktop-light': 'analyse-desktop-light',
};

const IS_SHOWN_ALONE = process.argv.includes('--shown');
const IS_STATES_ALONE = process.argv.includes('--states');
const ARE_PAGES_ALONE = process.argv.includes('--pages');
/** The names after an option; without any, all are meant. */
const NAMED = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const STATES = IS_STATES_ALONE && NAMED.length > 0 ? NAMED : Object.keys(MADE);
const isPageTaken = (name: string): boolean => !ARE_PAGES_ALONE || NAMED.length === 0 || NAMED.includes(name);

interface Scene {
  path: (id: string) => string;
  /** Selector of an element that is present once the page is ready. */
  ready: string;
  act?: (page: Page) => Promise<void>;
}

/** Pages that only a real analysis fills. */
const REAL: Readonly<Record<string, Scene>> = {
  sample: { path: (id) => `/app/conversations/${id}?t=15`, ready: '.summary .line' },
  utterance: {
    path: (id) => `/app/conversations/${id}`,
    ready: '.summary .line',
    act: (page) => page.keyboard.press('Enter'),
  },
  analysed: { path: () => '/app/analyse?sample', ready: 'text=/^Done in/' },
};

async function sample(browser: Browser, url: string): Promise<string> {
  const page = await browser.newPage();
  await page.goto(`${url}/app/analyse?sample#key=${KEY}`);
  await page.getByRole('link', { name: 'Open', exact: true }).click({ timeout: 120_000 });
  await page.locator('.conv .u').first().waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1)!;
  await page.close();
  return id;
}

async function takeReal(browser: Browser, url: string): Promise<void> {
  const id = await sample(browser, url);
  for (const theme of THEMES)
    for (const device of DEVICES) {
      if (!isTaken(device, theme)) continue;
      const scenes = Object.entries(REAL)
        .map(([name, scene]) => [`${name}-${device}-${theme}`, name, scene] as const)
        .filter(([picture, name]) => (IS_SHOWN_ALONE ? IN_README.includes(picture) : isPageTaken(name)));
      if (scenes.length === 0) continue;
      const context = await openWindow(browser, device, theme);
      const page = await context.newPage();
      await page.goto(`${url}/app#key=${KEY}`);
      await page.locator('[data-row]').first().waitFor();
      for (const [picture, , { path, ready, act }] of scenes) {
        await page.goto(url + path(id));
        // On a phone, the element may be in another tab of the page.
        await page.locator(ready).first().waitFor({ state: 'attached', timeout: 120_000 });
        await act?.(page);
        await settle(page);
        await shoot(page, picture);
        if (IN_README.includes(picture) && !ARE_PAGES_ALONE) await shoot(page, README_NAMES[picture]!, SHOWN);
        if (IS_SHOWN_ALONE) continue;
        await shootWhole(page, picture);
        if (device !== 'desktop') continue;
        await shootForced(page, picture);
        if (theme === 'light') await shootPaper(page, picture);
      }
      await context.close();
    }
}

/** Takes pictures of a conversation in extreme states: as it opens, its transcript, and one utterance. */
async function takeStates(): Promise<void> {
  const service = await startService();
  const browser = await openBrowser();
  for (const name of STATES) {
    const id = await make(service, name);
    for (const theme of THEMES)
      for (const device of DEVICES) {
        if (!isTaken(device, theme)) continue;
        const context = await openWindow(browser, device, theme);
        const page = await context.newPage();
        const take = (what: string): Promise<unknown> => shoot(page, `${what}-${device}-${theme}`);
        await page.goto(`${service.url.origin}/app/conversations/${id}#key=${MADE_KEY}`);
        await page.locator('.summary .line, .empty').first().waitFor({ timeout: 120_000 });
        await settle(page);
        await take(`state-${name}`);
        if (device !== 'desktop') {
          const transcript = page.getByRole('tab', { name: 'Transcript' });
          if ((device === 'phone' || device === 'narrow') && (await transcript.count()) > 0) {
            await transcript.click();
            await take(`state-${name}-transcript`);
          }
        } else if (name === 'two-people' || name === 'eight-people')
          await shootSights(page, `sight-${name}-*-${theme}`);
        // On a phone, the transcript is already open.
        if (name !== 'failed-job') {
          await page.locator('.u .cue').first().click();
          await settle(page);
          await take(`state-${name}-utterance`);
        }
        await context.close();
      }
  }
  await browser.close();
  await service.stop();
}

/** Takes the pictures of the sample call. */
async function takeSample(): Promise<void> {
  const state = mkdtempSync(join(tmpdir(), 'undertone-pictures-'));
  const port = await freePort();
  const settings = { PORT: String(port), STATE_DIR: state, DEMO_API_KEY: KEY };
  const service = startProcess(['scripts/start.ts'], settings);
  try {
    await service.line(/ready at/);
    const browser = await openBrowser();
    await takeReal(browser, `http://localhost:${port}`);
    await browser.close();
  } finally {
    service.process.kill('SIGTERM');
    await service.ended;
    rmSync(state, { recursive: true, force: true });
  }
}

/** Takes the pictures of all pages. */
async function takeFilled(): Promise<void> {
  const service = await startService();
  const browser = await openBrowser();
  await takePages({ service, browser, filled: await fill(service), isNamed: isPageTaken });
  await browser.close();
  await service.stop();
}

for (const folder of [SEEN, SHOWN]) mkdirSync(folder, { recursive: true });
const began = Date.now();
await buildDashboard(say);
if (!IS_STATES_ALONE && (IS_SHOWN_ALONE || Object.keys(REAL).some(isPageTaken))) await takeSample();
if (!IS_STATES_ALONE && !IS_SHOWN_ALONE) await takeFilled();
if (!IS_SHOWN_ALONE && !ARE_PAGES_ALONE) await takeStates();
console.log(`the pictures are in ${SEEN}, taken in ${Math.round((Date.now() - began) / 1000)} s`);
