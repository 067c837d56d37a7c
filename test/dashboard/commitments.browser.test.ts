import { gzipSync } from 'node:zlib';
import { beforeAll, expect, it } from 'vitest';
import type { CommitmentList } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { linesOf, type PipelineAnswer, write } from '../../support/fake-pipeline.ts';
import { RECORDING } from '../../support/made-conversations.ts';
import { form, KEY } from '../../support/service-under-test.ts';

// The commitments of all conversations, and how much a first visit loads.

const dashboard = dashboardUnderTest();
/** Limit on the scripts and styles of a first visit, bytes after gzip. */
const FIRST_LOAD_BYTES = 60_000;
const LINES = [
  'Hello, thanks for calling, how can I help with the contract?',
  "I'll send you the signed contract tomorrow.",
  'Great, thank you very much. Please call the supplier about the discount as soon as possible.',
  'Sure, I will do that.',
  'When can the training start for the new team?',
  "I don't know that yet.",
];

const listed = async (): Promise<CommitmentList> => {
  const answer = await fetch(new URL('/commitments', dashboard.service.url), { headers: { 'X-API-Key': KEY } });
  return (await answer.json()) as CommitmentList;
};

const sayLines: PipelineAnswer = (response, { options }) => {
  write(response, linesOf(options.conversation_id, LINES));
  response.end();
};

beforeAll(async () => {
  dashboard.service.pipeline.answer = sayLines;
  await dashboard.service.post('/analyze', form('call.wav', RECORDING));
});

it('the list of conversations says how many promises each has', async () => {
  const { commitments } = await listed();
  const { page } = await dashboard.at('/app');
  const unsure = commitments.filter(({ confidence }) => confidence < 0.5).length;
  const told = await page.locator('tbody tr', { hasText: 'call' }).locator('.promised').textContent();
  expect(told).toContain(`${commitments.length} promises`);
  expect(told!.includes('unsure')).toBe(unsure > 0);
});

it('the page lists what is owed with its words, plays it, and marks it as done with an undo', async () => {
  const { commitments } = await listed();
  const visitor = await dashboard.at('/app/commitments');
  const { page } = visitor;
  const rows = page.locator('.owed .due');
  await expect.poll(() => rows.count()).toBe(commitments.length);
  expect(commitments.map(({ due }) => due === null)).toEqual([false, true]);
  await page
    .getByRole('region', { name: 'Date unclear' })
    .getByText('“as soon as possible”', { exact: true })
    .first()
    .waitFor();
  // Named as on the page of the conversation, and a request by the one who asked.
  await page.locator('.owed li').first().getByText('to Speaker A', { exact: true }).waitFor();
  await page.getByText('Speaker A asked: “Please call the supplier').waitFor();
  expect(await page.getByText('Speaker_').count()).toBe(0);
  await page.getByRole('region', { name: 'Questions left open' }).getByText('When can the training').waitFor();
  expect(await visitor.violations()).toEqual([]);
  for (const width of [900, 390]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await visitor.overflows()).toBe(false);
  }
  expect(await visitor.violations()).toEqual([]);
  // The player is below the page, so that no button is under it.
  const last = page.locator('.owed .play').last();
  await last.scrollIntoViewIfNeeded();
  const [button, bar] = await Promise.all([last.boundingBox(), page.locator('.pbar2').boundingBox()]);
  expect(button!.y + button!.height).toBeLessThanOrEqual(bar!.y);
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.locator('#more-places').getByRole('link', { name: 'Live' }).waitFor();
  await page.keyboard.press('Escape');

  // On paper, the words have most of the width and no row is left out.
  await page.setViewportSize({ width: 718, height: 300 });
  await page.emulateMedia({ media: 'print' });
  const rowsOnPaper = page.locator('.owed li');
  expect(await rowsOnPaper.evaluateAll((all) => all.map((row) => getComputedStyle(row).contentVisibility))).toEqual(
    Array.from({ length: await rowsOnPaper.count() }, () => 'visible'),
  );
  const widths = await page.locator('.owed .said').evaluateAll((all) => all.map((said) => said.clientWidth));
  expect(Math.min(...widths)).toBeGreaterThan(300);
  await page.emulateMedia({ media: null });

  await page.setViewportSize({ width: 1440, height: 900 });
  await page.keyboard.press('j');
  const { t_start } = commitments[0]!;
  const heard = () => page.locator('audio').evaluate((audio: HTMLAudioElement) => audio.currentTime);
  await expect.poll(heard).toBeGreaterThan(Math.max(0, t_start - 5));
  await page.keyboard.press(' ');
  await page.getByRole('region', { name: 'Player' }).getByRole('button', { name: 'Play', exact: true }).waitFor();
  expect(await page.locator('.owed li.now').count()).toBe(1);

  await page.getByRole('button', { name: /^Mark as done: send you/ }).press('Enter');
  await page.getByText('Done: send you', { exact: false }).last().waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(async () => (await listed()).counts.statuses.done).toBe(0);
  await expect.poll(() => rows.count()).toBe(2);

  await page.getByRole('button', { name: /^Other states: send you/ }).click();
  await page.getByRole('menuitem', { name: 'Declined' }).click();
  await expect.poll(() => rows.count()).toBe(1);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toMatch(/^Mark as done: /);
  await page.getByRole('combobox', { name: 'Status' }).selectOption('declined');
  await expect.poll(() => new URL(page.url()).searchParams.get('status')).toBe('declined');
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole('combobox', { name: 'Due' }).selectOption('passed');
  await page.getByText('No commitment matches these filters').waitFor();
  await page.goBack();
  await expect.poll(() => rows.count()).toBe(1);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Calendar' }).click();
  expect((await download).suggestedFilename()).toBe('commitments.ics');
});

it('what is due within 7 days is headed so, and what is overdue is marked', async () => {
  dashboard.service.pipeline.answer = sayLines;
  await dashboard.service.post(
    '/analyze',
    form('earlier.wav', RECORDING, { recorded_at: new Date(Date.now() - 9 * 86_400_000).toISOString() }),
  );
  await dashboard.service.post('/analyze', form('today.wav', RECORDING));
  const { page } = await dashboard.at('/app/commitments');
  const soon = page.getByRole('region', { name: 'Next 7 days' });
  await soon.getByText('Send you the signed contract').first().waitFor();
  expect(await soon.getByText('Overdue').count()).toBe(0);
  const late = page.getByRole('region', { name: 'Overdue' }).locator('li');
  await late.locator('.chip.bad').getByText('Overdue').waitFor();
  // How sure the promise is stands beside its words.
  await late.locator('.said').getByText('promise:').waitFor();
});

it.each(['/app', '/app/patterns', '/app/commitments'])('a first visit of %s loads little', async (path) => {
  const visitor = await dashboard.arrive();
  const sizes: Promise<number>[] = [];
  visitor.page.on('response', (answer) => {
    if (/\.(js|css)$/.test(new URL(answer.url()).pathname))
      sizes.push(answer.body().then((body) => gzipSync(body).length));
  });
  await visitor.goTo(`${path}#key=${KEY}`);
  await visitor.page.locator('main :is(.owed, [data-row], .score, .empty)').first().waitFor();
  expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)).toBeLessThan(FIRST_LOAD_BYTES);
});
