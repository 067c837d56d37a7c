import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import type { Comment, MomentList, PlaylistDetail, SharedPlaylist } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { make } from '../../support/made-conversations.ts';

// From "how often does this happen, and how does it end?" to five moments heard, one commented, a playlist shared and the
// share taken back: by keyboard alone, and by mouse alone.

/** The most actions of a walk: a key, a click, or a text that is typed. */
const MOST = 25;
const HEARD = 5;

const dashboard = dashboardUnderTest();
beforeAll(async () => {
  // Each has one objection.
  for (let i = 0; i < HEARD; i++) await make(dashboard.service, 'two-people');
});

/** A hand that counts what it does. */
class Hand {
  actions = 0;
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async press(key: string): Promise<void> {
    this.actions++;
    await this.page.keyboard.press(key);
  }

  async type(text: string): Promise<void> {
    this.actions++;
    await this.page.keyboard.type(text);
  }

  async click(role: 'button' | 'link', name: string | RegExp): Promise<void> {
    this.actions++;
    await this.page.getByRole(role, { name, exact: true }).first().click();
  }
}

/** Waits until the objections are there to hear. */
async function seesObjections(page: Page): Promise<void> {
  await expect.poll(() => new URL(page.url()).searchParams.get('category')).toBe('objection');
  const { totals } = await dashboard.asked<MomentList>('/moments?category=objection');
  expect(totals!.count).toBeGreaterThanOrEqual(HEARD);
  await expect.poll(() => page.getByRole('list', { name: 'Pieces' }).locator('> li').count()).toBe(totals!.count);
  await page.getByRole('group', { name: 'What followed' }).waitFor();
}

/** Waits until a piece plays. @param index from 0 */
async function hears(page: Page, index: number): Promise<void> {
  const row = page.getByRole('list', { name: 'Pieces' }).locator('> li').nth(index);
  await row.and(page.locator('[aria-current="true"]')).waitFor();
  await row.getByRole('button', { name: /^Pause/ }).waitFor();
}

/** Opens a link without a key, and hears a piece. */
async function follow(link: string): Promise<{ works: () => Promise<number> }> {
  const stranger = await dashboard.arrive();
  stranger.expects(/401 .*pieces/);
  await stranger.page.goto(link);
  const pieces = stranger.page.getByRole('list', { name: 'Pieces' }).locator('> li');
  await expect.poll(() => pieces.count()).toBe(1);
  await pieces.first().getByRole('button', { name: /^Play/ }).click();
  await pieces
    .first()
    .getByRole('button', { name: /^Pause/ })
    .waitFor();
  const { page } = stranger;
  expect(await page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.src)).toMatch(/^blob:/);
  expect(await stranger.violations()).toEqual([]);
  for (const width of [900, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await stranger.overflows()).toBe(false);
  }
  const { pathname, hash } = new URL(link);
  const works = async (): Promise<number> => {
    const headers = { Authorization: `Bearer ${hash.slice('#token='.length)}` };
    const path = `/playlists/${pathname.split('/').at(-1)}/pieces`;
    const answer = await fetch(new URL(path, dashboard.service.url), { headers });
    if (answer.ok) expect(((await answer.json()) as SharedPlaylist).pieces).toHaveLength(1);
    return answer.status;
  };
  return { works };
}

/** Waits until a field has the focus, so that no key is lost. */
const hasFocus = (field: Locator) =>
  expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true);

const linkOn = (page: Page): Promise<string> => page.getByRole('textbox', { name: 'Link' }).inputValue();

async function seesTheEnd(page: Page, list: string, words: string): Promise<void> {
  await page.getByText(/^Taken back on/).waitFor();
  const { playlists } = await dashboard.asked<{ playlists: PlaylistDetail[] }>('/playlists');
  const { list: pieces } = await dashboard.asked<PlaylistDetail>(
    `/playlists/${playlists.find(({ name }) => name === list)!.id}`,
  );
  const { comments } = await dashboard.asked<{ comments: Comment[] }>(
    `/conversations/${pieces[0]!.conversation_id}/comments`,
  );
  expect(comments.map(({ text }) => text)).toContain(words);
}

