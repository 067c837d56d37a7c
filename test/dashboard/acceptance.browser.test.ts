import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisResponse } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { make } from '../../support/made-conversations.ts';
import { KEY } from '../../support/service-under-test.ts';
import { shownText } from '../../support/visitor.ts';

// The acceptance points of the design that the flows do not cover. The numbers are those of the points
// (docs/internals/dashboard.md).

const dashboard = dashboardUnderTest();
const ids: Record<string, string> = {};
const MADE_HERE = [
  'two-people',
  'eight-people',
  'three-seconds',
  'no-audio',
  'no-affect',
  'deleted-media',
  'failed-job',
];
beforeAll(async () => {
  for (const name of MADE_HERE) ids[name] = await make(dashboard.service, name);
});

const opened = async (name: string, options: Parameters<typeof dashboard.at>[1] = {}) => {
  const visitor = await dashboard.at(`/app/conversations/${ids[name]}`, options);
  await visitor.page.locator('.summary .line').first().waitFor();
  return visitor;
};
/** Whether each element of a selector is entirely within the window. */
const inWindow = (page: Page, selector: string): Promise<boolean[]> =>
  page.locator(selector).evaluateAll((places) =>
    places.map((place) => {
      const { top, bottom, left, right } = place.getBoundingClientRect();
      return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom > top;
    }),
  );

it('1. at 1440 x 900 without scrolling: who spoke, tone, moments, the question, its first claims, the people', async () => {
  const { page } = await opened('two-people');
  for (const [what, selector, count] of [
    ['lanes', '.lanelab', 2],
    ['tone', '.tonelab', 1],
    ['moments', '.mo', 1],
    ['the question', '.asked', 1],
    ['people', '.ppl th[scope=col]', 2],
    ['the key of the bars', '.barkey', 1],
  ] as const) {
    const seen = await inWindow(page, selector);
    expect(seen.length, what).toBeGreaterThanOrEqual(count);
    expect(seen, what).not.toContain(false);
  }
  expect((await inWindow(page, '.summary .line')).slice(0, 2)).toEqual([true, true]);
  // Here the people always stay, so nothing offers to close them.
  const close = page.getByRole('complementary').getByRole('button', { name: 'Close' });
  expect(await close.count()).toBe(0);
  await page.setViewportSize({ width: 900, height: 900 });
  await page.getByRole('button', { name: 'People' }).click();
  await close.click();
});

describe('5. eight people for an hour', () => {
  it('no label overlaps, long names end in an ellipsis, tone is a ribbon, joined pins open by zooming', async () => {
    const { page } = await opened('eight-people');
    const labels = await page
      .locator('.lanelab')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().toJSON()));
    expect(labels).toHaveLength(8);
    for (const [i, label] of labels.slice(1).entries())
      expect(label.top).toBeGreaterThanOrEqual(labels[i]!.bottom - 0.5);
    const name = page.locator('.lanelab .ell').first();
    expect(await name.evaluate((e) => e.scrollWidth > e.clientWidth && getComputedStyle(e).textOverflow)).toBe(
      'ellipsis',
    );
    await page.getByText('Tone, mean of').waitFor();
    // The legend, with the overlaps of this conversation, and both ends of the scale of tone.
    const legend = await page.locator('.tonelab > *').evaluateAll((all) =>
      all.map((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return range.getBoundingClientRect().toJSON();
      }),
    );
    expect(legend).toHaveLength(6);
    for (const [i, a] of legend.entries())
      for (const b of legend.slice(i + 1))
        expect(a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 3 || b.bottom <= a.top + 3).toBe(true);
    const joined = page.locator('.mo.cl');
    const before = await joined.count();
    expect(before).toBeGreaterThan(0);
    await joined.first().click();
    await page.locator('.mini').waitFor();
    await expect.poll(() => page.locator('.mo:not(.cl)').count()).toBeGreaterThan(1);
  });

  it('a click on a name shows one voice alone, in the score and as single strokes of tone', async () => {
    const { page } = await opened('eight-people');
    await page.locator('.lanelab button').nth(2).click();
    await page.getByRole('menuitem', { name: 'Show only Jo' }).click();
    await expect.poll(() => page.locator('.lanelab.dim').count()).toBe(7);
    await expect.poll(() => page.getByText('Tone, mean of').count()).toBe(0);
  });
});

