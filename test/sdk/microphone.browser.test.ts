import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { MicrophoneOptions } from '../../src/sdk/microphone.ts';
import { openBrowser } from '../../support/browser.ts';
import { type Site, startSite } from './site.ts';

// The browser's fake device beeps once a second.

let site: Site;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  site = await startSite();
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(site.url);
});
afterAll(async () => {
  await browser?.close();
  site?.close();
});

it('gets permission, lists its devices, and records a WebM stream from the first byte', async () => {
  const heard = await page.evaluate(async () => {
    const { Microphone } = undertone;
    const microphone = await Microphone.open({ chunkMs: 100 });
    const devices = (await Microphone.devices()).map(({ label }) => label);
    const pieces: Blob[] = [];
    for await (const chunk of microphone) if (pieces.push(chunk) === 12) microphone.stop();
    const bytes = new Uint8Array(await new Blob(pieces).arrayBuffer());
    const { suffix, device } = microphone;
    return { devices, suffix, device, begins: [...bytes.slice(0, 4)], pieces: pieces.length };
  });
  expect(heard.devices.length).toBeGreaterThan(1);
  expect(heard.suffix).toBe('.webm');
  expect(heard.begins).toEqual([0x1a, 0x45, 0xdf, 0xa3]);
  expect(heard.pieces).toBeGreaterThanOrEqual(12);
});

it('knows whether the page has permission', async () => {
  const permission = () => page.evaluate(() => undertone.Microphone.permission());
  expect(await permission()).toBe('prompt');
  await page.context().grantPermissions(['microphone']);
  expect(await permission()).toBe('granted');
});

it('records 16-bit samples at 16 kHz on request, to the last one', async () => {
  const { suffix, sizes, loudest } = await page.evaluate(async () => {
    const { Microphone } = undertone;
    const microphone = await Microphone.open({ format: 'pcm', chunkMs: 100 });
    const pieces: Blob[] = [];
    for await (const chunk of microphone) if (pieces.push(chunk) === 25) microphone.stop();
    const samples = new Int16Array(await new Blob(pieces).arrayBuffer());
    return {
      suffix: microphone.suffix,
      sizes: pieces.map(({ size }) => size),
      loudest: samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0),
    };
  });
  expect(suffix).toBe('.pcm');
  expect(sizes.slice(0, 25)).toEqual(Array(25).fill(3200));
  expect(sizes.at(-1)).toBeLessThanOrEqual(3200);
  expect(loudest).toBeGreaterThan(1000);
});

it('measures its level, and records silence while muted', async () => {
  const levels = await page.evaluate(async () => {
    const { Microphone } = undertone;
    const microphone = await Microphone.open({ format: 'pcm', chunkMs: 100 });
    const loudest = async (chunks: number) => {
      let most = 0;
      let isSilent = true;
      for await (const chunk of microphone) {
        most = Math.max(most, microphone.level);
        const samples = new Int16Array(await chunk.arrayBuffer());
        isSilent = samples.every((sample) => sample === 0);
        if (--chunks === 0) break;
      }
      return { most, isSilent };
    };
    // Each beep lasts a fifth of a second: measure for long enough.
    let before = 0;
    for (let round = 0; round < 20 && before < 0.01; round++) before = Math.max(before, (await loudest(5)).most);
    microphone.muted = true;
    await loudest(5);
    const during = await loudest(25);
    const wasMuted = microphone.muted;
    microphone.muted = false;
    let after = 0;
    for (let round = 0; round < 20 && after < 0.01; round++) after = Math.max(after, (await loudest(5)).most);
    microphone.stop();
    return { before, during, wasMuted, after };
  });
  expect(levels.before).toBeGreaterThanOrEqual(0.01);
  expect(levels.wasMuted).toBe(true);
  expect(levels.during).toEqual({ most: 0, isSilent: true });
  expect(levels.after).toBeGreaterThanOrEqual(0.01);
});

it('changes devices, and replaces a lost one, in one stream', async () => {
  const { told, last, ended, chunks } = await page.evaluate(async () => {
    const { Microphone } = undertone;
    const tracks: MediaStreamTrack[] = [];
    const { getUserMedia } = MediaDevices.prototype;
    MediaDevices.prototype.getUserMedia = async function (wanted) {
      const stream = await getUserMedia.call(this, wanted);
      tracks.push(...stream.getTracks());
      return stream;
    };
    const told: (string | undefined)[] = [];
    const microphone = await Microphone.open({ chunkMs: 100, onDevice: ({ deviceId }) => told.push(deviceId) });
    const devices = await Microphone.devices();
    const last = devices.at(-1)?.deviceId ?? '';
    await microphone.switchTo(last);
    // The first track was released; a browser ends the track of a removed device the same way.
    tracks.at(-1)?.dispatchEvent(new Event('ended'));
    let chunks = 0;
    for await (const _ of microphone) if (++chunks >= 10 && told.length === 2) microphone.stop();
    const ended = tracks.map(({ readyState }) => readyState);
    MediaDevices.prototype.getUserMedia = getUserMedia;
    return { told, last, ended, chunks };
  });
  expect(told).toEqual([last, expect.any(String)]);
  expect(ended).toEqual(['ended', 'ended', 'ended']);
  expect(chunks).toBeGreaterThanOrEqual(10);
});

