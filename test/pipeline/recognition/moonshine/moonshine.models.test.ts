import { beforeAll, describe, expect, it } from 'vitest';
import { loadRuntime } from '../../../../containers/pipeline/models/runtime.ts';
import { Moonshine } from '../../../../containers/pipeline/recognition/moonshine/moonshine.ts';
import { fixtureSamples } from '../../../../support/recordings.ts';

const SECOND = 16_000;
let recogniser: Moonshine;
let short: Float32Array;
let sentences: Float32Array[];
beforeAll(async () => {
  recogniser = await Moonshine.load(await loadRuntime());
  short = fixtureSamples('short.wav');
  const call = fixtureSamples('call.wav');
  sentences = [short, call.slice(4.5 * SECOND, 9 * SECOND), call.slice(14.5 * SECOND, 19 * SECOND)];
});

describe('speech recognition', () => {
  it('recognises a sentence with punctuation', async () => {
    const { text, confidence } = await recogniser.recognise(short);
    expect(text).toBe('Thank you for calling. See you tomorrow.');
    expect(confidence).toBeGreaterThan(0.7);
    expect(confidence).toBeLessThanOrEqual(1);
  });

  it('gives words with rising times inside the sound, whose texts make up the whole', async () => {
    const { text, words } = await recogniser.recognise(short);
    expect(words.map(({ word }) => word).join(' ')).toBe(text);
    for (const [i, { start, end, confidence }] of words.entries()) {
      expect(start).toBeGreaterThanOrEqual(i === 0 ? 0 : words[i - 1]!.start);
      expect(end).toBeGreaterThan(start);
      expect(end).toBeLessThanOrEqual(short.length / SECOND);
      expect(confidence).toBeGreaterThan(0);
    }
  });

  it('recognises the same texts with the spliced decoder as with the shipped one', async () => {
    const shipped = await Moonshine.load(await loadRuntime(), { spliced: false });
    expect([recogniser.aligned, shipped.aligned]).toEqual([true, false]);
    for (const samples of sentences)
      expect((await recogniser.recognise(samples)).text).toBe((await shipped.recognise(samples)).text);
  });

  it('recognises interim text of the same sound', async () => {
    expect((await recogniser.recogniseInterim(short)).text).toBe('Thank you for calling. See you tomorrow.');
  });

  it('works on the portable runtime too', async () => {
    const web = await loadRuntime('web');
    expect(web.backend).toBe('web');
    const { text, words } = await (await Moonshine.load(web)).recognise(short);
    expect(text).toBe('Thank you for calling. See you tomorrow.');
    expect(words).toHaveLength(7);
  });

  it('recognises nothing in silence, noise and very short sound', async () => {
    const noise = Float32Array.from({ length: 2 * SECOND }, (_, i) => 0.02 * Math.sin(i * i));
    for (const samples of [new Float32Array(2 * SECOND), noise, new Float32Array(100)])
      expect(await recogniser.recognise(samples)).toEqual({ text: '', confidence: 0, words: [], cut: false });
  });
});
