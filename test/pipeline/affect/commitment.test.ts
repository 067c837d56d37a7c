import { describe, expect, it } from 'vitest';
import {
  commitmentLevel,
  commitmentOfWords,
  convictionLevel,
  convictionOf,
  factualityMarkers,
  passionLevel,
  passionOfWords,
} from '../../../containers/pipeline/affect/text/commitment.ts';
import { cuesOf } from '../../../containers/pipeline/affect/text/cues.ts';
import { readLexical } from '../../../containers/pipeline/affect/text/lexical.ts';
import { NO_BASELINE } from '../../../containers/pipeline/prosody/baseline.ts';
import { languageOf } from '../../../src/conversation/languages.ts';

const ENGLISH = languageOf('en');

const cues = (text: string) =>
  cuesOf(
    readLexical(text, ENGLISH),
    { delivery: null, baseline: NO_BASELINE, pauseBeforeMs: 0, answering: false },
    ENGLISH,
  );
const commitment = (text: string) => commitmentOfWords(text, cues(text), ENGLISH);
const calm = { feeling: 0.1, polarity: 0 };
const voice = { commitment: 0.5, passion: 0.5, energy: 0.5, trust: 0.9 };
const conviction = (text: string, words = calm, heard: typeof voice | null = voice) =>
  convictionOf(text, cues(text), words, heard, ENGLISH);

describe('commitment of the words', () => {
  it.each([
    ['a promise', 'we will sign the papers', 'we saw the papers'],
    ['a date', 'we will sign the papers by friday', 'we will sign the papers'],
    ['a booster', 'we definitely signed the papers', 'we signed the papers'],
  ])('rises with %s', (_, more, less) => expect(commitment(more)).toBeGreaterThan(commitment(less)));

  it.each([
    ['hedges', 'maybe we will sign the papers', 'we will sign the papers'],
    ['more hedges', 'I think maybe we will sign the papers', 'maybe we will sign the papers, I say'],
    ['a condition', 'we will sign the papers if they agree', 'we will sign the papers when they agree'],
    ['a question', 'we will sign the papers?', 'we will sign the papers.'],
    ['a reservation', "we'll try to sign the papers", "we'll sign the papers to it"],
  ])('falls with %s', (_, less, more) => expect(commitment(less)).toBeLessThan(commitment(more)));
});

describe('words and voice together', () => {
  it.each(['commitment', 'passion', 'energy'] as const)('rise with the %s of the voice', (name) => {
    const more = conviction('we signed', calm, { ...voice, [name]: 0.9 });
    expect(more.conviction).toBeGreaterThan(conviction('we signed').conviction);
  });

  it('leave the words alone where the voice cannot be trusted', () => {
    expect(conviction('we signed', calm, { ...voice, trust: 0 })).toMatchObject({
      commitment: conviction('we signed', calm, null).commitment,
      passion: conviction('we signed', calm, null).passion,
    });
  });

  it('lose conviction through hedging', () => {
    expect(conviction('I guess we maybe signed').conviction).toBeLessThan(conviction('we both then signed').conviction);
  });

  it('show passion through intensifiers, feeling, polarity and exclamation', () => {
    const base = passionOfWords('it is good', calm, ENGLISH);
    expect(passionOfWords('it is so very good', calm, ENGLISH)).toBeGreaterThan(base);
    expect(passionOfWords('it is good', { feeling: 0.8, polarity: 0 }, ENGLISH)).toBeGreaterThan(base);
    expect(passionOfWords('it is good', { feeling: 0.1, polarity: -0.8 }, ENGLISH)).toBeGreaterThan(base);
    expect(passionOfWords('it is good!', calm, ENGLISH)).toBeGreaterThan(base);
  });

  it('have their levels in order', () => {
    expect([0.1, 0.5, 0.9].map(commitmentLevel)).toEqual(['low', 'moderate', 'high']);
    expect([0.1, 0.5, 0.9].map(convictionLevel)).toEqual(['weak', 'moderate', 'strong']);
    expect([0.1, 0.4, 0.5, 0.9].map(passionLevel)).toEqual([
      'reserved',
      'mildly_passionate',
      'moderately_passionate',
      'highly_passionate',
    ]);
  });
});

describe('factuality markers', () => {
  it('quote the words that vouch or doubt', () => {
    expect(factualityMarkers('Apparently it is 20 percent', ENGLISH)).toEqual([
      'states a number: "20"',
      'hearsay marked: "apparently"',
    ]);
  });
  it('are null when there are none', () => expect(factualityMarkers('hello there', ENGLISH)).toBeNull());
});
