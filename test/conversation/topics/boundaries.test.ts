import { describe, expect, it } from 'vitest';
import { hits, pkAndWindowDiff } from '../../../bench/segmentation-metrics.ts';
import { conversationWeights } from '../../../containers/pipeline/conversation-weights.ts';
import { smallTalk } from '../../../scripts/train/small-talk.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { readTurns } from '../../../src/conversation/text/turns.ts';
import { findBoundaries } from '../../../src/conversation/topics/boundaries.ts';
import { seeded } from '../../../support/random.ts';

const ENGLISH = languageOf('en');

const read = (talk: { turns: string[]; speakers: string[] }) =>
  talk.turns.map((text, i) => ({ text, speaker: talk.speakers[i]! }));

const { vectors, boundaries } = conversationWeights();
const startsOf = (turns: ReturnType<typeof read>, hints?: Float32Array) =>
  findBoundaries(readTurns(turns, vectors, ENGLISH), boundaries, hints).starts;

describe('boundaries', () => {
  it('lie near the changes of topic in small talk', () => {
    let pk = 0;
    let matched = 0;
    let found = 0;
    const random = seeded(99);
    const talks = Array.from({ length: 20 }, () => smallTalk(random, 4));
    for (const talk of talks) {
      const starts = startsOf(read(talk));
      pk += pkAndWindowDiff(talk.boundaries, starts, talk.turns.length).pk / talks.length;
      matched += hits(talk.boundaries, starts, 1);
      found += starts.length;
    }
    expect(pk).toBeLessThan(0.25);
    expect((2 * matched) / (found + talks.length * 3)).toBeGreaterThan(0.7);
  });

  it('are absent in a few turns', () => {
    expect(startsOf(read({ turns: ['hi', 'hello', 'bye'], speakers: ['a', 'b', 'a'] }))).toEqual([]);
  });

  it('divide a call of ten to sixty turns into two to eight parts', () => {
    const random = seeded(3);
    for (const topics of [2, 3, 5, 8, 10]) {
      const talk = smallTalk(random, topics);
      const turns = read(talk).slice(0, 60);
      if (turns.length < 10) continue;
      const phases = startsOf(turns).length + 1;
      expect(phases).toBeGreaterThanOrEqual(2);
      expect(phases).toBeLessThanOrEqual(8);
    }
  });

  it('divide a conversation of few long turns like one of many short ones', () => {
    const turns = [
      'In college I was a government major, which means I had to write a lot of papers for every course I took there.',
      'A normal student spreads the work of a paper out a little, so that it gets done in the week it is given.',
      'I wanted to write my papers like that, with all the work planned ahead, but I never did write them so.',
      'Every single paper went the same way: nothing at all, and then all of the work in the last night.',
      'But then came the kitchen. We bought an old house, and its oven, sink and cupboards were all broken.',
      'The oven had to go first, then the cupboards, and my brother brought a new sink for the kitchen.',
      'Now the kitchen is done: the sink runs, the oven bakes, and the cupboards even have doors on them.',
      'My brother says that the next kitchen is his own, and that I may bring the cupboards and the oven for it.',
    ];
    expect(startsOf(read({ turns, speakers: turns.map(() => 'a') }))).toEqual([4]);
  });

  it('move to a strong hint', () => {
    const talk = smallTalk(seeded(8), 3);
    const hints = new Float32Array(talk.turns.length - 1);
    hints[4] = 50;
    expect(startsOf(read(talk), hints)).toContain(5);
  });
});

describe('the measures of segmentation', () => {
  it('are zero for the reference itself and known for a miss', () => {
    expect(pkAndWindowDiff([4, 8], [4, 8], 12)).toEqual({ pk: 0, wd: 0 });
    // k = 2; the windows that straddle one of the two boundaries are wrong: 4 of 10.
    expect(pkAndWindowDiff([4, 8], [], 12)).toEqual({ pk: 0.4, wd: 0.4 });
  });

  it('use each boundary once', () => {
    expect(hits([5], [4, 6], 1)).toBe(1);
    expect(hits([5, 6], [5], 1)).toBe(1);
    expect(hits([5], [8], 2)).toBe(0);
  });
});
