import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Download, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisResponse, ShareList } from '../../src/sdk/wire.ts';
import { CALL, dashboardUnderTest, LAST } from '../../support/dashboard.ts';
import { make } from '../../support/made-conversations.ts';
import { form, KEY } from '../../support/service-under-test.ts';
import { Visitor } from '../../support/visitor.ts';

// A person's work with one conversation, in one file because each browser test file starts a service.

const dashboard = dashboardUnderTest();
let two: string;
beforeAll(async () => {
  two = await make(dashboard.service, 'two-people');
});

const more = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
};

const pagesOf = (pdf: Buffer): number => pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;

/** Parts of the page that are useless on paper but are printed anyway. */
const shownControls = (): string[] =>
  ['.rail', '.timeline', '.shd', '.tabs', '.pbar', '.foot button', '.filters', '.toast', '.pick', 'button'].filter(
    (selector) =>
      [...document.querySelectorAll(selector)].some(
        (one) => one.getClientRects().length > 0 && !one.matches('.summary button, .u button, thead button'),
      ),
  );

/** Number of dots of a drawing that have a colour, here that of the first speaker in the light theme. */
const dotsOf = (drawing: HTMLElement, [red, green, blue]: number[]): number => {
  const { width, height } = drawing as HTMLCanvasElement;
  const ctx = new OffscreenCanvas(width, height).getContext('2d')!;
  ctx.drawImage(drawing as HTMLCanvasElement, 0, 0);
  const { data } = ctx.getImageData(0, 0, width, height);
  let count = 0;
  for (let i = 0; i < data.length; i += 4)
    if (data[i] === red && data[i + 1] === green && data[i + 2] === blue) count++;
  return count;
};

/** The rows whose time is not on paper, or where a browser prints it at the top of the first sheet. */
const untimed = (): number =>
  [...document.querySelectorAll('.u .ts')].filter(
    (time) => time.getClientRects().length === 0 || getComputedStyle(time).position !== 'static',
  ).length;

/** Pairs of texts that overlap. The box of a line may touch the next one by a few pixels. */
const overlaps = (): string[] => {
  const texts: { text: string; box: DOMRect }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent!.trim();
    if (text === '' || !(node.parentElement as HTMLElement).checkVisibility({ visibilityProperty: true })) continue;
    if (node.parentElement!.closest('.vh')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 2) texts.push({ text: text.slice(0, 30), box });
  }
  texts.sort((a, b) => a.box.top - b.box.top);
  return texts.flatMap((one, i) => {
    const found: string[] = [];
    for (let k = i + 1; k < texts.length && texts[k]!.box.top < one.box.bottom - 4; k++) {
      const other = texts[k]!;
      const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
      const high = Math.min(one.box.bottom, other.box.bottom) - other.box.top;
      if (wide > 2 && high > 4) found.push(`${one.text} | ${other.text}`);
    }
    return found;
  });
};

/** The position of the page according to its text, its transcript and its score. */
const standing = (page: Page) =>
  page.evaluate(() => {
    const slider = document.querySelector('.seek')!;
    const duration = Number(slider.getAttribute('aria-valuemax'));
    const head = document.querySelector<HTMLElement>('.head-line')!;
    const x = new DOMMatrix(getComputedStyle(head).transform).m41;
    return {
      told: Number(slider.getAttribute('aria-valuenow')),
      row: Number(document.querySelector<HTMLElement>('.u.act')?.dataset.line ?? -1),
      drawn: Math.round((x / document.querySelector('.plot')!.clientWidth) * duration),
    };
  });

/** Utterance n of the made conversation begins at 0.4 + 6n seconds. */
const at = (n: number) => ({ told: Math.round(0.4 + 6 * n), row: n });

