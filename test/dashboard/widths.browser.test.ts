import { beforeAll, expect, it } from 'vitest';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { sayError, sayEverything } from '../../support/fake-pipeline.ts';
import { make } from '../../support/made-conversations.ts';
import { ADMIN_TOKEN, form, KEY } from '../../support/service-under-test.ts';
import { shownText, type Visitor } from '../../support/visitor.ts';

// The list, Keys and Compare at six widths, with long names and failures.

const dashboard = dashboardUnderTest();
/** Widths of the window, px. 720 is also 1,440 at a zoom of 200 %. */
const WIDTHS = [1440, 900, 768, 720, 390, 320];
const LONG = 'The Northwestern Association of Independent Automobile Dealers and Repair Shops of the Region'.slice(
  0,
  99,
);
let ids: string[];
beforeAll(async () => {
  const { service } = dashboard;
  ids = [await make(service, 'eight-people'), await make(service, 'two-people'), await make(service, 'two-people')];
  await fetch(new URL(`/conversations/${ids[1]}`, service.url), {
    method: 'PATCH',
    headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: LONG, labels: ['northern region', 'to review'] }),
  });
  service.pipeline.answer = sayError('NO_UTTERANCES', 'No utterances detected in uploaded media');
  await dashboard.analysed();
});

const resize = async ({ page }: Visitor, width: number): Promise<void> => {
  await page.setViewportSize({ width, height: 900 });
  await page.waitForFunction((wide) => innerWidth === wide, width);
};

/** Cells, buttons and fields, except those that scroll, that end beyond the window or beyond the card around them. */
const cut = ({ page }: Visitor): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('main :is(td, th, button, select, input, h1)')]
      .filter((element) => element.offsetParent !== null && !element.closest('.scr, .cmpt, .phl, .vh'))
      .filter((element) => {
        const { right } = element.getBoundingClientRect();
        const card = element.closest('.card')?.getBoundingClientRect().right ?? innerWidth;
        return right > Math.min(card, innerWidth) + 1;
      })
      .map((element) => `${element.tagName} ${element.textContent}`),
  );

it('the list cuts nothing, has rows of one height and columns that stay', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await page.locator('[data-row]').first().waitFor();
  await page.locator('.key1').getByText('objection', { exact: true }).waitFor();
  for (const width of WIDTHS) {
    await resize(visitor, width);
    expect.soft(await cut(visitor), `${width} px`).toEqual([]);
    expect.soft(await visitor.overflows(), `${width} px`).toBe(false);
  }
  // A title is never squeezed out by the columns beside it.
  for (const width of WIDTHS) {
    await resize(visitor, width);
    expect.soft((await page.locator('[data-row]').first().boundingBox())!.width, `${width} px`).toBeGreaterThan(90);
  }
  for (const width of [1440, 900]) {
    await resize(visitor, width);
    const heights = await page
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect(heights.length).toBe(4);
    expect(new Set(heights).size, `${width} px: ${heights}`).toBe(1);
    const columns = () =>
      page.locator('.tb th').evaluateAll((heads) => heads.map((head) => Math.round(head.getBoundingClientRect().left)));
    const before = await columns();
    await page.getByRole('searchbox').fill('nothing has these words');
    await page.getByText('No matches.', { exact: false }).waitFor();
    expect(await columns(), `${width} px`).toEqual(before);
    await page.getByRole('searchbox').fill('');
    await page.locator('[data-row]').first().waitFor();
  }
});

it('the list has room for the question beside the first label, and says how many labels follow it', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  const row = page.locator('tbody tr', { hasText: LONG });
  const question = row.locator('.t2 .ell');
  await question.waitFor();
  expect(await question.evaluate((it) => it.scrollWidth - it.clientWidth)).toBeLessThan(1);
  expect(await row.getByText('+1').getAttribute('title')).toBe('Further labels: to review');
  expect(await row.getByRole('button', { name: 'to review' }).isVisible()).toBe(false);
  // A phone and paper have all labels.
  await resize(visitor, 390);
  expect(await row.getByRole('button', { name: 'to review' }).isVisible()).toBe(true);
  await page.emulateMedia({ media: 'print' });
  for (const width of [718, 1047]) {
    await resize(visitor, width);
    expect(await row.getByRole('button', { name: 'to review' }).isVisible()).toBe(true);
    const [title, table] = [await row.locator('.c-title').boundingBox(), await page.locator('.tb').boundingBox()];
    expect(title!.width / table!.width, `${width} px`).toBeGreaterThan(0.25);
    expect.soft(await cut(visitor), `${width} px`).toEqual([]);
  }
});

