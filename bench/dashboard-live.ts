import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import type { AnalysisResponse, ServiceEvent } from '../src/sdk/wire.ts';
import type { DashboardService } from './dashboard-service.ts';
import { quantile } from './live-stream.ts';

/** Partial texts arrive twice a second. */
const PARTIAL_S = 0.5;
/**
 * The synthetic conversation has moments in each round of two utterances. Real speech has them in one utterance of this
 * many.
 */
const WITH_MOMENT = 10;
/** Interval between events when only memory is measured, ms. */
const QUICKLY_MS = 4;
/**
 * Number of rounds of events that are timed at the end, at the pace of speech. Other work on the machine only adds
 * time.
 */
const TIMED = 150;
const ROUNDS = 3;
const TIMED_MS = 250;

export interface LiveFigures {
  events: number;
  /** Growth of the page's heap over all kinds of memory, MB after garbage collection. */
  grownMb: number;
  /** Time from sending an event to the frame that shows it, ms, for the last events, when the page is longest. */
  p50: number;
  /** One value per round, smallest first. */
  p95: number[];
}

/** The events of a live session, each text with its number. */
function eventsOf({ timeline, moments }: AnalysisResponse): { told: ServiceEvent; mark: string | undefined }[] {
  const events: { told: ServiceEvent; mark: string | undefined }[] = [];
  const mark = (): string => `[${events.length}]`;
  const momentsOf = Map.groupBy(moments, ({ utterance_ids }) => utterance_ids[0]);
  timeline.forEach((entry, n) => {
    const { utterance_id, speaker, t_start, t_end, text, emotion } = entry;
    const partial_id = `partial_${n}`;
    const parts = Math.floor((t_end - t_start) / PARTIAL_S);
    const cut = (part: number): string => text.slice(0, Math.floor((text.length * part) / (parts + 1)));
    for (let part = 1; part <= parts; part++) {
      const data = { partial_id, text: `${cut(part)} ${mark()}`, stable_text: cut(part - 1), is_final: false };
      events.push({ told: { event: 'partial_transcript', data }, mark: mark() });
    }
    const data = { utterance_id, speaker, t_start, t_end, text: `${text} ${mark()}`, partial_id };
    events.push({ told: { event: 'final_transcript', data }, mark: mark() });
    if (emotion) events.push({ told: { event: 'emotion', data: { ...emotion, utterance_id } }, mark: undefined });
    for (const moment of n % WITH_MOMENT === 0 ? (momentsOf.get(utterance_id) ?? []) : [])
      events.push({ told: { event: 'moment', data: moment }, mark: undefined });
  });
  return events;
}

/** The capture page with the events of a session as long as `session`. */
export async function measureLive(
  browser: Browser,
  service: DashboardService,
  session: AnalysisResponse,
  throttle: number,
): Promise<LiveFigures> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, permissions: ['microphone'] });
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  // Records when each number was on the screen, which is after the frame in which it was added to the page.
  await page.addInitScript(() => {
    const shown = new Map<string, number>();
    (globalThis as unknown as { shown: typeof shown }).shown = shown;
    const see = (nodes: Iterable<Node>): void => {
      const found = [...nodes]
        .flatMap((node) => node.textContent?.match(/\[\d+\]/g) ?? [])
        .filter((m) => !shown.has(m));
      if (found.length === 0) return;
      requestAnimationFrame(() =>
        setTimeout(() => {
          for (const mark of found) if (!shown.has(mark)) shown.set(mark, Date.now());
        }),
      );
    };
    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) see(type === 'characterData' ? [target] : addedNodes);
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
  await page.goto(`${service.origin}/app/live#key=bench`);
  await page.getByLabel('Customers or the public').check();
  await page.getByRole('button', { name: 'Go live' }).click();
  await page.locator('.ltx').waitFor();

  const events = eventsOf(session);
  const first = events.length - TIMED;
  const before = await heapMb(devtools);
  for (const { told } of events.slice(0, first)) {
    service.tell(told.event, told.data);
    await wait(QUICKLY_MS);
  }
  await page
    .locator('.lu')
    .nth(session.timeline.length - TIMED)
    .waitFor();

  await devtools.send('Emulation.setCPUThrottlingRate', { rate: throttle });
  const sentAt = new Map<string, number>();
  for (const { told, mark } of events.slice(first)) {
    if (mark) sentAt.set(mark, Date.now());
    service.tell(told.event, told.data);
    await wait(TIMED_MS);
  }
  await wait(1_000);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const shown = new Map(
    await page.evaluate(() => [...(globalThis as unknown as { shown: Map<string, number> }).shown]),
  );
  await page.evaluate(() => (globalThis as unknown as { shown: Map<string, number> }).shown.clear());
  const late = [...sentAt].map(([mark, at]) => (shown.get(mark) ?? Number.POSITIVE_INFINITY) - at);
  const round = Math.ceil(late.length / ROUNDS);
  const rounds = Array.from({ length: ROUNDS }, (_, i) => late.slice(i * round, (i + 1) * round));
  const p95 = rounds.map((times) => quantile(times, 0.95)!).sort((a, b) => a - b);
  const grownMb = (await heapMb(devtools)) - before;
  await context.close();
  return { events: events.length, grownMb, p50: quantile(late, 0.5)!, p95 };
}

/** Script objects, memory of elements, and buffers. */
async function heapMb(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = (await devtools.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    embedderHeapUsedSize?: number;
    backingStorageSize?: number;
  };
  return (usedSize + (embedderHeapUsedSize ?? 0) + (backingStorageSize ?? 0)) / 2 ** 20;
}
