import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { spokenSentences } from '../../../src/conversation/text/spoken-sentences.ts';
import { readTurns } from '../../../src/conversation/text/turns.ts';

const ENGLISH = languageOf('en');

const read = (text: string) =>
  spokenSentences(readTurns([{ text, speaker: 'A' }], conversationWeights().vectors, ENGLISH), 0);
const said = (text: string) => read(text).map((s) => s.text);

describe('a spoken sentence', () => {
  it('is split at clauses where it has no marks', () => {
    expect(said(`${'we talked about the plan '.repeat(10)}, and then we left`)).toHaveLength(2);
  });

  it('has no fillers', () => {
    expect(said('Um, well. It broke, you know.')).toEqual(['It broke']);
  });

  it('is a question with a question mark or without', () => {
    expect(read('It broke. Can you help? Thanks').map((s) => s.asks)).toEqual([false, true, false]);
    expect(read('so how much is it then').map((s) => s.asks)).toEqual([true]);
  });
});
