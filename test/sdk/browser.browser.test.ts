import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type LivePosition, Undertone } from '../../src/sdk/index.ts';
import { openBrowser } from '../../support/browser.ts';
import { KEY, type LiveStack, startLiveStack } from '../../support/live-service.ts';
import { type Site, startSite } from './site.ts';
import { startUnrulyProxy, type UnrulyProxy } from './unruly-proxy.ts';

// A page with a microphone on a connection that breaks, delays, goes silent and goes down, in real time. For
// ten minutes: SDK_MINUTES=10 npx vitest run test/sdk/browser.browser.test.ts

const MINUTES = Number(process.env.SDK_MINUTES ?? 0.5);
/** Interval of faults, s: shorter in a short run, so that every fault occurs. */
const EVERY_S = MINUTES >= 5 ? 20 : 6;
const LASTS_MS = 4_000;
const DELAY_MS = 400;
/** Limit of the growth of the page's heap over the whole run. */
const MOST_GROWTH_MB = 20;

let folder: string;
let stack: LiveStack;
let line: UnrulyProxy;
let site: Site;
let browser: Browser;
let page: Page;
let devtools: CDPSession;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-page-'));
  const microphone = join(folder, 'microphone.wav');
  const call = join(import.meta.dirname, '../fixtures/call.wav');
  execFileSync('ffmpeg', ['-v', 'error', '-i', call, '-ac', '1', '-ar', '48000', '-c:a', 'pcm_s16le', microphone]);
  stack = await startLiveStack();
  line = await startUnrulyProxy({ target: stack.url, everyMs: EVERY_S * 1000, lastsMs: LASTS_MS, delayMs: DELAY_MS });
  site = await startSite();
  browser = await openBrowser(microphone);
  page = await browser.newPage();
  await page.goto(site.url);
  devtools = await page.context().newCDPSession(page);
});
afterAll(async () => {
  await browser?.close();
  site?.close();
  line?.close();
  await stack?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The page's counters. */
interface Seen {
  /** Bytes from the microphone, and their digest. */
  bytes: number;
  digest: number;
  /** The number of the next event; false once one was out of order. */
  nextId: number | false;
  finals: number;
  chunks: number;
  retries: number;
  failure: string | undefined;
  isDone: boolean;
}
declare global {
  /** Set in the page. */
  var seen: Seen;
  var stopMicrophone: () => void;
}

/** A digest that reveals lost, repeated and swapped bytes (FNV-1a, 32 bits). */
const DIGEST = { start: 0x811c9dc5, prime: 0x01000193 };
const digestOf = (bytes: Uint8Array): number =>
  bytes.reduce((digest, byte) => Math.imul(digest ^ byte, DIGEST.prime), DIGEST.start);

interface Begin {
  url: string;
  key: string;
  position: LivePosition;
  digest: typeof DIGEST;
}

/** Runs in the page: records the microphone into an open session and counts the events. */
async function capture({ url, key, position, digest: { start, prime } }: Begin): Promise<void> {
  const client = new undertone.Undertone({ url, key, onRetry: () => seen.retries++ });
  const microphone = await undertone.Microphone.open();
  globalThis.stopMicrophone = () => microphone.stop();
  globalThis.seen = {
    ...{ bytes: 0, digest: start, nextId: 0, finals: 0, chunks: 0, retries: 0 },
    ...{ failure: undefined, isDone: false },
  };
  const live = client.live.resume(position, { onProgress: ({ chunk_seq }) => (seen.chunks = chunk_seq + 1) });
  const sending = (async () => {
    for await (const chunk of microphone) {
      // Reuses one buffer, so that the page itself does not allocate.
      const bytes = new Uint8Array(await chunk.arrayBuffer());
      seen.bytes += bytes.length;
      for (const byte of bytes) seen.digest = Math.imul(seen.digest ^ byte, prime);
      await live.send(chunk);
    }
    await live.finalize();
  })();
  const reading = (async () => {
    for await (const { id, event } of live) {
      seen.nextId = id === seen.nextId && id + 1;
      if (event === 'final_transcript') seen.finals++;
      if (event === 'done') seen.isDone = true;
    }
  })();
  Promise.all([sending, reading]).catch((error) => {
    seen.failure = `${error.code}: ${error.message}`;
  });
}

/** The page's heap after garbage collection, MB. */
async function heapMb(): Promise<number> {
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
}

/** Memory of all browser processes, its blob storage included, MB. */
async function residentMb(): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  await session.detach();
  const pages = processInfo.map(({ id }) => Number(readFileSync(`/proc/${id}/statm`, 'utf8').split(' ')[1]));
  return (pages.reduce((sum, count) => sum + count, 0) * 4096) / 2 ** 20;
}

it(
  `${MINUTES} min of a microphone: no byte lost or doubled, every event once and in order, and the page does not grow`,
  async () => {
    const undertone = new Undertone({ url: stack.url, key: KEY });
    const { position } = await undertone.live.start({ suffix: '.webm' });
    await page.evaluate(capture, { url: line.url, key: KEY, position, digest: DIGEST });
    const heaps: number[] = [];
    const resident: number[] = [];
    const until = Date.now() + MINUTES * 60_000;
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    while (Date.now() < until || line.did.silences === 0) {
      await wait(Math.min(30_000, MINUTES * 6_000));
      heaps.push(await heapMb());
      resident.push(await residentMb());
    }
    await page.evaluate(() => stopMicrophone());
    line.calm();
    await page.waitForFunction(() => seen.isDone || seen.failure, undefined, { timeout: 120_000 });
    heaps.push(await heapMb());
    const seen = await page.evaluate(() => globalThis.seen);
    const stored = (await stack.upload(position.session.conversation_id))!;
    const growth = heaps.at(-1)! - heaps[0]!;
    console.log(`the line: ${JSON.stringify(line.did)}`);
    console.log(`the page: ${JSON.stringify(seen)}`);
    console.log(`its heap, MB: ${heaps.map((mb) => mb.toFixed(1)).join(' ')}; grown by ${growth.toFixed(1)}`);
    console.log(`all of the browser, MB: ${resident.map((mb) => mb.toFixed(0)).join(' ')}`);
    expect(seen.failure).toBeUndefined();
    expect(stored.length).toBe(seen.bytes);
    expect(digestOf(stored)).toBe(seen.digest);
    expect(seen.nextId).toBeGreaterThan(0);
    expect(seen.finals).toBe(seen.chunks);
    expect(seen.bytes).toBeGreaterThan(MINUTES * 60 * 1000);
    expect(growth).toBeLessThan(MOST_GROWTH_MB);
  },
  (MINUTES + 5) * 60_000,
);
