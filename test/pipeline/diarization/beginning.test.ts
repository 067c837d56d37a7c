import { expect, it } from 'vitest';
import { endOfBeginning, extended } from '../../../containers/pipeline/diarization/beginning.ts';
import type { Diarization, SpeakerTurn } from '../../../containers/pipeline/diarization/turns.ts';

const turn = (start: number, end: number, speaker: number): SpeakerTurn => ({ start, end, speaker, confidence: 0.9 });
const diarized = (count: number, ...turns: SpeakerTurn[]): Diarization => ({
  turns,
  speakers: { count, confidence: 0.9, source: 'estimated' },
});

it('ends in the middle of the longest late pause', () => {
  const speech = [
    { start: 0, end: 5 },
    { start: 9, end: 20 },
    { start: 20.6, end: 25 },
    { start: 26, end: 30 },
  ];
  expect(endOfBeginning(speech, 10)).toBe(25.5);
  expect(endOfBeginning(speech, 0)).toBe(7);
  expect(endOfBeginning(speech.slice(0, 2), 10)).toBeNull();
});

it('does not end in a pause that recognition would not cut at', () => {
  const speech = [
    { start: 0, end: 10 },
    { start: 10.3, end: 20 },
  ];
  expect(endOfBeginning(speech, 5)).toBeNull();
});

it('keeps the labels of the beginning and gives the rest its numbers', () => {
  const beginning = diarized(2, turn(0, 4, 0), turn(5, 9, 1));
  const whole = diarized(2, turn(0, 4, 1), turn(5, 8, 0), turn(12, 15, 0), turn(16, 19, 1));
  const { turns, speakers } = extended(beginning, whole, 10);
  expect(turns).toEqual([...beginning.turns, turn(12, 15, 1), turn(16, 19, 0)]);
  expect(speakers).toEqual(whole.speakers);
});

it('gives somebody who speaks later the next number', () => {
  const beginning = diarized(1, turn(0, 9, 0));
  const whole = diarized(2, turn(0, 9, 1), turn(12, 15, 0), turn(16, 19, 1));
  expect(extended(beginning, whole, 10).turns).toEqual([turn(0, 9, 0), turn(12, 15, 1), turn(16, 19, 0)]);
});

it('is unsure of the number of speakers where the two disagree', () => {
  const beginning = diarized(2, turn(0, 4, 0), turn(5, 9, 1));
  const whole = diarized(1, turn(0, 9, 0), turn(12, 15, 0));
  const { speakers } = extended(beginning, whole, 10);
  expect(speakers).toMatchObject({ count: 2, confidence: 0.4, note: expect.stringContaining('2 found, 1 possible') });
});

it('never has more speakers than were given', () => {
  const beginning = diarized(2, turn(0, 8, 0), turn(8.5, 9, 1));
  const whole = diarized(2, turn(0, 9, 0), turn(12, 15, 1));
  whole.speakers.source = 'given';
  expect(extended(beginning, whole, 10, 2).turns.at(-1)).toEqual(turn(12, 15, 1));
});
