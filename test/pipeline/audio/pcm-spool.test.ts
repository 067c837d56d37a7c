import { afterEach, describe, expect, it } from 'vitest';
import { PcmSpool, readSamples } from '../../../containers/pipeline/audio/pcm-spool.ts';

let spool: PcmSpool | undefined;
afterEach(async () => spool?.close());

describe('a spool of samples', () => {
  it('returns the appended samples, across the borders of the blocks', async () => {
    spool = await PcmSpool.open(1);
    await spool.append(Int16Array.of(0, 16_384, -16_384));
    await spool.append(Int16Array.of(32_767));
    expect([...(await spool.read(1, 4))]).toEqual([0.5, -0.5, 32_767 / 32_768]);
    expect(spool.duration).toBe(4 / 16_000);
  });

  it('gives one channel, or the mean of both', async () => {
    spool = await PcmSpool.open(2);
    await spool.append(Int16Array.of(16_384, 0, 16_384, -16_384));
    expect([...(await spool.read(0, 2, 0))]).toEqual([0.5, 0.5]);
    expect([...(await spool.read(0, 2, 1))]).toEqual([0, -0.5]);
    expect([...(await spool.read(0, 2))]).toEqual([0.25, 0]);
  });

  it('leaves out samples beyond the recording', async () => {
    spool = await PcmSpool.open(1);
    await spool.append(Int16Array.of(1, 2, 3));
    expect(await spool.read(-5, 99)).toHaveLength(3);
    expect(await spool.read(5, 9)).toHaveLength(0);
    expect(readSamples(spool.location, -5, 99)).toEqual(await spool.read(-5, 99));
  });
});
