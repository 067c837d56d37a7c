import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Decoding, decodeStream } from '../../../containers/pipeline/media/decode.ts';
import { converted, fixtureBytes, inPieces } from '../../../support/recordings.ts';

const DURATION = 3.7;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'undertone-test-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** short.wav in another format, through a file, since some containers cannot be written to a pipe. */
function shortAs(name: string, options: string[]): Buffer {
  const path = join(folder, name);
  converted('short.wav', options, path);
  return readFileSync(path);
}

async function decoded(
  bytes: Uint8Array,
  suffix = '.wav',
  options = {},
): Promise<{ seconds: number; media: Decoding }> {
  const media = decodeStream(inPieces(bytes), suffix, options);
  let samples = 0;
  for await (const block of media) samples += block.samples.length / block.channels;
  return { seconds: samples / 16_000, media };
}

const FORMS: [string, string[]][] = [
  ['a.wav', []],
  ['a.mp3', []],
  ['a.aac', []],
  ['a.m4a', []],
  ['faststart.mp4', ['-movflags', 'faststart']],
  ['fragmented.mp4', ['-movflags', 'frag_keyframe+empty_moov']],
  ['a.mov', ['-c:a', 'pcm_s16le']],
  ['a.webm', ['-c:a', 'libopus']],
  ['a.ogg', ['-c:a', 'libopus']],
  ['a.flac', []],
];

describe('decoding', () => {
  it.each(FORMS)('decodes %s to its whole length, whatever its file name', async (name, options) => {
    const { seconds, media } = await decoded(shortAs(name, options), '.mp3');
    expect(seconds).toBeGreaterThan(DURATION - 0.1);
    expect(seconds).toBeLessThan(DURATION + 0.2);
    expect(media.source?.channels).toBe(1);
    expect(media.warnings).toEqual([]);
  });

  it('decodes the sound of a video', async () => {
    const video = ['-f', 'lavfi', '-i', 'color=size=64x64:rate=5', '-shortest', '-c:v', 'mpeg4'];
    const { seconds } = await decoded(shortAs('video.mp4', video), '.mp4');
    expect(seconds).toBeGreaterThan(DURATION - 0.3);
  });

  it('reads raw PCM by its suffix', async () => {
    const raw = converted('short.wav', ['-f', 's16le', '-ar', '16000', '-ac', '1']);
    expect((await decoded(raw, '.pcm')).seconds).toBeCloseTo(raw.length / 32_000, 5);
  });

  it('keeps the two channels of stereo and mixes more', async () => {
    for (const [channels, expected] of [
      [2, 2],
      [6, 2],
    ]) {
      const media = decodeStream(inPieces(shortAs(`${channels}.wav`, ['-ac', String(channels)])), '.wav');
      for await (const block of media) expect(block.channels).toBe(expected);
      expect(media.source?.channels).toBe(channels);
    }
  });

  it('gives the first samples before the last byte arrives', async () => {
    const bytes = converted('call.wav', ['-f', 'wav', '-c:a', 'pcm_s16le']);
    let sent = 0;
    const slowly = async function* () {
      for await (const piece of inPieces(bytes, 65_536)) {
        sent += piece.length;
        yield piece;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    for await (const block of decodeStream(slowly(), '.wav')) {
      expect(block.samples.length).toBeGreaterThan(0);
      break;
    }
    expect(sent).toBeLessThan(bytes.length);
  });

  it('decodes the rest of a truncated recording and warns', async () => {
    const bytes = shortAs('cut.mp4', ['-movflags', 'faststart']);
    const { seconds, media } = await decoded(bytes.subarray(0, bytes.length * 0.7), '.mp4');
    expect(seconds).toBeGreaterThan(1);
    expect(media.warnings).toHaveLength(1);
  });
});

describe('media that cannot be decoded', () => {
  const refusal = (bytes: Uint8Array, suffix = '.wav') => expect(decoded(bytes, suffix)).rejects;

  it('is reported as empty', async () => {
    await refusal(new Uint8Array(0)).toMatchObject({ code: 'INVALID_MEDIA', detail: 'The media is empty' });
    await refusal(new Uint8Array(0), '.pcm').toMatchObject({ code: 'INVALID_MEDIA' });
  });

  it('is reported without an audio track', async () => {
    const silent = ['-an', '-f', 'lavfi', '-i', 'color=size=64x64:rate=5:duration=1', '-map', '1:v', '-c:v', 'mpeg4'];
    await refusal(shortAs('silent.mp4', silent)).toMatchObject({
      code: 'INVALID_MEDIA',
      detail: 'The media has no audio track',
    });
  });

  it('is reported as an unsupported format', async () => {
    const text = Buffer.from('This is a text and no sound. '.repeat(50));
    await refusal(text).toMatchObject({ code: 'INVALID_MEDIA', detail: expect.stringContaining('format') });
  });

  it('is reported without its index', async () => {
    const bytes = shortAs('headless.m4a', []);
    const cut = bytes.subarray(0, bytes.length * 0.6);
    await refusal(cut, '.m4a').toMatchObject({ code: 'INVALID_MEDIA', detail: expect.stringContaining('index') });
  });

  it('does not open other files through a playlist', async () => {
    const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:5\n#EXTINF:5,\nfile:///etc/hostname\n#EXT-X-ENDLIST\n';
    await refusal(Buffer.from(playlist)).toMatchObject({ code: 'INVALID_MEDIA' });
  });

  it('names no path of the machine in its error', async () => {
    await decoded(Buffer.from('nothing'.repeat(99))).catch((error: Error) => expect(error.message).not.toMatch(/\//));
  });
});

describe('the end of a decoding', () => {
  it('stops at once when it is aborted, with the reason', async () => {
    const gone = new AbortController();
    const endless = async function* () {
      yield fixtureBytes('call.wav');
      await new Promise(() => undefined);
    };
    const run = (async () => {
      for await (const block of decodeStream(endless(), '.wav', { signal: gone.signal })) void block;
    })();
    setTimeout(() => gone.abort(new Error('gone')), 200);
    await expect(run).rejects.toThrow('gone');
  });

  it("throws the sender's error", async () => {
    const failing = async function* () {
      yield fixtureBytes('call.wav').subarray(0, 50_000);
      throw new Error('the upload broke off');
    };
    const run = (async () => {
      for await (const block of decodeStream(failing(), '.wav')) void block;
    })();
    await expect(run).rejects.toThrow('broke off');
  });

  it('leaves no temporary file', async () => {
    const own = mkdtempSync(join(folder, 'temporary-'));
    vi.stubEnv('TMPDIR', own);
    await decoded(shortAs('late.m4a', []), '.m4a');
    vi.unstubAllEnvs();
    expect(readdirSync(own)).toEqual([]);
  });
});
