/**
 * The page of a conversation in Chromium with its processor throttled four times: bytes of the first load, text after the answer,
 * what a redraw of the score costs, and two hours (2,000 utterances) scrolled and sought. The service is a stand-in that
 * serves the built pages and one made conversation.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildDashboard, DASHBOARD } from '../scripts/start/dashboard.ts';
import { openBrowser } from '../test/browser.ts';
import { longConversation } from './dashboard-conversation.ts';
import { report, say } from './report.ts';

const UTTERANCES = 2_000;
const THROTTLE = 4;
const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

await buildDashboard(say);
const made = longConversation(UTTERANCES);
const json: Record<string, unknown> = {
  '/welcome': { demo_key: null, operator: null },
  '/conversations/long': made.result,
  '/conversations/long/record': made.record,
  '/conversations/long/levels': made.levels,
};
let answeredAt = 0;
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://bench');
  if (pathname in json) {
    const body = JSON.stringify(json[pathname]);
    response.on('finish', () => {
      if (pathname === '/conversations/long') answeredAt = Date.now();
    });
    response.setHeader('Content-Type', 'application/json').end(body);
  } else if (pathname.startsWith('/app') || pathname.startsWith('/assets/')) {
    const file = join(DASHBOARD, pathname.startsWith('/app') ? 'index.html' : pathname);
    response.setHeader('Content-Type', TYPES[extname(file)] ?? 'application/octet-stream').end(readFileSync(file));
  } else response.writeHead(404).end();
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const browser = await openBrowser();
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
const devtools = await page.context().newCDPSession(page);
await devtools.send('Emulation.setCPUThrottlingRate', { rate: THROTTLE });
const loaded = new Set<string>();
page.on('response', (answer) => loaded.add(new URL(answer.url()).pathname));
await page.addInitScript(() => {
  const own = globalThis as unknown as { tasks: number[] };
  own.tasks = [];
  new PerformanceObserver((list) => own.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
});
await page.goto(`${origin}/app/conversations/long#key=bench`);
await page.locator('.u').first().waitFor();
const shownAt = await page.evaluate(() => performance.timeOrigin + performance.now());
const firstLoad = readdirSync(join(DASHBOARD, 'assets'))
  .filter((file) => /\.(js|css)$/.test(file) && loaded.has(`/assets/${file}`))
  .reduce((sum, file) => sum + gzipSync(readFileSync(join(DASHBOARD, 'assets', file))).length, 0);
await page.waitForTimeout(3_000);

/** Longest task while something goes on, ms. Tasks under 50 ms are not told by browsers. */
async function longest(work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks.splice(0));
  await work();
  await page.waitForTimeout(500);
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  return Math.max(0, ...tasks);
}
const scroll = await longest(async () => {
  await page.mouse.move(700, 600);
  for (let i = 0; i < 40; i++) await page.mouse.wheel(0, 1_500);
});
const seek = await longest(async () => {
  const plot = (await page.locator('.plot').boundingBox())!;
  for (let i = 1; i < 20; i++) {
    await page.mouse.click(plot.x + (plot.width * i) / 20, plot.y + 80);
    await page.waitForTimeout(150);
  }
});
/** Script time of a redraw: a zoom changes what is in view. */
async function scriptMs(): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? 0) * 1000;
}
await devtools.send('Performance.enable');
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

report('dashboard', [
  {
    title: `The page of a conversation, ${UTTERANCES} utterances, processor throttled ${THROTTLE}x`,
    columns: ['what', 'measured', 'at most'],
    rows: [
      ['script and style of the first load, kB gzip', (firstLoad / 1000).toFixed(1), '60'],
      ['first text after the answer, ms', (shownAt - answeredAt).toFixed(0), '200'],
      ['script of one redraw of the score, ms', redraw.toFixed(1), '8'],
      ['longest task while scrolling, ms (0: none over 50)', scroll.toFixed(0), '50'],
      ['longest task while seeking, ms (0: none over 50)', seek.toFixed(0), '50'],
      ['heap, MB', (usedSize / 2 ** 20).toFixed(1), '60'],
    ],
  },
]);
await browser.close();
server.closeAllConnections();
server.close();