it('13. an uncertain number of people is reported at the top, with the remedy', async () => {
  // Its id differs afterwards.
  const id = await make(dashboard.service, 'eight-people');
  const { page } = await dashboard.at(`/app/conversations/${id}`);
  await page.getByText('The number of speakers is uncertain (0.44)').waitFor();
  await page.getByRole('button', { name: 'Set the number of people and analyse again' }).click();
  const seen = dashboard.service.pipeline.seen.length;
  await page.getByLabel('How many people speak?').selectOption('7');
  await page.getByRole('button', { name: 'Analyse again', exact: true }).click();
  await expect.poll(() => dashboard.service.pipeline.seen[seen]?.options.speakers).toBe(7);
  await page.getByText('The conversation is being analysed again').first().waitFor();
});

it('6. three seconds, one voice: no zeros for what cannot be measured, no empty headings', async () => {
  const { page } = await opened('three-seconds');
  const people = page.getByRole('complementary');
  await people.getByText('only one voice, nothing to measure').waitFor();
  for (const absent of ['Interruptions', 'Patience', 'Changes of speaker', 'Interactivity', 'Overlapping speech'])
    expect(await people.getByText(absent).count(), absent).toBe(0);
  expect(await people.textContent()).not.toMatch(/± |steady|Engagement/);
  const empty = await page
    .locator('h2, h3')
    .evaluateAll((heads) =>
      heads
        .filter((head) => (head.parentElement!.textContent ?? '').trim() === (head.textContent ?? '').trim())
        .map((head) => head.textContent),
    );
  expect(empty.filter((head) => head !== 'People')).toEqual([]);
  expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toBe('0:00 of 0:03');
});

it('7. a line with low confidence is greyed, says so, has a hollow mark, and its measures warn first', async () => {
  const { page } = await opened('two-people');
  const row = page.locator('.u.hard').first();
  await row.getByText('hard to hear 0.27').waitFor();
  const ink = (place: string) =>
    page
      .locator(place)
      .first()
      .evaluate((e) => getComputedStyle(e).color);
  expect(await ink('.u.hard .txt')).not.toBe(await ink('.u:not(.hard) .txt'));
  expect(await row.locator('.tm i').evaluate((mark) => getComputedStyle(mark).borderStyle)).toBe('solid');
  await row.locator('.cue').click();
  const first = page.locator('.people .notice').first();
  expect(await first.textContent()).toMatch(/^These words were hard to hear \(0\.27\)/);
});

it('8. every confidence has a word, no emotion is named below .50, and no number has three decimals', async () => {
  const { page } = await opened('two-people');
  expect(await shownText(page.locator('.mrow', { hasText: 'the conversation as a whole' }).first())).toMatch(
    /\b(calmer|livelier), more (negative|positive)\b|\bmore (negative|positive), (calmer|livelier)\b/,
  );
  for (const line of [0, 6, 15]) {
    await page.locator('.u .cue').nth(line).click();
    await page.getByText('How reliable this is').waitFor();
    for (const said of await page.locator('.cfd').allTextContents())
      expect(said).toMatch(/^(?:(?:voice measured|emotion named): )?(sure|likely|unsure) \d\.\d\d$/);
    const text = await shownText(page.locator('main'));
    // The constants of a voice are collapsed.
    expect(text.match(/\d[.,]\d{3,}/g)).toBeNull();
  }
  const answer = await fetch(new URL(`/conversations/${ids['two-people']}`, dashboard.service.url), {
    headers: { 'X-API-Key': KEY },
  });
  const { timeline } = (await answer.json()) as AnalysisResponse;
  const cues = await page.locator('.u .dl').allTextContents();
  for (const [i, { emotion, dominant_emotion: felt }] of timeline.entries())
    expect(cues[i] === `tone: ${felt}`, `${cues[i]} ${emotion!.confidence}`).toBe(
      felt !== 'neutral' && emotion!.confidence >= 0.5,
    );
});

