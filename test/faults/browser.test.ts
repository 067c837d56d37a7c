import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort, pipelineProcess, type RestartableProcess } from '../../bench/processes.ts';
import type { AnalysisResponse } from '../../src/contract/analysis.ts';
import { inCommon, wordsOf } from '../../support/common-words.ts';
import { KEY, type LiveStack, startLiveStack } from '../../support/live-service.ts';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** `BROWSER_AUDIO`: another recording for the microphone. */
const AUDIO = process.env.BROWSER_AUDIO ?? join(import.meta.dirname, '../fixtures/call.wav');
/** Length of the part that is played, s. */
const SECONDS = Number(process.env.BROWSER_SECONDS ?? 60);
const CHUNK_MS = 500;

/** The page's requests and the answers it received. */
interface Captured {
  finals: string[];
  /** All chunks, in base64. */
  sent: string;
}

/** Runs in the page: records the microphone, posts the chunks in order, and collects the events. */
async function capture(options: { url: string; key: string; seconds: number; chunkMs: number }): Promise<Captured> {
  const headers = { 'X-API-Key': options.key };
  const post = async (path: string, body: BodyInit, more: Record<string, string> = {}): Promise<Response> => {
    const response = await fetch(new URL(path, options.url), {
      method: 'POST',
      headers: { ...headers, ...more },
      body,
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const json = { 'Content-Type': 'application/json' };
  const started = await post('/analyze/live/start', JSON.stringify({ suffix: '.webm' }), json);
  const session = (await started.json()) as {
    chunk_endpoint: string;
    events_endpoint: string;
    control_endpoint: string;
  };

  const finals: string[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    const events = new EventSource(new URL(`${session.events_endpoint}?api_key=${options.key}`, options.url));
    events.addEventListener('final_transcript', (event) => finals.push(JSON.parse(event.data).text));
    events.addEventListener('done', () => {
      events.close();
      resolve();
    });
    // The service's own `error` event carries data. The event of a lost connection, which reconnects automatically,
    // does not.
    events.addEventListener('error', (event) => {
      if (event instanceof MessageEvent) reject(new Error(event.data));
    });
  });

  const audio = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
  const microphone = await navigator.mediaDevices.getUserMedia({ audio });
  const recorder = new MediaRecorder(microphone, { mimeType: 'audio/webm;codecs=opus' });
  let sending: Promise<unknown> = Promise.resolve();
  const chunks: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => {
    if (data.size === 0) return;
    const form = new FormData();
    form.set('chunk_seq', String(chunks.length));
    form.set('chunk', data);
    chunks.push(data);
    sending = sending.then(() => post(session.chunk_endpoint, form));
  });
  const stopped = new Promise((resolve) => recorder.addEventListener('stop', resolve));
  recorder.start(options.chunkMs);
  await new Promise((resolve) => setTimeout(resolve, options.seconds * 1000));
  recorder.stop();
  await stopped;
  await sending;
  await post(session.control_endpoint, JSON.stringify({ action: 'finalize' }), json);
  await ended;
  const reader = new FileReader();
  const read = new Promise((resolve) => reader.addEventListener('load', resolve));
  reader.readAsDataURL(new Blob(chunks));
  await read;
  const [, sent = ''] = String(reader.result).split(',');
  return { finals, sent };
}

const wordsIn = ({ timeline }: AnalysisResponse): string[] => wordsOf(timeline.map(({ text }) => text).join(' '));

describe.skipIf(!existsSync(CHROMIUM))('a browser', () => {
  let folder: string;
  let pipeline: RestartableProcess | undefined;
  let stack: LiveStack;
  let site: Server;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'undertone-browser-'));
    const port = await freePort();
    pipeline = pipelineProcess(port);
    await pipeline.start();
    stack = await startLiveStack({ RUNTIME_URL: `http://127.0.0.1:${port}` });
    site = createServer((_, response) =>
      response.setHeader('Content-Type', 'text/html').end('<title>microphone</title>'),
    );
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    site?.close();
    await stack?.stop();
    await pipeline?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function batch(bytes: Uint8Array<ArrayBuffer>, name: string): Promise<AnalysisResponse> {
    const form = new FormData();
    form.set('file', new File([bytes], name));
    const headers = { 'X-API-Key': KEY };
    const response = await fetch(new URL('/analyze', stack.url), { method: 'POST', headers, body: form });
    expect(response.status).toBe(200);
    return (await response.json()) as AnalysisResponse;
  }

  const openBrowser = (microphone: string) =>
    chromium.launch({
      executablePath: CHROMIUM,
      args: [
        ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
        ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
        ...['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
        `--use-file-for-fake-audio-capture=${microphone}%noloop`,
      ],
    });

  it('with a microphone: at least 90 % of the words of the batch transcript arrive as finals', async () => {
    const microphone = join(folder, 'microphone.wav');
    const format = ['-t', String(SECONDS), '-ac', '1', '-ar', '48000', '-c:a', 'pcm_s16le', microphone];
    execFileSync('ffmpeg', ['-v', 'error', '-i', AUDIO, ...format]);
    const asFile = await batch(new Uint8Array(readFileSync(microphone)), 'microphone.wav');

    const browser = await openBrowser(microphone);
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
      const seconds = asFile.media.duration_s + 2;
      const options = { url: stack.url.href, key: KEY, seconds, chunkMs: CHUNK_MS };
      const { finals, sent } = await page.evaluate(capture, options);
      const asSent = await batch(Uint8Array.from(Buffer.from(sent, 'base64')), 'microphone.webm');
      const heard = wordsOf(finals.join(' '));
      const found = inCommon(wordsIn(asSent), heard);
      console.log(
        `${found} of ${wordsIn(asSent).length} words of batch of what the browser sent, ${heard.length} heard`,
      );
      // Opus and the microphone's clock change the sound, and therefore the transcript of either.
      console.log(`${inCommon(wordsIn(asFile), heard)} of ${wordsIn(asFile).length} of batch of the file it played`);
      console.log(`batch of the two: ${inCommon(wordsIn(asFile), wordsIn(asSent))} in common`);
      expect(found / wordsIn(asSent).length).toBeGreaterThanOrEqual(0.9);
    } finally {
      await browser.close();
    }
  });
});
