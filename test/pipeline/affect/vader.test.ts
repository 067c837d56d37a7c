import { describe, expect, it } from 'vitest';
import { readVader } from '../../../containers/pipeline/affect/text/vader.ts';
import { languageOf } from '../../../src/conversation/languages.ts';

const ENGLISH = languageOf('en');

/** Sentences and compound scores as the authors publish them with their program. */
const PUBLISHED: [string, number][] = [
  ['VADER is smart, handsome, and funny.', 0.8316],
  ['VADER is smart, handsome, and funny!', 0.8439],
  ['VADER is very smart, handsome, and funny.', 0.8545],
  ['VADER is VERY SMART, handsome, and FUNNY.', 0.9227],
  ['VADER is VERY SMART, handsome, and FUNNY!!!', 0.9342],
  ['VADER is not smart, handsome, nor funny.', -0.7424],
  ['The book was good.', 0.4404],
  ['The book was kind of good.', 0.3832],
  ['The plot was good, but the characters are uncompelling and the dialog is not great.', -0.7042],
  ["At least it isn't a horrible book.", 0.431],
  ['Today SUX!', -0.5461],
];

describe('VADER', () => {
  it.each(PUBLISHED)('gives "%s" the published %f', (text, compound) =>
    expect(readVader(text, ENGLISH).compound).toBeCloseTo(compound, 3),
  );

  it('finds an empty text neutral', () => expect(readVader('', ENGLISH)).toMatchObject({ compound: 0, neutral: 1 }));
});