describe('one click leads to the second, and score, row and words agree', () => {
  it.each<[string, number, (page: Page) => Promise<void>]>([
    ['the time of a row', 7, (page) => page.getByRole('button', { name: 'Play from 0:42' }).click()],
    [
      'the first word of a row',
      3,
      (page) =>
        page
          .locator('.u .txt')
          .nth(3)
          .click({ position: { x: 4, y: 10 } }),
    ],
    ['a moment in a row', 4, (page) => page.locator('.u').nth(4).locator('.tag').first().click()],
    ['a moment in the list', 4, (page) => page.locator('.mrow', { hasText: 'Objection' }).first().click()],
    ['a pin', 4, (page) => page.locator('.mo[aria-label^="Objection"]').first().click()],
    ['a place of the summary', 4, (page) => page.locator('.summary .ev', { hasText: '0:24' }).first().click()],
    ['a place of the score', 12, (page) => clickScore(page, 12)],
  ])('%s', async (name, line, act) => {
    const { page } = await dashboard.at(`/app/conversations/${two}`);
    await page.locator('.u').nth(23).waitFor();
    await act(page);
    if (name !== 'a place of the score') {
      // A pointer plays what it points at. Space then pauses, regardless of the focus.
      await page.getByRole('button', { name: 'Pause' }).first().waitFor();
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Play', exact: true }).first().waitFor();
      expect((await standing(page)).told - at(line).told).toBeLessThan(6);
    }
    await expect.poll(async () => (await standing(page)).row).toBe(line);
    const { told, drawn } = await standing(page);
    expect(Math.abs(told - drawn)).toBeLessThanOrEqual(2);
  });

  it('a phase', async () => {
    const { page } = await dashboard.at(`/app/conversations/${two}`);
    const phase = page.locator('.ph').last();
    const begin = /, (\d+):(\d+) to/.exec((await phase.getAttribute('aria-label'))!)!;
    await phase.click();
    const seconds = Number(begin[1]) * 60 + Number(begin[2]);
    await page.getByRole('button', { name: 'Pause' }).first().waitFor();
    await page.keyboard.press('Space');
    const { told } = await standing(page);
    expect(told).toBeGreaterThanOrEqual(seconds - 1);
    expect(told).toBeLessThan(seconds + 6);
  });

  it('by keyboard the control keeps Space: it leads to its second again, and nothing plays', async () => {
    const { page } = await dashboard.at(`/app/conversations/${two}`);
    const place = page.locator('.summary .ev', { hasText: '0:24' }).first();
    await place.focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => standing(page)).toMatchObject(at(4));
    expect(await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.paused)).toBe(true);
  });

  it('a word in the middle of a row leads to that word', async () => {
    const { page } = await dashboard.at(`/app/conversations/${two}`);
    const row = page.locator('.u .txt').nth(8);
    const place = await row.evaluate((element) => {
      const range = document.createRange();
      const text = element.firstChild!;
      const from = text.textContent!.indexOf('stored');
      range.setStart(text, from + 1);
      range.setEnd(text, from + 3);
      const word = range.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      return { x: word.x - box.x, y: word.y - box.y + word.height / 2 };
    });
    await row.click({ position: place });
    // The ninth of fourteen words of an utterance that takes 4.4 s.
    await page.getByRole('button', { name: 'Pause' }).first().waitFor();
    await page.keyboard.press('Space');
    const begin = Math.round(0.4 + 48 + (8 / 14) * 4.4);
    expect((await standing(page)).told).toBeGreaterThanOrEqual(begin);
    expect((await standing(page)).told).toBeLessThan(begin + 6);
  });

  it('a link that names the second', async () => {
    const { page } = await dashboard.at(`/app/conversations/${two}?t=31`);
    await expect.poll(() => standing(page)).toMatchObject({ told: 31, row: 5 });
    await page.keyboard.press('c');
    await page.getByText('Link to 0:31 copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('?t=31');
  });
});

async function clickScore(page: Page, line: number): Promise<void> {
  const box = (await page.locator('.plot').boundingBox())!;
  const seconds = Number(await page.getByRole('slider').getAttribute('aria-valuemax'));
  await page.mouse.click(box.x + (box.width * (at(line).told + 1)) / seconds, box.y + box.height - 60);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
}

