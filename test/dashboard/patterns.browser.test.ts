import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Comment, ConversationList, MomentList, PlaylistDetail, TrendList } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { sayEverything, sayRestAfter } from '../../support/fake-pipeline.ts';
import { make } from '../../support/made-conversations.ts';
import { form, KEY } from '../../support/service-under-test.ts';
import { shownText } from '../../support/visitor.ts';

// Moments of all conversations, heard one after another, and kept in playlists.

const dashboard = dashboardUnderTest({ ANALYSES_PER_PIPELINE: '1' });
let id: string;
beforeAll(async () => {
  id = await make(dashboard.service, 'two-people');
});

const heard = (page: Page): Promise<{ at: number; isPaused: boolean; source: string }> =>
  page.locator('audio').evaluate((audio: HTMLAudioElement) => ({
    at: audio.currentTime,
    isPaused: audio.paused,
    source: audio.src,
  }));

describe('Patterns', () => {
  it('shows every moment by kind and week, and what is chosen is in the address', async () => {
    const { totals } = await dashboard.asked<MomentList>('/moments');
    const visitor = await dashboard.at('/app/patterns');
    const { page } = visitor;
    const pieces = page.getByRole('list', { name: 'Pieces' }).locator('> li');
    await expect.poll(() => pieces.count()).toBe(totals!.count);
    await page.getByText(`${totals!.count} moments in 1 conversation`).waitFor();
    const { count, unsure } = totals!.categories.objection!;
    expect(await page.locator('.score .marks i').count()).toBe(totals!.count);
    expect(await page.locator('.score .marks i.hol').count()).toBe(totals!.unsure);
    expect(await visitor.violations()).toEqual([]);
    for (const width of [900, 390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      expect(await visitor.overflows()).toBe(false);
    }

    // The only conversation is of this week, and the weeks before it have none.
    const calls = await page.locator('.score thead small').allTextContents();
    expect(calls).toEqual(calls.map((_, i) => (i === calls.length - 1 ? '1 call' : 'no calls')));
    expect(await page.locator('.score tbody span.cell').count()).toBe(0);
    const cell = page.getByRole('button', { name: /^Objection, week of / });
    // The count and the unsure part are not read as one number, and what is unsure is dashed.
    expect(unsure).toBe(count);
    const told = `${count},\u00a0${count > 1 ? 'all\u00a0' : ''}unsure`;
    expect(await cell.getAttribute('aria-label')).toContain(`: ${told}`);
    expect(await cell.locator('.num').textContent()).toBe(told);
    const dashes = await page
      .locator('.score .marks i.hol')
      .evaluateAll((all) => all.map((mark) => getComputedStyle(mark).borderTopStyle));
    expect(new Set(dashes)).toEqual(new Set(['dashed']));
    await cell.click();
    await expect.poll(() => new URL(page.url()).searchParams.get('category')).toBe('objection');
    await expect.poll(() => pieces.count()).toBe(count);
    await page.reload();
    await expect.poll(() => pieces.count()).toBe(count);
    await page.getByRole('button', { name: 'Save view' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('This week');
    await page.keyboard.press('Enter');
    const view = page.getByRole('navigation', { name: 'Saved views' }).getByRole('link', { name: 'This week' });
    await view.waitFor();
    await page.getByRole('button', { name: 'Tell me when something new matches This week' }).click();
    await page.getByText('This week tells your webhooks').waitFor();
    expect((await dashboard.asked<{ views: { tell: boolean }[] }>('/views')).views).toMatchObject([{ tell: true }]);
    expect(await visitor.violations()).toEqual([]);
    await visitor.goTo('/app/patterns');
    await expect.poll(() => pieces.count()).toBe(totals!.count);
    await view.click();
    await expect.poll(() => pieces.count()).toBe(count);
    // It is everybody's, so that its removal asks first.
    await page.getByRole('button', { name: 'Remove the view This week' }).click();
    await page.getByText('is removed for everybody').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await expect.poll(() => view.count()).toBe(0);
    await page.goBack();
    await expect.poll(() => pieces.count()).toBe(totals!.count);
  });

  it('plays each moment from 5 s before it by keyboard alone, with a thumb, a comment and a playlist', async () => {
    const { moments } = await dashboard.asked<MomentList>('/moments?category=cta_offered');
    const { page } = await dashboard.at('/app/patterns?category=cta_offered');
    const pieces = page.getByRole('list', { name: 'Pieces' }).locator('> li');
    await expect.poll(() => pieces.count()).toBe(moments.length);
    await page.keyboard.press('j');
    await expect.poll(async () => (await heard(page)).isPaused).toBe(false);
    const first = await heard(page);
    expect(first.source).toContain(`/conversations/${id}/media`);
    expect(first.at).toBeGreaterThanOrEqual(Math.max(0, moments[0]!.t_start - 5) - 0.1);
    await page.keyboard.press(' ');
    await expect.poll(async () => (await heard(page)).isPaused).toBe(true);
    await page.keyboard.press('j');
    await expect
      .poll(async () => (await heard(page)).at)
      .toBeGreaterThanOrEqual(Math.max(0, moments[1]!.t_start - 5) - 0.1);
    expect(await pieces.nth(1).getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('k');
    await page.keyboard.press('y');
    await pieces
      .first()
      .getByRole('button', { name: /^Right/, pressed: true })
      .waitFor();
    await page.keyboard.press('w');
    await page.getByRole('textbox', { name: 'Comment' }).fill('The pause before it.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Comment saved').waitFor();
    const { comments } = await dashboard.asked<{ comments: Comment[] }>(`/conversations/${id}/comments`);
    expect(comments).toMatchObject([{ at: moments[0]!.t_start, text: 'The pause before it.' }]);

    await page.keyboard.press('s');
    await page.getByRole('textbox', { name: 'Name of the new playlist' }).fill('For Monday');
    await page.keyboard.press('Enter');
    await page.getByText('Added to For Monday').waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('s');
    const [list] = (await dashboard.asked<{ playlists: { id: string }[] }>('/playlists')).playlists;
    const read = () => dashboard.asked<PlaylistDetail>(`/playlists/${list!.id}`);
    await expect.poll(async () => (await read()).items).toBe(2);
    expect((await read()).list[0]).toMatchObject({
      conversation_id: id,
      from: Math.max(0, moments[0]!.t_start - 5),
      to: moments[0]!.t_end + 5,
    });
  });
});

it('narrows to several weeks by dragging with a mouse and a finger, with Shift and an arrow, and back with Escape', async () => {
  const { page } = await dashboard.at('/app/patterns');
  const weeks = page.locator('.score .week');
  const period = () => {
    const { searchParams } = new URL(page.url());
    const [from, to] = [searchParams.get('from'), searchParams.get('to')];
    return from && to && (Date.parse(to) - Date.parse(from)) / (7 * 86_400_000);
  };
  await weeks.nth(4).hover();
  await page.mouse.down();
  await weeks.nth(5).hover();
  await weeks.nth(6).hover();
  await page.mouse.up();
  await expect.poll(period).toBe(3);
  await page.getByText('No moments were found in this time.').waitFor();
  await page.getByRole('button', { name: 'Show all moments' }).waitFor();
  await weeks.nth(6).focus();
  await page.keyboard.press('Shift+ArrowRight');
  await expect.poll(period).toBe(4);
  await page.getByRole('list', { name: 'Pieces' }).waitFor();
  expect(await page.locator('.score th.out').count()).toBe(4);
  await page.keyboard.press('Escape');
  await expect.poll(period).toBeNull();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.className)).toBe('cell');
  // A finger on the heads chooses weeks as the mouse does.
  const devices = await page.context().newCDPSession(page);
  const touch = async (type: 'touchStart' | 'touchMove' | 'touchEnd', week?: number): Promise<void> => {
    const box = week === undefined ? null : await weeks.nth(week).boundingBox();
    const touchPoints = box ? [{ x: box.x + 20, y: box.y + 8 }] : [];
    await devices.send('Input.dispatchTouchEvent', { type, touchPoints });
  };
  await touch('touchStart', 4);
  for (const week of [5, 6]) await touch('touchMove', week);
  await touch('touchEnd');
  await expect.poll(period).toBe(3);
  // One call is too few for a mean.
  await page.locator('.tone1 .tone i').waitFor({ state: 'attached' });
  await page.getByText('one call, in a week of under 8 calls').waitFor();
  expect(await page.locator('.tone1 svg').count()).toBe(0);
});

it('says on a phone how many weeks are out of sight, and goes to them', async () => {
  const visitor = await dashboard.at('/app/patterns');
  const { page } = visitor;
  const weeks = page.locator('.score .week');
  await weeks.first().waitFor();
  const hint = page.locator('.beyond1 button');
  expect(await hint.count()).toBe(0);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  const earlier = hint.filter({ hasText: /^← \d+ earlier weeks?$/ });
  await earlier.waitFor();
  const hidden = Number.parseInt(((await earlier.textContent()) ?? '').slice(2), 10);
  expect(hidden).toBeGreaterThan(0);
  const seen = (i: number) =>
    weeks.nth(i).evaluate((week) => {
      const { left, width, top } = week.getBoundingClientRect();
      return week.contains(document.elementFromPoint(left + width / 2, top + 4));
    });
  expect(await seen(0)).toBe(false);
  expect(await visitor.violations()).toEqual([]);
  for (let turn = 0; turn < 8 && (await earlier.count()) > 0; turn++) {
    await earlier.click();
    await page.waitForTimeout(50);
  }
  await hint.filter({ hasText: /^\d+ later weeks? →$/ }).waitFor();
  expect(await seen(0)).toBe(true);
  // Paper, which does not scroll, has all of them.
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 718, height: 900 });
  expect(await page.locator('.score').evaluate((sheet) => sheet.scrollWidth - sheet.clientWidth)).toBeLessThan(2);
  expect(await hint.locator('visible=true').count()).toBe(0);
});

