/**
 * The pages in Chromium with its processor slowed down by a factor of four: bytes of the first load, text after the
 * answer, the cost of redrawing the score, scrolling and seeking in two hours (2,000 utterances), and 30 minutes of a
 * live session. A stand-in for the service serves the built pages, a synthetic conversation and its events.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildDashboard, DASHBOARD } from '../scripts/start/dashboard.ts';
import { openBrowser } from '../support/browser.ts';
import { longConversation } from './dashboard-conversation.ts';
import { measureLive } from './dashboard-live.ts';
import { startDashboardService } from './dashboard-service.ts';
import { report, say } from './report.ts';

const UTTERANCES = 2_000;
const THROTTLE = 4;
/** Other work on the machine only lengthens a task. */
const TIMES = 3;
const LIVE_UTTERANCES = 500;

await buildDashboard(say);
const made = longConversation(UTTERANCES);
const service = await startDashboardService({
  '/welcome': { demo_key: null, operator: null },
  '/keys/current': { id: 'any', tenant: 'any', scopes: ['read'], source: 'issued' },
  '/conversations': { conversations: [], next_cursor: null },
  '/conversations/long': made.result,
  '/conversations/long/record': made.record,
  '/conversations/long/levels': made.levels,
});
const load = loadavg()[0] ?? 0;
const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const devtools = await page.context().newCDPSession(page);
await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
const loaded = new Set<string>();
page.on('response', (answer) => loaded.add(new URL(answer.url()).pathname));

interface Own {
  tasks: number[];
  /** Unix time at which the first words were on the screen, ms. */
  words?: number;
}
await page.addInitScript(() => {
  const own = globalThis as unknown as Own;
  own.tasks = [];
  new PerformanceObserver((list) => own.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
  const waiting = new MutationObserver(() => {
    if (!document.querySelector('.u .txt')) return;
    waiting.disconnect();
    requestAnimationFrame(() =>
      setTimeout(() => {
        own.words = Date.now();
      }),
    );
  });
  waiting.observe(document, { subtree: true, childList: true });
});
await page.goto(`${service.origin}/app/conversations/long#key=bench`);
await page.waitForFunction(() => (globalThis as unknown as Own).words !== undefined);
const wordsAt = await page.evaluate(() => (globalThis as unknown as Own).words!);
await page.locator('.summary .line').first().waitFor();
const wholeAt = Date.now();
const answeredAt = service.answeredAt.get('/conversations/long')!;
const firstLoad = readdirSync(join(DASHBOARD, 'assets'))
  .filter((file) => /\.(js|css)$/.test(file) && loaded.has(`/assets/${file}`))
  .reduce((sum, file) => sum + gzipSync(readFileSync(join(DASHBOARD, 'assets', file))).length, 0);
await page.waitForFunction((count) => document.querySelectorAll('.u').length === count, UTTERANCES);
await page.waitForTimeout(1_000);

/** Longest tasks during some work, ms, smallest first. Browsers do not report tasks shorter than 50 ms. */
async function longest(work: () => Promise<void>): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < TIMES; time++) {
    await page.evaluate(() => (globalThis as unknown as Own).tasks.splice(0));
    await work();
    await page.waitForTimeout(500);
    found.push(Math.max(0, ...(await page.evaluate(() => (globalThis as unknown as Own).tasks))));
  }
  return found.sort((a, b) => a - b);
}
const scroll = await longest(async () => {
  await page.mouse.move(700, 600);
  const up = (await page.locator('.tx-scroll').evaluate((box) => box.scrollTop)) > 0;
  for (let i = 0; i < 40; i++) await page.mouse.wheel(0, up ? -1_500 : 1_500);
});
const seek = await longest(async () => {
  const plot = (await page.locator('.plot').boundingBox())!;
  for (let i = 1; i < 20; i++) {
    await page.mouse.click(plot.x + (plot.width * i) / 20, plot.y + 80);
    await page.waitForTimeout(150);
  }
});
/** Script time of a redraw, measured by zooming, which changes the visible part. */
async function scriptMs(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000;
}
// CPU time of the thread itself, so that other work on the machine does not count.
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
await page.locator('.plot').hover();
const REDRAWS = 20;
const before = await scriptMs();
for (let i = 0; i < REDRAWS; i++) {
  await page.keyboard.press(i % 2 === 0 ? '+' : '-');
  await page.waitForTimeout(60);
}
const redraw = ((await scriptMs()) - before) / REDRAWS;
await devtools.send('HeapProfiler.collectGarbage');
const { usedSize } = await devtools.send('Runtime.getHeapUsage');
await page.close();

say('30 minutes of a live session');
const live = await measureLive(browser, service, longConversation(LIVE_UTTERANCES).result, THROTTLE);

const least = (tasks: number[]): string =>
  `${tasks[0]!.toFixed(0)} (${tasks.map((task) => task.toFixed(0)).join(', ')})`;
report('dashboard', [
  {
    title: `The page of a conversation, ${UTTERANCES} utterances, processor throttled ${THROTTLE}x`,
    columns: ['what', 'measured', 'at most'],
    rows: [
      ['script and style of the first load, kB gzip', (firstLoad / 1000).toFixed(1), '60'],
      ['first text after the answer begins, ms', (wordsAt - answeredAt).toFixed(0), '200'],
      ['all of the page after the answer begins, ms', (wholeAt - answeredAt).toFixed(0), ''],
      ['script of one redraw of the score, ms of its thread', redraw.toFixed(1), '8'],
      [`longest task while scrolling, ms (0: none over 50); least of ${TIMES}`, least(scroll), '50'],
      [`longest task while seeking, ms (0: none over 50); least of ${TIMES}`, least(seek), '50'],
      ['heap, MB', (usedSize / 2 ** 20).toFixed(1), '60'],
    ],
    note: `Load of the machine at the begin ${load.toFixed(1)}, at the end ${(loadavg()[0] ?? 0).toFixed(1)}.`,
  },
  {
    title: `Live, 30 minutes: ${live.events} events, handed to the page as fast as it takes them, the last at the pace of talk`,
    columns: ['what', 'measured', 'at most'],
    rows: [
      ['heap grows by, MB', live.grownMb.toFixed(1), '20'],
      ['an event is on the screen after it was sent, p50, ms', live.p50.toFixed(0), ''],
      [`the same, p95, throttled ${THROTTLE}x; least of ${live.p95.length}`, least(live.p95), '100'],
    ],
    note: 'The microphone is heard and sent for as long as the replay takes, not for 30 minutes: see bench/sdk.ts for that.',
  },
]);
await browser.close();
service.close();