it('is searched: hits are counted, Enter goes on and round, and the row comes into view', async () => {
  const { page } = await dashboard.at(`/app/conversations/${two}`);
  await page.getByRole('searchbox').fill('tuesday');
  const count = page.locator('.shd [aria-live]');
  await expect.poll(() => count.textContent()).toBe('1 of 4');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  expect(await count.textContent()).toBe('4 of 4');
  const last = page.locator('.u', { hasText: 'Tuesday works' }).last();
  await expect.poll(() => last.evaluate((row) => row.getBoundingClientRect().bottom < innerHeight)).toBe(true);
  await page.keyboard.press('Enter');
  expect(await count.textContent()).toBe('1 of 4');
  await page.keyboard.press('Shift+Enter');
  expect(await count.textContent()).toBe('4 of 4');
  await page.getByRole('searchbox').fill('zebra');
  await page.getByText('Nothing found').waitFor();
});

describe('edits', () => {
  it('renames, merges and moves everywhere at once, and undoes each', async () => {
    const id = await make(dashboard.service, 'names-of-the-world');
    const { page } = await dashboard.at(`/app/conversations/${id}`);
    const lanes = (): Promise<string[]> => page.locator('.lanelab .ell').allTextContents();
    await expect.poll(lanes).toHaveLength(4);
    const [first, second, third, fourth] = (await lanes()) as [string, string, string, string];

    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel(`Name of ${second}`).fill('Željka');
    await page.getByRole('button', { name: 'Rename everywhere' }).click();
    await expect.poll(lanes).toEqual([first, 'Željka', third, fourth]);
    expect(await page.content()).not.toContain(second);

    await page.getByRole('button', { name: fourth, exact: false }).first().click();
    await page.getByRole('menuitem', { name: `The same person as ${first}` }).click();
    await page.getByText(`Now one person: ${first}`).waitFor();
    await expect.poll(lanes).toEqual([first, 'Željka', third]);

    const mover = page.locator('.u[data-line="2"]');
    expect(await mover.locator('.nm1').textContent()).toBe(third);
    await mover.locator('.cue').click();
    await page.getByRole('button', { name: 'Comment or correct' }).click();
    await page.getByRole('menuitem', { name: `${first} said this` }).click();
    await expect.poll(() => mover.locator('.nm1').textContent()).toBe(first);

    await more(page, 'Undo the last edit');
    await expect.poll(() => mover.locator('.nm1').textContent()).toBe(third);
    await more(page, 'Undo the last edit');
    await expect.poll(lanes).toEqual([first, 'Željka', third, fourth]);
    await more(page, 'Undo the last edit');
    await expect.poll(lanes).toEqual([first, second, third, fourth]);
  });

  it('changes the title, in the list and in the files too', async () => {
    const id = await make(dashboard.service, 'two-people');
    const { page } = await dashboard.at(`/app/conversations/${id}`);
    await more(page, 'Change the title');
    await page.getByLabel('Title', { exact: false }).last().fill('Kick-off');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'Kick-off' }).waitFor();
    expect((await file(page, 'Text')).suggestedFilename()).toBe('Kick-off.txt');
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('link', { name: 'Kick-off' }).click();
    await more(page, 'Undo the last edit');
    await page.getByRole('heading', { name: 'two-people' }).waitFor();
  });
});

