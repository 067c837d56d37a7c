import * as z from 'zod';
import { LabelSchema, LIMITS, listOf, textOf } from './limits.ts';

/** The seven emotions, in wire order (spec: EmotionResult). */
export const EMOTIONS = ['joy', 'sadness', 'anger', 'fear', 'surprise', 'disgust', 'neutral'] as const;
export const EmotionSchema = z.enum(EMOTIONS).meta({ id: 'Emotion' });
export type Emotion = z.infer<typeof EmotionSchema>;

/** The six cognitive signals (spec: CognitiveResult). */
export const COGNITIVE_SIGNALS = ['focused', 'confused', 'engaged', 'disengaged', 'thoughtful', 'uncertain'] as const;
export const CognitiveSignalSchema = z.enum(COGNITIVE_SIGNALS).meta({ id: 'CognitiveSignal' });
export type CognitiveSignal = z.infer<typeof CognitiveSignalSchema>;

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0);

export const LevelSchema = z.enum(['low', 'moderate', 'high']).meta({ id: 'Level' });
export type Level = z.infer<typeof LevelSchema>;
export const StabilitySchema = z.enum(['provisional', 'final']).meta({
  id: 'Stability',
  description: 'Whether the whole recording was heard; while a live session goes on, results are provisional.',
});
export type Stability = z.infer<typeof StabilitySchema>;

export const EmotionMapSchema = z
  .object({ joy: unit, sadness: unit, anger: unit, fear: unit, surprise: unit, disgust: unit, neutral: unit })
  .meta({ id: 'EmotionMap', description: 'Seven shares, each 0..1, that sum to 1 (± 1e-6).' });
export type EmotionMap = z.infer<typeof EmotionMapSchema>;

export const PadSchema = z
  .object({ valence: unit, arousal: unit, dominance: unit })
  .meta({ id: 'Pad', description: 'Valence, arousal and dominance, each 0..1 with 0.5 the middle.' });
export type Pad = z.infer<typeof PadSchema>;

export const CognitiveSignalsSchema = z
  .object({ focused: unit, confused: unit, engaged: unit, disengaged: unit, thoughtful: unit, uncertain: unit })
  .meta({
    id: 'CognitiveSignals',
    description: 'Six signals of how a speaker follows, each 0..1; they do not sum to 1.',
  });
export type CognitiveSignals = z.infer<typeof CognitiveSignalsSchema>;

export const SentimentSchema = z
  .object({ positive: unit, negative: unit, neutral: unit })
  .meta({ id: 'Sentiment', description: 'Three shares, each 0..1, that sum to 1.' });
export type Sentiment = z.infer<typeof SentimentSchema>;

export const LexicalMarkersSchema = z
  .object({
    hedge_density: unit.describe('Hedge phrases / words, 0..1.'),
    disfluency_rate: unit.describe('(Fillers + repeats + repairs) / words, 0..1.'),
    is_question: z.boolean(),
    self_repair: z.boolean().describe('A stretch was begun again or cut off.'),
    reasoning: z.string().describe('The counts and words behind these numbers.'),
  })
  .meta({ id: 'LexicalMarkers' });
export type LexicalMarkers = z.infer<typeof LexicalMarkersSchema>;

export const WordSchema = z
  .object({
    word: z.string(),
    t_start: seconds.describe('Seconds from the start of the recording.'),
    t_end: seconds.describe('Seconds from the start of the recording.'),
    confidence: unit,
  })
  .meta({ id: 'Word' });
export type Word = z.infer<typeof WordSchema>;

/**
 * What the conversation needs of an utterance. Every TimelineEntry (`timeline-entry.ts`) is one; so is an entry a client
 * edited or stripped: only who, when and what are required (spec: POST /segment/conversation).
 */
export const UtteranceSchema = z
  .looseObject({
    utterance_id: LabelSchema.min(1),
    speaker: LabelSchema.min(1),
    t_start: seconds,
    t_end: seconds,
    text: textOf(LIMITS.textChars),
    asr_confidence: unit.optional(),
    prosody: z
      .looseObject({
        pause_before_ms: z.number().min(0),
        duration: seconds,
        pause_ratio: unit,
        energy_z: z.number(),
        pitch_z: z.number(),
        speech_rate: z.number().min(0),
        final_contour: z.string(),
        confidence: unit,
      })
      .partial()
      .optional(),
    emotions: EmotionMapSchema.partial().optional(),
    dominant_emotion: EmotionSchema.optional(),
    pad_scores: PadSchema.optional(),
    emotion: z.looseObject({ confidence: unit.optional(), scores: PadSchema.optional() }).optional(),
    sentiment: SentimentSchema.partial().optional(),
    polarity: z.number().min(-1).max(1).optional(),
    subjectivity: unit.optional(),
    cognitive_signals: CognitiveSignalsSchema.partial().optional(),
    engagement: unit.optional(),
    load_level: LevelSchema.optional(),
    commitment_score: unit.optional(),
    commitment_level: LevelSchema.optional(),
    passion_score: unit.optional(),
    conviction_score: unit.optional(),
    lexical_markers: LexicalMarkersSchema.partial().optional(),
    confidence: unit.optional(),
    words: listOf(
      WordSchema.extend({ word: LabelSchema }).partial({ t_start: true, t_end: true }),
      LIMITS.words,
    ).optional(),
    speaker_confidence: unit.optional(),
    overlap_ratio: unit.optional(),
  })
  .refine((u) => u.t_end >= u.t_start, { path: ['t_end'], message: 't_end lies before t_start' })
  .meta({
    id: 'UtteranceInput',
    description:
      'An utterance of a timeline to be segmented: any entry of an analysis, edited or stripped. Only who, when and what are required; other members are passed over.',
  });
export type Utterance = z.infer<typeof UtteranceSchema>;
