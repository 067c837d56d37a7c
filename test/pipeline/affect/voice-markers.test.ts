import { describe, expect, it } from 'vitest';
import { voiceMarkers } from '../../../containers/pipeline/affect/voice/markers.ts';
import { speakerBaseline } from '../../../containers/pipeline/prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import { prosodyFields } from '../../../containers/pipeline/prosody/prosody-fields.ts';
import { ProsodySchema } from '../../../src/contract/timeline-entry.ts';
import { vowel } from '../../../support/synthetic-voice.ts';

const usual: Delivery = {
  ...measureDelivery(vowel({ seconds: 2, hz: (t) => 130 + 6 * Math.sin(8 * t) })),
  finalContour: 'level',
  finalSlopeSt: 0,
};
const baseline = speakerBaseline(Array.from({ length: 200 }, () => usual));
const markersOf = (changes: Partial<Delivery>) => {
  const { commitment_markers, passion_markers } = voiceMarkers({ ...usual, ...changes }, baseline);
  return { ...commitment_markers, ...passion_markers };
};
type Marker = keyof ReturnType<typeof markersOf>;

/** Each cue, what raises it, and which way it moves the marker and the score it belongs to. */
const DIRECTIONS: [string, (step: number) => Partial<Delivery>, Marker, Marker, 1 | -1][] = [
  ['wider pitch', (s) => ({ pitchSdSt: usual.pitchSdSt + s }), 'pitch_stability', 'commitment_score', -1],
  ['a rising end', (s) => ({ finalContour: 'rising', finalSlopeSt: 2 * s }), 'pitch_contour', 'commitment_score', -1],
  ['a falling end', (s) => ({ finalContour: 'falling', finalSlopeSt: -2 * s }), 'pitch_contour', 'commitment_score', 1],
  ['more loudness', (s) => ({ intensityDb: usual.intensityDb + 2 * s }), 'energy_strength', 'commitment_score', 1],
  [
    'more varied loudness',
    (s) => ({ intensitySdDb: usual.intensitySdDb + s }),
    'energy_consistency',
    'commitment_score',
    -1,
  ],
  ['longer pauses', (s) => ({ pauseRatio: usual.pauseRatio + 0.1 * s }), 'duration_confidence', 'commitment_score', -1],
  ['slower speech', (s) => ({ speechRate: usual.speechRate - 0.3 * s }), 'duration_confidence', 'commitment_score', -1],
  ['higher peaks of pitch', (s) => ({ pitchP90St: usual.pitchP90St + s }), 'pitch_dynamism', 'passion_score', 1],
  ['wider pitch', (s) => ({ pitchSdSt: usual.pitchSdSt + s }), 'pitch_variation', 'passion_score', 1],
  ['more loudness', (s) => ({ intensityDb: usual.intensityDb + 2 * s }), 'energy_level', 'passion_score', 1],
  ['more varied loudness', (s) => ({ intensitySdDb: usual.intensitySdDb + s }), 'energy_dynamics', 'passion_score', 1],
  [
    'more energy above 1 kHz',
    (s) => ({ alphaRatioDb: usual.alphaRatioDb - 2 * s }),
    'spectral_richness',
    'passion_score',
    1,
  ],
  [
    'a livelier spectrum',
    (s) => ({ spectralCentroidSdHz: usual.spectralCentroidSdHz + 150 * s }),
    'spectral_variation',
    'passion_score',
    1,
  ],
  ['more loudness', (s) => ({ intensityDb: usual.intensityDb + 2 * s }), 'energy_level', 'conviction_score', 1],
];

describe('markers of the voice', () => {
  it.each(DIRECTIONS)(
    '%s moves %3$s and %4$s in the documented direction, monotonically',
    (_, change, marker, score, sign) => {
      for (const name of [marker, score]) {
        const values = [0, 1, 2, 3].map((step) => sign * (markersOf(step === 0 ? {} : change(step))[name] as number));
        expect(values).toEqual(values.toSorted((a, b) => a - b));
        expect(values[1]).toBeGreaterThan(values[0]!);
      }
    },
  );

  it('are one half where the speaker talks as usual', () => {
    const { pitch_stability, energy_strength, spectral_richness, pitch_contour } = markersOf({});
    for (const value of [pitch_stability, energy_strength, spectral_richness, pitch_contour])
      expect(value).toBeCloseTo(0.5, 1);
  });

  it('are neutral for an unknown contour, and entirely so without a voice', () => {
    expect(markersOf({ finalContour: 'unknown', finalSlopeSt: 0 }).pitch_contour).toBe(0.5);
    expect(markersOf({ voicedSeconds: 0, intensityDb: 3 }).energy_strength).toBe(0.5);
  });

  it('stay between 0 and 1 and fit the wire, however extreme the cue', () => {
    for (const extreme of [-1e6, 1e6]) {
      const delivery = {
        ...usual,
        pitchSdSt: extreme,
        intensityDb: extreme,
        finalSlopeSt: extreme,
        finalContour: 'rising' as const,
      };
      const fields = prosodyFields(delivery, baseline, 0, voiceMarkers(delivery, baseline));
      expect(ProsodySchema.safeParse(fields).error).toBeUndefined();
    }
  });
});
