import { expect, it } from 'vitest';
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
  issuer.close();
});
