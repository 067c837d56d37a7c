import { expect, it } from 'vitest';
import { CARD, sayCard } from '../../support/card-pipeline.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { shownText } from '../../support/visitor.ts';

const dashboard = dashboardUnderTest();

it('a stored conversation is redacted on its page, and the receipts say so', async () => {
  dashboard.service.pipeline.answer = sayCard;
  const id = await dashboard.analysed();
  const visitor = await dashboard.at('/app');
  const { page } = visitor;
  // The player may ask for more of the first recording in the moment in which the second takes its place.
  visitor.expects(/416 .*media/);
  const played = new Set<string>();
  page.on('request', (request) => {
    if (/media\?token/.test(request.url())) played.add(request.url());
  });
  await visitor.goTo(`/app/conversations/${id}`);
  await page.getByText(CARD).first().waitFor();
  await expect.poll(() => played.size).toBe(1);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Redact for good' }).click();
  const dialog = page.getByRole('dialog', { name: 'Redact for good' });
  const kind = (name: string) => dialog.getByRole('checkbox', { name });
  expect([await kind('card numbers').isChecked(), await kind('names').isChecked()]).toEqual([true, false]);
  await kind('names').check();
  expect(await visitor.violations()).toEqual([]);
  await dialog.getByRole('button', { name: 'Redact it' }).click();
  await page.getByText('[card]').first().waitFor();
  expect(await shownText(page.locator('main'))).not.toContain('4242');
  await expect.poll(() => played.size).toBe(2);

  await visitor.goTo(`/app/receipts?conversation=${id}`);
  const row = page.getByRole('table').getByRole('row').nth(1);
  await row.getByText('card numbers: 1; verified').waitFor();
  // In words, because nobody knows an id.
  await row.getByRole('link', { name: 'call', exact: true }).waitFor();
  await row.getByText('(your key)').waitFor();
  expect(await shownText(row)).toContain(id);
  expect(await visitor.violations()).toEqual([]);
  for (const width of [900, 390, 320, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await visitor.overflows()).toBe(false);
  }
  const download = page.waitForEvent('download');
  await row.getByRole('button', { name: 'Download' }).click();
  expect((await download).suggestedFilename()).toMatch(/^receipt-.*\.json$/);
  await page.getByRole('combobox', { name: 'Kind' }).selectOption('retention');
  await page.getByText('There is no such receipt').waitFor();
  await page.getByRole('link', { name: 'Show those of all conversations' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?kind=retention');
});