it('is walked by keyboard alone', async () => {
  const { page } = await dashboard.at('/app');
  await page.getByRole('heading', { name: 'Conversations' }).waitFor();
  const hand = new Hand(page);
  await hand.press('Control+k');
  await hasFocus(page.getByRole('combobox', { name: 'Go to' }));
  await hand.type('patterns');
  await hand.press('Enter');
  await page.getByRole('list', { name: 'Pieces' }).waitFor();
  await hand.press('f');
  const kind = page.getByRole('combobox', { name: 'Kind of moment' });
  await hasFocus(kind);
  await hand.press('ArrowDown');
  await seesObjections(page);
  for (let i = 0; i < HEARD; i++) {
    await hand.press('j');
    await hears(page, i);
  }
  await hand.press('w');
  await hasFocus(page.getByRole('textbox', { name: 'Comment' }));
  await hand.type('By keyboard.');
  await hand.press('Tab');
  await hand.press('Enter');
  await page.getByText('Comment saved').waitFor();
  await hand.press('s');
  await hasFocus(page.getByRole('textbox', { name: 'Name of the new playlist' }));
  await hand.type('Keys');
  await hand.press('Enter');
  await page.getByText('Added to Keys').waitFor();
  await hand.press('Control+k');
  await hasFocus(page.getByRole('combobox', { name: 'Go to' }));
  await hand.type('share keys');
  await page.getByRole('option', { name: 'Share Keys', exact: true, selected: true }).waitFor();
  await hand.press('Enter');
  await page.getByRole('heading', { name: 'Share this playlist' }).waitFor();
  await hand.press('Tab');
  await hand.press('Enter');
  const { works } = await follow(await linkOn(page));
  expect(await works()).toBe(200);
  await page.getByRole('button', { name: /^Take it back/ }).waitFor();
  await hand.press('Tab');
  await hand.press('Enter');
  await seesTheEnd(page, 'Keys', 'By keyboard.');
  expect(await works()).toBe(401);
  expect(hand.actions).toBeLessThanOrEqual(MOST);
});

it('is walked by mouse alone', async () => {
  const { page } = await dashboard.at('/app');
  const hand = new Hand(page);
  await hand.click('link', 'Patterns');
  // The list of kinds opens, and one is chosen.
  await page.getByRole('combobox', { name: 'Kind of moment' }).selectOption('objection');
  hand.actions += 2;
  await seesObjections(page);
  const pieces = page.getByRole('list', { name: 'Pieces' }).locator('> li');
  for (let i = 0; i < HEARD; i++) {
    hand.actions++;
    await pieces.nth(i).getByRole('button', { name: /^Play/ }).click();
    await hears(page, i);
  }
  await hand.click('button', /^Comment on/);
  await hasFocus(page.getByRole('textbox', { name: 'Comment' }));
  await hand.type('By mouse.');
  await hand.click('button', 'Save');
  await page.getByText('Comment saved').waitFor();
  await hand.click('button', /^Add to a playlist/);
  const name = page.getByRole('textbox', { name: 'Name of the new playlist' });
  const lists = page.getByRole('dialog').getByRole('combobox', { name: 'Playlist' });
  await name.or(lists).waitFor();
  if (await lists.isVisible()) {
    await lists.selectOption('');
    hand.actions += 2;
  }
  await hasFocus(name);
  await hand.type('Mouse');
  await hand.click('button', 'Add');
  await page.getByText('Added to Mouse').waitFor();
  await hand.click('link', 'Playlists');
  await hand.click('link', /^Mouse/);
  await hand.click('button', 'Share');
  await hand.click('button', 'Make a link');
  const { works } = await follow(await linkOn(page));
  expect(await works()).toBe(200);
  await hand.click('button', /^Take it back/);
  await seesTheEnd(page, 'Mouse', 'By mouse.');
  expect(await works()).toBe(401);
  expect(hand.actions).toBeLessThanOrEqual(MOST);
});
