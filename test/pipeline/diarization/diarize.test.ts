import { describe, expect, test } from 'vitest';
import { diarize } from '../../../containers/pipeline/diarization/diarize.ts';
import type { Diarization } from '../../../containers/pipeline/diarization/turns.ts';
import { dialogue, featuresOf, HIGH_VOICE, LOW_VOICE, type SyntheticDialogue } from './voices.ts';

const TURNS: [number, number][] = [
  [0, 4],
  [1, 3],
  [0, 2],
  [1, 5],
  [0, 3],
  [1, 2.5],
  [0, 4],
  [1, 3],
];
const two = dialogue([LOW_VOICE, HIGH_VOICE], TURNS);
const twoFeatures = featuresOf(two.samples);
const one = dialogue(
  [LOW_VOICE],
  TURNS.map(([, seconds]): [number, number] => [0, seconds]),
  2,
);

/** Seconds of speech whose label is not the speaker's. Speakers are numbered in the order in which they first speak. */
function wrongSeconds({ turns }: Diarization, { speech, talkers }: SyntheticDialogue): number {
  return turns.reduce((wrong, turn) => {
    const region = speech.findIndex(({ start, end }) => turn.start < end && turn.end > start);
    return turn.speaker === talkers[region] ? wrong : wrong + turn.end - turn.start;
  }, 0);
}

describe('diarize', () => {
  test('finds two voices and gives each its turns', () => {
    const found = diarize(twoFeatures, two.speech);
    expect(found.speakers).toMatchObject({ count: 2, source: 'estimated' });
    expect(wrongSeconds(found, two)).toBeLessThan(0.5);
  });

  test('does not split one voice', () => {
    const found = diarize(featuresOf(one.samples), one.speech);
    expect(found.speakers.count).toBe(1);
    expect(found.turns).toHaveLength(one.speech.length);
  });

  test('takes the number of speakers when it is given', () => {
    const given = diarize(twoFeatures, two.speech, { speakers: 2 });
    expect(given.speakers).toEqual({ count: 2, confidence: 1, source: 'given' });
    expect(wrongSeconds(given, two)).toBeLessThan(0.5);
    expect(diarize(twoFeatures, two.speech, { speakers: 1 }).turns.every((turn) => turn.speaker === 0)).toBe(true);
  });

  test('notes when fewer speakers can be distinguished than were given', () => {
    const short = dialogue([LOW_VOICE], [[0, 1]]);
    const given = diarize(featuresOf(short.samples), short.speech, { speakers: 5 });
    expect(given.speakers).toMatchObject({ count: 1, source: 'given' });
    expect(given.speakers.note).toContain('5 speakers were expected, but only 1');
  });

  test('covers the speech regions exactly, in order, with confidences between 0 and 1', () => {
    const { turns } = diarize(twoFeatures, two.speech);
    for (const { start, end } of two.speech) {
      const inside = turns.filter((turn) => turn.start >= start - 1e-9 && turn.end <= end + 1e-9);
      expect(inside[0]!.start).toBe(start);
      expect(inside.at(-1)!.end).toBe(end);
    }
    expect(turns.every((turn) => turn.confidence > 0 && turn.confidence <= 1)).toBe(true);
    expect(turns.map((turn) => turn.start)).toEqual(turns.map((turn) => turn.start).sort((a, b) => a - b));
  });

  test('numbers speakers in order of first speech', () => {
    expect(diarize(twoFeatures, two.speech).turns[0]!.speaker).toBe(0);
    expect(diarize(twoFeatures, two.speech.slice(1)).turns[0]!.speaker).toBe(0);
  });

  test('gives the same turns twice, for blocks of any size', () => {
    const again = diarize(featuresOf(two.samples, 777), two.speech);
    expect(again).toEqual(diarize(twoFeatures, two.speech));
  });

  test('gives no turns for silence', () => {
    expect(diarize(twoFeatures, [])).toEqual({ turns: [], speakers: { count: 0, confidence: 1, source: 'estimated' } });
  });

  test('accepts speech shorter than a frame and beyond the end of the recording', () => {
    const end = two.samples.length / 16_000;
    expect(() =>
      diarize(twoFeatures, [
        { start: 0.4, end: 0.405 },
        { start: end - 0.01, end: end + 5 },
      ]),
    ).not.toThrow();
  });
});
