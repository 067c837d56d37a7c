import { describe, expect, it } from 'vitest';
import { languageOf } from '../../../src/conversation/languages.ts';
import { splitSentences } from '../../../src/conversation/text/sentences.ts';

const ENGLISH = languageOf('en');

const split = (text: string) => splitSentences(text, ENGLISH).map((s) => s.text);
describe('sentences', () => {
  it('end at their marks, not at abbreviations or decimals', () => {
    expect(split('Dr. Lee said 3.5 is fine. Shall we go? Yes')).toEqual([
      'Dr. Lee said 3.5 is fine.',
      'Shall we go?',
      'Yes',
    ]);
    expect(split('I have an 8 a.m. appointment for Mr. Hill. Is that fine?')).toEqual([
      'I have an 8 a.m. appointment for Mr. Hill.',
      'Is that fine?',
    ]);
  });

  it('end at questions and after contractions too', () => {
    expect(split("They can't. We haven't! Is it A, B or C? Then I. And so...")).toEqual([
      "They can't.",
      "We haven't!",
      'Is it A, B or C?',
      'Then I.',
      'And so...',
    ]);
  });

  it('include the quotation marks behind them', () => {
    expect(split('She said "no." We left… (I think.) Late.')).toEqual([
      'She said "no."',
      'We left…',
      '(I think.)',
      'Late.',
    ]);
  });

  it('are empty for a text without words', () => {
    expect(split(' ... ')).toEqual([]);
  });

  it('have their start index in the text', () => {
    expect(splitSentences('It broke.  Can you help?', ENGLISH).map((s) => s.start)).toEqual([0, 11]);
  });

  it('beyond the limit form one sentence', () => {
    const texts = splitSentences('One. Two. Three. Four.', ENGLISH, 2).map((s) => s.text);
    expect(texts).toEqual(['One.', 'Two. Three. Four.']);
  });
});
