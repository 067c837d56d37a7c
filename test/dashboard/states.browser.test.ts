import { beforeAll, describe, expect, it } from 'vitest';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { MADE, make } from '../../support/made-conversations.ts';
import { ADMIN_TOKEN, KEY } from '../../support/service-under-test.ts';
import type { Visitor } from '../../support/visitor.ts';

// Accessibility and layout of every page and every state of a conversation. Contrast depends on the theme, and layout
// on the width. States share their parts, so each is read by axe in one of two looks, by turns, and the richest in
// both. `npm run generate -- pictures` covers all themes and widths.

const dashboard = dashboardUnderTest();
/** Excludes the one that is too long for a check of every row. */
const STATES = Object.keys(MADE).filter((name) => name !== 'eight-hours');
/** The states that show utterances in another way. */
const WITH_UTTERANCE = ['two-people', 'no-audio', 'no-affect'];
/** axe checks every element, and the machine may be busy with other work. */
const SLOW = { timeout: 180_000 };
const ids = new Map<string, string>();
beforeAll(async () => {
  for (const name of STATES) ids.set(name, await make(dashboard.service, name));
});

/** Theme and width of the window, px. */
const LOOKS = [
  ['light', 1440],
  ['dark', 390],
] as const;
const IN_BOTH = 'two-people';

async function look(visitor: Visitor, what: string): Promise<void> {
  expect.soft(await visitor.violations(), what).toEqual([]);
  expect.soft(await visitor.overflows(), `${what} is wider than the window`).toBe(false);
}

describe.each(LOOKS)('in the %s theme, %i px wide', (theme, width) => {
  it('every page', SLOW, async () => {
    const visitor = await dashboard.at('/app/sign-in', { theme, width });
    const { page } = visitor;
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Sign in as the operator' }).click();
    await page.locator('[data-row]').first().waitFor();
    const id = ids.get('two-people')!;
    for (const [path, ready] of [
      ['/app', '[data-row]'],
      ['/app/analyse', '.drop'],
      ['/app/live', '.begin'],
      ['/app/keys', '.kt td[data-name]'],
      ['/app/keys?section=members', '.members'],
      ['/app/keys?section=settings', '.tenant'],
      ['/app/keys?section=data', '.tenant'],
      ['/app/operations', '.tiles'],
      ['/app/sign-in', '.sign'],
      ['/app/try', '.try1'],
      [`/app/compare?a=${id}&b=${ids.get('no-affect')}`, '.cmpt'],
      ['/app/nowhere', '.head'],
    ] as const) {
      await visitor.goTo(path);
      await page.locator(ready).first().waitFor();
      await look(visitor, path);
    }
  });

  const turn = LOOKS.findIndex(([name]) => name === theme);
  it.each(STATES.filter((name, i) => name === IN_BOTH || i % LOOKS.length === turn))('%s', SLOW, async (name) => {
    const visitor = await dashboard.arrive({ theme, width });
    if (name === 'deleted-media') visitor.expects(/404 .*media/);
    if (name === 'no-audio') visitor.expects(/404 .*levels/);
    const { page } = visitor;
    await visitor.goTo(`/app/conversations/${ids.get(name)}#key=${KEY}`);
    await page
      .locator(name === 'failed-job' ? '.empty' : '.summary .line')
      .first()
      .waitFor();
    await look(visitor, name);
    for (const [, other] of LOOKS) {
      await page.setViewportSize({ width: other, height: 900 });
      expect.soft(await visitor.overflows(), `${name} at ${other} px is wider than the window`).toBe(false);
    }
    await page.setViewportSize({ width, height: 900 });
    if (!WITH_UTTERANCE.includes(name)) return;
    // The measures of an utterance, at the side or as a sheet.
    await page.keyboard.press('Enter');
    await page.getByText('How reliable this is').waitFor();
    await look(visitor, `${name}, an utterance`);
  });

  it('dialogs and menus', SLOW, async () => {
    const visitor = await dashboard.at(`/app/conversations/${ids.get('two-people')}`, { theme, width });
    const { page } = visitor;
    const more = async (item: string): Promise<void> => {
      await page.getByRole('button', { name: 'More', exact: true }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await look(visitor, item);
      await page.keyboard.press('Escape');
    };
    await page.locator('.summary .line').first().waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await look(visitor, 'the menu');
    await page.keyboard.press('Escape');
    for (const item of ['Change the title', 'Share a link', 'Set the number of people and analyse again', 'Delete'])
      await more(item);
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
    await look(visitor, 'the keys');
  });
});
