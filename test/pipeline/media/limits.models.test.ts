import { crc32, deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decodeStream } from '../../../containers/pipeline/media/decode.ts';
import { inPieces } from '../../../support/recordings.ts';
import { mov, wav } from './hostile-media.ts';

/** Sound without speech, the same each time. */
const noise = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, i) => (i * 7919 + (i >> 3) * 104_729) & 0xff));

/** A black square. */
function pngOf(side: number): Buffer {
  const uint32 = (value: number) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value]);
  const chunk = (type: string, body: Buffer) => {
    const named = Buffer.concat([Buffer.from(type), body]);
    return Buffer.concat([uint32(body.length), named, uint32(crc32(named))]);
  };
  const head = Buffer.concat([uint32(side), uint32(side), Buffer.from([1, 0, 0, 0, 0])]);
  const pixels = deflateSync(Buffer.alloc(side * (1 + side / 8)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...[chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))],
  ]);
}

/** Seconds of sound that were accepted, and the refusal. */
async function outcome(media: Buffer): Promise<{ seconds: number; code?: string; detail?: string }> {
  let seconds = 0;
  try {
    for await (const { samples, channels } of decodeStream(inPieces(media), '.wav'))
      seconds += samples.length / channels / 16_000;
    return { seconds };
  } catch (error) {
    const { code, detail } = error as { code: string; detail: string };
    return { seconds, code, detail };
  }
}

describe('the limits of decoding', () => {
  it.each([
    ['a sample rate of 1 Hz', wav({ rate: 1 }, noise(3600)), /sample rate is 1 Hz/],
    ['a sample rate below the lowest', wav({ rate: 3999 }, noise(3600)), /sample rate is 3999 Hz; .* from 4000/],
    ['a sample rate above the highest', wav({ rate: 2_000_000 }, noise(3600)), /to 1536000 Hz/],
    [
      'more channels than any layout has',
      wav({ rate: 16_000, channels: 25 }, noise(36_000)),
      /25 channels; the limit is 24/,
    ],
    ['very many channels', wav({ rate: 16_000, channels: 512 }, noise(36_000)), /512 channels; the limit is 24/],
    ['65 tracks, index first', mov({ tracks: 65, faststart: true }, noise(1400)), /more than 64 tracks/],
    ['65 tracks, index last', mov({ tracks: 65, faststart: false }, noise(1400)), /more than 64 tracks/],
    [
      'sound played again and again',
      mov({ repeats: 20_000, faststart: true }, noise(8000)),
      /too small for its duration/,
    ],
    ['an edit list that repeats', mov({ edits: 20_000, faststart: false }, noise(8000)), /too small for its duration/],
  ])('refuse %s by name', async (_, media, detail) => {
    expect(await outcome(media)).toMatchObject({ code: 'INVALID_MEDIA', detail: expect.stringMatching(detail) });
  });

  it.each([
    ['8-bit sound at 4 kHz', wav({ rate: 4000, bits: 8 }, noise(8000)), 2],
    ['sound at 384 kHz', wav({ rate: 384_000 }, noise(768_000)), 1],
    ['16 tracks', mov({ tracks: 16, faststart: true }, noise(16_000)), 1],
    ['64 tracks', mov({ tracks: 64, faststart: false }, noise(16_000)), 1],
    ['a length beyond the file', wav({ rate: 8000, stated: 0xfffffff0 }, noise(16_000)), 1],
    ['five minutes repeated', mov({ repeats: 300, faststart: true }, noise(16_000)), 300],
  ])('accept %s', async (_, media, seconds) => {
    const passed = await outcome(media);
    expect(passed.detail).toBeUndefined();
    expect(passed.seconds).toBeCloseTo(seconds, 1);
  });

  it('bound the sound for any header', async () => {
    const rates = [0, 7, 999, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1];
    const headers = rates.flatMap((rate) => [0, 1, 3, 65_535].map((channels) => ({ rate, channels })));
    for (const header of headers) {
      const { seconds, code = 'INVALID_MEDIA' } = await outcome(wav(header, noise(8000)));
      expect(code, JSON.stringify(header)).toBe('INVALID_MEDIA');
      expect(seconds, JSON.stringify(header)).toBeLessThan(300 + 8000 / 64 + 5);
    }
  });

  it('ignore pictures: a cover above the limit leaves the sound whole', async () => {
    const png = pngOf(6000);
    const size = (bytes: number) =>
      Buffer.from([bytes >> 21, bytes >> 14, bytes >> 7, bytes].map((byte) => byte & 0x7f));
    const frame = Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), png]);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(frame.length);
    const picture = Buffer.concat([Buffer.from('APIC'), length, Buffer.alloc(2), frame]);
    const tag = Buffer.concat([Buffer.from('ID3\x03\0\0'), size(picture.length), picture]);
    // An MPEG-2 frame of silence, layer III, 24 kbit/s, 16 kHz mono.
    const silence = Buffer.concat([Buffer.from([0xff, 0xf3, 0x38, 0xc4]), Buffer.alloc(104)]);
    const media = decodeStream(inPieces(Buffer.concat([tag, ...Array(100).fill(silence)])), '.mp3');
    let samples = 0;
    for await (const block of media) samples += block.samples.length;
    expect(samples).toBeGreaterThan(16_000);
    expect(media.warnings).toEqual([]);
  });

  it('end a decoder that exceeds the processor time for its media', async () => {
    const stalling = async function* () {
      yield wav({ rate: 16_000, stated: 1e6 }, noise(4096));
      await new Promise((resolve) => setTimeout(resolve, 5000));
    };
    const run = (async () => {
      for await (const block of decodeStream(stalling(), '.wav', { processorFreeS: -0.04 })) void block;
    })();
    await expect(run).rejects.toMatchObject({
      code: 'INVALID_MEDIA',
      detail: expect.stringContaining('processor time'),
    });
  });
});
