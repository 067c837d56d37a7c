import { afterAll, expect, it } from 'vitest';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { CLIENT_ID, CLIENT_SECRET, startFakeIssuer } from '../../support/fake-issuer.ts';
import { KEY } from '../../support/service-under-test.ts';
import { shownText } from '../../support/visitor.ts';

// A person who signs in with OpenID Connect.

const issuer = await startFakeIssuer();
const dashboard = dashboardUnderTest({
  ...{ OIDC_ISSUER: issuer.url, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: CLIENT_SECRET },
  KEY_TRUST_SECONDS: '0.2',
});

it('signs in with the organisation, reads a conversation, and signs out', async () => {
  const id = await dashboard.analysed();
  const current = await fetch(new URL('/keys/current', dashboard.service.url), { headers: { 'X-API-Key': KEY } });
  const { tenant } = (await current.json()) as { tenant: string };
  await dashboard.service.admin('PUT', `/members/anna@example.com?tenant=${tenant}`, { role: 'viewer' });
  const visitor = await dashboard.arrive();
  // The page of the issuer is at another origin.
  visitor.expects(/^asked .*\/authorize\?/);
  await visitor.goTo('/app');
  const { page } = visitor;
  await page.getByRole('textbox', { name: /^Tenant/ }).fill(tenant);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.locator(`a[href="/app/conversations/${id}"]`).click();
  await expect.poll(() => shownText(page.locator('.transcript .txt').first())).not.toBe('');
  await visitor.goTo('/app/sign-in');
  await page.getByText('Signed in as viewer').waitFor();
  await page.getByText('anna@example.com').waitFor();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByRole('heading', { name: 'With your organisation' }).waitFor();
  await visitor.goTo('/app');
  await page.getByRole('heading', { name: 'With your organisation' }).waitFor();
});

it('a manager sees the members, changes roles and removes one, but not the last manager', async () => {
  const made = (await (await dashboard.service.admin('POST', '/tenants', { name: 'Bank' })).json()) as { id: string };
  const { key } = await dashboard.service.issue({ tenant: made.id, scopes: ['read', 'admin'] });
  for (const [email, role] of [
    ['anna@example.com', 'manager'],
    ['berta@example.com', 'viewer'],
  ])
    await dashboard.service.admin('PUT', `/members/${email}?tenant=${made.id}`, { role });
  const visitor = await dashboard.arrive();
  // The key may read no conversations here, but manage.
  await visitor.goTo(`/app/keys?section=members#key=${key}`);
  const { page } = visitor;
  const members = page.getByRole('region', { name: 'Members' });
  const row = (email: string) => members.getByRole('row', { name: new RegExp(email) });
  await row('anna@').getByText('the last manager stays').waitFor();
  expect(await members.getByLabel('Role of anna@example.com').isDisabled()).toBe(true);
  await row('berta@').getByText('never').waitFor();
  await members.getByLabel('Role of berta@example.com').selectOption('manager');
  await row('anna@').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await row('anna@').waitFor({ state: 'detached' });
  await members.getByLabel('E-mail address').fill('carla@example.com');
  await members.getByRole('button', { name: 'Add' }).click();
  await row('carla@').waitFor();
  const listed = await dashboard.service.admin('GET', `/members?tenant=${made.id}`);
  expect(await listed.json()).toMatchObject({
    members: [
      { email: 'berta@example.com', role: 'manager' },
      { email: 'carla@example.com', role: 'viewer' },
    ],
  });
});

afterAll(() => issuer.close());
