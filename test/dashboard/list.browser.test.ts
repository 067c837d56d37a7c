import { beforeAll, expect, it } from 'vitest';
import type { ConversationList } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { sayRestAfter } from '../../support/fake-pipeline.ts';
import { make } from '../../support/made-conversations.ts';
import { form, KEY } from '../../support/service-under-test.ts';

// The list of conversations: filters in the address, order, selection, and the palette.

const dashboard = dashboardUnderTest();
beforeAll(async () => {
  for (const name of ['eight-people', 'two-people', 'one-person']) await make(dashboard.service, name);
});

const listed = async (query = ''): Promise<ConversationList['conversations']> => {
  const answer = await fetch(new URL(`/conversations${query}`, dashboard.service.url), {
    headers: { 'X-API-Key': KEY },
  });
  return ((await answer.json()) as ConversationList).conversations;
};

it('a list of a kind of moment quotes them, and each quote leads to its second', async () => {
  const [quoted] = (await listed('?moment=cta_offered')).filter(({ matches }) => matches && matches.length > 0);
  const { text, t_start } = quoted!.matches![0]!;
  const { page } = await dashboard.at('/app?with=cta_offered');
  const quote = page.locator('.hit1', { hasText: text.slice(0, 50) }).first();
  await quote.waitFor();
  await quote.click();
  await page.waitForURL((url) => Number(url.searchParams.get('t')) === t_start && !url.searchParams.has('q'));
});

it('what is unsure is hollow and says so, also in the sums of the list', async () => {
  const [eight] = (await listed()).filter(({ title }) => title === 'eight-people');
  const { moments, unsure_moments: unsure } = eight!.result!;
  const [count, doubtful] = [moments.cta_accepted!, unsure!.cta_accepted!];
  expect(count).toBe(doubtful);
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  const row = page.locator('tbody tr', { hasText: 'eight-people' });
  await row.getByText(`${count} accepted (unsure)`, { exact: false }).first().waitFor();
  expect(await row.locator('.moms svg.hollow1').count()).toBeGreaterThan(0);
  const parts = Object.values(unsure!).map((part) => `(${part}?)`);
  expect((await row.locator('.moms small').allTextContents()).toSorted()).toEqual(parts.toSorted());
  await page.goto(`${dashboard.service.url.origin}/app/conversations/${eight!.conversation_id}`);
  const said = page.locator('.mrow', { hasText: 'unsure' }).first();
  await said.waitFor();
  expect(await said.locator('svg.hollow1').count()).toBe(1);
  expect(await page.locator('.mrow', { hasText: 'likely' }).locator('svg.hollow1').count()).toBe(0);
  // The playhead covers neither phases, moments nor times, and the foot is not cut.
  const edge = (selector: string): Promise<DOMRect> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.getBoundingClientRect());
  expect((await edge('.head-line')).top).toBeGreaterThanOrEqual((await edge('.mo')).bottom - 1);
  expect((await edge('.plot')).bottom - (await edge('.head-line')).bottom).toBeGreaterThanOrEqual(20);
  await page.setViewportSize({ width: 900, height: 900 });
  const cut = page
    .locator('.foot span')
    .evaluateAll(
      (spans) =>
        spans.filter((s) => s.scrollWidth > s.clientWidth + 1 && getComputedStyle(s).overflow !== 'visible').length,
    );
  expect(await cut).toBe(0);
  // A tip leaves with the pointer, and covers no panel at its right.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.locator('.u .cue').first().hover();
  await page.locator('.tip[role=tooltip]').waitFor();
  expect((await edge('.tip[role=tooltip]')).right).toBeLessThanOrEqual((await edge('.transcript')).right);
  await page.locator('.u .cue').first().click();
  await expect.poll(() => page.locator('.tip[role=tooltip]').count()).toBe(0);
});

it('no column moves between loading, results and nothing, and what is unsure stays hollow, on a tablet and a phone', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await page.locator('[data-row]').first().waitFor();
  const columns = () =>
    page
      .locator('.tb, .tb thead th')
      .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()).map(({ x, width }) => [x, width]));
  for (const width of [900, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    await page.route(/\/conversations\?/, (route) => opened.then(() => route.continue()));
    await visitor.goTo('/app');
    await page.locator('.tb .sk').first().waitFor();
    const loading = await columns();
    open();
    await page.locator('[data-row]').first().waitFor();
    expect(await columns(), `results at ${width}`).toEqual(loading);
    expect(await page.locator('.moms svg.hollow1').first().isVisible()).toBe(true);
    await page.unrouteAll();
    await visitor.goTo('/app?q=zyzzyva');
    await page.getByText('No matches. Try fewer filters.').waitFor();
    expect(await columns(), `nothing at ${width}`).toEqual(loading);
  }
});

it('a phone folds the filters behind one button that names those in use', async () => {
  const { page } = await dashboard.at('/app?length=short', { width: 390 });
  const length = page.getByRole('combobox', { name: 'Length' });
  const fold = page.getByRole('button', { name: 'Filters · Under 5 min' });
  await fold.waitFor();
  expect(await length.isVisible()).toBe(false);
  await fold.click();
  await length.selectOption('');
  await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
});

