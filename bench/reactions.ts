import type { Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import type { Table } from './report.ts';

// How long the page Patterns takes to react in Chromium: from an action to the next frame (Event Timing, which reports
// multiples of 8 ms and nothing below 16 ms), and to the last change of the page, when the answers of the service are shown.
// Then pieces with a recording are played by key, and it is measured when their sound begins.

/** When nothing has changed for this long, the page is done, ms. */
const QUIET_MS = 400;
const SHORTEST_MS = 16;
/** How long a piece plays before the next one is asked for, ms. */
const LISTEN_MS = 1_000;
/** Address of the pieces that are played: two or three of each conversation. */
const PLAYED = '/app/patterns?category=cta_offered';

interface Own {
  events: number[];
  changedAt: number;
  /** When the sound of the current piece began, in ms after the key. */
  soundAfter: number | undefined;
}

/** The actions, in turn. Each leaves the page as the next one needs it. */
const ACTIONS: [name: string, act: (page: Page) => Promise<void>][] = [
  ['press an arrow in the kinds of moments', (page) => page.getByLabel('Kind of moment').press('ArrowDown')],
  ['press it back', (page) => page.getByLabel('Kind of moment').press('ArrowUp')],
  ['click a week', (page) => page.locator('.score .week').nth(3).click()],
  ['Shift and an arrow: one more week', (page) => page.locator('.score .week').nth(3).press('Shift+ArrowRight')],
  ['Escape: all weeks', (page) => page.locator('.score .week').nth(3).press('Escape')],
  [
    'click an outcome',
    (page) =>
      page
        .getByRole('button', { name: /^Followed by / })
        .first()
        .click(),
  ],
  [
    'click it again',
    (page) =>
      page
        .getByRole('button', { name: /^Followed by / })
        .first()
        .click(),
  ],
  ['click a number of a week', (page) => page.locator('.score .cell > .num').nth(5).click()],
  ['go back', (page) => page.goBack().then(() => undefined)],
  ['J: the next piece', (page) => page.locator('body').press('j')],
];

/**
 * @param origin of the service
 * @param times how often each action is done
 * @param recorded label of conversations that have a recording
 */
export async function reactions(origin: string, key: string, times: number, recorded: string): Promise<Table> {
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const foreign: string[] = [];
    page.on('request', (request) => {
      const { protocol, origin: of } = new URL(request.url());
      if (protocol.startsWith('http') && of !== origin) foreign.push(request.url());
    });
    await page.addInitScript(() => {
      const own = globalThis as unknown as Own;
      own.events = [];
      const heard = new PerformanceObserver((list) => own.events.push(...list.getEntries().map((e) => e.duration)));
      heard.observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit);
      new MutationObserver(() => {
        own.changedAt = performance.now();
      }).observe(document, { subtree: true, childList: true, attributes: true });
    });
    await page.goto(`${origin}/app/patterns#key=${key}`);
    await page.locator('.shelf li').first().waitFor();
    await settled(page);
    const took = ACTIONS.map(() => ({ frames: [] as number[], shown: [] as number[] }));
    for (let n = 0; n < times; n++)
      for (const [i, [, act]] of ACTIONS.entries()) {
        await page.evaluate(() => (globalThis as unknown as Own).events.splice(0));
        const before = await page.evaluate(() => performance.now());
        await act(page);
        await settled(page);
        const { events, changedAt } = await page.evaluate(() => {
          const { events, changedAt } = globalThis as unknown as Own;
          return { events, changedAt };
        });
        took[i]!.frames.push(Math.max(SHORTEST_MS, ...events));
        took[i]!.shown.push(Math.max(0, changedAt - before));
      }
    const heapMb = await heapOf(page);
    const sounds = await soundsOf(page, `${origin}${PLAYED}&label=${recorded}`);
    const all = took.flatMap(({ frames }) => frames);
    const rows = ACTIONS.map(([name], i) => [
      name,
      ...[quantile(took[i]!.frames, 0.5), quantile(took[i]!.frames, 0.95)],
      ...[quantile(took[i]!.shown, 0.5), quantile(took[i]!.shown, 0.95)],
      ...[null, null],
    ]);
    const played = Object.entries(sounds).filter(([, ms]) => ms.length > 0);
    const heard = played.map(([name, ms]) => [
      `J to sound: ${name} (${ms.length})`,
      ...[null, null, null, null],
      ...[quantile(ms, 0.5), quantile(ms, 0.95)],
    ]);
    return {
      title: `Reactions of the page, ${times} each`,
      columns: ['action', 'frame p50, ms', 'p95', 'answers shown p50, ms', 'p95', 'sound p50, ms', 'p95'],
      rows: [...rows, ['all', quantile(all, 0.5), quantile(all, 0.95), null, null, null, null], ...heard],
      note: `Frame: from the action to the next frame, at least 16. Answers shown: to the last change of the page, with the time of the bench to act. Sound: from the key to the first change of the position of the audio after it has reached the piece; each piece plays for ${LISTEN_MS} ms before the next key. JavaScript heap of the page at the end: ${heapMb} MB; requests to other origins: ${foreign.length}.`,
    };
  } finally {
    await browser.close();
  }
}

