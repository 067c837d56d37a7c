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
  description: '`provisional` while a live session is running, `final` once the whole recording has been analysed.',
});
export type Stability = z.infer<typeof StabilitySchema>;

export const LiveIdsSchema = z
  .array(z.string())
  .optional()
  .describe(
    'The ids under which the events of a live session named this before its final analysis; absent for a file. Empty if the session had nothing of the kind.',
  );

export const EmotionMapSchema = z
  .object({ joy: unit, sadness: unit, anger: unit, fear: unit, surprise: unit, disgust: unit, neutral: unit })
  .meta({ id: 'EmotionMap', description: 'Seven shares, each 0..1, which sum to 1 (± 1e-6).' });
export type EmotionMap = z.infer<typeof EmotionMapSchema>;

export const PadSchema = z
  .object({ valence: unit, arousal: unit, dominance: unit })
  .meta({ id: 'Pad', description: 'Valence, arousal and dominance, each 0..1, where 0.5 is neutral.' });
export type Pad = z.infer<typeof PadSchema>;

export const CognitiveSignalsSchema = z
  .object({ focused: unit, confused: unit, engaged: unit, disengaged: unit, thoughtful: unit, uncertain: unit })
  .meta({
    id: 'CognitiveSignals',
    description: "Six signals of a speaker's attention and understanding, each 0..1; they do not sum to 1.",
  });
export type CognitiveSignals = z.infer<typeof CognitiveSignalsSchema>;

export const SentimentSchema = z
  .object({ positive: unit, negative: unit, neutral: unit })
  .meta({ id: 'Sentiment', description: 'Three shares, each 0..1, which sum to 1.' });
export type Sentiment = z.infer<typeof SentimentSchema>;

export const LexicalMarkersSchema = z
  .object({
    hedge_density: unit.describe('Hedge phrases / words, 0..1.'),
    disfluency_rate: unit.describe('(Fillers + repeats + repairs) / words, 0..1.'),
    is_question: z.boolean(),
    self_repair: z.boolean().describe('Whether words were restarted or cut off.'),
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

export const UnreadSchema = z.enum(['not_understood', 'language']).meta({
  id: 'Unread',
  description:
    'Why nothing was concluded from the words of an utterance: the recogniser did not understand them, or the analysis does not support their language.',
});
export type Unread = z.infer<typeof UnreadSchema>;

/**
 * The part of an utterance that the conversation analysis needs. Every TimelineEntry (`timeline-entry.ts`) has it, and
 * so does an entry that a client edited or shortened. Only the speaker, times and text are required (spec: POST
 * /segment/conversation).
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
        pitch_hz: z.number().min(0).nullable(),
        pitch_z: z.number(),
        speech_rate: z.number().min(0),
        final_contour: z.string(),
        confidence: unit,
      })
      .partial()
      .optional(),
    emotions: EmotionMapSchema.partial().nullish(),
    dominant_emotion: EmotionSchema.nullish(),
    pad_scores: PadSchema.nullish(),
    emotion: z.looseObject({ confidence: unit.optional(), scores: PadSchema.optional() }).nullish(),
    sentiment: SentimentSchema.partial().nullish(),
    polarity: z.number().min(-1).max(1).nullish(),
    subjectivity: unit.nullish(),
    cognitive_signals: CognitiveSignalsSchema.partial().nullish(),
    engagement: unit.nullish(),
    load_level: LevelSchema.nullish(),
    commitment_score: unit.nullish(),
    commitment_level: LevelSchema.nullish(),
    passion_score: unit.nullish(),
    conviction_score: unit.nullish(),
    lexical_markers: LexicalMarkersSchema.partial().optional(),
    confidence: unit.nullish(),
    words: listOf(
      WordSchema.extend({ word: LabelSchema }).partial({ t_start: true, t_end: true }),
      LIMITS.words,
    ).optional(),
    speaker_confidence: unit.optional(),
    overlap_ratio: unit.optional(),
    unread: UnreadSchema.optional(),
  })
  .refine((u) => u.t_end >= u.t_start, { path: ['t_end'], message: 'must not be before t_start' })
  .meta({
    id: 'UtteranceInput',
    description:
      'An utterance of a timeline to segment: any entry of an analysis, which may be edited or shortened. Only id, speaker, times and text are required; unknown members are ignored.',
  });
export type Utterance = z.infer<typeof UtteranceSchema>;
