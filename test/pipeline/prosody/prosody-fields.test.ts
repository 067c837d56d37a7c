import { describe, expect, it } from 'vitest';
import { voiceMarkers } from '../../../containers/pipeline/affect/voice/markers.ts';
import { NO_BASELINE, speakerBaseline } from '../../../containers/pipeline/prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import { prosodyFields } from '../../../containers/pipeline/prosody/prosody-fields.ts';
import { ProsodySchema } from '../../../src/contract/timeline-entry.ts';
import { noise, silence, vowel } from '../../../support/synthetic-voice.ts';

const usual = measureDelivery(vowel({ seconds: 1, hz: () => 130 }));
const baseline = speakerBaseline(Array.from({ length: 10 }, () => usual));
const fieldsOf = (delivery: Delivery, known = baseline) =>
  prosodyFields(delivery, known, 312.4, voiceMarkers(delivery, known));

describe('prosody on the wire', () => {
  it.each([
    ['a voice', vowel({ seconds: 1, hz: () => 130 })],
    ['silence', silence(1)],
    ['noise', noise(1, 0.1)],
    ['nothing', new Float32Array(0)],
  ])('fits the schema for %s', (_, samples) => {
    const parsed = ProsodySchema.strict().safeParse(fieldsOf(measureDelivery(samples)));
    expect(parsed.error).toBeUndefined();
  });

  it('gives the measured pitch, range and level', () => {
    const fields = fieldsOf(usual);
    expect(fields.pitch_hz).toBeCloseTo(130, 0);
    expect(fields.pitch_range).toBe(Math.round(10 * (usual.pitchP95Hz - usual.pitchP5Hz)) / 10);
    expect(fields.intensity_db).toBeCloseTo(usual.intensityDb, 1);
    expect(fields.pause_before_ms).toBe(312);
  });

  it('scores a louder, higher, quicker utterance above 0 and its opposite below', () => {
    const more = fieldsOf({
      ...usual,
      intensityDb: usual.intensityDb + 5,
      pitchMeanSt: usual.pitchMeanSt + 4,
      speechRate: 5,
    });
    const less = fieldsOf({
      ...usual,
      intensityDb: usual.intensityDb - 5,
      pitchMeanSt: usual.pitchMeanSt - 4,
      speechRate: 0,
    });
    for (const name of ['energy_z', 'pitch_z', 'rate_z'] as const) {
      expect(more[name]).toBeGreaterThan(0.5);
      expect(less[name]).toBeLessThan(-0.1);
    }
  });

  it('does not compare a speaker without a baseline', () => {
    const { pitch_z, energy_z, rate_z } = fieldsOf(usual, NO_BASELINE);
    expect([pitch_z, energy_z, rate_z]).toEqual([0, 0, 0]);
  });

  it('gives a reason for low confidence only', () => {
    expect(fieldsOf(measureDelivery(silence(1))).confidence_reason).toBe('no voice found');
    expect(fieldsOf(usual)).not.toHaveProperty('confidence_reason');
  });
});