it('the list never cuts that a conversation is on hold, and says the whole question in a tooltip', async () => {
  await dashboard.asked(`/conversations/${ids[1]}/hold`, { reason: 'A complaint' }, 'PUT');
  const visitor = await dashboard.at('/app');
  const row = visitor.page.locator('tbody tr', { hasText: LONG });
  const held = row.getByText('On hold', { exact: true });
  await held.waitFor();
  for (const width of WIDTHS) {
    await resize(visitor, width);
    const [word, line] = [await held.boundingBox(), await row.locator('.t2').boundingBox()];
    expect.soft(word!.x + word!.width, `${width} px`).toBeLessThanOrEqual(line!.x + line!.width);
    expect.soft(await held.evaluate((it) => it.scrollWidth - it.clientWidth), `${width} px`).toBeLessThan(1);
  }
  expect(await row.locator('.t2').getAttribute('title')).toBe(await row.locator('.t2 .ell').textContent());
  expect(await row.locator('.t2').getAttribute('title')).toMatch(/^Asked: .+\?$/);
});

it('a failed row says in the words of the pages what happened', async () => {
  const visitor = await dashboard.at('/app');
  const row = visitor.page.locator('tbody tr', { hasText: 'No speech' });
  await row.waitFor();
  // Beside its title, and not in a column of something else.
  expect(await shownText(row.locator('td').first().locator('.chip'))).toBe('Failed');
  expect(await row.locator('td:not(:first-child) .chip').count()).toBe(0);
  expect(await shownText(row)).toContain('No speech was found');
  expect(await shownText(row)).not.toContain('utterances');
  // Its acts and the next step are in no column of something else either.
  expect(await shownText(row.locator('.c-next'))).toContain('Check that it is not silent or only music.');
  expect(
    await row
      .locator('.c-next')
      .getByRole('button', { name: /^Delete/ })
      .count(),
  ).toBe(1);
  expect(await row.locator('.c-course, .c-moments, .c-offers').count()).toBe(0);
});

it('on a phone, the bar of a selection has a line of words and a line of acts', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await page.locator('[data-row]').first().waitFor();
  for (const i of [0, 1, 2]) await page.locator('tbody .pick input').nth(i).check();
  for (const width of [390, 320]) {
    await resize(visitor, width);
    const bar = page.getByRole('region', { name: 'Selection' });
    expect.soft((await bar.boundingBox())!.height, `${width} px`).toBeLessThan(95);
    expect.soft(await visitor.overflows(), `${width} px`).toBe(false);
    const acts = bar.locator('.btn:not(.icon)');
    const tops = await acts.evaluateAll((all) => all.map((act) => act.getBoundingClientRect().top));
    expect.soft([tops.length, new Set(tops).size], `${width} px`).toEqual([5, 1]);
  }
});

it('Settings holds a long tenant name and keeps the choice of a tenant', async () => {
  const made = (await (await dashboard.service.admin('POST', '/tenants', { name: LONG })).json()) as { id: string };
  await dashboard.service.admin('POST', '/keys', { label: LONG, tenant: made.id });
  const visitor = await dashboard.arrive();
  const { page } = visitor;
  await visitor.goTo('/app/keys');
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  const choice = page.getByLabel('Tenant', { exact: true });
  await choice.locator('option', { hasText: LONG }).waitFor({ state: 'attached' });
  await choice.selectOption(made.id);
  await page.getByRole('button', { name: `Rotate ${LONG}` }).waitFor();
  for (const width of WIDTHS) {
    await resize(visitor, width);
    expect.soft(await cut(visitor), `${width} px`).toEqual([]);
    expect.soft(await visitor.overflows(), `${width} px`).toBe(false);
    // A phone has the usage too.
    expect.soft(await page.locator('.kt td[data-name="Refused in 30 days"]').isVisible(), `${width} px`).toBe(true);
  }
  await page.reload();
  await page.getByRole('button', { name: `Rotate ${LONG}` }).waitFor();
  expect(await choice.inputValue()).toBe(made.id);
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: `Settings of ${LONG}` }).waitFor();
  for (const width of WIDTHS) {
    await resize(visitor, width);
    expect.soft(await cut(visitor), `settings, ${width} px`).toEqual([]);
    expect.soft(await visitor.overflows(), `settings, ${width} px`).toBe(false);
  }
  // Keeping what was removed is no further kind of what is removed.
  const kept = await page.getByLabel('Also keep an unredacted copy').boundingBox();
  const kinds = await page
    .locator('input[name="redact"]')
    .evaluateAll((all) => all.map((box) => box.getBoundingClientRect().bottom));
  expect(kept!.y).toBeGreaterThan(Math.max(...kinds));
  await page.reload();
  await page.getByRole('heading', { name: `Settings of ${LONG}` }).waitFor();
});

