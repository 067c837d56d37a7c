import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ERRORS, type ErrorCode } from '../../src/contract/errors.ts';
import { errorTextOf } from '../../src/dashboard/lib/error-texts.ts';
import { UndertoneError } from '../../src/sdk/error.ts';
import { CALL, dashboardUnderTest, LAST } from '../../support/dashboard.ts';
import { linesOf, sayError, write } from '../../support/fake-pipeline.ts';
import { make } from '../../support/made-conversations.ts';
import { form, KEY, OTHER_KEY } from '../../support/service-under-test.ts';
import { cuttableLine } from './cuttable-line.ts';

// Error messages in a customer's words: what happened, what to do, and what to report.

const dashboard = dashboardUnderTest({ KEY_TRUST_SECONDS: '1' });
const CLIENT_CODES = [
  ...['CONNECTION_FAILED', 'UNEXPECTED_ANSWER', 'SESSION_CLOSED'],
  ...['MICROPHONE_REFUSED', 'MICROPHONE_UNAVAILABLE', 'MICROPHONE_UNSUPPORTED'],
];

it.each([...Object.keys(ERRORS), ...CLIENT_CODES])('%s has a sentence, with its code to report', (code) => {
  const detail = code in ERRORS ? ERRORS[code as ErrorCode].detail : 'It went wrong';
  const { what, code: told, requestId } = errorTextOf(new UndertoneError(code, detail, { requestId: 'r1' }));
  expect(what).toMatch(/^\p{Lu}.*\.$/u);
  expect(what).not.toContain('_');
  expect([told, requestId]).toEqual([code, 'r1']);
});

it('a failed conversation says in the list why it failed, in the words of its page, where it is deleted', async () => {
  const { service } = dashboard;
  service.pipeline.answer = sayError('NO_UTTERANCES', 'No utterances detected in uploaded media');
  await (await service.post('/analyze', form('call.wav', 'media'), { 'X-API-Key': KEY })).text();
  const { page } = await dashboard.at('/app');
  await page.locator('tbody .t2').first().waitFor();
  expect((await page.locator('tbody .t2').first().textContent())?.trim()).toBe('Failed');
  expect(await page.locator('tbody .c-next span').first().textContent()).toBe(
    'No speech was found. Check that it is not silent or only music.',
  );
  await page.locator('tbody [data-row]').first().click();
  await page.getByText('No speech was found in this file.').waitFor();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('heading', { name: 'Deleted' }).waitFor();
});

it('a list that is loading counts nothing', async () => {
  const visitor = await dashboard.arrive();
  await visitor.page.route(/\/conversations\?/, () => undefined);
  await visitor.goTo(`/app#key=${KEY}`);
  await visitor.page.locator('tbody .sk').first().waitFor();
  expect(await visitor.page.locator('.pg .num').textContent()).toBe('');
});

const choose = async (page: Page, files: Parameters<Page['setInputFiles']>[1] = CALL): Promise<void> => {
  await page.getByLabel('Customers or the public').check();
  await page.locator('input[type=file]').setInputFiles(files);
};

/** A key of a separate tenant with limits. */
async function keyWith(limits: Record<string, number>, scopes?: string[]): Promise<string> {
  const tenant = await dashboard.service.admin('POST', '/tenants', { name: 'limited' });
  const { id } = (await tenant.json()) as { id: string };
  await dashboard.service.admin('PATCH', `/tenants/${id}`, { limits });
  const { key } = await dashboard.service.issue({ tenant: id, ...(scopes && { scopes }) } as never);
  return key;
}

