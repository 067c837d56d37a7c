import { describe, expect, test } from 'vitest';
import { SAMPLE_RATE_HZ } from '../../../containers/pipeline/audio/interval.ts';
import { ProvisionalSpeakers, type SegmentLabels } from '../../../containers/pipeline/diarization/provisional.ts';
import { SpeakerFeatures } from '../../../containers/pipeline/diarization/speaker-features.ts';
import type { SpeakerTurn } from '../../../containers/pipeline/diarization/turns.ts';
import { dialogue, HIGH_VOICE, LOW_VOICE, type SyntheticDialogue } from './voices.ts';

const talk = dialogue(
  [LOW_VOICE, HIGH_VOICE],
  Array.from({ length: 12 }, (_, i): [number, number] => [i % 2, 1.5 + (i % 3)]),
);

/** Labels each region as soon as its sound has been pushed. @param known the labels of the first regions */
function told(
  { samples, speech }: SyntheticDialogue,
  speakers?: number,
  known: readonly SegmentLabels[] = [],
): SegmentLabels[] {
  const features = new SpeakerFeatures();
  const provisional = new ProvisionalSpeakers(features, speakers ? { speakers } : {});
  let pushed = 0;
  return speech.map((segment, i) => {
    const until = Math.round((segment.end + 0.1) * SAMPLE_RATE_HZ);
    features.push(samples.subarray(pushed, until));
    pushed = until;
    if (!known[i]) return provisional.label(segment);
    provisional.recall([segment], known[i]);
    return known[i];
  });
}

const labelled = (said: SyntheticDialogue, speakers?: number): SpeakerTurn[][] =>
  told(said, speakers).map(({ turns }) => turns);

describe('ProvisionalSpeakers', () => {
  test('keeps one number for one voice once both have spoken for a while', () => {
    const numbers = labelled(talk)
      .slice(6)
      .map((turns) => turns.reduce((a, b) => (b.end - b.start > a.end - a.start ? b : a)).speaker);
    expect(new Set(numbers.filter((_, i) => i % 2 === 0)).size).toBe(1);
    expect(new Set(numbers.filter((_, i) => i % 2 === 1)).size).toBe(1);
    expect(numbers[0]).not.toBe(numbers[1]);
  });

  test('labels every segment, within its bounds', () => {
    for (const [i, turns] of labelled(talk).entries()) {
      expect(turns.length).toBeGreaterThan(0);
      expect(turns[0]!.start).toBeCloseTo(talk.speech[i]!.start, 1);
      expect(turns.at(-1)!.end).toBeCloseTo(talk.speech[i]!.end, 1);
    }
  });

  test('begins with speaker 0 and never adds a voice for one talker', () => {
    const alone = dialogue(
      [LOW_VOICE],
      Array.from({ length: 8 }, (): [number, number] => [0, 2]),
    );
    expect(new Set(labelled(alone).flatMap((turns) => turns.map((turn) => turn.speaker)))).toEqual(new Set([0]));
  });

  test('does not relabel earlier speech when more follows', () => {
    const short = labelled({ ...talk, speech: talk.speech.slice(0, 9) });
    expect(labelled(talk).slice(0, 9)).toEqual(short);
  });

  test('goes on after the labels of another process as that would have', () => {
    const all = told(talk);
    expect(all.some(({ renumbered }) => !renumbered)).toBe(true);
    for (const count of [5, 11]) expect(told(talk, undefined, all.slice(0, count))).toEqual(all);
  });
});
