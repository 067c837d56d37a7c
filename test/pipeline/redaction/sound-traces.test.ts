import { describe, expect, it } from 'vitest';
import { finder, formsOf, madeCanaries, ownTraces, sidesOf } from '../../../bench/canaries/dialogues.ts';
import { seeded } from '../../../support/random.ts';

// `npm run bench -- canaries` searches for these traces of the sound under a tone.

const BYTES_PER_SECOND = 32_000;
const HEADER = Buffer.concat([Buffer.alloc(36), Buffer.from('data'), Buffer.alloc(4)]);

/** A second of noise. */
function noise(seed: number): Buffer {
  const random = seeded(seed);
  return Buffer.from(Array.from({ length: BYTES_PER_SECOND }, () => Math.floor(256 * random())));
}
const wavOf = (...seconds: Buffer[]) => new Uint8Array(Buffer.concat([HEADER, ...seconds]));
const sides = (wav: Uint8Array, muted: [number, number][]) =>
  sidesOf(
    wav,
    { isTelephone: false },
    muted.map(([t_start, t_end]) => ({ t_start, t_end })),
  );

describe('pieces of the sound under tones', () => {
  const [first, second, third] = [noise(1), noise(2), noise(3)];
  const silence = Buffer.alloc(BYTES_PER_SECOND);

  it('come from all of a muted place and from nowhere else', () => {
    const one = sides(wavOf(first, second, third), [[1, 2]]);
    const found = ownTraces(one, [one]);
    expect(found.length).toBeGreaterThan(14);
    expect(found.map(({ at }) => Math.floor(at))).toEqual(found.map(() => 1));
    for (const { bytes } of found) {
      expect(second.toString('latin1')).toContain(bytes);
      expect(first.toString('latin1')).not.toContain(bytes);
    }
    expect(one.open.join('')).toContain(third.toString('latin1'));
  });

  it('are none of silence', () => {
    const one = sides(wavOf(first, silence, third), [[1, 2]]);
    expect(one.traces).toEqual([]);
  });

  it('are none of what is also said where no tone is, in this recording or another one', () => {
    const twice = sides(wavOf(first, second, second), [[1, 2]]);
    expect(twice.traces).not.toEqual([]);
    expect(ownTraces(twice, [twice])).toEqual([]);
    const one = sides(wavOf(first, second), [[1, 2]]);
    const other = sides(wavOf(second, third), [[1, 2]]);
    expect(ownTraces(one, [one])).not.toEqual([]);
    expect(ownTraces(one, [one, other])).toEqual([]);
  });

  it('stay if every place where it is said has a tone', () => {
    const one = sides(wavOf(first, second, second), [
      [1, 2],
      [2, 3],
    ]);
    expect(ownTraces(one, [one])).toHaveLength(one.traces.length);
  });
});

describe('values in stored bytes', () => {
  const digits = /^(?:\d ){3}\d$/u;
  const ssn = madeCanaries(40)
    .flatMap(({ values }) => values)
    .find((value) => value.kind === 'ssn' && formsOf(value).some((form) => digits.test(form)))!;
  const last = formsOf(ssn)
    .find((form) => digits.test(form))!
    .split(' ');
  const find = finder([ssn]);

  it('are found in texts, whatever stands between their digits', () => {
    for (const text of [ssn.written, ssn.said.flat().join(' '), `it ends in ${last.join(', ')}.`, last.join('\n')])
      expect(find(text).get(ssn), text).toBeDefined();
  });

  it('are not found in recorded sound that has their digits among its bytes', () => {
    expect(find(`\0${last.join('\u0001')}ÿ`).size).toBe(0);
  });
});
