import { describe, expect, test } from 'vitest';
import { SAMPLE_RATE_HZ } from '../../../containers/pipeline/audio/interval.ts';
import { diarize } from '../../../containers/pipeline/diarization/diarize.ts';
import { dialogue, featuresOf, HIGH_VOICE, LOW_VOICE, speak } from './voices.ts';

const TURNS = Array.from({ length: 12 }, (_, i): [number, number] => [i % 2, 3]);

describe('overlap', () => {
  test('is found where a second known voice speaks during a turn, and nowhere else', () => {
    const talk = dialogue([LOW_VOICE, HIGH_VOICE], TURNS);
    const { start } = talk.speech[6]!;
    const into = Math.round((start + 0.5) * SAMPLE_RATE_HZ);
    const second = speak(HIGH_VOICE, 2, 77);
    for (let i = 0; i < second.length; i++) talk.samples[into + i] = talk.samples[into + i]! + second[i]!;
    const { turns } = diarize(featuresOf(talk.samples), talk.speech, { speakers: 2 });
    const both = turns.flatMap((a) =>
      turns.filter((b) => b.speaker > a.speaker && a.start < b.end - 0.01 && b.start < a.end - 0.01).map((b) => [a, b]),
    );
    expect(both.length).toBeGreaterThan(0);
    for (const [a, b] of both) {
      expect(Math.max(a!.start, b!.start)).toBeGreaterThan(start);
      expect(Math.min(a!.end, b!.end)).toBeLessThan(start + 3);
    }
  });

  test('is not found where people take turns', () => {
    const talk = dialogue([LOW_VOICE, HIGH_VOICE], TURNS, 3);
    const { turns } = diarize(featuresOf(talk.samples), talk.speech, { speakers: 2 });
    expect(turns.every((turn, i) => i === 0 || turn.start >= turns[i - 1]!.end - 0.01)).toBe(true);
  });
});