it('9. playback scrolls the text; after manual scrolling it stays and a chip leads back; scrubbing moves text and score', async () => {
  const { page } = await opened('two-people');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Pause' }).first().waitFor();
  await page.locator('.u.act').waitFor();
  const scroll = page.locator('.tx-scroll');
  await scroll.hover();
  await page.mouse.wheel(0, 4000);
  const chip = page.getByRole('button', { name: 'Back to what is playing' });
  await chip.waitFor();
  const top = await scroll.evaluate((e) => e.scrollTop);
  await page.getByRole('slider').press('ArrowRight');
  await expect.poll(() => page.locator('.u.act').getAttribute('data-line')).not.toBe('0');
  expect(await scroll.evaluate((e) => e.scrollTop)).toBe(top);
  await chip.click();
  await expect.poll(() => inWindow(page, '.u.act')).toEqual([true]);
  expect(await chip.count()).toBe(0);
  await page.keyboard.press('Space');
  // Scrubbed while paused.
  const plot = (await page.locator('.plot').boundingBox())!;
  await page.mouse.move(plot.x + plot.width * 0.2, plot.y + plot.height - 40);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.8, plot.y + plot.height - 40, { steps: 4 });
  await page.mouse.up();
  const time = Number(await page.getByRole('slider').getAttribute('aria-valuenow'));
  expect(Math.abs(time - 0.8 * 143)).toBeLessThan(6);
});

it('11. for a screen reader: the slider announces time and speaker, the picture is hidden, rows are names and words', async () => {
  const { page } = await opened('two-people');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.getByRole('slider').getAttribute('aria-valuetext')).toBe('0:06 of 2:23, Speaker B');
  // Each sheet, alone or with the element that contains it.
  const silent = page
    .locator('.plot canvas')
    .evaluateAll((sheets) => sheets.map((e) => !!e.closest('[aria-hidden=true]')));
  expect(await silent).toEqual([true, true, true]);
  const spoken = await page.locator('.tx-scroll').ariaSnapshot();
  expect(spoken).toContain('Speaker A');
  expect(spoken).toContain('Good morning everybody, thank you for taking the time today.');
  expect(spoken).toMatch(/button "How it sounded: \w+/);
  // Floating elements, and targets that are only for a pointer, do not count as being in the way.
  for (const pin of await page.locator('.mo, .ph').all()) expect(await pin.getAttribute('tabindex')).toBe('-1');
});

it('12. on a phone: no sideways scrolling, controls of 44 px, the sheet opens and closes, the player is always visible', async () => {
  const visitor = await opened('two-people', { width: 390 });
  const { page } = visitor;
  expect(await visitor.overflows()).toBe(false);
  const sizes = await page
    .locator('.pbar button:not(.btn)')
    .evaluateAll((all) => all.map((e) => e.getBoundingClientRect().toJSON()));
  expect(sizes.length).toBeGreaterThan(2);
  for (const { width, height } of sizes) {
    expect(width).toBeGreaterThanOrEqual(44);
    expect(height).toBeGreaterThanOrEqual(44);
  }
  // The key is folded, so that there is room for words.
  expect(await page.getByText('+ positive, − negative').isVisible()).toBe(false);
  await page.getByRole('tab', { name: 'Transcript' }).click();
  expect((await inWindow(page, '.u')).filter(Boolean).length).toBeGreaterThanOrEqual(2);
  await page.getByText('Key', { exact: true }).click();
  for (const tab of ['Summary', 'Transcript', 'People']) {
    await page.getByRole('tab', { name: tab }).click();
    expect(await inWindow(page, '.pbar .pl'), tab).toEqual([true]);
    expect(await visitor.overflows(), tab).toBe(false);
    expect(await page.getByRole('button', { name: 'AI Act notice' }).isVisible(), tab).toBe(true);
    expect(await page.getByText('+ positive, − negative').isVisible(), tab).toBe(true);
    expect(await page.getByText('Dots: shifts of tone', { exact: true }).isVisible(), tab).toBe(true);
    expect(
      await page.getByText('2 a number: several moments, press to see them', { exact: true }).isVisible(),
      tab,
    ).toBe(true);
    expect(await page.getByText('Dashed: unsure moment', { exact: true }).isVisible(), tab).toBe(true);
    expect(await page.locator('.toneline').getByText('1phase', { exact: true }).isVisible(), tab).toBe(true);
    // The notice and the player leave the rest to the words.
    const [notice, player] = [
      await page.locator('.conv > .foot').boundingBox(),
      await page.locator('.pbar').boundingBox(),
    ];
    expect(notice!.height + player!.height, tab).toBeLessThanOrEqual(92);
  }
  // Every phase has a number, and the list below the timeline has its name.
  const phases = page.getByRole('list', { name: 'Phases' });
  const named = await phases.getByRole('button').allInnerTexts();
  const fields = await page
    .locator('.ph .nth1')
    .evaluateAll((all) => all.map((number) => (number.getClientRects().length > 0 ? number.textContent : 'not shown')));
  expect(fields).toEqual(named.map((_, i) => String(i + 1)));
  expect(
    named.every((text) => /^\d+ ?(?:[A-Z]|no clear topic, \d+:\d\d$)/.test(text)),
    String(named),
  ).toBe(true);
  await phases.getByRole('button').last().click();
  await expect.poll(() => phases.getByRole('button').last().getAttribute('aria-current')).toBe('true');
  await page.getByRole('button', { name: 'Pause' }).first().click();
  await page.getByRole('tab', { name: 'Transcript' }).click();
  for (const name of [/^Questions/, /^Moments/, /^Hard to hear/])
    expect(await page.locator('.filters').getByRole('button', { name }).isVisible()).toBe(true);
  await page.locator('.u .cue').first().click();
  const sheet = page.getByText('How reliable this is');
  await sheet.waitFor();
  await page.getByRole('complementary').getByRole('button', { name: 'Close' }).click();
  await expect.poll(() => sheet.count()).toBe(0);
  expect(await inWindow(page, '.pbar .pl')).toEqual([true]);
});

