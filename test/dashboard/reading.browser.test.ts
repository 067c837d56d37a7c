import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { longConversation } from '../../bench/dashboard-conversation.ts';
import { type DashboardService, startDashboardService } from '../../bench/dashboard-service.ts';
import { openBrowser } from '../../support/browser.ts';
import { Visitor } from '../../support/visitor.ts';

// Reading a conversation that is longer than a window.

const LINES = 120;
const made = longConversation(LINES);
const isQuestion = (line: number): boolean => made.result.timeline[line]!.lexical_markers.is_question;

let service: DashboardService;
let browser: Browser;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  service = await startDashboardService({
    '/welcome': { demo_key: null, operator: null },
    '/keys/current': { id: 'any', tenant: 'any', scopes: ['read'], source: 'issued' },
    '/conversations': { conversations: [], next_cursor: null },
    '/conversations/long': made.result,
    '/conversations/long/record': made.record,
    '/conversations/long/levels': made.levels,
  });
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  service?.close();
});
afterEach(async () => {
  await visitor?.leave();
  expect(visitor?.unexpected()).toEqual([]);
});

async function open(width?: number): Promise<void> {
  visitor = await Visitor.arrive(browser, service.origin, width === undefined ? {} : { width });
  // The stand-in has no recording to play.
  visitor.expects(/404 .*tokens/);
  page = visitor.page;
  await visitor.goTo('/app/conversations/long#key=any');
  await page
    .locator('.rows .u')
    .nth(LINES - 1)
    .waitFor({ state: 'attached' });
}

/** The lines whose row is in view. */
const inView = (): Promise<number[]> =>
  page.evaluate(() => {
    const box = document.querySelector('.tx-scroll')!.getBoundingClientRect();
    return [...document.querySelectorAll<HTMLElement>('.u')]
      .filter((row) => {
        const { top, bottom, height } = row.getBoundingClientRect();
        return height > 0 && top >= box.top && bottom <= box.bottom;
      })
      .map((row) => Number(row.dataset.line));
  });

it('has every utterance in the page, in order, for search, screen readers and paper', async () => {
  await open();
  const texts = await page.locator('.u .txt').allTextContents();
  expect(texts).toEqual(made.result.timeline.map(({ text }) => text));
});

it('scrolls a distant line into view, and marks only that line', async () => {
  await open();
  await page.getByRole('slider').focus();
  await page.keyboard.press('End');
  await expect.poll(inView).toContain(LINES - 1);
  await page.keyboard.press('Home');
  await expect.poll(inView).toContain(0);
  await expect
    .poll(() => page.locator('.u.act').evaluateAll((rows) => rows.map((row) => row.dataset.line)))
    .toEqual(['0']);
});

it('shows only the matches of a filter, and then everything again', async () => {
  await open();
  await page.getByRole('button', { name: /^Questions/ }).click();
  await expect.poll(async () => (await inView()).every(isQuestion)).toBe(true);
  const shown = await page.locator('.u').evaluateAll((rows) => rows.filter((row) => row.checkVisibility()).length);
  expect(shown).toBe(made.result.timeline.filter((_, line) => isQuestion(line)).length);
  await page.getByRole('button', { name: /^Questions/ }).click();
  await expect.poll(async () => (await inView()).slice(0, 2)).toEqual([0, 1]);
});

it('opens the measures of an utterance, and its neighbour’s', async () => {
  await open();
  await page.locator('.u .cue').nth(1).click();
  await page.getByText(`2 of ${LINES}`).waitFor();
  await page.getByRole('heading', { name: 'How reliable this is' }).waitFor();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByText(`3 of ${LINES}`).waitFor();
  expect(await page.locator('.u.sel').evaluateAll((rows) => rows.map((row) => row.dataset.line))).toEqual(['2']);
});

it('no lane begins under its letter on a phone', async () => {
  await open(390);
  // The first line begins at the first second. The paint to its left is the letter of its lane.
  const coloured = await page.evaluate(() => {
    const canvas = document.querySelectorAll<HTMLCanvasElement>('.plot canvas')[1]!;
    const density = canvas.width / canvas.clientWidth;
    const lane = canvas.getContext('2d')!.getImageData(0, 52 * density, 14 * density, 40 * density).data;
    let count = 0;
    for (let i = 0; i < lane.length; i += 4)
      if (lane[i + 3]! > 128 && Math.max(...lane.slice(i, i + 3)) - Math.min(...lane.slice(i, i + 3)) > 60) count++;
    return count;
  });
  expect(coloured).toBe(0);
});