it('records silence without a device, then the next device', async () => {
  const { told, silent } = await page.evaluate(async () => {
    const { Microphone } = undertone;
    const { getUserMedia } = MediaDevices.prototype;
    let track: MediaStreamTrack | undefined;
    let isGone = false;
    MediaDevices.prototype.getUserMedia = async function (wanted) {
      if (isGone) throw new DOMException('pulled out', 'NotFoundError');
      const stream = await getUserMedia.call(this, wanted);
      [track] = stream.getAudioTracks();
      return stream;
    };
    const told: (string | undefined)[] = [];
    const onDevice = ({ label }: { label?: string }) => void told.push(label);
    const microphone = await Microphone.open({ format: 'pcm', chunkMs: 100, onDevice });
    isGone = true;
    track?.dispatchEvent(new Event('ended'));
    let silent = 0;
    for await (const chunk of microphone) {
      const samples = new Int16Array(await chunk.arrayBuffer());
      silent = samples.every((sample) => sample === 0) ? silent + 1 : 0;
      // Longer than the pause between two beeps.
      if (silent === 15) {
        isGone = false;
        navigator.mediaDevices.dispatchEvent(new Event('devicechange'));
      }
      if (told.length === 2) microphone.stop();
    }
    MediaDevices.prototype.getUserMedia = getUserMedia;
    return { told, silent };
  });
  expect(told).toEqual([undefined, expect.stringMatching(/\S/)]);
  expect(silent).toBeGreaterThanOrEqual(15);
});

it.each([
  { wished: 500, chosen: undefined, sizes: [16_000, 16_000] },
  { wished: undefined, chosen: undefined, sizes: [8_000, 8_000] },
  { wished: 500, chosen: 100, sizes: [3_200, 3_200] },
])(
  'joins chunks to the $wished ms that the session asks for, unless the page chose $chosen ms',
  async ({ wished, chosen, sizes }) => {
    const sent = await page.evaluate(
      async ({ wished, chosen }) => {
        const { Microphone } = undertone;
        const microphone = await Microphone.open({ format: 'pcm', ...(chosen !== undefined && { chunkMs: chosen }) });
        const sizes: number[] = [];
        let isFinalized = false;
        const capture = {
          session: { ...(wished !== undefined && { chunk_ms: wished }) },
          async send({ size }: Blob) {
            if (sizes.push(size) === 2) microphone.stop();
          },
          async finalize() {
            isFinalized = true;
          },
        };
        await microphone.pipeTo(capture as never);
        return { sizes, isFinalized };
      },
      { wished, chosen },
    );
    expect(sent.sizes.slice(0, 2)).toEqual(sizes);
    expect(sent.isFinalized).toBe(true);
  },
);

it('is released at once by its signal, and its stream throws the reason', async () => {
  const thrown = await page.evaluate(async () => {
    const { Microphone } = undertone;
    const leave = new AbortController();
    const microphone = await Microphone.open({ signal: leave.signal });
    setTimeout(() => leave.abort(new Error('left')), 200);
    try {
      for await (const _ of microphone);
      return 'nothing';
    } catch (error) {
      return String(error);
    }
  });
  expect(thrown).toBe('Error: left');
});

it('says why it is not available', async () => {
  const code = (options: MicrophoneOptions) =>
    page.evaluate(async (options) => {
      const { Microphone } = undertone;
      return Microphone.open(options).then(
        () => 'open',
        (error) => error.code,
      );
    }, options);
  expect(await code({ deviceId: 'no-such-device' })).toBe('MICROPHONE_UNAVAILABLE');
  expect(await code({ format: 'ogg' })).toBe('MICROPHONE_UNSUPPORTED');
  expect(await code({ format: 'pcm', workletUrl: 'nowhere.js' })).toBe('MICROPHONE_UNSUPPORTED');

  const strict = await openBrowser(undefined, 'no');
  const refused = await strict.newPage();
  await refused.goto(site.url);
  const answer = await refused.evaluate(async () => {
    const { Microphone } = undertone;
    return Microphone.open().catch((error) => error.code);
  });
  await strict.close();
  expect(answer).toBe('MICROPHONE_REFUSED');
});
