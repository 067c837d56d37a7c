import { describe, expect, it } from 'vitest';
import { measureUtterance } from '../../../containers/pipeline/affect/measure.ts';
import type { UtteranceInput } from '../../../containers/pipeline/affect/utterance.ts';
import { measureVoice } from '../../../containers/pipeline/affect/voice-measurement.ts';
import { NO_BASELINE, speakerBaseline } from '../../../containers/pipeline/prosody/baseline.ts';
import { measureDelivery } from '../../../containers/pipeline/prosody/delivery.ts';
import { EMOTIONS } from '../../../src/contract/timeline.ts';
import { TimelineEntrySchema } from '../../../src/contract/timeline-entry.ts';
import { languageOf } from '../../../src/conversation/languages.ts';
import { vowel } from '../../../support/synthetic-voice.ts';

const TEXT = 'I think we could, um, sign by Friday.';
const samples = vowel({ seconds: 1.5, hz: (t) => 130 + 6 * Math.sin(8 * t) });
const input: UtteranceInput = {
  utteranceId: 'conv_utt_0',
  speaker: 'Speaker_0',
  tStart: 1,
  tEnd: 2.5,
  text: TEXT,
  language: languageOf('en'),
  asrConfidence: 0.9,
  words: [{ word: 'I', t_start: 1, t_end: 1.1, confidence: 0.9 }],
  speakerConfidence: 0.8,
  overlapRatio: 0,
  voice: await measureVoice({ samples, text: TEXT, usual: NO_BASELINE, isRead: true }),
  pauseBeforeMs: 300,
  previous: { speaker: 'Speaker_1', text: 'When can you sign?' },
  encoding: null,
  stability: 'final',
  affect: 'full',
};
const ANGRY = { joy: 0.01, sadness: 0.01, anger: 0.94, fear: 0.01, surprise: 0.01, disgust: 0.01, neutral: 0.01 };
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
    expect(entry.emotion!.emotion).toEqual(entry.emotions);
    expect(entry.emotion!.scores).toEqual(entry.pad_scores);
    expect(entry.cognitive!.signals).toEqual(entry.cognitive_signals);
    expect(entry.cognitive!.load_level).toBe(entry.load_level);
    expect(entry.emotions![entry.dominant_emotion!]).toBe(Math.max(...Object.values(entry.emotions!)));
  });

  it('has shares that sum to 1 as they are written', () => {
    const { emotions, sentiment } = measure({ text: 'Oh no, that is terrible!' });
    expect(EMOTIONS.reduce((sum, name) => sum + emotions![name], 0)).toBeCloseTo(1, 6);
    expect(sentiment!.positive + sentiment!.negative + sentiment!.neutral).toBeCloseTo(1, 6);
  });

  it('publishes the readings of words and voice, and which of them decided', async () => {
    const usual = speakerBaseline(Array.from({ length: 6 }, () => measureDelivery(samples)));
    const entry = measure({ voice: await measureVoice({ samples, text: TEXT, usual, isRead: true }) });
    const { words, voice, decided_by } = entry.emotion!;
    for (const reading of [words, voice!]) {
      expect(EMOTIONS.reduce((sum, name) => sum + reading.emotion[name], 0)).toBeCloseTo(1, 6);
      expect(reading.confidence).toBeGreaterThan(0);
    }
    expect(words.confidence).toBe(0.9);
    expect(measure({ voice: null }).emotion).toMatchObject({ words, voice: null, decided_by: 'words' });
    expect(decided_by).toBe('words');
    expect(entry.acoustic_reasoning).toContain('The words, more than the voice, suggest the emotion: ');
    // The same words in a voice far above its speaker's typical range, as measured, and as a voice that leaves no
    // doubt.
    const high = vowel({ seconds: 1.5, hz: (t) => 260 + 90 * Math.sin(8 * t) });
    const heard = await measureVoice({ samples: high, text: TEXT, usual, isRead: true });
    expect(measure({ voice: heard }).emotion).toMatchObject({ words, decided_by: 'words' });
    const sure = heard.readings.map((reading) => ({ ...reading, emotions: ANGRY }));
    const far = measure({ voice: { ...heard, readings: sure } });
    expect(far.emotion).toMatchObject({ words, decided_by: 'voice' });
    expect(far.acoustic_reasoning).toContain('suggests the emotion: anger; the words alone suggest neutral');
    const without = measure({
      voice: await measureVoice({ samples: high, text: TEXT, usual, isRead: true }),
      affect: 'words',
    });
    expect(without.emotion).toMatchObject({ emotion: words.emotion, voice: null, decided_by: 'words' });
  });

  it('is the same every time', () => expect(measure()).toEqual(measure()));

  it('is less sure of an emotion when the words are', () => {
    expect(measure({ asrConfidence: 0.4 }).emotion!.confidence).toBeLessThan(measure().emotion!.confidence);
  });

  it('averages the confidence of emotion, sentiment and cognitive state', () => {
    const { emotion, cognitive, sentiment, confidence } = measure();
    const certain = Math.max(sentiment!.positive, sentiment!.negative, sentiment!.neutral);
    expect(confidence).toBeCloseTo((emotion!.confidence + certain + cognitive!.confidence) / 3, 3);
  });

  it('is read from the words alone where that is asked, and its voice only measured', () => {
    const [full, words] = [measure(), measure({ affect: 'words' })];
    expect(TimelineEntrySchema.parse(words)).toEqual(words);
    const unheard = measure({ voice: null });
    for (const field of ['emotion', 'cognitive', 'commitment_score', 'passion_score', 'conviction_score'] as const)
      expect(words[field]).toEqual(unheard[field]);
    expect(words.emotions).not.toEqual(full.emotions);
    expect(words.prosody).toEqual({ ...full.prosody, commitment_markers: null, passion_markers: null });
    expect([words.prosody_desc, words.acoustic_insights]).toEqual([full.prosody_desc, full.acoustic_insights]);
    expect([words.acoustic_reasoning, words.delivery_style]).toEqual([
      'Based on the words alone, as requested.',
      'not judged',
    ]);
  });

  it('holds nothing of affect where none is to be read, and all else as it is', () => {
    const [full, none] = [measure(), measure({ affect: 'none' })];
    expect(TimelineEntrySchema.parse(none)).toEqual(none);
    expect(Object.keys(none)).toEqual(Object.keys(full));
    const same = Object.keys(full).filter(
      (name) => JSON.stringify(none[name as 'text']) === JSON.stringify(full[name as 'text']),
    );
    expect(same).toEqual([
      ...[
        'utterance_id',
        'speaker',
        'speaker_label',
        't_start',
        't_end',
        'text',
        'asr_confidence',
        'prosody_desc',
        'lexical_markers',
      ],
      ...['acoustic_insights', 'words', 'speaker_confidence', 'overlap_ratio'],
    ]);
    const { prosody, acoustic, ...rest } = none;
    for (const [name, value] of Object.entries(rest)) if (!same.includes(name)) expect(value, name).toBeNull();
    expect(prosody).toEqual({ ...full.prosody, commitment_markers: null, passion_markers: null });
    const { acoustic_insights, hesitation_patterns, emphasis_points, ...read } = acoustic;
    expect({ acoustic_insights, hesitation_patterns, emphasis_points }).toEqual({
      acoustic_insights: full.acoustic.acoustic_insights,
      hesitation_patterns: full.acoustic.hesitation_patterns,
      emphasis_points: full.acoustic.emphasis_points,
    });
    expect(new Set(Object.values(read))).toEqual(new Set([null]));
    expect(measure({ affect: 'none', voice: null }).acoustic_reasoning).toBeNull();
  });
});
