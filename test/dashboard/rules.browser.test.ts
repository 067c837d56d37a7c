import { beforeAll, expect, it } from 'vitest';
import type { MomentList, Rule, RuleHistory, RuleTryResult } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { make } from '../../support/made-conversations.ts';

const dashboard = dashboardUnderTest();
let id: string;
beforeAll(async () => {
  id = await make(dashboard.service, 'two-people');
});

it('a rule is written, heard, judged and switched on by hand, and never before it was tried', async () => {
  const visitor = await dashboard.at('/app/rules');
  const { page } = visitor;
  await page.getByText('There are no rules yet').waitFor();
  expect(await visitor.violations()).toEqual([]);
  await page.getByRole('link', { name: 'New rule' }).click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('Days');
  const switchOn = page.getByRole('button', { name: 'Switch on' });
  expect(await switchOn.isDisabled()).toBe(true);
  await page.getByText('Add words that are said.').waitFor();
  const words = page.getByRole('textbox', { name: 'Add words' });
  await words.fill('demo');
  await words.press('Enter');
  await page.getByRole('button', { name: 'Remove “demo”' }).waitFor();
  await page.getByRole('button', { name: 'Length' }).click();
  await page.getByRole('button', { name: 'Try the rule' }).click();

  const when = { all: [{ said: { phrases: ['demo'] } }, { length: { min: 300 } }] };
  const short = await dashboard.asked<RuleTryResult>('/rules/try', { when });
  const figures = page.locator('.figs');
  await figures.getByText(`in ${short.matched} of 1 conversation`).waitFor();
  // A condition is turned around by a state in words, apart from what removes it.
  const isAgainst = page.getByRole('checkbox', { name: 'Must not apply: Length' });
  await isAgainst.check();
  await page.getByText('but not', { exact: true }).waitFor();
  await isAgainst.uncheck();
  await page.getByRole('button', { name: 'Remove: Length' }).click();
  // Other conditions than the tried ones.
  expect(await switchOn.isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Try the rule' }).click();
  const heard = await dashboard.asked<RuleTryResult>('/rules/try', { when: when.all[0] });
  expect(heard.hit_count).toBeGreaterThan(0);
  await figures.getByText(String(heard.hit_count), { exact: true }).first().waitFor();
  const hits = page.getByRole('list', { name: 'Hits' }).locator('> li');
  await expect.poll(() => hits.count()).toBe(heard.hit_count);
  const where = { after: { categories: ['cta_offered'] } };
  const kept = await dashboard.asked<RuleTryResult>('/rules/try', { when: { said: { phrases: ['demo'], where } } });
  await page.getByText(`Within 60 s after an offer it would keep ${kept.hit_count} of ${heard.hit_count}.`).waitFor();
  // The limit of a trial is far.
  await page.getByText(/^\d+ lines were searched\.$/).waitFor();
  expect(((await hits.first().locator('mark').first().textContent()) ?? '').toLowerCase()).toContain('demo');
  expect(await visitor.violations()).toEqual([]);
  for (const width of [900, 390, 320, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await visitor.overflows(), String(width)).toBe(false);
  }
  // The conditions stay in sight beside the last hit.
  await page.setViewportSize({ width: 1440, height: 600 });
  await hits.last().scrollIntoViewIfNeeded();
  for (const button of ['Try the rule', 'Save']) {
    const act = page.getByRole('button', { name: button });
    await act.scrollIntoViewIfNeeded();
    const { y, height } = (await act.boundingBox())!;
    expect(y + height, button).toBeLessThanOrEqual(548);
  }
  const last = (await hits.last().boundingBox())!;
  expect(last.y).toBeLessThan(600);
  await page.setViewportSize({ width: 1440, height: 900 });
  expect((await dashboard.asked<{ rules: Rule[] }>('/rules')).rules).toEqual([]);

  // Nothing leaves the service unless somebody says so.
  const alerts = page.getByRole('checkbox', { name: /^Send a webhook message/ });
  expect(await alerts.isChecked()).toBe(false);
  await alerts.check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toMatch(/^\/app\/rules\/(?!new)/);
  await expect.poll(() => hits.count()).toBe(heard.hit_count);
  await page.keyboard.press('j');
  await hits
    .first()
    .getByRole('button', { name: /^Pause/ })
    .waitFor();
  await page.keyboard.press('y');
  await hits
    .first()
    .getByRole('button', { name: /^Right/, pressed: true })
    .waitFor();
  await figures.getByText('1 of 1', { exact: true }).waitFor();
  await hits
    .first()
    .getByRole('button', { name: /^Wrong/ })
    .click();
  await figures.getByText('0 of 1', { exact: true }).waitFor();
  // One judged hit says nothing of the others, so there is no share.
  await figures.getByText(`How many of all ${heard.hit_count} are right is not known yet`, { exact: false }).waitFor();
  expect(await figures.textContent()).not.toContain('%');
  await page.getByRole('list', { name: 'Found' }).getByText('in these words: 0 right, 1 wrong').waitFor();

  // Few hits are judged, so it asks once.
  await switchOn.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('button', { name: 'Switch off' }).waitFor();
  const [rule] = (await dashboard.asked<{ rules: Rule[] }>('/rules')).rules;
  expect(rule).toMatchObject({ name: 'Days', is_enabled: true, alert: true, when: when.all[0] });

  // A change of a rule that is on is tried first, and compared with what is on.
  await words.fill('morning');
  await words.press('Enter');
  const save = page.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await page.keyboard.press('Control+Enter');
  const against = page.getByText(/Against the version that is on: \+\d+ new, −0 gone/);
  const added = Number(/\+(\d+)/.exec((await against.textContent()) ?? '')?.[1]);
  expect(added).toBeGreaterThan(0);
  await page.getByRole('button', { name: 'Only the new ones' }).click();
  await expect.poll(() => hits.count()).toBe(added);
  const demo = heard.hit_count;
  await page.getByRole('button', { name: new RegExp(`^Remove “demo”, ${demo} hits?$`) }).waitFor();
  expect(await page.locator('.phrase', { hasText: 'demo' }).textContent()).toMatch(
    new RegExp(`^demo\\s*${demo} hits?$`),
  );
  await alerts.uncheck();
  await save.click();
  await page.getByText('Version 2, on').waitFor();
  const history = await dashboard.asked<RuleHistory>(`/rules/${rule!.id}`);
  expect(history).toMatchObject({ version: 2, alert: false, when: { said: { phrases: ['demo', 'morning'] } } });

  await page.getByRole('button', { name: 'Versions' }).click();
  await page.getByRole('radio', { name: /^Version 1/ }).check();
  await page.getByRole('button', { name: 'Take this one' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Remove “morning”' }).count()).toBe(0);
  await page.getByRole('button', { name: 'As JSON' }).click();
  const json = page.getByRole('textbox', { name: 'Condition' });
  await json.fill('{"said":{"phrase":"demo"}}');
  await json.blur();
  visitor.expects(/400 .*rules\/try/);
  await page.getByRole('button', { name: 'Try the rule' }).click();
  await page.getByText(/did you mean "phrases"/).waitFor();

  await page.getByRole('link', { name: 'All rules' }).click();
  const row = page.getByRole('list', { name: 'Rules' }).locator('> li');
  await row.getByText(/Somebody says “demo” or “morning”/).waitFor();
  await row.getByText('on, in 1 conversation').waitFor();
  expect(await visitor.violations()).toEqual([]);
  await row.getByRole('button', { name: 'Switch off: Days' }).click();
  await row.getByText('off', { exact: true }).waitFor();
});

it('what a rule just leaves out is heard, and one click makes the rule wider', async () => {
  const visitor = await dashboard.at('/app/rules/new');
  const { page } = visitor;
  await page.getByLabel('Name', { exact: true }).fill('Exactly');
  const words = page.getByRole('textbox', { name: 'Add words' });
  for (const word of ['demos', 'nothing of the kind']) {
    await words.fill(word);
    await words.press('Enter');
  }
  await page.getByLabel('Words', { exact: true }).selectOption('exact');
  await page.getByRole('button', { name: 'Try the rule' }).click();
  await page.getByRole('list', { name: 'Just left out' }).getByText('in another form of the words').waitFor();
  const { left_out, hit_count } = await dashboard.asked<RuleTryResult>('/rules/try', {
    when: { said: { phrases: ['demos', 'nothing of the kind'], words: 'exact' } },
  });
  expect(left_out.map(({ path }) => path)).toEqual(['when.said.words']);
  const near = page.getByRole('list', { name: 'Left out: in another form of the words' }).locator('> li');
  await expect.poll(() => near.count()).toBe(left_out[0]!.hit_count);
  expect((await near.first().locator('mark').first().textContent())?.toLowerCase()).toBe('demo');
  await page.getByRole('button', { name: 'Remove “nothing of the kind”, 0 hits' }).waitFor();
  expect(await visitor.violations()).toEqual([]);
  await page.getByRole('button', { name: /^Include them/ }).click();
  const hits = page.getByRole('list', { name: 'Hits' }).locator('> li');
  await expect.poll(() => hits.count()).toBe(hit_count + left_out[0]!.hit_count);
  expect(await page.getByLabel('Words', { exact: true }).inputValue()).toBe('any_form');
});

it('a trial says how many of its hits are unsure, and what it cannot tell', async () => {
  const visitor = await dashboard.at('/app/rules/new');
  const { page } = visitor;
  await page.getByLabel('Name', { exact: true }).fill('Hard to say');
  await page.getByRole('button', { name: 'Remove: What is said' }).click();
  await page.getByRole('button', { name: 'A moment' }).click();
  const kinds = page.getByRole('group', { name: 'Moments' });
  const others = kinds.getByRole('button', { pressed: false });
  for (let left = await others.count(); left > 0; left--) await others.first().click();
  const attempt = page.getByRole('button', { name: 'Try the rule' });
  await attempt.click();
  const figure = (name: string) => page.locator('.figs > div', { hasText: name }).locator('dd');
  const { totals } = await dashboard.asked<MomentList>('/moments');
  expect(totals!.unsure).toBeGreaterThan(0);
  await figure('Of them unsure').getByText(String(totals!.unsure), { exact: true }).waitFor();
  const hits = page.getByRole('list', { name: 'Hits' }).locator('> li');
  expect(await hits.getByText('unsure', { exact: true }).count()).toBe(totals!.unsure);
  expect(await visitor.violations()).toEqual([]);

  // The sentiment of a speaker whose affect is hidden is unknown.
  const hide_affect = { Speaker_0: true, Speaker_1: true };
  await dashboard.asked(`/conversations/${id}`, { hide_affect }, 'PATCH');
  await page.getByRole('button', { name: 'Remove: A moment' }).click();
  await page.getByRole('button', { name: 'Sentiment' }).click();
  await attempt.click();
  await figure('Cannot tell').getByText('1', { exact: true }).waitFor();
  await figure('Cannot tell').getByText('tone is withheld, or nobody has the role').waitFor();
  await page.getByText('Nothing that could be read is like this. Of 1 conversation it cannot be told.').waitFor();
  expect(await visitor.violations()).toEqual([]);

  // Nor do the pages that count what a rule matches say that there is nothing.
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('button', { name: 'Switch off' }).waitFor();
  const rule = new URL(page.url()).pathname.split('/').at(-1);
  await expect.poll(async () => (await dashboard.asked<Rule>(`/rules/${rule}`)).pending).toBe(0);
  await page.getByRole('link', { name: 'All rules' }).click();
  await page.getByText('on, in 0 conversations, cannot tell in 1').waitFor();
  await visitor.goTo('/app/patterns');
  await page
    .getByRole('row', { name: /Hard to say/ })
    .getByText('no hit, cannot tell in 1')
    .waitFor();
  const tone = page.getByRole('row', { name: /^Tone of customers/ });
  await tone.getByText('tone of 0 of 1 calls').waitFor();
  expect(await page.locator('.tonekey').count()).toBe(0);
  await tone.getByText('No call of these weeks has a tone of somebody who is not staff.').waitFor();
  expect(await page.locator('.tone1 :is(svg, i)').count()).toBe(0);
  expect(await visitor.violations()).toEqual([]);
});