describe('thumbs', () => {
  it('are on moments, lines of the summary and utterances, persist, and can be undone', async () => {
    const id = await make(dashboard.service, 'two-people');
    const visitor = await dashboard.at(`/app/conversations/${id}`);
    const { page } = visitor;
    // A line that names a speaker is voted on as shown.
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name of Speaker A').fill('Ada');
    await page.getByRole('button', { name: 'Rename everywhere' }).click();
    const line = page.locator('.summary .line', { hasText: 'Ada' }).first();
    const thumb = (place: ReturnType<Page['locator']>, name: string) => place.getByRole('button', { name });

    await line.hover();
    await thumb(line, 'Wrong:').click();
    await page.getByText('Rating saved, thank you').waitFor();
    // Uses the keyboard alone: the thumb follows the row.
    const moment = page.locator('.mrow1').first();
    await moment.locator('.mrow').focus();
    await page.keyboard.press('Tab');
    expect(await moment.locator('.thumbs').evaluate((shown) => getComputedStyle(shown).opacity)).toBe('1');
    await page.keyboard.press('Enter');
    await expect.poll(() => thumb(moment, 'Right:').getAttribute('aria-pressed')).toBe('true');
    // Both are one stop; an arrow moves between them, and not the recording.
    const isFocused = (name: string) => thumb(moment, name).evaluate((button) => button === document.activeElement);
    const at = await page.getByRole('slider').getAttribute('aria-valuetext');
    await page.keyboard.press('ArrowRight');
    expect([await isFocused('Wrong:'), await page.getByRole('slider').getAttribute('aria-valuetext')]).toEqual([
      true,
      at,
    ]);
    await page.keyboard.press('ArrowLeft');
    expect(await isFocused('Right:')).toBe(true);
    await page.keyboard.press('Tab');
    expect(await moment.evaluate((row) => row.contains(document.activeElement))).toBe(false);
    await page.locator('.u .cue').first().click();
    const measures = page.getByRole('complementary');
    await measures.getByText('Are these words and measures right?').waitFor();
    expect(await thumb(measures, 'Right:').getAttribute('title')).toBe('Right: these words and measures');
    await thumb(measures, 'Right:').click();
    await expect.poll(() => thumb(measures, 'Right:').getAttribute('aria-pressed')).toBe('true');
    expect(await visitor.violations()).toEqual([]);

    await page.reload();
    expect(await thumb(line, 'Wrong:').getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => thumb(moment, 'Right:').getAttribute('aria-pressed')).toBe('true');
    await thumb(moment, 'Right:').click();
    await expect.poll(() => thumb(moment, 'Right:').getAttribute('aria-pressed')).toBe('false');
    const record = await dashboard.service.harness.getWorker().fetch(`http://x/conversations/${id}/record`, {
      headers: { 'X-API-Key': 'test-key-one' },
    });
    const { feedback } = (await record.json()) as { feedback: { kind: string; thumb: string }[] };
    expect(feedback.map(({ kind, thumb: way }) => `${kind} ${way}`).sort()).toEqual(['line down', 'utterance up']);
  });
});

async function file(page: Page, format: string): Promise<Download> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: format, exact: true }).click();
  return download;
}

