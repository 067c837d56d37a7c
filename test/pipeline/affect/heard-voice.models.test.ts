import { expect, it } from 'vitest';
import { join } from '../../../containers/pipeline/affect/joining.ts';
import { readSound, readWords, SOUND_SOURCES } from '../../../containers/pipeline/affect/sources.ts';
import { readModel } from '../../../containers/pipeline/affect/text/model.ts';
import { measureVoice } from '../../../containers/pipeline/affect/voice-measurement.ts';
import { NO_BASELINE, speakerBaseline } from '../../../containers/pipeline/prosody/baseline.ts';
import { measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { vowel } from '../../../support/synthetic-voice.ts';

const ENGLISH = languageOf('en');

const samples = vowel({ seconds: 1.5, hz: (t) => 130 + 6 * Math.sin(8 * t) });
const said = {
  text: 'That is wonderful!',
  language: ENGLISH,
  model: readModel('That is wonderful!', ENGLISH),
  polarity: 0.8,
  asrConfidence: 0.9,
};

it("is measured within its speaker's usual bounds, and read against them", async () => {
  const usual = speakerBaseline(Array.from({ length: 5 }, () => measureDelivery(samples)));
  const { delivery, baseline, readings } = await measureVoice({ samples, text: said.text, usual, isRead: true });
  expect(delivery).toEqual(measureDelivery(samples, usual));
  expect(baseline).toEqual(usual);
  expect(readings.map(({ source }) => source)).toEqual(['voice']);
  expect(structuredClone(readings)).toEqual(readings);
});

it('is only measured where affect is not to be read', async () => {
  const usual = speakerBaseline([measureDelivery(samples)]);
  const { delivery, readings } = await measureVoice({ samples, text: said.text, usual, isRead: false });
  expect(delivery).toEqual(measureDelivery(samples, usual));
  expect(readings).toEqual([]);
});

it('joins the earlier measures where no baseline is given', async () => {
  const before = [measureDelivery(samples.subarray(0, 12_000))];
  const { delivery, baseline } = await measureVoice({ samples, text: said.text, usual: before, isRead: true });
  expect(baseline).toEqual(speakerBaseline([...before, delivery]));
});

it('goes to each source with its samples, and joins the words of any speaker', async () => {
  const heard: number[] = [];
  const model = {
    read: async ({ samples }: { samples: Float32Array }) => {
      heard.push(samples.length);
      const shares = { valence: 0.5, arousal: 0.5, dominance: 0.5 };
      const [{ emotions }] = readWords(said) as [ReturnType<typeof readWords>[number]];
      const pad = { valence: 0, arousal: 1, dominance: 0.5 };
      return { source: 'a model of sound', emotions, pad, confidence: 1, shares, say: 0, doubt: 1 };
    },
  };
  const delivery = measureDelivery(samples);
  const sound = { samples, text: said.text, delivery, baseline: NO_BASELINE };
  const readings = await readSound(sound, [...SOUND_SOURCES, model]);
  expect(heard).toEqual([samples.length]);
  const [without, withIt] = [readings.slice(0, 1), readings].map((own) => join([...readWords(said), ...own]));
  expect(withIt!.pad.arousal).toBeGreaterThan(without!.pad.arousal);
  expect(withIt!.pad.valence).toBeLessThan(without!.pad.valence);
});
