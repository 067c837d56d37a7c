import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisResponse, Commitment } from '../../src/sdk/wire.ts';
import { dashboardUnderTest } from '../../support/dashboard.ts';
import { make } from '../../support/made-conversations.ts';

// The timeline of a conversation, with results that were changed on their way to the page.

const dashboard = dashboardUnderTest();
let two: string;
beforeAll(async () => {
  two = await make(dashboard.service, 'two-people');
});

/** Opens the conversation with a changed result. */
async function changed(width: number, change: (result: AnalysisResponse) => void): Promise<Page> {
  const { page } = await dashboard.at('/app', { width });
  await page.route(
    (url) => url.pathname === `/conversations/${two}`,
    async (route) => {
      const response = await route.fetch();
      const json: AnalysisResponse = await response.json();
      change(json);
      await route.fulfill({ response, json });
    },
  );
  await page.goto(`${dashboard.service.url.origin}/app/conversations/${two}`);
  await page.locator('.plot .ph').first().waitFor();
  return page;
}

describe('the phases on a phone', () => {
  it('are listed below the timeline where a name does not fit in it, and play from their second', async () => {
    const page = await changed(390, ({ segmentation: { phases } }) => {
      phases[1]!.phase_name = 'Negotiation: a discount for the second year';
    });
    const list = page.getByRole('list', { name: 'Phases' });
    const names = list.getByRole('button');
    expect(await names.count()).toBe(4);
    const second = names.nth(1);
    expect(await second.textContent()).toBe('2 Negotiation: a discount for the second year');
    await second.click();
    await expect.poll(() => second.getAttribute('aria-current')).toBe('true');
  });

  it('are not listed where all names fit', async () => {
    const page = await changed(390, ({ segmentation: { phases }, media }) => {
      const [first, last] = [phases[0]!, phases.at(-1)!];
      phases.splice(0, phases.length, first, last);
      first.phase_name = 'Opening';
      last.phase_name = 'Next Steps';
      last.start_timestamp = media.duration_s / 2;
    });
    expect(await page.locator('.plot .ph bdi').allTextContents()).toEqual(['Opening', 'Next Steps']);
    expect(await page.getByRole('list', { name: 'Phases' }).count()).toBe(0);
  });
});

it.each([
  [1440, '.tonelab', ['answer', 'overlap']],
  // Here the answers share a sign with their offers, so that no curve is drawn.
  [390, '.toneline', ['Hatched: overlap']],
  [700, '.toneline', ['Curve: offer to its answer', 'Hatched: overlap']],
] as const)(
  'the key of the timeline names curves and hatching where there are any, at %i px',
  async (width, place, words) => {
    const page = await changed(width, ({ timeline }) => {
      timeline[2]!.overlap_ratio = 0.5;
    });
    const fold = page.locator('.keys1 summary');
    if (await fold.isVisible()) await fold.click();
    await page.locator(place).waitFor();
    for (const word of words) expect(await page.locator(place).getByText(word, { exact: true }).isVisible()).toBe(true);
    expect(await page.locator(place).evaluate((key) => key.scrollHeight - key.clientHeight)).toBeLessThanOrEqual(0);
    // A line of the key never ends in a separator.
    expect(await page.locator(place).textContent()).not.toContain('·');
    const bare = await changed(width, ({ timeline, moments }) => {
      for (const one of timeline) one.overlap_ratio = 0;
      moments.splice(0);
    });
    await bare.locator(place).waitFor({ state: 'attached' });
    for (const word of words) expect(await bare.locator(place).getByText(word, { exact: true }).count()).toBe(0);
  },
);

it('a number for several moments says how many are unsure, and is dashed if all are', async () => {
  const page = await changed(1440, ({ moments }) => {
    for (const [i, moment] of moments.entries()) {
      moment.start_ms = i < 2 ? 20_000 : 90_000;
      moment.confidence = i === 2 ? 0.8 : 0.3;
    }
  });
  const borderOf = (name: string): Promise<string> =>
    page
      .getByRole('button', { name })
      .locator('span')
      .evaluate((sign) => `${getComputedStyle(sign).borderStyle} ${sign.textContent}`);
  const count = (await page.locator('.mrow1').count()) - 2;
  expect(await borderOf('2 moments, all unsure: ')).toBe('dashed 2');
  expect(await borderOf(`${count} moments (${count - 1} unsure): `)).toBe(`none ${count}`);
  await page.locator('.mo.cl').first().hover();
  await page.locator('.tip', { hasText: '2 moments, all unsure' }).waitFor();
});