/**
 * Plays every piece with J, one after the other.
 * @returns times until the sound begins, ms: of the first piece of the page, of pieces of a conversation that was not heard
 *   before, and of further ones
 */
async function soundsOf(page: Page, address: string): Promise<Record<string, number[]>> {
  await page.goto(address);
  await page.locator('.shelf li').first().waitFor();
  await settled(page);
  const more = page.getByRole('button', { name: 'Show more' });
  while ((await more.count()) > 0) {
    await more.click();
    await settled(page);
  }
  const titles = await page.locator('.shelf li .who a bdi').allTextContents();
  const sounds: Record<string, number[]> = { 'first of the page': [], 'first of a conversation': [], further: [] };
  await page.evaluate(watchSound);
  for (const [i, title] of titles.entries()) {
    await page.locator('body').press('j');
    const after = await page.waitForFunction(() => (globalThis as unknown as Own).soundAfter, undefined, {
      polling: 20,
    });
    const name = i === 0 ? 'first of the page' : title === titles[i - 1] ? 'further' : 'first of a conversation';
    sounds[name]!.push((await after.jsonValue())!);
    await page.waitForTimeout(LISTEN_MS);
  }
  return sounds;
}

/** Runs in the page: after each J, finds when the audio has gone to its new position and first moves on from there. */
function watchSound(): void {
  const own = globalThis as unknown as Own;
  let pressedAt = 0;
  let isThere = false;
  let from: number | undefined;
  let timer = 0;
  const look = (): void => {
    const playing = [...document.querySelectorAll('audio')].find((audio) => !audio.paused);
    if (!playing || !isThere || playing.seeking || playing.readyState < HTMLMediaElement.HAVE_CURRENT_DATA) return;
    from ??= playing.currentTime;
    if (playing.currentTime <= from) return;
    own.soundAfter = performance.now() - pressedAt;
    clearInterval(timer);
  };
  addEventListener(
    'keydown',
    ({ key, timeStamp }) => {
      if (key !== 'j') return;
      [pressedAt, isThere, from, own.soundAfter] = [timeStamp, false, undefined, undefined];
      clearInterval(timer);
      timer = setInterval(look, 1) as unknown as number;
    },
    true,
  );
  for (const name of ['seeking', 'emptied', 'play'])
    addEventListener(
      name,
      () => {
        isThere = true;
      },
      true,
    );
}

/** The JavaScript heap after a collection, MB. */
async function heapOf(page: Page): Promise<number> {
  const devices = await page.context().newCDPSession(page);
  await devices.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devices.send('Runtime.getHeapUsage');
  return Math.round(usedSize / 2 ** 20);
}

/** Waits until the page has stopped changing. */
const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction((quiet) => performance.now() - (globalThis as unknown as Own).changedAt > quiet, QUIET_MS, {
    polling: 50,
  });

const quantile = (values: readonly number[], share: number): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(share * values.length))]!);