it('filters and order are the address, and many conversations are labelled, reviewed, exported and deleted', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  const rows = page.locator('[data-row]');
  await expect.poll(() => rows.count()).toBe(3);
  await page.getByText('3 conversations').waitFor();
  await page.getByRole('button', { name: 'Length' }).click();
  await expect.poll(() => rows.allInnerTexts()).toEqual(['eight-people', 'one-person', 'two-people']);
  expect(await page.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending');
  await page.getByRole('combobox', { name: 'Length' }).selectOption('short');
  await expect.poll(() => rows.allInnerTexts()).toEqual(['one-person', 'two-people']);
  expect(new URL(page.url()).search).toBe('?length=short&sort=longest');
  await page.reload();
  await expect.poll(() => rows.allInnerTexts()).toEqual(['one-person', 'two-people']);
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(3);

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('X');
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('2 selected').waitFor();
  expect(await visitor.violations()).toEqual([]);
  for (const width of [900, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await visitor.overflows()).toBe(false);
  }
  await page.keyboard.press('l');
  await page.getByRole('combobox', { name: 'Label' }).fill('spring');
  await page.keyboard.press('Enter');
  await page.getByText('Labelled spring: 2 conversations.').waitFor();
  await expect.poll(async () => (await listed('?label=spring')).length).toBe(2);
  await page.locator('main').press('z');
  await expect.poll(async () => (await listed('?label=spring')).length).toBe(0);
  await page.getByRole('button', { name: 'Reviewed' }).click();
  await expect.poll(async () => (await listed('?reviewed=true')).length).toBe(2);
  const download = page.waitForEvent('download');
  await bar.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Text' }).click();
  expect((await download).suggestedFilename()).toBe('conversations.zip');
  await bar.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await page
    .getByRole('dialog', { name: 'Deleted' })
    .getByText(/^2 conversations, \d+ files/)
    .waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => rows.count()).toBe(1);
  expect(await bar.count()).toBe(0);
});

it('a conversation on hold that is to be deleted is named, with what to do', async () => {
  const [left] = await listed();
  const hold = (method: string): Promise<Response> =>
    fetch(new URL(`/conversations/${left!.conversation_id}/hold`, dashboard.service.url), {
      method,
      headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
      ...(method === 'PUT' && { body: JSON.stringify({ reason: 'A complaint' }) }),
    });
  expect((await hold('PUT')).ok).toBe(true);
  const { page } = await dashboard.at('/app');
  await page.locator('tbody .pick input').first().check();
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  const told = page.getByRole('dialog', { name: 'Nothing was deleted' });
  await told.getByText('was kept: This conversation is on hold. Lift the hold first').waitFor();
  expect(await told.getByRole('link').getAttribute('href')).toBe(`/app/conversations/${left!.conversation_id}`);
  expect((await hold('DELETE')).ok).toBe(true);
});

it('the palette goes to pages, conversations and people by keyboard alone', async () => {
  await fetch(new URL('/people', dashboard.service.url), {
    method: 'POST',
    headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Ada Palette' }),
  });
  const [left] = await listed();
  const visitor = await dashboard.at('/app/commitments');
  const { page } = visitor;
  await page.locator('.totals').waitFor();
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Go to' });
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/conversations\?/, async (route) => held.then(() => route.continue()));
  await field.fill(left!.title.slice(0, 5));
  // Results that arrive move no entry away under the pointer.
  const list = page.getByRole('option', { name: 'List the conversations with' });
  const place = await list.boundingBox();
  release();
  const found = page.getByRole('group', { name: 'Conversations' }).getByRole('option', { name: left!.title });
  await found.waitFor();
  expect(await list.boundingBox()).toEqual(place);
  expect(await visitor.violations()).toEqual([]);
  await field.fill('ada pal');
  await page.getByRole('group', { name: 'People' }).getByRole('option').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Ada Palette' }).waitFor();
  // Enter before the names have arrived waits for them.
  await page.goto(`${dashboard.service.url.origin}/app/commitments`);
  await page.locator('.totals').waitFor();
  let name = (): void => undefined;
  const unnamed = new Promise<void>((resolve) => {
    name = resolve;
  });
  await page.route(/\/people(\?|$)/, async (route) => unnamed.then(() => route.continue()));
  await page.keyboard.press('Control+k');
  await field.fill('ada pal');
  await page.keyboard.press('Enter');
  name();
  await page.getByRole('heading', { name: 'Ada Palette' }).waitFor();
  await page.keyboard.press('Control+k');
  await field.fill('play');
  await page.keyboard.press('Escape');
  await expect.poll(() => field.count()).toBe(0);
  // It opens again even before the event of its closing.
  await page.keyboard.press('Control+k');
  await field.evaluate((element) => {
    element.closest('dialog')!.close();
    document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true }));
  });
  await page.getByRole('option', { name: 'Patterns' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/app/patterns');
});

it('does not offer what has no result yet as reviewed', async () => {
  const { service } = dashboard;
  const go = Promise.withResolvers<void>();
  service.pipeline.answer = sayRestAfter(go.promise);
  await service.post('/analyze', form('under way.wav', 'media'), { 'X-API-Key': KEY, Prefer: 'respond-async' });
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await page.getByRole('checkbox', { name: 'Select under way' }).check();
  const reviewed = page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Reviewed' });
  expect(await reviewed.isDisabled()).toBe(true);
  await page.locator('main').press('r');
  expect(await visitor.violations()).toEqual([]);
  go.resolve();
  // The list follows the analysis.
  await expect.poll(() => reviewed.isDisabled(), { timeout: 15_000 }).toBe(false);
  expect((await listed('?reviewed=true')).map(({ title }) => title)).not.toContain('under way');
});