it('12. at 320 px, and with text twice as large, everything is still there', async () => {
  const narrow = await opened('two-people', { width: 320 });
  expect(await narrow.overflows()).toBe(false);
  const many = await opened('eight-people', { width: 320 });
  await many.page.setViewportSize({ width: 320, height: 640 });
  await many.page.getByRole('tab', { name: 'People' }).click();
  const people = many.page.locator('.people');
  expect(await people.evaluate((column) => column.scrollWidth - column.clientWidth)).toBe(0);
  // A low window leaves room for the words.
  expect((await many.page.locator('.cols').boundingBox())!.height).toBeGreaterThan(400);
  // The bars at the bottom cover no row.
  await many.page.getByRole('tab', { name: 'Transcript' }).click();
  await expect.poll(() => many.page.locator('.u').count()).toBe(306);
  const [last, bar] = [many.page.locator('.u').last(), many.page.locator('.pbar')];
  await expect
    .poll(async () => {
      await last.scrollIntoViewIfNeeded();
      const { y, height } = (await last.boundingBox())!;
      return y + height <= (await bar.boundingBox())!.y + 1;
    })
    .toBe(true);
  const wide = await opened('two-people', { width: 720 });
  await wide.page.evaluate(() => {
    document.documentElement.style.zoom = '2';
  });
  expect(await wide.overflows()).toBe(false);
  await wide.page.getByRole('tab', { name: 'Transcript' }).click();
  await wide.page.getByText('Good morning everybody').first().waitFor();
});

