import { expect, test } from 'vitest';
import { BUCKETS, featureBuckets } from '../../../src/conversation/acts/ngrams.ts';
import { actSentences } from '../../../src/conversation/acts/sentences.ts';

const buckets = (text: string, cues: string[] = []): number[] => featureBuckets(actSentences(text)[0]!, cues);

test('buckets are distinct and within the table', () => {
  const found = buckets('the more the merrier and the more the merrier');
  expect(new Set(found).size).toBe(found.length);
  expect(found.every((b) => Number.isInteger(b) && b >= 0 && b < BUCKETS)).toBe(true);
});

test('the word a question opens with tells it from the same question without', () => {
  const plain = buckets('Who picks up the parcel?');
  const opened = buckets('Anyway, who picks up the parcel?');
  expect(opened).toEqual(expect.arrayContaining(plain));
  expect(opened.length).toBe(plain.length + 2);
});

test('a cue is a feature of its own', () => {
  expect(buckets('No.', ['no.weak']).length).toBe(buckets('No.').length + 1);
});
