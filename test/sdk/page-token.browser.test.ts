import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConversationList } from '../../src/contract/conversations.ts';
import { openBrowser } from '../../support/browser.ts';
import { resigned } from '../../support/browser-token.ts';
import { guideExamples, startGuideSite } from '../../support/guide-page.ts';
import { type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { KEY_PEPPER } from '../../support/service-under-test.ts';

// The page of the guide "Live capture in a browser" records thirty minutes with tokens of one minute, on a clock that
// runs thirty times faster. This takes one minute in all, with tokens of two seconds and a session that expires after
// thirty.

const CLOCK = 30;
const RECORDED_MS = (30 * 60_000) / CLOCK;
const TOKEN_S = 60 / CLOCK;
const TTL_S = 900 / CLOCK;

let folder: string;
let stack: LiveStack;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-guide-'));
  const [call, microphone] = [join(import.meta.dirname, '../fixtures/call.wav'), join(folder, 'microphone.wav')];
  execFileSync('ffmpeg', ['-v', 'error', '-i', call, '-ac', '1', '-ar', '48000', '-c:a', 'pcm_s16le', microphone]);
  stack = await startLiveStack({
    KEY_PEPPER,
    LIVE_TTL_MIN_SECONDS: '1',
    LIVE_TTL_DEFAULT_SECONDS: String(TTL_S),
  });
});
afterAll(async () => {
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A token as the service mints it, except that it expires sooner than the service allows. */
async function mint(): Promise<string> {
  const answer = await stack.client.json('/tokens', { for: { session: 'new' }, ttl_seconds: 60 });
  const { token } = (await answer.json()) as { token: string };
  return resigned(token, { exp: Math.ceil(Date.now() / 1000) + TOKEN_S });
}

it('the page of the guide records thirty minutes under tokens of one minute and loses nothing', async () => {
  const [example] = guideExamples('live-from-a-browser.md').filter(({ note }) => note === 'browser');
  const script = example!.text.replace('http://localhost:8787', stack.url.origin).replace('4000', String(RECORDED_MS));
  expect(script).toContain(String(RECORDED_MS));
  const site = await startGuideSite(script, mint);
  const browser = await openBrowser(join(folder, 'microphone.wav'));
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    let acknowledged = 0;
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('response', async (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
      if (!response.url().endsWith('/chunk')) return;
      const { received_bytes } = (await response.json()) as { received_bytes: number };
      acknowledged = Math.max(acknowledged, received_bytes);
    });
    const began = Date.now();
    await page.goto(site.url);
    await page.waitForFunction(() => /conversation [0-9a-f-]{36}: ./.test(document.body.textContent), undefined, {
      timeout: RECORDED_MS + 120_000,
    });
    expect(Date.now() - began).toBeGreaterThan(RECORDED_MS);
    expect(faults).toEqual([]);
    const { conversations } = (await (await stack.client.request('/conversations')).json()) as ConversationList;
    expect(conversations).toMatchObject([{ status: 'completed', mode: 'live' }]);
    const stored = await stack.upload(conversations[0]!.conversation_id);
    expect(acknowledged).toBeGreaterThan((RECORDED_MS / 1000) * 1_000);
    expect(stored).toHaveLength(acknowledged);
  } finally {
    await browser.close();
    site.close();
  }
}, 400_000);