it('Operations scrolls its tables within their cards', async () => {
  const visitor = await dashboard.arrive();
  const { page } = visitor;
  await visitor.goTo('/app/operations');
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  await visitor.goTo('/app/operations');
  await page.getByRole('region', { name: 'Failures' }).getByText('No speech was found').first().waitFor();
  for (const width of WIDTHS) {
    await resize(visitor, width);
    expect.soft(await cut(visitor), `${width} px`).toEqual([]);
    expect.soft(await visitor.overflows(), `${width} px`).toBe(false);
  }
});

it('Compare asks for two conversations where it has none, and shows two at every width', async () => {
  const visitor = await dashboard.at('/app/compare');
  const { page } = visitor;
  await page.getByText('Choose two conversations', { exact: false }).waitFor();
  await visitor.goTo(`/app/compare?a=${ids[0]}&b=${ids[1]}`);
  await page.locator('.cmpt').waitFor();
  for (const width of WIDTHS) {
    await resize(visitor, width);
    expect.soft(await visitor.overflows(), `${width} px`).toBe(false);
    const table = page.locator('.cmpt');
    expect.soft(await table.evaluate((t) => t.scrollWidth - t.clientWidth), `${width} px`).toBeLessThanOrEqual(0);
  }
  // Each lane has its name at its left.
  expect(await page.locator('.cmp').last().locator('.lanes1 > span').allInnerTexts()).toEqual(['A', 'B', 'Tone']);
  // With forced colours, lines of tone differ by person, as beside the names.
  await page.emulateMedia({ forcedColors: 'active' });
  const dashes = (of: string): Promise<string[]> =>
    page.locator(of).evaluateAll((all) => [...new Set(all.map((line) => getComputedStyle(line).strokeDasharray))]);
  for (const person of [0, 1])
    expect(await dashes(`.small .s${person} .line2`), `person ${person}`).toEqual(
      await dashes(`.cmpp .s${person} .line2`),
    );
  expect((await dashes('.small .line2')).length).toBeGreaterThan(1);
  await page.emulateMedia({ forcedColors: null });
  // A phase on a phone has its number, unless it is narrower than a digit.
  await resize(visitor, 390);
  const wide = await page.locator('.cmp .phases > span').evaluateAll((all) =>
    all
      .filter((field) => field.clientWidth > 8)
      .map((field) => {
        const { bottom } = field.querySelector('.nth1')!.getBoundingClientRect();
        return bottom <= field.getBoundingClientRect().bottom + 1;
      }),
  );
  expect(wide.length).toBeGreaterThan(0);
  expect(wide).not.toContain(false);
  // The number is in a box, which a circled number of moments has not, unless the phase is narrower than the box.
  const unboxed = await page
    .locator('.cmp .phases > span')
    .evaluateAll((all) =>
      all.filter(
        (field) => field.clientWidth > 16 && getComputedStyle(field.querySelector('.nth1')!).borderStyle === 'none',
      ),
    );
  expect(unboxed).toEqual([]);
  // By keyboard alone: a person, and a moment, lead to their second.
  const speaker = page.locator('.cmpp a').first();
  await speaker.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(`/app/conversations/${ids[0]}\\?t=\\d+`));
  await page.goBack();
  await page.locator('.pin1').first().focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/app\/conversations\/[\w-]+\?t=\d+/);

  // Each has its date, its id and its times, so that two of one name are told apart.
  await visitor.goTo(`/app/compare?a=${ids[2]}&b=${ids[2]}`);
  await page.locator('.cmpt').waitFor();
  for (const place of ['.cmp h2', '.cmpt thead th:not(:first-child)'])
    for (const words of await page.locator(place).allInnerTexts()) {
      expect(words).toContain(ids[2]!.slice(0, 8));
      expect(words).toContain(String(new Date().getFullYear()));
    }
  const times = await page.locator('.axis1').first().locator('span').allInnerTexts();
  expect([times[0], times.length > 2]).toEqual(['0:00', true]);
});

