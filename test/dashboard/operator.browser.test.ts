import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import type { DeadLetter, Operations, PoolInstance } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { sayError, sayEverything } from '../../support/fake-pipeline.ts';
import { ADMIN_TOKEN, KEY } from '../../support/service-under-test.ts';
import { shownText } from '../../support/visitor.ts';

// Keys, tenants and operations, as the operator manages them.

const dashboard = dashboardUnderTest({ ALLOW_PRIVATE_TARGETS: 'true' });

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
  expect(await page.getByLabel('Expires after').inputValue()).toBe('90');
  await page.getByRole('button', { name: 'Issue the key' }).click();
  const issued = await page.locator('.kk code').textContent();
  expect(issued).toMatch(/^ut_/);
  // An accidental key or click does not close it.
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

  const tone = page.getByRole('form', { name: /settings/ }).getByLabel('Tone and emotion');
  await tone.selectOption('none');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Kept', { exact: true }).waitFor();
  // The form shows what is stored, and saving it again changes nothing.
  await page.reload();
  await choice.locator('option', { hasText: 'Northwest' }).waitFor({ state: 'attached' });
  await choice.selectOption(northwest);
  await expect.poll(() => tone.inputValue()).toBe('none');

  await page.getByRole('link', { name: 'Operations' }).click();
  // Acts on keys are in the audit log, in words.
  const audit = page.getByRole('region', { name: 'Audit log' });
  for (const act of ['created the tenant', 'issued the key', 'rotated the key', 'revoked the key'])
    await audit.getByText(act).first().waitFor();
  expect(await page.locator('.tiles').textContent()).toContain('An analysis takes');
  await page.getByRole('link', { name: 'Account' }).click();
  await page.getByRole('button', { name: 'Sign out the operator' }).click();
  await page.getByLabel('Admin token').waitFor();
  await page.getByRole('link', { name: 'Operations' }).click();
  await page.getByRole('heading', { name: 'For the operator' }).waitFor();
});

it('leads from a failure to its reason and its conversation, and analyses it again', async () => {
  dashboard.service.pipeline.answer = sayError('ANALYSIS_FAILURE', 'The pipeline stopped');
  const id = await dashboard.analysed();
  dashboard.service.pipeline.answer = sayEverything;
  const visitor = await dashboard.at('/app/operations');
  const { page } = visitor;
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  const row = page.getByRole('region', { name: 'Failures' }).getByRole('row').filter({ hasText: id });
  expect(await shownText(row)).toContain('The analysis failed');
  expect(await shownText(row)).toContain('ours');
  expect(await shownText(page.locator('.tiles'))).toMatch(/Running.*of \d+ slots; 1 of 1 pipelines respond/s);
  // An analysis that was given up stands once, where it failed.
  expect(await page.locator('tr').filter({ hasText: id }).count()).toBe(1);
  await row.getByRole('button', { name: 'Analyse again' }).click();
  await page.getByText('Nothing failed.').waitFor();
  await page.getByRole('region', { name: 'Audit log' }).getByText('re-analysed the conversation').waitFor();
  await visitor.goTo(`/app/conversations/${id}`);
  await page.locator('.summary .line').first().waitFor();
});

it('shows the pool and what was given up, at every width without scrolling, and starts it again', async () => {
  const visitor = await dashboard.at('/app/sign-in');
  const { page } = visitor;
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  const instance = (name: string, state: PoolInstance['state'], lag_ms: number): PoolInstance => ({
    ...{ name, state, lag_ms, busy: 0.42, memory_bytes: 536_870_912, reported_at: new Date().toISOString() },
    live: { slots: 12, used: 3 },
    files: { slots: 4, used: 1 },
  });
  const instances = [
    instance('pipeline.example:8081', 'ready', 200),
    instance('pipeline.example:8082', 'silent', 4_000),
  ];
  const letter: DeadLetter = {
    ...{
      tenant: '',
      conversation_id: 'c-lost',
      code: 'ANALYSIS_FAILURE',
      reason: 'It was lost three times',
    },
    ...{ failed_at: new Date().toISOString(), kept_until: new Date().toISOString() },
  };
  let isGivenUp = true;
  await page.route(/\/operations\?/, async (route) => {
    const real = (await (await route.fetch()).json()) as Operations;
    // A tenant of a key in the settings is named after the digest of the key.
    letter.tenant = real.tenants.find(({ id, name }) => id === name)!.id;
    await route.fulfill({
      json: { ...real, pool: { instances, waiting_live: 2 }, dead_letters: isGivenUp ? [letter] : [] },
    });
  });
  await page.route(/c-lost/, async (route) => {
    isGivenUp = false;
    await route.fulfill({ status: 202, json: { conversation_id: 'c-lost' } });
  });
  await page.getByRole('link', { name: 'Operations' }).click();
  const rows = page.getByRole('region', { name: 'Pipelines' }).getByRole('row');
  expect(await shownText(rows.nth(1))).toMatch(/8081\s+ready\s+3 of 12\s+1 of 4\s+42 %\s+0\.2 s\s+512\.0 MB/);
  expect(await shownText(rows.nth(2))).toContain('does not answer');
  expect(await rows.nth(2).locator('.bad1').allInnerTexts()).toEqual(['does not answer', '4.0 s']);
  expect(await shownText(page.locator('.head'))).toContain('2 live sessions wait for a pipeline');
  const lost = page.getByRole('region', { name: 'Given up earlier' });
  expect(await shownText(lost)).toContain(`Key in the settings (${letter.tenant.slice(0, 6)})`);
  for (const width of [900, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    const scrolling = page
      .locator('.scr')
      .evaluateAll((cards) =>
        cards.filter((card) => card.scrollWidth > card.clientWidth + 1).map((card) => card.ariaLabel),
      );
    expect(await scrolling, `${width} px`).toEqual([]);
  }
  await lost.getByRole('button', { name: 'Analyse again' }).click();
  await lost.waitFor({ state: 'detached' });
});

it('shows who accessed a conversation, and sends a webhook message again that was given up', async () => {
  const receiver = createServer((_, response) => response.writeHead(410).end()).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const { service } = dashboard;
  await service.post('/webhooks', JSON.stringify({ url }), { 'Content-Type': 'application/json' });
  const id = await dashboard.analysed();
  await (await fetch(new URL(`/conversations/${id}`, service.url), { headers: { 'X-API-Key': KEY } })).text();
  await expect
    .poll(async () => ((await (await service.admin('GET', '/operations')).json()) as Operations).undelivered?.length)
    .toBe(1);
  const visitor = await dashboard.at('/app/operations');
  const { page } = visitor;
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  const message = page.getByRole('region', { name: 'Undelivered webhook messages' }).getByRole('row').nth(1);
  expect(await shownText(message)).toMatch(/analysis\.completed.*127\.0\.0\.1.*410 after 1 attempt\b/s);
  await message.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('region', { name: 'Audit log' }).getByText('sent the webhook message again').waitFor();
  const access = page.getByRole('region', { name: 'Access log' });
  const tenant = (
    (await (await fetch(new URL('/keys/current', service.url), { headers: { 'X-API-Key': KEY } })).json()) as {
      tenant: string;
    }
  ).tenant;
  await access.getByText('Choose whose to read.').waitFor();
  await access.getByLabel('Tenant').selectOption(tenant);
  await access.getByLabel('Action').selectOption('opened');
  const row = access.getByRole('row').filter({ has: page.locator(`a[href$="${id}"]`) });
  await row.waitFor();
  expect(await shownText(row)).toMatch(/Key in the settings \(\w{6}\)\s+opened/);
  receiver.close();
});
