import { describe, expect, it } from 'vitest';
import { hearVoice } from '../../containers/pipeline/affect/heard-voice.ts';
import { measureUtterance, type UtteranceInput } from '../../containers/pipeline/affect/measure.ts';
import { NO_BASELINE } from '../../containers/pipeline/prosody/baseline.ts';
import { EMOTIONS } from '../../src/contract/timeline.ts';
import { TimelineEntrySchema } from '../../src/contract/timeline-entry.ts';
import { vowel } from '../prosody/synthetic-voice.ts';

const TEXT = 'I think we could, um, sign by Friday.';
const samples = vowel({ seconds: 1.5, hz: (t) => 130 + 6 * Math.sin(8 * t) });
const input: UtteranceInput = {
  utteranceId: 'conv_utt_0',
  speaker: 'Speaker_0',
  tStart: 1,
  tEnd: 2.5,
  text: TEXT,
  asrConfidence: 0.9,
  words: [{ word: 'I', t_start: 1, t_end: 1.1, confidence: 0.9 }],
  speakerConfidence: 0.8,
  overlapRatio: 0,
  voice: await hearVoice({ samples, text: TEXT, usual: NO_BASELINE }),
  pauseBeforeMs: 300,
  previous: { speaker: 'Speaker_1', text: 'When can you sign?' },
  encoding: null,
  stability: 'final',
};
const measure = (changes: Partial<UtteranceInput> = {}) => measureUtterance({ ...input, ...changes });

describe('a measured utterance', () => {
  it('is a valid entry of the timeline', () => {
    expect(TimelineEntrySchema.parse(measure())).toEqual(measure());
  });

  it('is valid, with empty prosody, when the audio could not be measured', () => {
    const entry = TimelineEntrySchema.parse(measure({ voice: null }));
    expect(entry.prosody).toEqual({});
    expect(entry.prosody_desc).toContain('could not be measured');
    expect(entry.emotions).not.toEqual(measure().emotions);
  });

  it.each(['', '...', '?', 'a'.repeat(3000), 'um um um um'])('is valid for odd text %#', (text) => {
    TimelineEntrySchema.parse(measure({ text }));
  });

  it('says the same in every place a value stands', () => {
    const entry = measure();
    expect(entry.emotion.emotion).toEqual(entry.emotions);
    expect(entry.emotion.scores).toEqual(entry.pad_scores);
    expect(entry.cognitive.signals).toEqual(entry.cognitive_signals);
    expect(entry.cognitive.load_level).toBe(entry.load_level);
    expect(entry.emotions[entry.dominant_emotion]).toBe(Math.max(...Object.values(entry.emotions)));
  });

  it('has shares that sum to 1 as they are written', () => {
    const { emotions, sentiment } = measure({ text: 'Oh no, that is terrible!' });
    expect(EMOTIONS.reduce((sum, name) => sum + emotions[name], 0)).toBeCloseTo(1, 6);
    expect(sentiment.positive + sentiment.negative + sentiment.neutral).toBeCloseTo(1, 6);
  });

  it('is the same every time', () => expect(measure()).toEqual(measure()));

  it('is less sure of an emotion when the words are', () => {
    expect(measure({ asrConfidence: 0.4 }).emotion.confidence).toBeLessThan(measure().emotion.confidence);
  });

  it('averages the confidence of emotion, sentiment and cognitive state', () => {
    const { emotion, cognitive, sentiment, confidence } = measure();
    const certain = Math.max(sentiment.positive, sentiment.negative, sentiment.neutral);
    expect(confidence).toBeCloseTo((emotion.confidence + certain + cognitive.confidence) / 3, 3);
  });
});