/** A promise in the words of an utterance. */
const promised = (result: AnalysisResponse, line: number, confidence: number): Commitment => {
  const { utterance_id, t_start, t_end, speaker, text } = result.timeline[line]!;
  return {
    ...{ commitment_id: `c${line}`, owner: speaker, to: null, deed: 'send the invitation', quote: text, speaker },
    ...{ due: null, vague_due: 'soon', state: 'open', answer_utterance_id: null },
    ...{ utterance_id, t_start, t_end, confidence },
  };
};

it('a promise has a sign on the timeline and beside its words, says who owes what, and can be filtered', async () => {
  const page = await changed(1440, (result) => {
    result.moments.splice(0);
    result.commitments = [promised(result, 2, 0.9), promised(result, 12, 0.3)];
  });
  const sign = page.locator('.mo[aria-label^="Promise"]');
  expect(await sign.count()).toBe(2);
  expect(await sign.first().getAttribute('aria-label')).toBe(
    'Promise, 0:12, Speaker B promises: send the invitation, “soon”'.replace('Speaker B', await nameAt(page, 2)),
  );
  expect(await sign.nth(1).getAttribute('aria-label')).toMatch(/, unsure$/);
  expect(await page.locator('.signkey').textContent()).toMatch(/promise\s*unsure/);
  const tag = page.locator('.u[data-line="2"] .tag');
  expect(await tag.textContent()).toBe(`${await nameAt(page, 2)} promises: send the invitation`);
  await tag.focus();
  await page.locator('.tip', { hasText: '“soon”' }).waitFor();
  await page.getByRole('button', { name: 'Promises 2' }).click();
  await expect.poll(() => page.locator('.u:visible').count()).toBe(2);
});

it('a promise on request has its sign at the answer of its owner, and the filter keeps the request too', async () => {
  const page = await changed(1440, (result) => {
    const [asks, answers] = [result.timeline[2]!, result.timeline[3]!];
    const asked = { ...promised(result, 2, 0.9), deed: 'send me the contract', state: 'accepted' as const };
    result.moments.splice(0);
    result.commitments = [
      { ...asked, owner: answers.speaker, to: asks.speaker, answer_utterance_id: answers.utterance_id },
    ];
  });
  const [asks, answers] = [await nameAt(page, 2), await nameAt(page, 3)];
  expect(asks).not.toBe(answers);
  const words = `${answers} promises ${asks}: send me the contract`;
  expect(await page.locator('.u button.tag').allTextContents()).toEqual([words]);
  const listed = page.locator('.summary section', { hasText: /^Promises 1/ }).getByRole('button');
  expect(await listed.textContent()).toMatch(
    new RegExp(`^${answers} to ${asks}\\d+:\\d\\dsend me the contract, “soon” `),
  );
  const tag = page.locator('.u[data-line="3"] .tag');
  expect(await tag.textContent()).toBe(words);
  await tag.focus();
  await page.locator('.tip', { hasText: `${asks} asked: “` }).waitFor();
  await page.getByRole('button', { name: 'Promises 1' }).click();
  await expect.poll(() => page.locator('.u:visible').count()).toBe(2);
});

const nameAt = async (page: Page, line: number): Promise<string> => {
  const badge = await page.locator(`.u[data-line="${line}"] .nm1`).first().textContent();
  return badge!;
};

it('on a phone, a number on the timeline opens the kinds and times that it stands for', async () => {
  const page = await changed(390, ({ moments }) => {
    for (const [i, moment] of moments.entries()) moment.start_ms = 20_000 + i * 1000;
  });
  const number = page.locator('.mo.cl').first();
  const count = Number(await number.textContent());
  expect(count).toBeGreaterThan(1);
  await number.click();
  const list = page.getByRole('dialog');
  await list.waitFor();
  const rows = list.locator('.mrow');
  expect(await rows.count()).toBe(count);
  expect(await rows.first().textContent()).toMatch(/Offer|Objection|Accepted|Declined|Change of subject/);
  expect(await rows.first().textContent()).toContain('0:20');
  await list.getByRole('button', { name: 'Zoom in' }).click();
  await page.locator('.mini').waitFor();
});

it('a long conversation leads to its busiest parts and back', async () => {
  const page = await changed(1440, ({ media, moments, segmentation }) => {
    media.duration_s = 28_800;
    // The others would be too narrow to be shown.
    segmentation.phases.splice(1);
    for (const [i, moment] of moments.entries()) moment.start_ms = (i < 3 ? 7_300 : 20_000 + i * 2_000) * 1000;
  });
  await page.getByRole('button', { name: 'at 2:00:00, 3 moments' }).click();
  await page.locator('.mini').waitFor();
  await page.getByRole('button', { name: 'Show all of it' }).click();
  await expect.poll(() => page.locator('.mini').count()).toBe(0);
});
