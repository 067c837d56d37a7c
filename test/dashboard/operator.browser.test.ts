import { expect, it } from 'vitest';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { ADMIN_TOKEN } from '../../support/service-under-test.ts';

// Keys, tenants and operations, as the operator manages them.

const dashboard = dashboardUnderTest();

it('signs in, creates a tenant, issues, rotates and revokes a key, and sees the audit', async () => {
  const visitor = await dashboard.arrive();
  const { page } = visitor;
  await visitor.goTo('/app/keys');
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  await page.getByRole('button', { name: 'New tenant' }).click();
  await page.getByRole('form', { name: 'New tenant' }).getByLabel('Name').fill('Northwest');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { name: 'Settings of Northwest' }).waitFor();

  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.getByRole('form', { name: 'Issue a key' }).getByLabel('Name').fill('CRM import');
  await page.getByRole('button', { name: 'Issue the key' }).click();
  const issued = await page.locator('.kk code').textContent();
  expect(issued).toMatch(/^ut_/);
  // A stray key or click does not lose it.
  await page.keyboard.press('Escape');
  expect(await page.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(issued);

  await page.getByRole('button', { name: 'Rotate CRM import' }).click();
  await page.getByRole('button', { name: '1 h', exact: true }).click();
  await page.getByRole('button', { name: 'Issue the new key' }).click();
  await page.getByText('Rotating').waitFor();
  expect(await page.locator('.kk code').textContent()).not.toBe(issued);
  // The page shows whether the old one is still used; neither can be read again.
  const old = page.locator('tr', { hasText: 'this old key until' });
  expect(await old.textContent()).toContain('not yet');
  await fetch(new URL('/conversations', dashboard.service.url), { headers: { 'X-API-Key': issued! } });
  const choice = page.getByLabel('Tenant', { exact: true });
  const northwest = (await choice.locator('option', { hasText: 'Northwest' }).getAttribute('value'))!;
  await expect
    .poll(async () => {
      await page.reload();
      await choice.locator('option', { hasText: 'Northwest' }).waitFor({ state: 'attached' });
      await choice.selectOption(northwest);
      return old.textContent();
    })
    .toMatch(/\d+ s ago/);
  expect(await page.locator('.kk').count()).toBe(0);
  expect(await page.content()).not.toContain(issued);
  await page.getByRole('button', { name: 'Revoke CRM import' }).first().click();
  expect(await page.getByRole('button', { name: 'Revoke', exact: true }).isDisabled()).toBe(true);
  await page.getByLabel('to revoke it', { exact: false }).fill('CRM import');
  await page.getByRole('button', { name: 'Revoke', exact: true }).click();
  await page.locator('.chip', { hasText: 'Revoked' }).waitFor();

  await page
    .getByRole('form', { name: /settings/ })
    .getByLabel('Tone and emotion')
    .selectOption('none');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Kept', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByText('tenant.created').waitFor();
  expect(await page.locator('.tiles').textContent()).toContain('Analyses');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out the operator' }).click();
  await page.getByLabel('Admin token').waitFor();
  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByRole('heading', { name: 'For the operator' }).waitFor();
});
