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

describe('a sentence that a pause cuts', () => {
  const cut = (...pieces: [speaker: string, text: string, from: number, to: number][]) => {
    const utterances = pieces.map(([speaker, text, t_start, t_end]) => ({ speaker, text, t_start, t_end }));
    const turns = readTurns(utterances, conversationWeights().vectors, ENGLISH);
    return utterances
      .flatMap((_, turn) => spokenSentences(turns, turn))
      .map(({ turn, turns: n, text }) => [turn, n, text]);
  };

  it('is one sentence of the utterance in which it begins', () => {
    expect(
      cut(
        ['A', "It came. That is something that we just don't", 0, 3],
        ['A', 'have here. Ask them.', 3.6, 5],
        ['B', 'Fine by me.', 5.2, 6],
      ),
    ).toEqual([
      [0, 1, 'It came'],
      [0, 2, "That is something that we just don't have here"],
      [1, 1, 'Ask them'],
      [2, 1, 'Fine by me'],
    ]);
  });

  it('ends at another speaker, at a long pause, and where no marks are printed', () => {
    const first = ['A', 'It came. We just', 0, 3] as [string, string, number, number];
    const ended = ['B', 'Good.', -2, -1] as [string, string, number, number];
    expect(cut(ended, first, ['B', 'have it.', 3.2, 4])).toHaveLength(4);
    expect(cut(ended, first, ['A', 'have it.', 5, 6])).toHaveLength(4);
    expect(cut(['A', 'we just', 0, 1], ['A', 'have it', 1.2, 2])).toHaveLength(2);
  });
});