describe('files', () => {
  it('each format is saved under the title', async () => {
    const { page } = await dashboard.at(`/app/conversations/${two}`);
    for (const [format, extension, begins] of [
      ['Markdown', 'md', /^# two-people/],
      ['Text', 'txt', /Good morning everybody/],
      ['Subtitles (WebVTT)', 'vtt', /^WEBVTT/],
      ['Subtitles (SRT)', 'srt', /^1\r?\n00:00:00,400 -->/],
      ['Table (CSV)', 'csv', /^\uFEFF?[a-z_]+,/],
      ['All data (JSON)', 'json', /^\{/],
      ['Recording', 'wav', /^RIFF/],
    ] as const) {
      const saved = await file(page, format);
      expect(saved.suggestedFilename()).toBe(`two-people.${extension}`);
      const chunks: Buffer[] = [];
      for await (const chunk of await saved.createReadStream()) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString('utf8')).toMatch(begins);
    }
  });

  it('the page in one file opens from a disk, requests nothing, and links to its lines', async () => {
    const { page } = await dashboard.at(`/app/conversations/${two}`);
    const folder = mkdtempSync(join(tmpdir(), 'undertone-export-'));
    try {
      const path = join(folder, 'two-people.html');
      await (await file(page, 'Single-file page (HTML)')).saveAs(path);
      for (const theme of ['light', 'dark'] as const) {
        const reader = await Visitor.arrive(dashboard.browser, 'null', { theme });
        dashboard.visitors.push(reader);
        const asked: string[] = [];
        reader.page.on('request', (request) => asked.push(request.url()));
        const address = pathToFileURL(path).href;
        await reader.page.goto(address);
        await reader.page.getByRole('heading', { level: 1, name: 'two-people' }).waitFor();
        expect(await reader.page.getByText('Yes, Tuesday works for me').count()).toBeGreaterThan(0);
        expect(await reader.overflows()).toBe(false);
        expect(await reader.violations()).toEqual([]);
        expect(asked).toEqual([address]);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.each(['light', 'dark'] as const)('paper has the summary and all that was said, in the %s theme', async (theme) => {
    const { page } = await dashboard.at(`/app/conversations/${two}`, { theme });
    // A line with more places than the window shows.
    await page.route(
      (url) => url.pathname === `/conversations/${two}`,
      async (route) => {
        const response = await route.fetch();
        const result: AnalysisResponse = await response.json();
        result.summary.evidence[0]!.utterance_ids = result.timeline.slice(0, 9).map((entry) => entry.utterance_id);
        await route.fulfill({ response, json: result });
      },
    );
    await page.reload();
    await page.locator('.u').nth(23).waitFor();
    await page.emulateMedia({ media: 'print', colorScheme: theme });
    // The width of A4 within its margins, where the phone layout begins.
    await page.setViewportSize({ width: 718, height: 1000 });
    const paper = await page.evaluate(() => {
      const shown = (selector: string): boolean => document.querySelector(selector)!.getClientRects().length > 0;
      const last = [...document.querySelectorAll('.u .txt')].at(-1)!;
      return {
        summary: shown('.summary .line'),
        transcript: shown('.u .txt'),
        notice: shown('.foot span'),
        measures: shown('.people .defs'),
        timeline: shown('.papertime svg text'),
        places: [...document.querySelectorAll('.evs .paper')].some((more) => more.getClientRects().length > 0),
        ink: getComputedStyle(last).color,
        isWhole: last.getBoundingClientRect().bottom + scrollY <= document.documentElement.scrollHeight,
      };
    });
    expect(paper).toEqual({
      summary: true,
      transcript: true,
      notice: true,
      measures: true,
      timeline: true,
      places: true,
      ink: 'rgb(26, 28, 32)',
      isWhole: true,
    });
    expect(await page.evaluate(shownControls)).toEqual([]);
    expect(await page.locator('.papertime canvas').evaluate(dotsOf, [7, 79, 185])).toBeGreaterThan(1000);
    expect(pagesOf(await page.pdf({ format: 'A4' }))).toBeGreaterThan(1);
    // It is folded again in the window.
    await page.emulateMedia({ media: null });
    await expect.poll(() => page.locator('.papertime').count()).toBe(0);
    expect(await page.locator('.people details[open]').count()).toBe(0);
  });

  it('the sample call says that it is one, in the window and on paper at any tab', async () => {
    const sent = await dashboard.service.post('/analyze', form('sample-call.wav', readFileSync(CALL)), {
      'X-API-Key': KEY,
    });
    const { conversation_id: id } = (await sent.json()) as AnalysisResponse;
    const { page } = await dashboard.at(`/app/conversations/${id}?t=1`);
    const sample = page.getByText('This is the sample call that comes with Undertone.', { exact: false });
    const tone = page.getByText('They do not say what anyone felt.', { exact: false });
    await sample.waitFor();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 718, height: 1000 });
    expect([await sample.isVisible(), await tone.isVisible()]).toEqual([true, true]);
  });

  it.each([
    ['portrait', 718],
    ['portrait without margins', 794],
    ['landscape', 1047],
    ['landscape without margins', 1123],
    ['landscape at 60 %', 1872],
    ['portrait at 140 %', 512],
  ])('no text lies over another on paper in %s', async (_, width) => {
    const { page } = await dashboard.at(`/app/conversations/${two}`);
    await page.locator('.u').nth(23).waitFor();
    const isPrinted = (text: string): Promise<boolean> =>
      page.locator('.people').getByText(text, { exact: true }).isVisible();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width, height: 1000 });
    expect(await isPrinted('Changes of speaker')).toBe(true);
    expect(await page.getByText(/^Printed on /).isVisible()).toBe(true);
    const timeline = (await page.locator('.papertime .drawn').boundingBox())!;
    expect([timeline.x >= 0, timeline.x + timeline.width <= width, timeline.width > 0.4 * width]).toEqual([
      true,
      true,
      true,
    ]);
    expect(await page.evaluate(untimed)).toBe(0);
    expect(await page.evaluate(shownControls)).toEqual([]);
    expect(await page.evaluate(overlaps)).toEqual([]);
    // An open utterance takes the place of the people in the window alone.
    await page.emulateMedia({ media: null });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.locator('.u .cue').first().click();
    await page.getByText('How reliable this is').waitFor();
    // A transcript that is filtered says so.
    await page.getByRole('button', { name: /^Questions \d/ }).click();
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width, height: 1000 });
    expect(await isPrinted('How reliable this is')).toBe(true);
    expect(await isPrinted('Changes of speaker')).toBe(true);
    const rows = await page.locator('.u:visible').count();
    expect(await page.getByText(`Only “Questions”: ${rows} of 24 utterances`).isVisible()).toBe(true);
    expect(await page.locator('.summary .line').first().isVisible()).toBe(true);
    expect(await page.evaluate(shownControls)).toEqual([]);
    expect(await page.evaluate(overlaps)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it.each([718, 1123])('the list prints as a table, %i px wide', async (width) => {
    // Rows with as much as a row can have.
    for (const name of ['eight-people', 'long-title']) await make(dashboard.service, name);
    const { page } = await dashboard.at('/app?status=completed');
    await page.locator('tbody tr').first().waitFor();
    const onPaper = [page.getByText(/^Printed on \d+ \w+ \d{4}, \d\d:\d\d$/), page.getByText('Only status: completed')];
    const areVisible = (): Promise<boolean[]> => Promise.all(onPaper.map((line) => line.isVisible()));
    expect(await areVisible()).toEqual([false, false]);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width, height: 1000 });
    expect(await areVisible()).toEqual([true, true]);
    expect(await page.evaluate(shownControls)).toEqual([]);
    expect(await page.evaluate(overlaps)).toEqual([]);
    const cells = await page.locator('tbody tr').first().locator('td').all();
    const shown = await Promise.all(cells.map((cell) => cell.isVisible()));
    expect(shown.filter(Boolean).length).toBe(7);
    // The date has its year and is on one line.
    const when = page.locator('.c-when .paper').first();
    expect(await when.textContent()).toMatch(/^\d+ \w+ \d{4}, \d\d:\d\d$/);
    expect(await when.evaluate((date) => date.getClientRects().length)).toBe(1);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  it('paper also has lines that were not drawn yet', async () => {
    const { page } = await dashboard.at('/app');
    const id = await make(dashboard.service, 'eight-people');
    await page.addInitScript(() => {
      // The browser is never idle.
      globalThis.requestIdleCallback = () => 0;
    });
    await page.goto(`${dashboard.service.url.origin}/app/conversations/${id}`);
    // Waits for later words: the first ones are shown while the rest is loading.
    await page.locator('.rows .u').first().waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.locator('.u').count()).toBeLessThan(306);
    const paper = await page.pdf({ format: 'A4' });
    expect(await page.locator('.u').count()).toBe(306);
    // The earlier rows were in time for this print, but not for the next.
    expect(pagesOf(paper)).toBe(pagesOf(await page.pdf({ format: 'A4' })));
  });
});

it('offers the number of people that were heard when it is analysed again', async () => {
  const { page } = await dashboard.at(`/app/conversations/${two}`);
  await more(page, 'Set the number of people and analyse again');
  expect(await page.getByLabel('How many people speak?').inputValue()).toBe('2');
});

it('is shared by a link that opens without a key, for reading and playback only', async () => {
  const { page } = await dashboard.at(`/app/conversations/${two}`);
  await more(page, 'Share a link');
  await page.getByLabel('The link works for').selectOption('10 minutes');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.getByRole('button', { name: 'Copy the link' }).click();
  await page.getByText('Copied').waitFor();

  const stranger = await dashboard.arrive();
  await stranger.page.goto(link);
  const transcript = stranger.page.getByRole('region', { name: 'Transcript' });
  await transcript.getByText('Good morning everybody').first().waitFor();
  await stranger.page.getByText(/^Shared with you by a link: .* The link works until \d+ \w+ 20\d\d, /).waitFor();
  for (const forbidden of ['Rename', 'More', 'Comment or correct'])
    expect(await stranger.page.getByRole('button', { name: forbidden, exact: true }).count()).toBe(0);
  expect(await stranger.page.locator('.thumbs').count()).toBe(0);
  await expect
    .poll(() => stranger.page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.readyState > 0))
    .toBe(true);
  expect(await stranger.violations()).toEqual([]);

  const late = await dashboard.arrive();
  late.expects(/401 .*conversations/);
  await late.page.goto(`${link.split('#')[0]}#token=over`);
  await late.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
});

