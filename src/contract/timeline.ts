import * as z from 'zod';
import { LabelSchema, LIMITS, listOf, textOf } from './limits.ts';

/** The seven emotions, in wire order (spec: EmotionResult). */
export const EMOTIONS = ['joy', 'sadness', 'anger', 'fear', 'surprise', 'disgust', 'neutral'] as const;
export type Emotion = (typeof EMOTIONS)[number];

/** The six cognitive signals (spec: CognitiveResult). */
export const COGNITIVE_SIGNALS = ['focused', 'confused', 'engaged', 'disengaged', 'thoughtful', 'uncertain'] as const;
export type CognitiveSignal = (typeof COGNITIVE_SIGNALS)[number];

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0);

export const LevelSchema = z.enum(['low', 'moderate', 'high']);
export type Level = z.infer<typeof LevelSchema>;
export const PassionLevelSchema = z.enum([
  'reserved',
  'mildly_passionate',
  'moderately_passionate',
  'highly_passionate',
]);
export type PassionLevel = z.infer<typeof PassionLevelSchema>;
export const ConvictionLevelSchema = z.enum(['weak', 'moderate', 'strong']);
export type ConvictionLevel = z.infer<typeof ConvictionLevelSchema>;
export const StabilitySchema = z.enum(['provisional', 'final']);
export type Stability = z.infer<typeof StabilitySchema>;

/** Seven numbers 0..1 that sum to 1 (± 1e-6). */
export const EmotionMapSchema = z.object({
  joy: unit,
  sadness: unit,
  anger: unit,
  fear: unit,
  surprise: unit,
  disgust: unit,
  neutral: unit,
});
export type EmotionMap = z.infer<typeof EmotionMapSchema>;

/** Valence, arousal, dominance, each 0..1 with 0.5 the middle. */
export const PadSchema = z.object({ valence: unit, arousal: unit, dominance: unit });
export type Pad = z.infer<typeof PadSchema>;

export const CommitmentMarkersSchema = z.object({
  pitch_stability: unit,
  /** 0 rising, 0.5 level or not measured, 1 falling. */
  pitch_contour: unit,
  energy_strength: unit,
  energy_consistency: unit,
  duration_confidence: unit,
  commitment_score: unit,
  commitment_level: LevelSchema,
});
export type CommitmentMarkers = z.infer<typeof CommitmentMarkersSchema>;

export const PassionMarkersSchema = z.object({
  pitch_dynamism: unit,
  pitch_variation: unit,
  energy_level: unit,
  energy_dynamics: unit,
  spectral_richness: unit,
  spectral_variation: unit,
  passion_score: unit,
  passion_level: PassionLevelSchema,
  conviction_score: unit,
  conviction_level: ConvictionLevelSchema,
});
export type PassionMarkers = z.infer<typeof PassionMarkersSchema>;

/**
 * Acoustic measures of one utterance. The first block are the specification's keys; the second block is an extension.
 * A measure that could not be taken is 0 and `confidence` says how far the block can be trusted.
 */
export const ProsodySchema = z.object({
  /** Median fundamental frequency of the voiced frames, Hz; 0 when nothing is voiced. */
  pitch_hz: z.number().min(0),
  /** Standard deviation of the fundamental frequency, Hz. */
  pitch_std: z.number().min(0),
  /** 95th minus 5th percentile of the fundamental frequency, Hz. */
  pitch_range: z.number().min(0),
  /** Root mean square of the samples of the speech frames, full scale = 1. */
  energy_rms: z.number().min(0),
  /** Standard deviation of the frame RMS, full scale = 1. */
  energy_std: z.number().min(0),
  energy_max: z.number().min(0),
  /** Seconds. */
  duration: seconds,
  /** Silence between the end of whatever was said last, by anyone, and this utterance; 0 for overlap. */
  pause_before_ms: z.number().int().min(0),
  /** Hz. */
  spectral_centroid: z.number().min(0),
  /** Spread around the centroid, Hz. */
  spectral_std: z.number().min(0),
  /** Zero crossings per sample, 0..1. */
  zcr: unit,
  /** Silent share of the utterance, 0..1. */
  pause_ratio: unit,
  /** Pitch against the speaker's own baseline, in shrunken standard deviations. */
  pitch_z: z.number(),
  /** Energy against the speaker's own baseline, in shrunken standard deviations. */
  energy_z: z.number(),
  commitment_markers: CommitmentMarkersSchema,
  passion_markers: PassionMarkersSchema,
  voiced_ratio: unit,
  /** Mean intensity of the speech frames, dB re full scale (a full-scale square wave is 0). */
  intensity_db: z.number(),
  /** Harmonics-to-noise ratio, dB. */
  hnr_db: z.number(),
  /** Local jitter, share of the period. */
  jitter: z.number().min(0),
  /** Local shimmer, share of the amplitude. */
  shimmer: z.number().min(0),
  /** Syllables a second over the whole utterance (De Jong & Wempe 2009). */
  speech_rate: z.number().min(0),
  /** Syllables a second of phonation. */
  articulation_rate: z.number().min(0),
  /** Speech rate against the speaker's own baseline, in shrunken standard deviations. */
  rate_z: z.number(),
  pause_count: z.number().int().min(0),
  pause_mean_ms: z.number().min(0),
  final_contour: z.enum(['rising', 'falling', 'level', 'unknown']),
  /** Change of pitch over the last 200 ms of voice, semitones. */
  final_slope_st: z.number(),
  /** Energy 50-1000 Hz over 1-5 kHz, dB. */
  alpha_ratio_db: z.number(),
  /** 0..1: how far the acoustic measures of this utterance can be trusted. */
  confidence: unit,
  /** Why the confidence is low, when it is. */
  confidence_reason: z.string().optional(),
});
export type Prosody = z.infer<typeof ProsodySchema>;