it('plays a moment from its mark in a week, and has it in the address', async () => {
  const { moments } = await dashboard.asked<MomentList>('/moments?category=cta_offered');
  const last = moments.at(-1)!;
  const { page } = await dashboard.at('/app/patterns');
  await page.locator(`.marks i[data-moment="${last.moment_id}"]`).click();
  await expect.poll(async () => (await heard(page)).isPaused).toBe(false);
  await expect.poll(async () => (await heard(page)).at).toBeGreaterThanOrEqual(last.t_start - 5.1);
  const row = page
    .getByRole('list', { name: 'Pieces' })
    .locator('> li')
    .nth(moments.length - 1);
  await expect.poll(() => row.getAttribute('aria-current')).toBe('true');
  expect(await page.locator('.marks i.now').getAttribute('data-moment')).toBe(last.moment_id);
  // Judged wrong, it stays and says so, its mark is struck, and a second press takes that back.
  const wrong = row.getByRole('button', { name: /^Wrong/ });
  const struck = page.locator('.marks i.struck');
  await wrong.click();
  await expect.poll(() => struck.count()).toBe(1);
  await row.getByText('You said this is wrong').waitFor();
  expect(await row.locator('.strip4 .quoted').count()).toBeGreaterThan(0);
  // Both are still so after a reload.
  await page.reload();
  await expect.poll(() => row.getAttribute('aria-current')).toBe('true');
  await row.getByText('You said this is wrong').waitFor();
  expect(await struck.count()).toBe(1);
  await wrong.click();
  await expect.poll(() => struck.count()).toBe(0);
});