it('a conversation fits the window at a zoom of 200 %', async () => {
  const visitor = await dashboard.at(`/app/conversations/${ids[1]}`);
  await visitor.page.locator('.u').first().waitFor();
  for (const width of [720, 450]) {
    await resize(visitor, width);
    expect.soft(await visitor.overflows(), `${width} px`).toBe(false);
    // The timeline is drawn again after the window has changed.
    await expect.poll(() => cut(visitor), { message: `${width} px` }).toEqual([]);
  }
});

it('the people of a conversation of eight are not cut', async () => {
  const visitor = await dashboard.at(`/app/conversations/${ids[0]}`);
  await visitor.page.locator('.u').first().waitFor();
  await resize(visitor, 1440);
  expect(
    await visitor.page.locator('table.ppl').evaluate((table) => table.scrollWidth - table.parentElement!.clientWidth),
  ).toBeLessThanOrEqual(0);
});

it('the bar of talk shares names its people without their colours', async () => {
  const { page } = await dashboard.at(`/app/conversations/${ids[1]}`, { width: 1440 });
  await page.locator('.share').waitFor();
  const letters = await page
    .locator('.share i')
    .evaluateAll((all) => all.map((part) => getComputedStyle(part, '::before').content));
  expect(letters).toEqual(['"A"', '"B"']);
});

it('with forced colours, the timeline and the badges have no hue of their own', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await visitor.goTo(`/app/conversations/${ids[0]}`);
  await page.locator('.u').first().waitFor();
  // Also where they are switched on while the page is open.
  await page.emulateMedia({ forcedColors: 'active' });
  const hues = () =>
    page.evaluate(() => {
      let drawn = 0;
      let coloured = 0;
      for (const canvas of document.querySelectorAll<HTMLCanvasElement>('canvas.main')) {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4) {
          const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(at, at + 4);
          if (alpha < 128) continue;
          drawn++;
          if (Math.max(r, g, b) - Math.min(r, g, b) > 24) coloured++;
        }
      }
      return { isDrawn: drawn > 1000, coloured };
    });
  await expect.poll(hues).toEqual({ isDrawn: true, coloured: 0 });
  const [ink, ground] = await page
    .locator('.u .bd')
    .nth(1)
    .evaluate((badge) => {
      const { color, backgroundColor } = getComputedStyle(badge);
      return [color, backgroundColor];
    });
  expect([ink, ground]).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
  // Marks that have only a colour otherwise have the letter of the person.
  const letters = (of: string): Promise<(string | undefined)[]> =>
    page.locator(of).evaluateAll((all) => all.map((e) => /"(\w)"/.exec(getComputedStyle(e, '::before').content)?.[1]));
  expect(await letters('.share i')).toEqual([...'ABCDEFGH']);
  const named = await letters('.summary .line .nm');
  expect(named.length).toBeGreaterThan(0);
  expect(named).not.toContain(undefined);
});

it('a failed row offers to delete it, and to analyse it again where its recording is kept', async () => {
  const { service } = dashboard;
  const failed = 'tbody tr:has(.chip.bad)';
  service.pipeline.answer = (response) => void response.destroy();
  await service.post('/analyze', form('kept.wav', 'media'));
  service.pipeline.answer = sayEverything;
  const { page } = await dashboard.at('/app');
  const kept = page.locator(failed, { hasText: 'kept' });
  await kept.waitFor();
  // The service found no speech in the other, so it kept nothing of it.
  expect(await page.getByRole('button', { name: /^Analyse .* again$/ }).allInnerTexts()).toEqual(['Analyse again']);
  await kept.getByRole('button', { name: 'Analyse kept again' }).click();
  await page.locator('tbody tr', { hasText: 'kept' }).locator('.course').waitFor();
  const silent = page.locator(failed);
  await silent.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByText('1 conversation,').waitFor();
  await silent.waitFor({ state: 'detached' });
});
