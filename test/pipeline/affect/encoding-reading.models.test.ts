import { describe, expect, it } from 'vitest';
import { weighCues } from '../../../containers/pipeline/affect/text/encoding-reading.ts';
import { readModel } from '../../../containers/pipeline/affect/text/model.ts';
import { readSentiment } from '../../../containers/pipeline/affect/text/sentiment.ts';
import { readTextAffect, readWritten } from '../../../containers/pipeline/affect/text/text-affect.ts';
import { SentenceEncoder } from '../../../containers/pipeline/models/sentence-encoder.ts';
import { EMOTIONS, type EmotionMap } from '../../../src/contract/timeline.ts';
import { languageOf } from '../../../src/conversation/languages.ts';

const ENGLISH = languageOf('en');

const encoder = await SentenceEncoder.load();
const encoded = async (text: string) => readModel(text, ENGLISH, await encoder.encode(text));
const dominant = (map: EmotionMap) => EMOTIONS.reduce((best, name) => (map[name] > map[best] ? name : best), 'neutral');
const largest = (shares: object) => Object.entries(shares).sort(([, a], [, b]) => b - a)[0]?.[0];

describe('words with their encoding', () => {
  it.each([
    ['I am so sad that she died.', 'sadness'],
    ['i am scared of the dark', 'fear'],
    ['The train leaves at nine.', 'neutral'],
  ])('"%s" is %s', async (text, emotion) => expect(dominant(readWritten(await encoded(text)))).toBe(emotion));

  it.each([
    ['They promised a call back and I waited for nothing.', 'negative'],
    ['He kept interrupting me until I gave up.', 'negative'],
    ['She was so kind and helped me with everything.', 'positive'],
    ['The entrance is on the left side of the building.', 'neutral'],
    ["I can't figure out how to use this system", 'negative'],
    ["yeah no that's fine", 'positive'],
  ])('the sentiment of "%s" is %s', async (text, expected) =>
    expect(largest(readSentiment(text, ENGLISH, await encoded(text)).sentiment)).toBe(expected),
  );

  it.each(['okay', 'mm-hm', 'right, yeah'])('leave the listener’s signal "%s" neutral', async (text) => {
    const model = await encoded(text);
    expect(largest(readSentiment(text, ENGLISH, model).sentiment)).toBe('neutral');
    expect(dominant(readTextAffect(text, ENGLISH, model).emotions)).toBe('neutral');
  });

  it('a signal does not become a complaint whatever its encoding says', async () => {
    const model = readModel('okay', ENGLISH, await encoder.encode('This is the worst service I have ever seen.'));
    expect(largest(readSentiment('okay', ENGLISH, model).sentiment)).toBe('neutral');
  });

  it.each(['', '...', '漢字 🙂', 'no '.repeat(400)])('give shares of 1 for odd text %#', async (text) => {
    const model = await encoded(text);
    const { sentiment, polarity } = readSentiment(text, ENGLISH, model);
    expect(sentiment.positive + sentiment.negative + sentiment.neutral).toBeCloseTo(1, 9);
    expect(Math.abs(polarity)).toBeLessThanOrEqual(1);
    expect(model.fine.reduce((total, p) => total + p, 0)).toBeCloseTo(1, 9);
    expect(model.vad.every(Number.isFinite)).toBe(true);
  });

  it('give the same numbers every time', async () => {
    expect(await encoded('we could lower it')).toEqual(await encoded('we could lower it'));
  });

  it('order valence as people do', async () => {
    const valence = async (text: string) => (await encoded(text)).vad[0];
    expect(await valence('What a wonderful day, I love it!')).toBeGreaterThan(
      (await valence('The children were killed in the war.')) + 1,
    );
  });
});

describe('words without an encoding', () => {
  it('are read by the words alone', () => {
    const model = readModel('It was a lovely evening.', ENGLISH, null);
    expect(model).toEqual(readModel('It was a lovely evening.', ENGLISH));
    expect(model.sentiment).toBeNull();
  });
});

describe('a linear reading of cues', () => {
  it('weighs each in its standard deviations', () => {
    const weights = {
      means: [1, 10],
      scales: [2, 5],
      weights: [
        [1, 0],
        [0, 1],
        [2, 2],
      ],
    };
    expect(weighCues([3, 20], weights, [0, 0, 0.5])).toEqual([1, 2, 6.5]);
  });
});
