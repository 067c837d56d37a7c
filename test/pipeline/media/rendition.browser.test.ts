import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PcmSpool } from '../../../containers/pipeline/audio/pcm-spool.ts';
import { isPlayable, renditionOf } from '../../../containers/pipeline/media/rendition.ts';
import { LIVE_EXTENSIONS } from '../../../src/contract/media.ts';
import { openBrowser } from '../../../support/browser.ts';
import { converted } from '../../../support/recordings.ts';

const RATE = 16_000;
const SECONDS = 4;

describe('a file', () => {
  it.each([
    ['.mp3', 'mp3', true],
    ['.wav', 'pcm_s16le', true],
    ['.wav', 'pcm_mulaw', false],
    ['.wav', 'mp3', false],
    ['.m4a', 'aac', true],
    ['.m4a', 'alac', false],
    ['.mp4', 'opus', true],
    ['.mov', 'pcm_s16le', false],
    ['.aac', 'aac', true],
    ['.webm', 'opus', true],
    ['.ogg', 'vorbis', true],
    ['.ogg', 'speex', false],
    ['.pcm', 'pcm_s16le', false],
  ] as const)('%s of %s is played by browsers: %s', (suffix, codec, expected) => {
    expect(isPlayable(suffix, codec)).toBe(expected);
  });

  it('with an unknown codec is not playable', () => {
    for (const suffix of LIVE_EXTENSIONS) expect(isPlayable(suffix, undefined)).toBe(false);
  });
});

describe('a rendition', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'undertone-rendition-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function rendered(channels: 1 | 2, signal = new AbortController().signal): Promise<Buffer> {
    const pcm = converted('call-stereo.wav', [
      ...['-t', String(SECONDS), '-ac', String(channels), '-ar', String(RATE), '-f', 's16le'],
    ]);
    const spool = await PcmSpool.open(channels);
    try {
      await spool.append(new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length)));
      return await renditionOf(spool.location, signal);
    } finally {
      await spool.close();
    }
  }

  it.each([1, 2] as const)('of %i channels opens in ffmpeg: Opus, whole, as loud as it was', async (channels) => {
    const bytes = await rendered(channels);
    const path = join(folder, `${channels}.webm`);
    writeFileSync(path, bytes);
    const probe = ['-v', 'error', '-show_entries', 'stream=codec_name,channels:format=duration,format_name'];
    const probed = JSON.parse(execFileSync('ffprobe', [...probe, '-of', 'json', path], { encoding: 'utf8' }));
    expect(probed.streams).toEqual([{ codec_name: 'opus', channels }]);
    expect(probed.format.format_name).toContain('webm');
    expect(Math.abs(Number(probed.format.duration) - SECONDS)).toBeLessThan(0.1);
    const pcm = execFileSync('ffmpeg', ['-v', 'error', '-i', path, '-f', 's16le', '-ar', String(RATE), '-'], {
      maxBuffer: 1 << 26,
    });
    const samples = new Int16Array(pcm.buffer.slice(pcm.byteOffset, pcm.byteOffset + pcm.length));
    expect(Math.abs(samples.length / channels / RATE - SECONDS)).toBeLessThan(0.1);
    expect(Math.max(...samples)).toBeGreaterThan(1_000);
    expect(bytes.length).toBeLessThan(SECONDS * 8_000);
  });

  it('is the same for the same sound', async () => {
    expect(await rendered(1)).toEqual(await rendered(1));
  });

  it('plays in a browser, from any position', async () => {
    const bytes = await rendered(1);
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const played = await page.evaluate(async (base64) => {
        const audio = new Audio(`data:audio/webm;codecs=opus;base64,${base64}`);
        await new Promise((resolve, reject) => {
          audio.addEventListener('canplaythrough', resolve);
          audio.addEventListener('error', () => reject(new Error(audio.error?.message ?? 'no audio')));
          audio.load();
        });
        const sought = new Promise((resolve) => audio.addEventListener('seeked', resolve));
        audio.currentTime = 2.5;
        await sought;
        return { duration: audio.duration, at: audio.currentTime };
      }, bytes.toString('base64'));
      expect(Math.abs(played.duration - SECONDS)).toBeLessThan(0.1);
      expect(played.at).toBeCloseTo(2.5, 1);
    } finally {
      await browser.close();
    }
  });

  it('stops when it is aborted', async () => {
    await expect(rendered(1, AbortSignal.abort(new Error('nobody')))).rejects.toThrow();
  });
});
