import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { doubtfulWords, isSure, trust } from '../../../src/conversation/words/hearing.ts';
import { readSentences } from '../../../src/conversation/words/sentences.ts';
import { readTurns, type Turns } from '../../../src/conversation/words/turns.ts';

const heard = (text: string, confidence: (word: string) => number) => ({
  text,
  speaker: 'Ann',
  asr_confidence: 0.8,
  words: text.split(' ').map((word, i) => ({ word, t_start: i, t_end: i + 1, confidence: confidence(word) })),
});

describe('a word', () => {
  it('is doubtful when it was heard once and not well', () => {
    const turns = readTurns(
      [heard('The kitchen carrot is late.', (w) => (w === 'carrot' ? 0.2 : 0.9))],
      conversationWeights().vectors,
    );
    expect([...doubtfulWords(turns)]).toEqual(['carrot']);
  });

  it('is not when it comes again', () => {
    const low = (w: string) => (w.startsWith('Zorbox') ? 0.2 : 0.9);
    const turns = readTurns(
      [heard('I want a Zorbox today.', low), heard('The Zorbox is here.', low)],
      conversationWeights().vectors,
    );
    expect(doubtfulWords(turns).size).toBe(0);
  });
});

const sentencesOf = (turns: Turns) => turns.texts.flatMap((_, turn) => readSentences(turns, turn));

describe('a sentence', () => {
  it('that was misheard is not told as a fact and weighs less', () => {
    const [bad, good] = sentencesOf(
      readTurns(
        [
          heard('I got the lantern quickly.', (w) => (w === 'lantern' ? 0.1 : 0.9)),
          heard('The invoice came on Monday.', () => 0.9),
        ],
        conversationWeights().vectors,
      ),
    );
    expect(isSure(bad!.heard)).toBe(false);
    expect(isSure(good!.heard)).toBe(true);
    expect(trust(bad!.heard)).toBeLessThan(trust(good!.heard));
  });

  it('of which one word may be another is quoted and weighs as much', () => {
    const [perhaps, good] = sentencesOf(
      readTurns(
        [
          heard('The policy has a debt benefit.', (w) => (w === 'debt' ? 0.52 : 0.98)),
          heard('The invoice came on Monday.', () => 0.9),
        ],
        conversationWeights().vectors,
      ),
    );
    expect(isSure(perhaps!.heard)).toBe(false);
    expect(trust(perhaps!.heard)).toBeGreaterThan(0.9 * trust(good!.heard));
  });

  it('without confidences is trusted', () => {
    const [only] = sentencesOf(
      readTurns([{ text: 'The invoice came on Monday.', speaker: 'Ann' }], conversationWeights().vectors),
    );
    expect(isSure(only!.heard)).toBe(true);
    expect(trust(only!.heard)).toBe(1);
  });
});
