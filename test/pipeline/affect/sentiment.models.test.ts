import { describe, expect, it } from 'vitest';
import { readSentiment } from '../../../containers/pipeline/affect/text/sentiment.ts';
import { languageOf } from '../../../src/conversation/languages.ts';

const ENGLISH = languageOf('en');

const reading = (text: string) => {
  const { sentiment } = readSentiment(text, ENGLISH);
  return Object.entries(sentiment).sort(([, a], [, b]) => b - a)[0]?.[0];
};

describe('sentiment', () => {
  it.each([
    ["I can't figure out how to use this system", 'negative'],
    ['it defeats the purpose', 'negative'],
    ["that's not bad at all", 'positive'],
    ['I was hoping for something cheaper', 'negative'],
    ["yeah no that's fine", 'positive'],
    ["I don't think this is going to work for us", 'negative'],
    ['I feel like we should go ahead', 'positive'],
    ['it is fast, but it keeps crashing', 'negative'],
    ['it was hard at first, but now we love it', 'positive'],
    ['thank you for calling, how can I help you today', 'neutral'],
    ['how much is it', 'neutral'],
    ['okay', 'neutral'],
    ['we have two offices', 'neutral'],
  ])('reads "%s" as %s', (text, expected) => expect(reading(text)).toBe(expected));

  it('turns with negation', () => {
    expect(readSentiment("I'm happy with it", ENGLISH).polarity).toBeGreaterThan(0);
    expect(readSentiment("I'm not happy with it", ENGLISH).polarity).toBeLessThan(0);
  });

  it.each(['', 'I love it!', 'no', '🙂', 'it is broken again and again'])(
    'gives "%s" three shares that sum to 1',
    (text) => {
      const { sentiment, polarity, subjectivity, confidence } = readSentiment(text, ENGLISH);
      expect(sentiment.positive + sentiment.negative + sentiment.neutral).toBeCloseTo(1, 9);
      expect(Math.abs(polarity)).toBeLessThanOrEqual(1);
      expect(subjectivity).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeGreaterThan(1 / 3);
    },
  );
});
