import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { DeadLetter, DeliveryList, Operations, PoolInstance } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { sayError, sayEverything } from '../../support/fake-pipeline.ts';
import { ADMIN_TOKEN, KEY } from '../../support/service-under-test.ts';
import { shownText } from '../../support/visitor.ts';

// Keys, tenants and operations, as the operator manages them, and the webhooks of a tenant.

const dashboard = dashboardUnderTest({ ALLOW_PRIVATE_TARGETS: 'true' });

async function newTenant(name: string): Promise<string> {
  return ((await (await dashboard.service.admin('POST', '/tenants', { name })).json()) as { id: string }).id;
}

/** A link between the pages of a tenant. */
const section = (page: Page, name: string): Locator =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name });

it('signs in, creates a tenant, issues, rotates and revokes a key, and sees the audit', async () => {
  const visitor = await dashboard.arrive();
  const { page } = visitor;
  await visitor.goTo('/app/keys');
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  await page.getByRole('button', { name: 'New tenant' }).click();
  await page.getByRole('form', { name: 'New tenant' }).getByLabel('Name').fill('Northwest');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  const choice = page.getByLabel('Tenant', { exact: true });
  await choice.locator('option:checked', { hasText: 'Northwest' }).waitFor({ state: 'attached' });

  await page.getByRole('button', { name: 'Issue a key' }).click();
  await page.getByRole('form', { name: 'Issue a key' }).getByLabel('Name').fill('CRM import');
  expect(await page.getByLabel('Expires after').inputValue()).toBe('90');
  await page.getByRole('button', { name: 'Issue the key' }).click();
  const issued = await page.locator('.kk code').textContent();
  expect(issued).toMatch(/^ut_/);
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.kk').isVisible()).toBe(false);
  await page.getByText('The key is not printed.').waitFor();
  await page.emulateMedia({ media: null });
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
  const old = page.locator('tr', { hasText: 'this old key works until' });
  expect(await old.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
  expect(await old.textContent()).toContain('not yet');
  await fetch(new URL('/conversations', dashboard.service.url), { headers: { 'X-API-Key': issued! } });
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

  await section(page, 'Settings').click();
  await page.getByRole('heading', { name: 'Settings of Northwest' }).waitFor();
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
  expect(await page.getByRole('link', { name: 'Operations' }).count()).toBe(0);
  await visitor.goTo('/app/operations');
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
  const reason = row.getByRole('cell', { name: 'The pipeline stopped' });
  expect(await reason.evaluate((cell) => cell.scrollWidth <= cell.clientWidth)).toBe(true);
  expect(await shownText(page.locator('.tiles'))).toMatch(
    /File slots busy\s+0 of \d+\s+0 analyses running; 1 of 1 pipelines respond/,
  );
  // A link says when the analysis began, as nobody knows an id.
  expect(await row.getByRole('link').allInnerTexts()).toEqual([expect.stringMatching(/^from \d+ \w+, \d\d:\d\d$/)]);
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
  const queue = { slots: 4, running: 2, waiting: 0 };
  await page.route(/\/operations\?/, async (route) => {
    const real = (await (await route.fetch()).json()) as Operations;
    // A tenant of a key in the settings is named after the digest of the key.
    letter.tenant = real.tenants.find(({ id, name }) => id === name)!.id;
    await route.fulfill({
      json: { ...real, queue, pool: { instances, waiting_live: 2 }, dead_letters: isGivenUp ? [letter] : [] },
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
  expect(await shownText(page.locator('.tiles'))).toMatch(
    /File slots busy\s+2 of 8\s+0 analyses running; 2 given up, cancelled or at the end of a live session, and free soon; 1 of 1/,
  );
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
  const row = access.getByRole('row', { name: ' opened ' }).filter({ has: page.locator(`a[href$="${id}"]`) });
  await row.waitFor();
  expect(await shownText(row)).toMatch(/Key in the settings \(\w{6}\)\s+opened/);
  receiver.close();
});

it('adds a webhook, shows its secret once, lists its messages, tests, changes and removes it', async () => {
  const statuses = [500];
  const receiver = createServer((_, response) => response.writeHead(statuses.shift() ?? 204).end());
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const tenant = await newTenant('Southeast');
  const { key } = await dashboard.service.issue({ tenant, label: 'CRM' });
  const visitor = await dashboard.at('/app/keys', { key });
  const { page } = visitor;
  await section(page, 'Webhooks').click();
  await page.getByText('No webhook yet.').waitFor();

  await page.getByRole('button', { name: 'Add a webhook' }).click();
  const form = page.getByRole('form', { name: 'Add a webhook' });
  const address = form.getByLabel('Address');
  visitor.expects(/400/);
  const alert = form.getByRole('alert');
  await address.fill('example.com');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await alert.getByText('It must begin with https:// and be reachable from the internet.').waitFor();
  expect(await shownText(alert)).not.toContain('url:');
  expect(await address.getAttribute('aria-invalid')).toBe('true');
  expect(await visitor.violations()).toEqual([]);
  // Another fault of the same code marks no address that is well written.
  const detail = 'This tenant already has 20 webhooks, its limit';
  await page.route(
    (to) => to.pathname === '/webhooks',
    (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { detail, code: 'INVALID_REQUEST', request_id: 'r-1' } })
        : route.continue(),
  );
  await address.fill('https://crm.example.com/undertone');
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  await form.getByRole('alert').getByText(detail, { exact: false }).waitFor();
  expect(await address.getAttribute('aria-invalid')).toBe('false');
  await page.unrouteAll();
  await address.fill(url);
  await form.getByLabel('an analysis failed').uncheck();
  await form.getByRole('button', { name: 'Add', exact: true }).click();
  const secret = (await page.locator('.kk code').textContent())!;
  expect(secret).toMatch(/^whsec_/);
  await page.getByRole('button', { name: 'Copy' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
  await page.getByLabel('I have stored it').check();
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await page.content()).not.toContain(secret);

  const id = await dashboard.analysed(key);
  const messages = page.getByRole('region', { name: `Messages to ${url}` });
  const message = messages.getByRole('row').filter({ hasText: 'analysis.completed' });
  const shown = async (): Promise<string> => {
    await messages.getByRole('button', { name: 'Refresh' }).click();
    return (await message.count()) === 0 ? '' : shownText(message);
  };
  await expect.poll(shown).toMatch(/Failing\s+500 after 1 attempt, again at\b/);
  // With the title, because nobody knows an id.
  expect(await shownText(message)).toMatch(new RegExp(`call\\s+${id}`));
  const listed = page.getByRole('region', { name: 'Addresses' });
  expect(await shownText(listed)).toMatch(/\bOn\b/);
  await page.route(/\/deliveries$/, async (route) => {
    const [first] = ((await (await route.fetch()).json()) as DeliveryList).deliveries;
    const deliveries = [1, 2, 3].map((n) => ({ ...first, id: `m-${n}`, status: 'pending', attempts: 2 }));
    await route.fulfill({ json: { deliveries } });
  });
  await messages.getByRole('button', { name: 'Refresh' }).click();
  await listed.getByText('Last messages failed').waitFor();
  await page.unroute(/\/deliveries$/);
  await messages.getByRole('button', { name: 'Refresh' }).click();
  await listed.getByText('On', { exact: true }).waitFor();
  // Failed messages are sent again one after another, and counted at the end.
  const again: string[] = [];
  await page.route(/\/deliveries(\/.*)?$/, async (route) => {
    const request = route.request();
    if (request.method() === 'POST') {
      again.push(request.url().split('/').at(-2)!);
      return again.length === 2
        ? route.fulfill({ status: 404, json: { detail: 'Unknown', code: 'NOT_FOUND', request_id: 'r-2' } })
        : route.fulfill({ json: {} });
    }
    const [first] = ((await (await route.fetch()).json()) as DeliveryList).deliveries;
    const deliveries = [1, 2, 3].map((n) => ({ ...first, id: `m-${n}`, status: 'failed', attempts: 9 }));
    await route.fulfill({ json: { deliveries } });
  });
  visitor.expects(/404/);
  await messages.getByRole('button', { name: 'Refresh' }).click();
  await messages.getByRole('button', { name: 'Send all 3 failed ones again' }).click();
  await page.getByText('2 of 3 messages are being sent again. This was not found.').waitFor();
  expect(again).toEqual(['m-1', 'm-2', 'm-3']);
  expect(await visitor.violations()).toEqual([]);
  await page.unrouteAll();
  await messages.getByRole('button', { name: 'Refresh' }).click();
  await expect.poll(() => message.count()).toBe(1);
  expect(await shownText(message)).toContain('An analysis is completed');
  await message.getByRole('button', { name: 'Send again' }).click();
  await expect.poll(shown).toMatch(/Delivered\s+204 after \d attempt/);
  expect(await visitor.violations()).toEqual([]);
  for (const width of [900, 390, 320]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await visitor.overflows(), `${width} px`).toBe(false);
    // The buttons cover no value of their row.
    const added = (await listed.locator('td[data-name="Added"]').boundingBox())!;
    expect((await listed.locator('.acts').boundingBox())!.y, `${width} px`).toBeGreaterThan(added.y + added.height);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  statuses.push(503);
  const tested = async (said: RegExp): Promise<void> => {
    await listed.getByRole('button', { name: `Send a test to ${url}` }).click();
    await page.getByRole('status').getByText(said).waitFor();
  };
  await tested(/^The test failed: 503 after 1 attempt$/);
  const failed = messages.getByRole('row').filter({ hasText: 'webhook.test' }).first();
  expect(await shownText(failed)).toMatch(/A test\s+webhook\.test\s+Failed\s+503 after 1 attempt/);
  expect(await failed.getByRole('button').count()).toBe(0);
  await tested(/^The test was delivered$/);
  expect(await shownText(failed)).toMatch(/Delivered\s+204/);
  expect(await visitor.violations()).toEqual([]);
  await page.setViewportSize({ width: 320, height: 900 });
  // Narrow paper has the table, where a narrow window has blocks of named values.
  const heading = messages.getByRole('columnheader', { name: 'Answer', includeHidden: true });
  expect(await heading.isVisible()).toBe(false);
  await page.emulateMedia({ media: 'print' });
  expect(await heading.isVisible()).toBe(true);
  await page.emulateMedia({ media: null });

  const { key: reader } = await dashboard.service.issue({ tenant, label: 'Report', scopes: ['read'] });
  const other = await dashboard.at('/app/webhooks', { key: reader });
  await other.page.getByText('This key reads webhooks.').waitFor();
  // They are the tenant's, by its name for a key that may know it.
  await other.page.getByText('in any conversation of the tenant of your key Report.').waitFor();
  const { key: manager } = await dashboard.service.issue({ tenant, label: 'CRM import', scopes: ['read', 'admin'] });
  const managing = await dashboard.at('/app/webhooks', { key: manager });
  await managing.page.getByText('conversation of Southeast (the tenant of your key CRM import).').waitFor();
  await other.page.getByRole('row').filter({ hasText: 'analysis.completed' }).last().waitFor();
  expect(await other.page.getByRole('button', { name: /Add|Change|Remove|Send/ }).count()).toBe(0);

  await page.getByRole('button', { name: `Change ${url}` }).click();
  const change = page.getByRole('form', { name: 'Change the webhook' });
  expect(await change.getByLabel('Address').inputValue()).toBe(url);
  expect(await change.getByLabel('an analysis failed').isChecked()).toBe(false);
  await change.getByLabel('Address').fill(`${url}v2`);
  await change.getByLabel('an analysis failed').check();
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('region', { name: `Messages to ${url}v2` }).waitFor();
  expect(await shownText(listed)).toMatch(/\/v2\s+all\s+On/);
  expect(await listed.getByRole('button', { name: /^Change / }).count()).toBe(1);
  await page.getByRole('button', { name: `Remove ${url}v2` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByText('No webhook yet.').waitFor();
  receiver.close();
});

it('exports a tenant, names the holds that keep it, and deletes it with a receipt', async () => {
  const { service } = dashboard;
  const tenant = await newTenant('Old North');
  const { key } = await service.issue({ tenant, label: 'CRM' });
  const id = await dashboard.analysed(key);
  const hold = (method: string, body: object | null): Promise<Response> =>
    fetch(new URL(`/conversations/${id}/hold`, service.url), {
      method,
      headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
  await hold('PUT', { reason: 'Complaint 7' });
  const visitor = await dashboard.at('/app/operations');
  const { page } = visitor;
  await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
  await page.getByRole('button', { name: 'Sign in as the operator' }).click();
  await page.getByRole('region', { name: 'Tenants' }).getByRole('link', { name: 'Old North' }).click();
  await section(page, 'Data').click();
  const data = page.getByRole('region', { name: 'The tenant’s data' });
  const exported = page.waitForEvent('download');
  await data.getByRole('link', { name: 'Export' }).click();
  const file = await exported;
  expect(file.suggestedFilename()).toBe('Old North.ndjson');
  expect(readFileSync(await file.path(), 'utf8')).toContain(id);

  const deletion = page.getByRole('region', { name: 'Deletion of Old North' });
  await deletion.getByText('This cannot be undone').waitFor();
  await deletion.getByRole('button', { name: 'Delete the tenant' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete the tenant' });
  const act = dialog.getByRole('button', { name: 'Delete it for good' });
  await dialog.getByLabel('to delete it', { exact: false }).fill('Old');
  expect(await act.isDisabled()).toBe(true);
  await dialog.getByLabel('to delete it', { exact: false }).fill('Old North');
  expect(await visitor.violations()).toEqual([]);
  visitor.expects(/409/);
  await act.click();
  await dialog.getByText(/Nothing was deleted\. This tenant has a hold.*\(Complaint 7\)\./).waitFor();
  // It leads to what is on hold, and asks for the name again before it deletes.
  expect(await dialog.getByRole('link', { name: `conversation ${id}` }).getAttribute('href')).toContain(id);
  expect(await act.isDisabled()).toBe(true);
  expect(await dialog.getByText('in the settings').count()).toBe(0);
  await page.emulateMedia({ media: 'print' });
  expect(await dialog.isVisible()).toBe(false);
  await page.emulateMedia({ media: null });
  await hold('DELETE', null);
  await dialog.getByLabel('to delete it', { exact: false }).fill('Old North');
  await act.click();

  const told = page.getByRole('region', { name: 'The deleted tenant' });
  expect(await shownText(told)).toMatch(/Old North was deleted\s+\d+ stored files/);
  expect(await told.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
  await page.getByText('No tenant is chosen.').waitFor();
  expect(await page.getByRole('heading', { name: /^Data of/ }).count()).toBe(0);
  expect(await visitor.violations()).toEqual([]);
  const receipt = page.waitForEvent('download');
  await told.getByRole('button', { name: 'Save the receipt' }).click();
  const saved = JSON.parse(readFileSync(await (await receipt).path(), 'utf8'));
  expect(saved).toMatchObject({ id: tenant, signed: expect.anything() });
  await expect.poll(() => page.locator('option', { hasText: 'Old North' }).count()).toBe(0);
  expect((await service.admin('GET', `/tenants/${tenant}`)).status).toBe(404);
});