it('narrows Patterns to the conversations that a rule matches', async () => {
  const body = { name: 'Price', when: { said: { phrases: ['price'] } } };
  const { id: rule } = await dashboard.asked<{ id: string }>('/rules', body);
  await fetch(new URL(`/rules/${rule}`, dashboard.service.url), {
    method: 'PATCH',
    headers: { 'X-API-Key': KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ is_enabled: true }),
  });
  await expect.poll(async () => (await dashboard.asked<{ pending: number }>(`/rules/${rule}`)).pending).toBe(0);
  const visitor = await dashboard.at('/app/patterns');
  const { page } = visitor;
  // Without scrolling at 1440 x 900: filters, sums, every moment of the weeks, tone, rules and two hits.
  const rows = page.getByRole('list', { name: 'Pieces' }).locator('> li');
  const seen = ['.sentence', '.totals', '.score', '.score .tone1', '.rules1'].map((one) => page.locator(one));
  for (const part of [...seen, rows.nth(0), rows.nth(1)]) {
    await part.waitFor();
    const { y, height } = (await part.boundingBox())!;
    expect(y + height, String(part)).toBeLessThanOrEqual(900);
  }
  await page.getByRole('button', { name: 'Price 1' }).click();
  await page.getByRole('button', { name: 'Price 1', pressed: true }).waitFor();
  expect(new URL(page.url()).searchParams.get('rule')).toBe(rule);
  await page
    .getByText(/^nothing \d+$|^accepted \d+/)
    .first()
    .waitFor();
  for (const width of [390, 320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    const isCut = await page.locator('.rules1').evaluate((card) => card.scrollWidth > card.clientWidth);
    expect(isCut, String(width)).toBe(false);
  }
  expect(await visitor.violations()).toEqual([]);
});

