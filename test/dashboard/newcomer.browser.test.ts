import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CALL, dashboardUnderTest, LAST } from '../../support/dashboard.ts';
import { sayHalf } from '../../support/fake-pipeline.ts';
import { KEY, OTHER_KEY } from '../../support/service-under-test.ts';

// From the first visit to a finished conversation of one's own.

const dashboard = dashboardUnderTest();

describe('a newcomer', () => {
  it('signs in, and out again', async () => {
    const visitor = await dashboard.arrive();
    const { page } = visitor;
    visitor.expects(/401 .*conversations/);
    await visitor.goTo('/');
    const key = page.getByLabel('Key', { exact: false }).first();
    await key.fill('no such key');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('This key is unknown, expired or revoked.').waitFor();
    await key.fill(OTHER_KEY);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Conversations' }).waitFor();
    await page.getByRole('link', { name: 'Account' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('link', { name: 'Conversations' }).count()).toBe(0);
    await visitor.goTo('/app');
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('is asked before a link replaces the signed-in key, and told whose it is', async () => {
    const link = `/app?asked#key=${encodeURIComponent(OTHER_KEY)}`;
    const visitor = await dashboard.at('/app');
    const { page } = visitor;
    const kept = () => page.evaluate(() => sessionStorage.getItem('undertone.key'));
    await visitor.goTo(link);
    const dialog = page.getByRole('dialog', { name: 'Sign in with another key?' });
    expect(await dialog.textContent()).toContain(KEY);
    expect(await dialog.textContent()).toContain(OTHER_KEY);
    expect(page.url()).not.toContain(OTHER_KEY);
    await dialog.getByRole('button', { name: 'Keep my key' }).click();
    expect(await kept()).toBe(KEY);
    await visitor.goTo(link.replace('asked', 'again'));
    await dialog.getByRole('button', { name: "Use the link's key" }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(await kept()).toBe(OTHER_KEY);
    expect(visitor.unexpected()).toEqual([]);
  });

  it('is guided by three steps: sign in, play an example, follow a claim to its second', async () => {
    const { key } = await dashboard.service.issue();
    const visitor = await dashboard.at('/app', { key });
    const { page } = visitor;
    const steps = page.locator('.steps3 li');
    await expect.poll(() => steps.count()).toBe(3);
    expect(await steps.first().textContent()).toContain('Step 1, done');
    expect(await visitor.violations()).toEqual([]);
    await page.getByRole('link', { name: 'Analyse the sample call' }).click();
    await page.getByText(/^Done in /).waitFor();
    expect(await page.getByRole('log').textContent()).toContain(LAST);
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'sample-call' }).waitFor();
    await page.locator('.summary .ev').last().click();
    await expect.poll(() => page.locator('.u.act').count()).toBe(1);
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.getByRole('link', { name: 'sample-call' }).waitFor();
    expect(await steps.count()).toBe(0);
  });

  it('tries it without an account, with the public key', async () => {
    const visitor = await dashboard.arrive({ theme: 'dark' });
    const { page } = visitor;
    await visitor.goTo('/app/try');
    await page.getByRole('button', { name: 'Analyse the sample call' }).click();
    await page.getByText(/^Done in /).waitFor();
  });

  it('enters through the address that `npm start` prints, and the key is removed from the address', async () => {
    const { page } = await dashboard.at('/app/analyse');
    await page.getByRole('heading', { name: 'Analyse a recording' }).waitFor();
    expect(page.url()).not.toContain(KEY);
  });
});

describe('a recording of one’s own', () => {
  it('is chosen at the top of the form on a phone, where nothing is dropped', async () => {
    const { page } = await dashboard.at('/app/analyse');
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByText('Choose a recording', { exact: true }).waitFor();
    expect(
      await page
        .getByText(/\bdrop/i)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
    const choose = await page.getByText('Choose files', { exact: true }).boundingBox();
    const goal = await page.getByRole('textbox', { name: 'What do you want to know?' }).boundingBox();
    expect(choose!.y).toBeLessThan(goal!.y);
  });

  it('has no empty field on paper', async () => {
    const { page } = await dashboard.at('/app/analyse');
    const goal = page.getByRole('textbox', { name: 'What do you want to know?' });
    await goal.waitFor();
    await page.emulateMedia({ media: 'print' });
    expect(await goal.isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    await goal.fill('Was a day agreed?');
    await page.emulateMedia({ media: 'print' });
    expect(await goal.isVisible()).toBe(true);
  });

  it('waits until the recorded people are named, then starts by itself and leads to the finished page', async () => {
    const { page } = await dashboard.at('/app/analyse');
    const sent: string[] = [];
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
    await page.locator('input[type=file]').setInputFiles(CALL);
    await page.getByText('call.wav starts as soon as you answer this.').waitFor();
    await page.getByLabel('What do you want to know?').fill('Was a day agreed?');
    await page.getByRole('button', { name: '2', exact: true }).click();
    await page.getByLabel('Vocabulary').fill('Platinum Motors\n\n  Željka ');
    expect(sent).toEqual([]);
    await page.getByLabel('Our own staff').check();
    await page.getByText(/^Done in /).waitFor();
    const { options } = dashboard.service.pipeline.seen.at(-1)!;
    expect(options).toMatchObject({
      ...{ goal: 'Was a day agreed?', speakers: 2, affect: 'none' },
      words: ['Platinum Motors', 'Željka'],
    });
    await page.getByRole('link', { name: 'Open', exact: true }).click();
    await page.getByText('Was a day agreed?').first().waitFor();
  });

  it('is sent with its progress, step by step to the end', async () => {
    const { page, context } = await dashboard.at('/app/analyse');
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    await devtools.send('Network.emulateNetworkConditions', {
      ...{ offline: false, latency: 0, downloadThroughput: -1 },
      uploadThroughput: 400_000,
    });
    const steps = page.locator('.steps li');
    await page.getByLabel('Customers or the public').check();
    await page.locator('input[type=file]').setInputFiles({
      name: 'long.wav',
      mimeType: 'audio/wav',
      buffer: readFileSync(CALL),
    });
    await page.getByText(/^[1-9]\d? % of 1\.1 MB sent$/).waitFor();
    expect(await steps.nth(0).getAttribute('aria-current')).toBe('step');
    expect(Number(await page.getByRole('progressbar').getAttribute('aria-valuenow'))).toBeGreaterThan(0);
    await page.getByText(/^Done in /).waitFor();
    expect(await page.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('100');
    await expect.poll(() => page.locator('.steps li.d').count()).toBe(4);
  });

  it('waits while three others are under way, and can be stopped', async () => {
    const { page } = await dashboard.at('/app/analyse');
    dashboard.service.pipeline.answer = sayHalf;
    await page.getByLabel('Customers or the public').check();
    await page.locator('input[type=file]').setInputFiles([CALL, CALL, CALL, CALL]);
    const others = page.locator('.others .q');
    await others
      .getByText(/analysed to/)
      .first()
      .waitFor();
    await expect.poll(() => others.getByText('waiting').count()).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped. Nothing was stored.').waitFor();
    await expect.poll(() => others.getByText('waiting').count()).toBe(0);
  });
});