it('is shared for days by a link that is taken back in the same dialog, with who opened it', async () => {
  const visitor = await dashboard.at(`/app/conversations/${two}`);
  const { page } = visitor;
  await more(page, 'Share a link');
  await page.getByRole('button', { name: 'Make a link' }).click();
  const link = await page.getByRole('textbox', { name: 'Link' }).inputValue();
  await page.keyboard.press('Escape');

  const stranger = await dashboard.arrive();
  stranger.expects(/401 .*conversations/);
  await stranger.page.goto(link);
  const transcript = stranger.page.getByRole('region', { name: 'Transcript' });
  await transcript.getByText('Good morning everybody').first().waitFor();

  const shares = async (): Promise<ShareList> => {
    const answer = await fetch(new URL(`/shares?conversation_id=${two}`, dashboard.service.url), {
      headers: { 'X-API-Key': KEY },
    });
    return (await answer.json()) as ShareList;
  };
  await expect.poll(async () => (await shares()).shares[0]?.opens).toBe(1);
  await more(page, 'Share a link');
  const made = page.getByRole('region', { name: 'Links that were made' });
  const opened = made.getByRole('button', { name: 'Opened once' });
  await opened.click();
  await made.getByRole('list', { name: 'Opened by' }).getByText('opened', { exact: true }).waitFor();
  expect(await visitor.violations()).toEqual([]);
  await made.getByRole('button', { name: /^Take it back/ }).click();
  await made.getByText(/^Taken back on/).waitFor();
  await stranger.page.reload();
  await stranger.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
});

