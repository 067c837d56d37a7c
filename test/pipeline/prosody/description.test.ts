import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { impressionOf } from '../../../containers/pipeline/affect/voice/impression.ts';
import { voiceMarkers } from '../../../containers/pipeline/affect/voice/markers.ts';
import { NO_BASELINE, speakerBaseline } from '../../../containers/pipeline/prosody/baseline.ts';
import { measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import { describeDelivery } from '../../../containers/pipeline/prosody/description.ts';
import { prosodyFields } from '../../../containers/pipeline/prosody/prosody-fields.ts';
import type { LexicalMarkers } from '../../../src/contract/timeline.ts';
import type { Prosody } from '../../../src/contract/timeline-entry.ts';
import { ENGLISH } from '../../../src/conversation/en/index.ts';
import { vowel } from '../../../support/synthetic-voice.ts';

const plain: LexicalMarkers = {
  hedge_density: 0,
  disfluency_rate: 0,
  is_question: false,
  self_repair: false,
  reasoning: '',
};

const spoken = measureDelivery(vowel({ seconds: 2, hz: (t) => 140 + 8 * Math.sin(9 * t) }));
const usual = prosodyFields(spoken, NO_BASELINE, 200, voiceMarkers(spoken, NO_BASELINE));
const prosodyWith = (changes: Partial<Prosody>): Prosody => ({
  ...usual,
  final_contour: 'level',
  energy_z: 0.1,
  ...changes,
});
/** The description of a delivery and the impression it makes. */
const textsFor = (facts: Parameters<typeof describeDelivery>[0]) => ({
  ...describeDelivery(facts, ENGLISH),
  ...impressionOf(facts.prosody, facts.prosody.commitment_markers!, facts.lexical, ENGLISH),
});
const describeWith = (changes: Partial<Prosody>, lexical: Partial<LexicalMarkers> = {}) =>
  textsFor({ prosody: prosodyWith(changes), words: [], lexical: { ...plain, ...lexical } });

const textsOf = (d: ReturnType<typeof textsFor>): string[] => [
  d.prosody_desc,
  d.acoustic_reasoning,
  d.delivery_style,
  ...d.acoustic_insights,
  ...d.hesitation_patterns,
];

/** Every number among the fields, of nested blocks too. */
const numbersIn = (fields: object): number[] =>
  Object.values(fields).flatMap((value) =>
    typeof value === 'number' ? [value] : typeof value === 'object' && value !== null ? numbersIn(value) : [],
  );

/**
 * Whether a printed number is one of the fields, rounded as printed: unchanged, in thousandths (ms printed in s), or in
 * hundredths (a fraction in %).
 */
function isMeasured(printed: string, fields: number[]): boolean {
  const decimals = printed.split('.')[1]?.length ?? 0;
  return fields.some((field) =>
    [1, 0.001, 100].some((factor) => Math.abs(field * factor).toFixed(decimals) === printed),
  );
}

const prosodyArbitrary = fc
  .record({
    pitch_z: fc.double({ min: -4, max: 4, noNaN: true }),
    energy_z: fc.double({ min: -4, max: 4, noNaN: true }),
    rate_z: fc.double({ min: -4, max: 4, noNaN: true }),
    pause_count: fc.integer({ min: 0, max: 6 }),
    pause_mean_ms: fc.integer({ min: 150, max: 2400 }),
    pause_ratio: fc.double({ min: 0, max: 0.8, noNaN: true }),
    pause_before_ms: fc.integer({ min: 0, max: 9000 }),
    final_slope_st: fc.double({ min: -9, max: 9, noNaN: true }),
    duration: fc.double({ min: 0.2, max: 20, noNaN: true }),
    confidence: fc.double({ min: 0.1, max: 1, noNaN: true }),
  })
  .map((fields) =>
    prosodyWith({
      ...fields,
      pause_mean_ms: fields.pause_count === 0 ? 0 : fields.pause_mean_ms,
      final_contour: fields.final_slope_st >= 2 ? 'rising' : fields.final_slope_st <= -2 ? 'falling' : 'level',
    }),
  );

describe('description of a delivery', () => {
  it('quotes only numbers that are fields of the wire', () => {
    fc.assert(
      fc.property(
        prosodyArbitrary,
        fc.boolean(),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (prosody, asked, rate) => {
          const lexical = { ...plain, is_question: asked, disfluency_rate: rate };
          const fields = [...numbersIn(prosody), ...numbersIn(lexical)];
          for (const text of textsOf(textsFor({ prosody, words: [], lexical })))
            for (const printed of text.match(/\d+(?:\.\d+)?/g) ?? [])
              expect([text, isMeasured(printed, fields)]).toEqual([text, true]);
        },
      ),
      { seed: 7, numRuns: 400 },
    );
  });

  it('holds for measured voices as well as for made up fields', () => {
    const baseline = speakerBaseline(Array.from({ length: 5 }, () => spoken));
    for (const gain of [0.02, 0.1, 0.4]) {
      const delivery = measureDelivery(vowel({ seconds: 1.7, hz: (t) => 110 + 160 * gain * t, amplitude: gain }));
      const prosody = prosodyFields(delivery, baseline, 1730, voiceMarkers(delivery, baseline));
      const texts = textsOf(textsFor({ prosody, words: [], lexical: plain })).join(' ');
      for (const printed of texts.match(/\d+(?:\.\d+)?/g) ?? [])
        expect(isMeasured(printed, numbersIn(prosody))).toBe(true);
    }
  });

  it('is short when nothing stands out', () => {
    const described = describeWith({});
    expect(described.prosody_desc).not.toMatch(/\d/);
    expect(described.acoustic_insights).toEqual([]);
    expect(described.hesitation_patterns).toEqual([]);
    expect(described.delivery_style).toBe('even');
  });

  it('names the strongest difference first', () => {
    const { prosody_desc } = describeWith({ energy_z: 1.2, pitch_z: 2.4 });
    expect(prosody_desc.toLowerCase()).toMatch(/much higher \(2\.4 SD\) and louder \(1\.2 SD\)/i);
  });

  it('gives the same text for the same fields and other wordings for other utterances', () => {
    const of = (duration: number) => describeWith({ energy_z: 1.5, duration }).prosody_desc;
    expect(of(2)).toBe(of(2));
    expect(new Set([2, 2.001, 2.002].map(of)).size).toBe(3);
  });

  it('does not judge too short a voice', () => {
    const described = describeWith({
      confidence: 0.2,
      duration: 0.3,
      energy_z: 3,
      confidence_reason: 'not enough speech',
    });
    expect(described.prosody_desc).toBe('Too short to judge, 0.3 s.');
    expect(described.delivery_style).toBe('not judged');
  });

  it('does not compare without a baseline', () => {
    const { prosody_desc, acoustic_reasoning } = describeWith({ pitch_z: 0, energy_z: 0, rate_z: 0 });
    expect(prosody_desc).toContain('nothing yet to compare');
    expect(acoustic_reasoning).toContain('Without more speech');
  });

  it('calls raised and loud animated, lowered and soft subdued, broken and slow hesitant', () => {
    expect(describeWith({ energy_z: 1.5, pitch_z: 1.5 }).delivery_style).toBe('animated');
    expect(describeWith({ energy_z: -1.5, pitch_z: -1.5 }).delivery_style).toBe('subdued');
    expect(describeWith({ rate_z: -1.5, pause_count: 3, pause_ratio: 0.3, pause_mean_ms: 400 }).delivery_style).toBe(
      'hesitant',
    );
  });

  it('never concludes from the voice whether excitement is pleasant', () => {
    expect(describeWith({ energy_z: 2, pitch_z: 2 }).acoustic_reasoning).toContain('pleasure or annoyance');
  });

  it('names the words under the emphasis', () => {
    const words = [
      { word: 'that', t_start: 10, t_end: 10.2, confidence: 1 },
      { word: 'never', t_start: 10.25, t_end: 10.6, confidence: 1 },
    ];
    const facts = { prosody: prosodyWith({}), words, lexical: plain };
    expect(textsFor({ ...facts, emphasisAt: [10.4, 10.5] }).emphasis_points).toEqual(['never']);
    expect(textsFor({ ...facts, emphasisAt: [14] }).emphasis_points).toEqual([]);
  });
});
