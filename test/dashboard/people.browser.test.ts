import { beforeAll, expect, it } from 'vitest';
import type { Person } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { make } from '../../support/made-conversations.ts';
import { shownText } from '../../support/visitor.ts';

// The people of a tenant, and one of them over weeks.

const dashboard = dashboardUnderTest();
let id: string;
beforeAll(async () => {
  id = await make(dashboard.service, 'two-people');
});

it('a person is added, and has a page with timing alone, conversations, an edit and a removal', async () => {
  const visitor = await dashboard.at('/app/people');
  const { page } = visitor;
  await page.getByText('Nobody is named yet').waitFor();
  expect(await visitor.violations()).toEqual([]);
  await page.getByRole('button', { name: 'New person' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Berg');
  await page.getByRole('combobox', { name: 'Role' }).fill('agent');
  await page.getByRole('button', { name: 'Save' }).click();
  const entry = page.getByRole('list', { name: 'People' }).getByRole('link', { name: /^Ada Berg/ });
  await entry.waitFor();
  expect(await visitor.violations()).toEqual([]);
  const [person] = (await dashboard.asked<{ people: Person[] }>('/people')).people;
  await dashboard.asked(`/conversations/${id}`, { people: { Speaker_0: person!.id } }, 'PATCH');

  await entry.click();
  await page.getByRole('heading', { name: 'Ada Berg' }).waitFor();
  const measures = page.locator('.timing tbody th b:first-child');
  await expect
    .poll(() => measures.allInnerTexts())
    .toEqual(['Talk share', 'Longest turn', 'Patience', 'Questions', 'Pace']);
  expect(await shownText(page.locator('main'))).not.toMatch(/tone of|sentiment|emotion|valence/i);
  // Too little is said for questions an hour.
  expect(await page.locator('.timing .dot.hol').count()).toBe(4);
  expect(await shownText(page.locator('.timing tbody th').nth(3))).toContain(
    'needs 5 minutes of own speech; the only conversation does not have it',
  );
  // Only the week of the conversation has something to say: one that is not measured is not one that is missing.
  expect(await page.locator('.timing .of1').allTextContents()).toEqual(['0 of 1']);
  expect(await page.locator('.timing .bar1').count()).toBe(0);
  expect(await visitor.violations()).toEqual([]);
  for (const width of [900, 390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await visitor.overflows()).toBe(false);
  }
  await page.getByRole('button', { name: /^Talk share, week of .*1 conversation$/ }).press('Enter');
  await expect.poll(() => new URL(page.url()).searchParams.get('week')).toMatch(/^\d{4}-\d\d-\d\d$/);
  await page.getByRole('region', { name: 'Conversations' }).getByRole('listitem').getByRole('link').waitFor();
  await page.reload();
  await page.getByRole('button', { name: /^week of/ }).waitFor();
  await page.locator('.timing .dot').first().click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/app/conversations/${id}`);

  await visitor.goTo(`/app/people/${person!.id}`);
  const own = page.getByRole('region', { name: 'Conversations' });
  await own.getByRole('link', { name: 'Conversations', exact: true }).click();
  await page.getByRole('button', { name: 'Remove the filter Ada Berg' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page.goBack();
  await page.goBack();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada Berg-Lund');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Ada Berg-Lund' }).waitFor();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Nobody is named yet').waitFor();
});

it('people of one name are told apart by their ids in another system', async () => {
  for (const external_id of ['crm-7', 'crm-8']) await dashboard.asked('/people', { name: 'Kim Roe', external_id });
  const { page } = await dashboard.at('/app/people');
  const kims = page.getByRole('list', { name: 'People' }).getByRole('link', { name: /^Kim Roe/ });
  await expect.poll(() => kims.count()).toBe(2);
  // People of one name are listed in the order of their random ids.
  expect((await kims.locator('.muted').allInnerTexts()).toSorted()).toEqual(['no role · crm-7', 'no role · crm-8']);
});

it('the conversations of a week lie side by side, none over another', async () => {
  const { id: person } = await dashboard.asked<Person>('/people', { name: 'Bo Lund', role: 'agent' });
  const recorded_at = new Date(Date.now() - 60_000).toISOString();
  for (let i = 0; i < 3; i++) {
    const one = await make(dashboard.service, 'two-people', undefined, { recorded_at });
    await dashboard.asked(`/conversations/${one}`, { people: { Speaker_0: person } }, 'PATCH');
  }
  const { page } = await dashboard.at(`/app/people/${person}`);
  const dots = page.locator('.timing tbody tr').first().locator('.dot');
  for (const width of [1440, 900, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await expect.poll(() => dots.count()).toBe(3);
    const boxes = await dots.evaluateAll((all) => all.map((dot) => dot.getBoundingClientRect().toJSON()));
    const sorted = boxes.sort((a, b) => a.left - b.left);
    for (const [i, box] of sorted.slice(1).entries())
      expect.soft(box.left, `${width} px`).toBeGreaterThanOrEqual(sorted[i].left + 3);
  }
});