describe('a recording', () => {
  it.each([
    ['NO_UTTERANCES', 'No speech was found in this file.', false],
    ['INVALID_MEDIA', 'This file cannot be read.', false],
    ['ANALYSIS_FAILURE', 'The analysis failed.', true],
  ] as const)(
    'that ends with %s: in words, with the request to report; it can be sent again where that can help',
    async (code, words, canHelp) => {
      dashboard.service.pipeline.answer = sayError(code, ERRORS[code].detail);
      const { page } = await dashboard.at('/app/analyse');
      await choose(page);
      const alert = page.getByRole('alert');
      await alert.getByText(words).waitFor();
      expect(await alert.textContent()).toContain(code);
      await alert.getByRole('button', { name: 'Copy' }).click();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(new RegExp(`^${code}`));
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(canHelp ? 1 : 0);
    },
  );

  it('of an unsupported format', async () => {
    const visitor = await dashboard.at('/app/analyse');
    const { page } = visitor;
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await choose(page, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('no sound') });
    await page.getByText('This kind of file is not supported.').waitFor();
    // It is not sent, and sending it again would not help.
    expect(sent).toEqual([]);
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  it('too large for its tenant: the limit is named', async () => {
    const visitor = await dashboard.at('/app/analyse', { key: await keyWith({ file_megabytes: 0.125 }) });
    visitor.expects(/400 .*analyze/);
    await choose(visitor.page);
    await visitor.page.getByText(/^This file is too large\. .*limit of 0\.125 MB\.$/).waitFor();
  });

  it('that a busy service refuses is sent again automatically', async () => {
    const visitor = await dashboard.arrive();
    const { page } = visitor;
    visitor.expects(/503 .*analyze/);
    let refused = 0;
    await page.route('**/analyze/stream', async (route) => {
      if (refused++ >= 6) return route.continue();
      const body = { detail: ERRORS.OVERLOADED.detail, code: 'OVERLOADED', request_id: 'r1' };
      return route.fulfill({ status: 503, headers: { 'Retry-After': '1' }, json: body });
    });
    await visitor.goTo(`/app/analyse#key=${KEY}`);
    await choose(page);
    await page.getByText('The service is busy; nothing was stored.').waitFor();
    await page.getByText('It will retry automatically.').waitFor();
    await page.getByText(/^Done in /).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('whose connection breaks after the first lines is completed all the same', async () => {
    const line = await cuttableLine(dashboard.service.url);
    const visitor = await dashboard.arrive({ origin: line.origin });
    const { page } = visitor;
    visitor.expects(/ERR_/);
    let goOn = (): void => undefined;
    const cut = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    dashboard.service.pipeline.answer = async (response, { options }) => {
      const lines = linesOf(options.conversation_id);
      write(response, lines.slice(0, 4));
      await cut;
      write(response, lines.slice(4));
      response.end();
    };
    try {
      await visitor.goTo(`/app/analyse#key=${KEY}`);
      await choose(page);
      await page.getByRole('log').getByText('The price is too high').waitFor();
      line.cut();
      await page.getByText('The connection was lost.').waitFor();
      goOn();
      line.mend();
      await page.getByText(/^Done in /).waitFor();
      await page.getByRole('link', { name: 'Open', exact: true }).click();
      await page.getByRole('region', { name: 'Transcript' }).getByText(LAST).waitFor();
    } finally {
      line.close();
    }
  });

  it('that is chosen while the browser is offline is kept, and starts when the service responds', async () => {
    // Pages that were opened before can be opened offline.
    const visitor = await dashboard.at('/app', { key: await keyWith({ requests_per_minute: 1_000 }) });
    const { page, context } = visitor;
    visitor.expects(/ERR_INTERNET_DISCONNECTED/);
    await page.getByText('Nothing yet.').waitFor();
    await page.getByRole('link', { name: 'Analyse' }).first().click();
    await page.getByText('Drop audio or video here').waitFor();
    await context.setOffline(true);
    await page.getByText('Nothing can be sent now.').waitFor();
    expect(await page.getByRole('button', { name: 'Use the sample call' }).isDisabled()).toBe(true);
    await page.locator('input[type=file]').setInputFiles(CALL);
    await page.getByText('starts as soon as you answer this and the service responds.').waitFor();
    await page.getByLabel('Customers or the public').check();
    const file = page.getByRole('region', { name: 'The file being analysed' });
    await file.getByText('Kept here until the service responds').waitFor();
    // It is kept while another page is open, too.
    await page.getByRole('link', { name: 'Conversations' }).first().click();
    await page.getByRole('link', { name: 'Analyse' }).first().click();
    await file.getByText('Kept here until the service responds').waitFor();
    await context.setOffline(false);
    await page.getByText(/^Done in /).waitFor();
  });
});

describe('a key', () => {
  it('that is revoked during use leads back to the sign-in', async () => {
    const { id, key } = await dashboard.service.issue();
    const visitor = await dashboard.at('/app', { key });
    const { page } = visitor;
    await page.getByText('Nothing yet.').waitFor();
    await dashboard.service.admin('DELETE', `/keys/${id}`);
    visitor.expects(/401 .*(conversations|keys|views)/);
    await expect
      .poll(
        async () => {
          await page.reload();
          return page
            .getByRole('heading', { name: /Sign in|Conversations/ })
            .first()
            .textContent();
        },
        { timeout: 70_000, interval: 2_000 },
      )
      .toBe('Sign in');
  });

  it('that may only read cannot analyse, and the page says so', async () => {
    const { key } = await dashboard.service.issue({ scopes: ['read'] });
    const visitor = await dashboard.at('/app/analyse', { key });
    visitor.expects(/403 .*analyze/);
    await choose(visitor.page);
    await visitor.page.getByText('This key does not have permission to do that.').waitFor();
    await visitor.page.getByText('This key lacks the scope "analyze".').waitFor();
    await visitor.page.getByText('Ask the person who issued it for a key with more permissions.').waitFor();
  });

  it('that may not read gets the words of the page that it opened', async () => {
    const { key } = await dashboard.service.issue({ scopes: ['live'] });
    const visitor = await dashboard.at('/app/people', { key });
    visitor.expects(/403 .*people/);
    const alert = visitor.page.getByRole('alert');
    await alert.getByText('This key does not have permission to open People.').waitFor();
    await alert.getByText('This key lacks the scope "read".').waitFor();
    expect(await visitor.violations()).toEqual([]);
  });

  it('that sends too many requests sees why, and is admitted after a while', async () => {
    const visitor = await dashboard.at('/app', { key: await keyWith({ requests_per_minute: 1 }) });
    visitor.expects(/429 .*(conversations|keys\/current|views)/);
    const said = visitor.page.getByText('Too many requests.');
    // A page that is left before it asked has requested nothing.
    const isSaid = async (): Promise<boolean> => {
      await visitor.page.reload();
      return said.waitFor({ timeout: 5_000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(isSaid, { timeout: 20_000 }).toBe(true);
  });

  it('of another tenant does not find this tenant’s conversation', async () => {
    const id = await dashboard.analysed();
    const visitor = await dashboard.at(`/app/conversations/${id}`, { key: OTHER_KEY });
    visitor.expects(/404 .*conversations/);
    await visitor.page.getByText('It was deleted, or belongs to another key.').waitFor();
  });
});

it('an edit that another page has already undone', async () => {
  const id = await make(dashboard.service, 'long-title');
  const visitor = await dashboard.at(`/app/conversations/${id}`);
  visitor.expects(/409 .*undo/);
  await visitor.page.getByRole('button', { name: 'More', exact: true }).click();
  await dashboard.service.post(`/conversations/${id}/undo`, '');
  await visitor.page.getByRole('menuitem', { name: 'Undo the last edit' }).click();
  await visitor.page.getByText('There is no edit to undo.').waitFor();
});

it('a visitor’s faults are detected: another origin, a violated policy, an error in the console', async () => {
  const visitor = await dashboard.at('/app/analyse');
  await visitor.page.evaluate(() => {
    console.error('on purpose');
    const script = document.createElement('script');
    script.src = 'https://elsewhere.invalid/x.js';
    document.body.append(script);
  });
  await expect.poll(() => visitor.faults.length).toBeGreaterThan(1);
  const faults = visitor.faults.splice(0).join('\n');
  expect(faults).toContain('on purpose');
  expect(faults).toMatch(/Content Security Policy/);
});