describe('13. states are shown in words', () => {
  it.each([
    ['no-audio', 'tone is based on the words alone.'],
    ['deleted-media', 'The recording was deleted, so there is no sound to play. Everything else is still here.'],
    ['failed-job', 'The analysis failed on'],
    ['failed-job', 'This file cannot be read.'],
    ['no-affect', 'Tone and emotion were left out of this analysis.'],
  ])('%s', async (name, words) => {
    const visitor = await dashboard.arrive();
    visitor.expects(/404 .*(levels|media)/);
    await visitor.goTo(`/app/conversations/${ids[name]}#key=${KEY}`);
    await visitor.page.getByText(words).first().waitFor();
  });

  it('a deleted recording offers nothing that would play, on a desktop and on a phone', async () => {
    const visitor = await dashboard.arrive();
    visitor.expects(/404 .*media/);
    const { page } = visitor;
    await visitor.goTo(`/app/conversations/${ids['deleted-media']}#key=${KEY}`);
    await page.locator('.gut').getByText('No sound stored').waitFor();
    await page.locator('.u .cue').first().click();
    await page.getByRole('complementary').getByText('No sound stored').waitFor();
    expect(await page.getByRole('button', { name: /^(Play|Speed|Skip silence)/ }).count()).toBe(0);
    await page.locator('.u .ts').nth(3).click();
    expect(await page.getByRole('button', { name: 'Pause', exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Markdown' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Recording' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.pbar').getByText('No sound stored').waitFor();
  });

  it('audio that was not measured is described by nothing that would have to be heard', async () => {
    const visitor = await dashboard.arrive();
    visitor.expects(/404 .*levels/);
    const { page } = visitor;
    await visitor.goTo(`/app/conversations/${ids['no-audio']}#key=${KEY}`);
    await page.locator('.u .cue').first().click();
    await page.getByRole('heading', { name: 'Tone from the words alone' }).waitFor();
    expect(await page.locator('.u .dl').count()).toBe(0);
    expect(await shownText(page.getByRole('complementary'))).not.toMatch(/delivery|voice measured|words and voice/i);
    await page.getByText('Tone and emotion from the words alone.').waitFor();
  });

  it('opening: grey shapes, only after a while', async () => {
    const visitor = await dashboard.arrive();
    const { page } = visitor;
    let goOn = (): void => undefined;
    await page.route(
      ({ pathname }) => pathname === `/conversations/${ids['two-people']}`,
      async (route) => {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        await route.continue();
      },
    );
    await visitor.goTo(`/app/conversations/${ids['two-people']}#key=${KEY}`);
    await page.locator('.conv .sk').first().waitFor();
    expect(await page.locator('.conv .sk').count()).toBeGreaterThan(3);
    goOn();
    await page.locator('.u').first().waitFor();
  });
});

describe('14. where tone is hidden', () => {
  it('by hand for one person: page, files and a second visit have none of theirs', async () => {
    const id = await make(dashboard.service, 'two-people');
    const { page } = await dashboard.at(`/app/conversations/${id}`);
    await page.locator('.u.s0 .tm').first().waitFor();
    const marks = () => page.locator('.u.s0 .tm').count();
    expect(await marks()).toBeGreaterThan(0);
    await page.locator('.lanelab button').first().click();
    await page.getByRole('menuitem', { name: 'Hide tone and emotion' }).click();
    await expect.poll(marks).toBe(0);
    await page.reload();
    await page.locator('.u.s1 .tm').first().waitFor();
    expect(await marks()).toBe(0);
    const file = await fetch(new URL(`/conversations/${id}/export?format=csv`, dashboard.service.url), {
      headers: { 'X-API-Key': KEY },
    });
    const rows = (await file.text()).split('\r\n').filter((row) => row.includes('"Speaker_0"'));
    expect(rows.length).toBeGreaterThan(3);
    for (const row of rows) expect(row).toMatch(/,0\.\d+,,,,,,"/);
    expect(await page.locator('.u.s1 .tm').count()).toBeGreaterThan(0);
    const row = page.locator('.u.s0 .cue').first();
    expect(await row.getAttribute('aria-label')).not.toMatch(/positive|negative|neutral/);
    await row.click();
    await page.getByText('Hidden for Speaker A').waitFor();
    const measures = await shownText(page.getByRole('complementary'));
    expect(measures).not.toMatch(/valence|arousal|joy|anger|commitment|conviction|sentiment/i);
    const shifts = page.locator('.summary section', { hasText: 'Shifts of tone' });
    expect(await shifts.getByText('Speaker A').count()).toBe(0);
    const box = (await page.locator('.plot').boundingBox())!;
    await page.mouse.move(box.x + 8, box.y + 80);
    await page.getByRole('tooltip').getByText('tone hidden').waitFor();
    await page.locator('.lanelab button').first().click();
    await page.getByRole('menuitem', { name: 'Show tone and emotion' }).click();
    await expect.poll(marks).toBeGreaterThan(0);
  });

  it('by the analysis for all: the page, the list, a comparison and the files have none', async () => {
    const { page } = await opened('no-affect');
    const feelings = /valence|arousal|joy|sadness|anger|disgust|sentiment|conviction|positive/i;
    expect(await page.locator('.tm, .tonelab').count()).toBe(0);
    await page.locator('.u .cue').first().click();
    await page.getByText('They were not computed').waitFor();
    expect(await shownText(page.locator('.summary'))).not.toMatch(feelings);
    const about = page.getByRole('complementary');
    expect((await shownText(about)).replace('Tone and emotion', '')).not.toMatch(feelings);
    for (const format of ['Markdown', 'Single-file page (HTML)']) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export' }).click();
      await page.getByRole('menuitem', { name: format }).click();
      const chunks: Buffer[] = [];
      for await (const chunk of await (await download).createReadStream()) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString(), format).not.toMatch(/valence|arousal|\bjoy\b|\banger\b/i);
    }
  });
});

it('15. the notice before Analyse and Live, and at the foot of a conversation', async () => {
  const { page } = await dashboard.at('/app/analyse');
  for (const path of ['/app/analyse', '/app/live']) {
    await page.goto(`${dashboard.service.url.origin}${path}`);
    await page.getByRole('group', { name: 'Who is being recorded?' }).waitFor();
    await page.getByRole('button', { name: 'What to tell the people recorded' }).click();
    await page.getByText('Article 50(3)').waitFor();
    await page.keyboard.press('Escape');
  }
  await page.goto(`${dashboard.service.url.origin}/app/conversations/${ids['two-people']}`);
  await page.getByText('They do not say what anyone felt.').waitFor();
  await page.getByRole('button', { name: 'AI Act notice' }).click();
  await page.getByText('This is a summary, not legal advice.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'How to read this page' }).click();
  await page.getByText('What it cannot tell').waitFor();
});

it('a page that is opened directly has its own style: the question before Live is a list', async () => {
  const { page } = await dashboard.at('/app/live');
  const answers = page.getByRole('group', { name: 'Who is being recorded?' }).locator('.radio label');
  await answers.first().waitFor();
  const lefts = await answers.evaluateAll((all) => all.map((answer) => answer.getBoundingClientRect().left));
  expect(new Set(lefts).size).toBe(1);
  // It says that an answer is needed until there is one.
  const hint = page.getByText('Choose one before you start.');
  await hint.waitFor();
  await answers.first().click();
  await hint.waitFor({ state: 'detached' });
});

it('17. follows the dark system theme from the first frame on; a theme chosen by hand stays', async () => {
  const { page } = await dashboard.at('/app', { theme: 'dark' });
  await page.addInitScript(() => {
    const look = (): void => {
      if (!document.body) return void requestAnimationFrame(look);
      (globalThis as unknown as { first: string }).first = getComputedStyle(document.body).backgroundColor;
    };
    requestAnimationFrame(look);
  });
  await page.reload();
  const first = (): Promise<string> => page.evaluate(() => (globalThis as unknown as { first: string }).first);
  await expect.poll(first).toBe('rgb(14, 16, 19)');
  await page.getByRole('button', { name: 'Light theme' }).click();
  await page.reload();
  await expect.poll(first).toBe('rgb(246, 246, 244)');
});

it('lists many moments by kind, and unfolds an unsure one that a link or a key goes to', async () => {
  const { page } = await opened('eight-people');
  const fold = page.locator('.mkind details').last();
  await fold.waitFor();
  const numbersOf = async (place: string): Promise<number[]> =>
    (await page.locator(place).allTextContents()).map((text) => Number(/\d+/.exec(text)));
  const [all] = await numbersOf('.sec:has-text("Moments") .num');
  expect((await numbersOf('.mkind h3 .num')).reduce((sum, count) => sum + count)).toBe(all);
  const isOpen = () => fold.evaluate((details: HTMLDetailsElement) => details.open);
  expect(await isOpen()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  await expect.poll(isOpen).toBe(true);
  await page.emulateMedia({ media: null });
  await expect.poll(isOpen).toBe(false);

  const last = fold.locator('.mrow').last();
  const [minutes, seconds] = (await last.locator('.tt').textContent())!.split(':').map(Number);
  await page.goto(`${page.url().split('?')[0]}?t=${minutes! * 60 + seconds!}`);
  await expect.poll(isOpen).toBe(true);
  await expect.poll(() => last.getAttribute('aria-current')).toBe('true');
  await page.keyboard.press('M');
  await expect.poll(() => last.getAttribute('aria-current')).toBe(null);
  await expect.poll(() => page.locator('.mkind [aria-current=true]').isVisible()).toBe(true);
});

it('18. the page has every line of a long conversation, for the browser’s own search', async () => {
  const { page } = await opened('eight-people');
  await expect.poll(() => page.locator('.u').count()).toBe(306);
  // Rows that are skipped while out of view are still found, and nothing else hides a row.
  const last = page.locator('.u').last();
  expect(await last.evaluate((row) => getComputedStyle(row.closest('.rows')!).contentVisibility)).toBe('auto');
  expect(await last.evaluate((row) => row.checkVisibility({ visibilityProperty: true }))).toBe(true);
  expect(await last.locator('.txt').evaluate((text) => text.childNodes.length)).toBe(1);
});