it('is deleted with a receipt of everything removed, and its key no longer finds it', async () => {
  const id = await dashboard.analysed();
  const visitor = await dashboard.at(`/app/conversations/${id}`);
  const { page } = visitor;
  await page.getByRole('region', { name: 'Transcript' }).getByText(LAST).waitFor();
  await more(page, 'Delete');
  await page.getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('heading', { name: 'Deleted' }).waitFor();
  const receipt = await page.locator('.receipt').textContent();
  for (const removed of ['result.json', 'upload.wav', 'levels.json', 'Rows of the index'])
    expect(receipt).toContain(removed);
  expect(await visitor.violations()).toEqual([]);
  expect((await dashboard.service.stored()).filter((key) => key.includes(id))).toEqual([]);
  visitor.expects(/404 .*conversations/);
  await visitor.goTo(`/app/conversations/${id}`);
  await page.getByText('It was deleted, or belongs to another key.').waitFor();
});

it('is found by its words in the list, and is compared with another on one time scale', async () => {
  const short = await dashboard.analysed();
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await page.getByRole('searchbox').fill('budget');
  const row = page.locator('tr', { has: page.getByRole('link', { name: 'two-people', exact: true }) });
  const hit = row.first().locator('.hit1', { hasText: 'budget' }).first();
  await hit.waitFor();
  expect(await hit.locator('mark').textContent()).toBe('budget');
  expect(await page.getByRole('link', { name: 'call', exact: true }).count()).toBe(0);
  await hit.click();
  // The page opens at the second of the hit, with the words that were searched.
  await expect.poll(() => new URL(page.url()).search).toBe('?t=24.4&q=budget');
  await expect.poll(() => standing(page)).toMatchObject({ told: 24, row: 4 });
  expect(await page.getByRole('searchbox').inputValue()).toBe('budget');
  expect(await page.locator('.shd [aria-live]').textContent()).toBe('1 of 2');
  await page.goBack();
  await page.getByRole('searchbox').fill('');
  await page.getByLabel('With').selectOption('objection');
  await page.getByRole('link', { name: 'two-people', exact: true }).first().click();
  await expect.poll(() => standing(page)).toMatchObject({ told: 24, row: 4 });
  await page.goBack();
  await page.getByLabel('With').selectOption('');
  await page.getByRole('checkbox', { name: 'Select call' }).first().check();
  await page.getByRole('checkbox', { name: 'Select two-people' }).first().check();
  await page.getByRole('button', { name: 'Compare two' }).click();
  await page.getByRole('rowheader', { name: 'Interactivity' }).waitFor();
  expect(await page.locator('.cmp').count()).toBe(2);
  expect(new URL(page.url()).search).toContain(short);
  // A second has the same width in both.
  const widths = await page
    .locator('.cmp .small > svg')
    .evaluateAll((pictures) => pictures.map((picture) => Number(picture.querySelector('rect')!.getAttribute('width'))));
  expect(Math.min(...widths)).toBeLessThan(100);
  expect(Math.max(...widths)).toBeCloseTo(1000);
  // Each person has the figures of the conversation's own page.
  const { insights, segmentation } = (await (
    await fetch(new URL(`/conversations/${two}`, dashboard.service.url), { headers: { 'X-API-Key': KEY } })
  ).json()) as AnalysisResponse;
  const own = insights.metrics.speakers.Speaker_0!;
  const side = page.getByRole('region', { name: 'two-people' });
  // Every phase has its name and its second, also where its field is too narrow for the name.
  const named = side.getByRole('list', { name: 'Phases' }).getByRole('link');
  expect(await named.count()).toBe(segmentation.phases.length);
  expect(await named.last().getAttribute('href')).toContain(
    `?t=${Math.floor(segmentation.phases.at(-1)!.start_timestamp)}`,
  );
  const person = side.locator('tbody tr').first();
  for (const [name, told] of [
    ['Talk share', `${Math.round(own.talk_ratio! * 100)} %`],
    ['Pace', `${Math.round(own.words_per_minute)} words/min`],
    ['Questions', String(own.questions)],
    ['Longest turn', `${own.longest_monologue_s!.toFixed(0)} s`],
    ['Patience', `${own.patience_s!.toFixed(1)} s`],
  ])
    expect(await person.locator(`[data-name="${name}"]`).textContent(), name).toBe(told);
  await page.getByRole('button', { name: 'Full width each' }).click();
  for (const picture of await page.locator('.cmp .small > svg').all())
    expect(Number(await picture.locator('rect').first().getAttribute('width'))).toBeCloseTo(1000);
  await page.locator('.pin1').first().click();
  await page.getByRole('region', { name: 'Transcript' }).waitFor();
});
