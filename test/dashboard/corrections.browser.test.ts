import { expect, it } from 'vitest';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { ADMIN_TOKEN } from '../../support/service-under-test.ts';
import { shownText } from '../../support/visitor.ts';

// Corrected words, labels and the vocabulary of a tenant.

const dashboard = dashboardUnderTest();

it('corrects the words of an utterance everywhere, and takes it back', async () => {
  const id = await dashboard.analysed();
  const visitor = await dashboard.at(`/app/conversations/${id}`);
  const { page } = visitor;
  const first = page.locator('.transcript .txt').first();
  await expect.poll(() => shownText(first)).not.toBe('');
  const heard = await shownText(first);
  await page.locator('.cue').first().click();
  await page.getByRole('button', { name: 'Comment or correct' }).click();
  await page.getByRole('menuitem', { name: 'Correct the words' }).click();
  await page.getByRole('dialog').getByLabel('What was said').fill(`${heard} Timbuktu`);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.transcript .txt', { hasText: 'Timbuktu' }).waitFor();
  await visitor.goTo('/app');
  await page.getByRole('searchbox').fill('timbuktu');
  await page.locator('.hit1 mark', { hasText: 'Timbuktu' }).waitFor();
  await visitor.goTo(`/app/conversations/${id}`);
  await page.locator('.transcript .txt', { hasText: 'Timbuktu' }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Undo the last edit' }).click();
  await expect.poll(() => shownText(page.locator('.transcript .txt').first())).toBe(heard);
});

it('takes an edit back from its confirmation', async () => {
  const id = await dashboard.analysed();
  const { page } = await dashboard.at(`/app/conversations/${id}`);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Labels' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('by mistake');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const label = page.getByRole('list', { name: 'Labels' }).getByText('by mistake');
  await label.waitFor();
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('status').getByText('Undone').waitFor();
  await label.waitFor({ state: 'detached' });
});

it('puts a conversation on hold, which keeps it from being deleted, and shows who accessed it', async () => {
  const id = await dashboard.analysed();
  const visitor = await dashboard.at(`/app/conversations/${id}`);
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  const choose = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  visitor.expects(/409/);
  await choose('Put on hold');
  await dialog.getByLabel('Reason').fill('Complaint 7');
  await dialog.getByLabel('Until').fill('2099-01-02');
  await dialog.getByRole('button', { name: 'Put on hold' }).click();
  await page.getByRole('button', { name: 'On hold' }).click();
  await expect.poll(() => shownText(dialog)).toMatch(/Complaint 7.*until 2 Jan/s);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await choose('Delete');
  await dialog.getByRole('button', { name: 'Delete it' }).click();
  await dialog.getByText('This conversation is on hold.').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await choose('Who accessed it');
  await expect.poll(() => shownText(dialog)).toMatch(/opened/);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'On hold' }).click();
  await dialog.getByRole('button', { name: 'Lift' }).click();
  await page.getByRole('button', { name: 'On hold' }).waitFor({ state: 'detached' });
});

it('labels a conversation, shows the labels, and lists the conversations of one', async () => {
  const [id] = [await dashboard.analysed(), await dashboard.analysed()];
  const visitor = await dashboard.at(`/app/conversations/${id}`);
  const { page } = visitor;
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Labels' }).click();
  await page.getByRole('dialog').getByRole('textbox').fill('to review, northern region');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('list', { name: 'Labels' }).getByRole('link', { name: 'northern region' }).click();
  const rows = page.locator('tr', { has: page.locator('[data-row]') });
  await expect.poll(() => rows.count()).toBe(1);
  expect(await shownText(rows)).toContain('to review');
  await page.getByRole('button', { name: 'Remove the filter northern region' }).click();
  await expect.poll(() => rows.count()).toBeGreaterThan(1);
  await rows.getByRole('button', { name: 'to review' }).click();
  await expect.poll(() => rows.count()).toBe(1);
});

it('remembers the vocabulary of a tenant', async () => {
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  await visitor.goTo('/app/sign-in');
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  await visitor.goTo('/app/keys?section=settings');
  const words = page.getByLabel('Vocabulary');
  await words.fill('Xanthippe\nCloudflare Workers\n');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Kept', { exact: true }).waitFor();
  await page.reload();
  await expect.poll(() => words.inputValue()).toBe('Xanthippe\nCloudflare Workers');
});

it('comments on a second, changes and deletes the comment, and marks the conversation as reviewed', async () => {
  const id = await dashboard.analysed();
  const visitor = await dashboard.at(`/app/conversations/${id}`);
  const { page } = visitor;
  const dialog = page.getByRole('dialog');
  const save = () => page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.locator('.cue').nth(1).click();
  await page.getByRole('button', { name: 'Comment or correct' }).click();
  await page.getByRole('menuitem', { name: 'Comment here' }).click();
  await dialog.getByLabel('Comment').fill('Ask for the date here.');
  await save();
  const comments = page.locator('section', { has: page.getByRole('heading', { name: /^Comments/ }) }).last();
  await comments.getByText('Ask for the date here.').click();
  await comments.hover();
  await comments.getByRole('button', { name: /^Change the comment/ }).click();
  await dialog.getByLabel('Comment').fill('When?');
  await save();
  await comments.getByText('When?').waitFor();
  expect(await visitor.violations()).toEqual([]);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Mark as reviewed' }).click();
  await page.getByRole('status').getByText('Marked as reviewed').waitFor();
  await comments.hover();
  await comments.getByRole('button', { name: /^Change the comment/ }).click();
  await dialog.getByLabel('Comment').fill('');
  await save();
  await comments.waitFor({ state: 'detached' });
  await visitor.goTo('/app');
  await page.getByLabel('Review').selectOption('To review');
  await page.locator(`a[href*="${id}"]`).waitFor({ state: 'detached' });
  await page.getByLabel('Review').selectOption('Reviewed');
  await page.locator(`a[href*="${id}"]`).first().waitFor();
});
