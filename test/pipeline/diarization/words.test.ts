import { describe, expect, test } from 'vitest';
import type { SpeakerTurn } from '../../../containers/pipeline/diarization/turns.ts';
import { assignWords, type TimedWord } from '../../../containers/pipeline/diarization/words.ts';

const turn = (speaker: number, start: number, end: number, confidence = 0.9): SpeakerTurn => ({
  speaker,
  start,
  end,
  confidence,
});
/** Words of .3 s, one after the other from `start`. */
const wordsFrom = (text: string, start: number): TimedWord[] =>
  text.split(' ').map((word, i) => ({ word, t_start: start + 0.3 * i, t_end: start + 0.3 * (i + 1) }));
const runsOf = (words: TimedWord[], turns: SpeakerTurn[]): [number, string][] =>
  assignWords(words, turns).map((run) => [run.speaker, run.words.map(({ word }) => word).join(' ')]);

describe('assignWords', () => {
  test('gives each turn its words', () => {
    const words = [...wordsFrom('how are you?', 0), ...wordsFrom('fine thanks', 1)];
    expect(runsOf(words, [turn(0, 0, 0.95), turn(1, 0.95, 1.7)])).toEqual([
      [0, 'how are you?'],
      [1, 'fine thanks'],
    ]);
  });

  test('does not tear a sentence for the jitter of a border', () => {
    const words = [...wordsFrom('I would like to know.', 0), ...wordsFrom('Let me see', 1.5)];
    // The border is a third into "Let", or a third before the end of "know."
    for (const border of [1.4, 1.6]) {
      expect(runsOf(words, [turn(0, 0, border), turn(1, border, 2.5)])).toEqual([
        [0, 'I would like to know.'],
        [1, 'Let me see'],
      ]);
    }
  });

  test('ignores a sliver of another speaker inside a sentence', () => {
    const words = wordsFrom('we have been looking into this', 0);
    expect(runsOf(words, [turn(0, 0, 0.7), turn(1, 0.7, 0.9), turn(0, 0.9, 2)])).toEqual([
      [0, 'we have been looking into this'],
    ]);
  });

  test('keeps a back-channel between two sentences', () => {
    const words = [
      ...wordsFrom('it broke yesterday.', 0),
      ...wordsFrom('okay.', 1.2),
      ...wordsFrom('and today again', 1.9),
    ];
    expect(runsOf(words, [turn(0, 0, 1), turn(1, 1.15, 1.55), turn(0, 1.85, 3)])).toEqual([
      [0, 'it broke yesterday.'],
      [1, 'okay.'],
      [0, 'and today again'],
    ]);
  });

  test('never puts two people in one run, and loses no word', () => {
    const words = wordsFrom('a b c d e f g h i j k l', 0);
    const turns = [turn(0, 0, 1.2), turn(1, 1.2, 2.4), turn(2, 2.4, 3.6)];
    const runs = assignWords(words, turns);
    expect(runs.flatMap((run) => run.words)).toEqual(words);
    expect(runs.map((run) => run.speaker)).toEqual([0, 1, 2]);
  });

  test('gives words in nobody’s turn to the nearest speaker', () => {
    expect(runsOf(wordsFrom('hello', 4), [turn(0, 0, 1), turn(1, 4.6, 6)])).toEqual([[1, 'hello']]);
    expect(runsOf(wordsFrom('hello', 40), [turn(0, 0, 1), turn(1, 4.6, 6)])).toEqual([[1, 'hello']]);
    expect(runsOf(wordsFrom('hello', 4), [])).toEqual([[0, 'hello']]);
    expect(assignWords([], [turn(0, 0, 1)])).toEqual([]);
  });

  test('gives the turns’ confidence, less where words lie outside', () => {
    const [inside] = assignWords(wordsFrom('yes of course', 0), [turn(0, 0, 1, 0.8)]);
    expect(inside!.confidence).toBeCloseTo(0.8);
    const [partly] = assignWords(wordsFrom('yes of course', 0), [turn(0, 0, 0.45, 0.8)]);
    expect(partly!.confidence).toBeGreaterThan(0.3);
    expect(partly!.confidence).toBeLessThan(0.8);
  });

  test('gives the share in which somebody else speaks too', () => {
    const turns = [turn(0, 0, 3), turn(1, 1.5, 3)];
    const [run] = assignWords(wordsFrom('one two three four five six seven eight nine ten', 0), turns);
    expect(run).toMatchObject({ speaker: 0 });
    expect(run!.overlapRatio).toBeCloseTo(0.5);
    expect(assignWords(wordsFrom('one two', 0), turns)[0]!.overlapRatio).toBe(0);
  });
});
