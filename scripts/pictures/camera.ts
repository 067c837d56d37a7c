import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** Widths and heights of the windows, px. */
export const WINDOWS = { desktop: [1440, 900], tablet: [768, 1024], phone: [390, 844], narrow: [320, 640] } as const;
export type WindowName = keyof typeof WINDOWS;
/** A first look: one theme in each of two windows. */
const QUICK = ['desktop light', 'phone dark'];
/** Whether a window and a theme are taken. With `--quick`, only those of the first look are. */
export const isTaken = (device: string, theme: string): boolean =>
  !process.argv.includes('--quick') || QUICK.includes(`${device} ${theme}`);
export const DEVICES = Object.keys(WINDOWS) as WindowName[];
export const THEMES = ['light', 'dark'] as const;
type ThemeName = (typeof THEMES)[number];

export const SEEN = join(import.meta.dirname, '../../build/pictures');
/** Widths of A4 paper between the margins, CSS px. */
const PAPER = { portrait: 718, landscape: 1047 } as const;
/** Height up to which a page is shown whole, px. */
const WHOLE_PX = 5_000;
/** Time after which all animations have ended. */
const SETTLED_MS = 400;

export const openWindow = (browser: Browser, device: WindowName, theme: ThemeName): Promise<BrowserContext> => {
  const [width, height] = WINDOWS[device];
  return browser.newContext({ colorScheme: theme, viewport: { width, height }, reducedMotion: 'reduce' });
};

/** Waits until nothing moves. */
export async function settle(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(SETTLED_MS);
}

export const shoot = (page: Page, picture: string, folder = SEEN): Promise<unknown> =>
  page.screenshot({ path: join(folder, `${picture}.png`) });

/** A picture of a page that is taller than its window. The height of the window is restored. */
export async function shootWhole(page: Page, picture: string): Promise<void> {
  const size = page.viewportSize()!;
  const wholeHeight = () =>
    page.evaluate(() => {
      const main = document.querySelector('main.page');
      return main ? innerHeight + main.scrollHeight - main.clientHeight : 0;
    });
  let height = await wholeHeight();
  if (height <= size.height) return;
  // Rows outside the window have guessed heights until they are inside it.
  for (let turn = 0, before = 0; turn < 4 && height !== before; turn++) {
    before = height;
    await page.setViewportSize({ ...size, height: Math.min(WHOLE_PX, height) });
    await page.waitForTimeout(SETTLED_MS);
    height = await wholeHeight();
  }
  await shoot(page, `${picture}-whole`);
  await page.setViewportSize(size);
}

/** Pictures of a page as it is printed, upright and across. */
export async function shootPaper(page: Page, picture: string): Promise<void> {
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

export async function shootForced(page: Page, picture: string): Promise<void> {
  await page.emulateMedia({ forcedColors: 'active' });
  await page.waitForTimeout(SETTLED_MS);
  await shoot(page, `${picture}-forced`);
  await page.emulateMedia({ forcedColors: null });
}

/** Pictures of a page in every window. */
export async function shootInWindows(page: Page, picture: string, theme: ThemeName): Promise<void> {
  for (const device of DEVICES) {
    if (!isTaken(device, theme)) continue;
    const [width, height] = WINDOWS[device];
    await page.setViewportSize({ width, height });
    await settle(page);
    await shoot(page, `${picture}-${device}-${theme}`);
  }
}

/** Speakers, moments and tone must be distinguishable without colours, or with only some of them. */
export async function shootSights(page: Page, picture: string): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  for (const type of ['achromatopsia', 'deuteranopia'] as const) {
    await devtools.send('Emulation.setEmulatedVisionDeficiency', { type });
    await shoot(page, picture.replace('*', type));
  }
  await devtools.send('Emulation.setEmulatedVisionDeficiency', { type: 'none' });
}
