import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { saidSentences, splitSentences } from '../../../src/conversation/words/sentences.ts';
import { readTurns } from '../../../src/conversation/words/turns.ts';

const split = (text: string, most?: number) => splitSentences(text, most).map((s) => s.text);
const said = (text: string) =>
  saidSentences(readTurns([{ text, speaker: 'A' }], conversationWeights().vectors), 0).map((s) => s.text);

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

  it('take the marks of quotation behind them along', () => {
    expect(split('She said "no." We left… (I think.) Late.')).toEqual([
      'She said "no."',
      'We left…',
      '(I think.)',
      'Late.',
    ]);
  });

  it('are none without a word', () => {
    expect(split(' ... ')).toEqual([]);
  });

  it('say where in the text they begin', () => {
    expect(splitSentences('It broke.  Can you help?').map((s) => s.start)).toEqual([0, 11]);
  });

  it('beyond the most that are wanted are one', () => {
    expect(split('One. Two. Three. Four.', 2)).toEqual(['One.', 'Two. Three. Four.']);
  });
});

describe('what was said', () => {
  it('is cut at clauses where it has no marks', () => {
    expect(said(`${'we talked about the plan '.repeat(10)}, and then we left`)).toHaveLength(2);
  });

  it('is what is left without fillers', () => {
    expect(said('Um, well. It broke, you know.')).toEqual(['It broke']);
  });
});