describe('a playlist', () => {
  it('is heard, sorted, annotated, renamed and deleted', async () => {
    const { id: list } = await dashboard.asked<{ id: string }>('/playlists', { name: 'To sort' });
    for (const from of [10, 20])
      await dashboard.asked(`/playlists/${list}/items`, { conversation_id: id, from, to: from + 6 });
    const read = () => dashboard.asked<PlaylistDetail>(`/playlists/${list}`);
    const visitor = await dashboard.at('/app/playlists');
    const { page } = visitor;
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('link', { name: /^To sort/ }).click();
    const pieces = page.getByRole('list', { name: 'Pieces' }).locator('> li');
    await expect.poll(() => pieces.count()).toBe(2);
    expect(await visitor.violations()).toEqual([]);
    await pieces.first().getByRole('button', { name: /^Play/ }).click();
    await expect.poll(async () => (await heard(page)).at).toBeGreaterThanOrEqual(10);
    await page.keyboard.press('k');
    await pieces
      .nth(1)
      .getByRole('button', { name: /^Move up/ })
      .click();
    await expect.poll(async () => (await read()).list.map(({ from }) => from)).toEqual([20, 10]);
    await pieces.first().getByText('0:20').waitFor();
    await pieces.first().getByRole('button', { name: /^Note/ }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('Listen to this');
    await page.getByRole('button', { name: 'Save' }).click();
    await pieces.first().getByText('Listen to this').waitFor();
    await pieces
      .nth(1)
      .getByRole('button', { name: /^Remove/ })
      .click();
    await expect.poll(() => pieces.count()).toBe(1);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('Sorted');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Sorted' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Playlist deleted').waitFor();
    await page.getByRole('heading', { name: 'Playlists' }).waitFor();
    expect(await page.getByRole('link', { name: /^Sorted/ }).count()).toBe(0);
  });
});

it('says how many conversations wait to be analysed, and until about when, while some do', async () => {
  const { service } = dashboard;
  const go = Promise.withResolvers<void>();
  service.pipeline.answer = sayRestAfter(go.promise);
  for (let i = 0; i < 3; i++) {
    const { seen } = service.pipeline;
    const before = seen.length;
    await service.post('/analyze', form(`${i}.wav`, 'media'), { 'X-API-Key': KEY, Prefer: 'respond-async' });
    if (i === 0) await expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThan(before);
  }
  const queued = async () =>
    (await dashboard.asked<ConversationList>('/conversations?status=queued')).conversations.map(
      ({ conversation_id }) => conversation_id,
    );
  await expect.poll(async () => (await queued()).length).toBe(2);
  const visitor = await dashboard.at('/app/patterns');
  const { page } = visitor;
  const totals = page.getByRole('status').filter({ hasText: 'not counted yet' });
  await totals.getByText(/3 not counted yet, 2 of them waiting until about .*\d\d:\d\d$/).waitFor();
  expect(await visitor.violations()).toEqual([]);
  go.resolve();
  service.pipeline.answer = sayEverything;
  await expect
    .poll(async () => (await dashboard.asked<TrendList>('/trends?measure=duration')).pending, { timeout: 20_000 })
    .toBe(0);
  await page.reload();
  await page
    .locator('.totals')
    .getByText(/in \d+ conversations|of \d+ conversations/)
    .waitFor();
  expect(await totals.count()).toBe(0);
});

it('a week of calls without a moment has a nought, and one without calls is empty', async () => {
  const recorded_at = new Date(Date.now() - 21 * 86_400_000).toISOString();
  await make(dashboard.service, 'one-person', KEY, { recorded_at });
  const { page } = await dashboard.at('/app/patterns');
  const objections = page.locator('.score tbody tr', { hasText: 'Objection' }).locator('td');
  await objections.first().waitFor();
  const calls = await page.locator('.score thead small').allTextContents();
  const told = await objections.allTextContents();
  const at = calls.indexOf('1 call');
  expect(told[at]).toBe('0');
  expect(told.filter((_, i) => calls[i] === 'no calls').join('')).toBe('');
});

it('paper says how many of all moments it has, and names no button', async () => {
  await make(dashboard.service, 'eight-people');
  const { page } = await dashboard.at('/app/patterns');
  const more = page.getByRole('button', { name: 'Show more' });
  await more.waitFor();
  await page.emulateMedia({ media: 'print' });
  expect(await more.isVisible()).toBe(false);
  expect(await shownText(page.locator('.loaded1'))).toMatch(
    /^20 of \d+ moments are shown\. The page has the others\.$/,
  );
  expect(await shownText(page.locator('main'))).not.toContain('Show more');
});