/** Spec: EmotionResult, timeline `emotion` and payload of the `emotion` event. */
export const EmotionResultSchema = z.object({
  utterance_id: z.string(),
  speaker_id: z.string(),
  emotion: EmotionMapSchema,
  scores: PadSchema,
  confidence: unit,
  stability: StabilitySchema,
});
export type EmotionResult = z.infer<typeof EmotionResultSchema>;

export const CognitiveSignalsSchema = z.object({
  focused: unit,
  confused: unit,
  engaged: unit,
  disengaged: unit,
  thoughtful: unit,
  uncertain: unit,
});
export type CognitiveSignals = z.infer<typeof CognitiveSignalsSchema>;

/** Spec: CognitiveResult. */
export const CognitiveResultSchema = z.object({
  utterance_id: z.string(),
  signals: CognitiveSignalsSchema,
  engagement: unit,
  load_level: LevelSchema,
  confidence: unit,
  stability: StabilitySchema,
});
export type CognitiveResult = z.infer<typeof CognitiveResultSchema>;

/** positive, negative and neutral are 0..1 and sum to 1. */
export const SentimentSchema = z.object({ positive: unit, negative: unit, neutral: unit });
export type Sentiment = z.infer<typeof SentimentSchema>;

export const LexicalMarkersSchema = z.object({
  /** Hedge tokens / words, 0..1. */
  hedge_density: unit,
  /** (Fillers + repeats + repairs) / words, 0..1. */
  disfluency_rate: unit,
  is_question: z.boolean(),
  self_repair: z.boolean(),
  reasoning: z.string(),
});
export type LexicalMarkers = z.infer<typeof LexicalMarkersSchema>;

export const AcousticSchema = z.object({
  commitment_level: LevelSchema,
  commitment_score: unit,
  passion_level: PassionLevelSchema,
  passion_score: unit,
  conviction_level: ConvictionLevelSchema,
  acoustic_insights: z.array(z.string()),
  delivery_style: z.string(),
  factuality_markers: z.array(z.string()).nullable(),
  hesitation_patterns: z.array(z.string()),
  emphasis_points: z.array(z.string()),
});
export type Acoustic = z.infer<typeof AcousticSchema>;

export const WordSchema = z.object({ word: z.string(), t_start: seconds, t_end: seconds, confidence: unit });
export type Word = z.infer<typeof WordSchema>;

/** Spec: TimelineEntry with every "further field observed", always present (decisions: Shapes). */
export const TimelineEntrySchema = z.object({
  utterance_id: z.string(),
  speaker: z.string(),
  t_start: seconds,
  t_end: seconds,
  text: z.string(),
  /** exp(mean token log-probability) of the recogniser; good at the ends, flat between. */
  asr_confidence: unit,
  /** Empty when audio processing failed after streaming (not an error). */
  prosody: z.union([ProsodySchema, z.strictObject({})]),
  prosody_desc: z.string(),
  emotion: EmotionResultSchema,
  sentiment: SentimentSchema,
  /** -1..1 */
  polarity: z.number().min(-1).max(1),
  subjectivity: unit,
  cognitive: CognitiveResultSchema,
  commitment_score: unit,
  commitment_level: LevelSchema,
  passion_score: unit,
  passion_level: PassionLevelSchema,
  conviction_score: unit,
  lexical_markers: LexicalMarkersSchema,
  acoustic_reasoning: z.string(),
  /** Average confidence across agents (emotion, sentiment, cognitive). */
  confidence: unit,
  emotions: EmotionMapSchema,
  dominant_emotion: z.enum(EMOTIONS),
  cognitive_signals: CognitiveSignalsSchema,
  engagement: unit,
  load_level: LevelSchema,
  pad_scores: PadSchema,
  conviction_level: ConvictionLevelSchema,
  acoustic: AcousticSchema,
  acoustic_insights: z.array(z.string()),
  delivery_style: z.string(),
  words: z.array(WordSchema),
  /** Extension: how sure the speaker label is. */
  speaker_confidence: unit,
  /** Extension: share of the utterance in which somebody else speaks too. */
  overlap_ratio: unit,
});
export type TimelineEntry = z.infer<typeof TimelineEntrySchema>;

/**
 * What the conversation needs of an utterance. Every TimelineEntry is one; so is an entry a client edited or stripped:
 * only who, when and what are required (spec: POST /segment/conversation).
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
    dominant_emotion: z.enum(EMOTIONS).optional(),
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
  .refine((u) => u.t_end >= u.t_start, { path: ['t_end'], message: 't_end lies before t_start' });
export type Utterance = z.infer<typeof UtteranceSchema>;
