import { describe, expect, it } from 'vitest';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { doubtfulWords, isSure, trust } from '../../../src/conversation/text/asr-confidence.ts';
import { spokenSentences } from '../../../src/conversation/text/spoken-sentences.ts';
import { readTurns, type Turns } from '../../../src/conversation/text/turns.ts';

const ENGLISH = languageOf('en');

const heard = (text: string, confidence: (word: string) => number) => ({
  text,
  speaker: 'Ann',
  asr_confidence: 0.8,
  words: text.split(' ').map((word, i) => ({ word, t_start: i, t_end: i + 1, confidence: confidence(word) })),
});

describe('a word', () => {
  it('is doubtful when it occurs once with low confidence', () => {
    const turns = readTurns(
      [heard('The kitchen carrot is late.', (w) => (w === 'carrot' ? 0.2 : 0.9))],
      conversationWeights().vectors,
      ENGLISH,
    );
    expect([...doubtfulWords(turns)]).toEqual(['carrot']);
  });

  it('is not doubtful when it recurs', () => {
    const low = (w: string) => (w.startsWith('Zorbox') ? 0.2 : 0.9);
    const turns = readTurns(
      [heard('I want a Zorbox today.', low), heard('The Zorbox is here.', low)],
      conversationWeights().vectors,
      ENGLISH,
    );
    expect(doubtfulWords(turns).size).toBe(0);
  });
});

const sentencesOf = (turns: Turns) => turns.texts.flatMap((_, turn) => spokenSentences(turns, turn));

describe('a sentence', () => {
  it('with a misrecognised word is not reported as a fact and weighs less', () => {
    const [bad, good] = sentencesOf(
      readTurns(
        [
          heard('I got the lantern quickly.', (w) => (w === 'lantern' ? 0.1 : 0.9)),
          heard('The invoice came on Monday.', () => 0.9),
        ],
        conversationWeights().vectors,
        ENGLISH,
      ),
    );
    expect(isSure(bad!.asrConfidence)).toBe(false);
    expect(isSure(good!.asrConfidence)).toBe(true);
    expect(trust(bad!.asrConfidence)).toBeLessThan(trust(good!.asrConfidence));
  });

  it('with one doubtful word is quoted and keeps its weight', () => {
    const [perhaps, good] = sentencesOf(
      readTurns(
        [
          heard('The policy has a debt benefit.', (w) => (w === 'debt' ? 0.52 : 0.98)),
          heard('The invoice came on Monday.', () => 0.9),
        ],
        conversationWeights().vectors,
        ENGLISH,
      ),
    );
    expect(isSure(perhaps!.asrConfidence)).toBe(false);
    expect(trust(perhaps!.asrConfidence)).toBeGreaterThan(0.9 * trust(good!.asrConfidence));
  });

  it('without confidences is trusted', () => {
    const [only] = sentencesOf(
      readTurns([{ text: 'The invoice came on Monday.', speaker: 'Ann' }], conversationWeights().vectors, ENGLISH),
    );
    expect(isSure(only!.asrConfidence)).toBe(true);
    expect(trust(only!.asrConfidence)).toBe(1);
  });
});
