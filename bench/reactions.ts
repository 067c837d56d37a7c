import type { Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import type { Table } from './report.ts';

// How long the page Patterns takes to react in Chromium: from an action to the next frame (Event Timing, which reports
// multiples of 8 ms and nothing below 16 ms), and to the last change of the page, when the answers of the service are shown.

/** When nothing has changed for this long, the page is done, ms. */
const QUIET_MS = 400;
const SHORTEST_MS = 16;

interface Own {
  events: number[];
  changedAt: number;
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
 */
export async function reactions(origin: string, key: string, times: number): Promise<Table> {
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
    const all = took.flatMap(({ frames }) => frames);
    const rows = ACTIONS.map(([name], i) => [
      name,
      ...[quantile(took[i]!.frames, 0.5), quantile(took[i]!.frames, 0.95)],
      ...[quantile(took[i]!.shown, 0.5), quantile(took[i]!.shown, 0.95)],
    ]);
    return {
      title: `Reactions of the page, ${times} each`,
      columns: ['action', 'frame p50, ms', 'p95', 'answers shown p50, ms', 'p95'],
      rows: [...rows, ['all', quantile(all, 0.5), quantile(all, 0.95), null, null]],
      note: `Frame: from the action to the next frame, at least 16. Answers shown: to the last change of the page, with the time of the bench to act. JavaScript heap of the page at the end: ${heapMb} MB; requests to other origins: ${foreign.length}.`,
    };
  } finally {
    await browser.close();
  }
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
