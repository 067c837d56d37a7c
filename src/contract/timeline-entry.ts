import * as z from 'zod';
import {
  CognitiveSignalsSchema,
  EmotionMapSchema,
  EmotionSchema,
  LevelSchema,
  LexicalMarkersSchema,
  PadSchema,
  SentimentSchema,
  StabilitySchema,
  WordSchema,
} from './timeline.ts';

const unit = z.number().min(0).max(1);
const atLeast0 = z.number().min(0);

export const PassionLevelSchema = z
  .enum(['reserved', 'mildly_passionate', 'moderately_passionate', 'highly_passionate'])
  .meta({ id: 'PassionLevel' });
export type PassionLevel = z.infer<typeof PassionLevelSchema>;
export const ConvictionLevelSchema = z.enum(['weak', 'moderate', 'strong']).meta({ id: 'ConvictionLevel' });
export type ConvictionLevel = z.infer<typeof ConvictionLevelSchema>;

export const CommitmentMarkersSchema = z
  .object({
    pitch_stability: unit.describe('Little deviation of pitch.'),
    pitch_contour: unit.describe('0 rising, 0.5 level or not measured, 1 falling.'),
    energy_strength: unit.describe('Intensity.'),
    energy_consistency: unit.describe('Little deviation of intensity.'),
    duration_confidence: unit.describe('Pace without pauses.'),
    commitment_score: unit,
    commitment_level: LevelSchema,
  })
  .meta({
    id: 'CommitmentMarkers',
    description: "Indices of delivery against the speaker's own baseline: 0.5 as usual. Not of truth.",
  });
export type CommitmentMarkers = z.infer<typeof CommitmentMarkersSchema>;

export const PassionMarkersSchema = z
  .object({
    pitch_dynamism: unit.describe('The higher tenth of pitch.'),
    pitch_variation: unit.describe('Deviation of pitch.'),
    energy_level: unit.describe('Intensity.'),
    energy_dynamics: unit.describe('Deviation of intensity.'),
    spectral_richness: unit.describe('Energy above 1 kHz.'),
    spectral_variation: unit.describe('Deviation of the spectral centroid.'),
    passion_score: unit,
    passion_level: PassionLevelSchema,
    conviction_score: unit,
    conviction_level: ConvictionLevelSchema,
  })
  .meta({ id: 'PassionMarkers', description: "Indices of delivery against the speaker's own baseline: 0.5 as usual." });
export type PassionMarkers = z.infer<typeof PassionMarkersSchema>;

const UNHEARD = 'Null where the voice is not to be read for affect.';

/** The first block are the specification's keys; the second block is an extension. */
export const ProsodySchema = z
  .object({
    pitch_hz: atLeast0.describe('Median fundamental frequency of the voiced frames, Hz; 0 when nothing is voiced.'),
    pitch_std: atLeast0.describe('Standard deviation of the fundamental frequency, Hz.'),
    pitch_range: atLeast0.describe('95th minus 5th percentile of the fundamental frequency, Hz.'),
    energy_rms: atLeast0.describe('Root mean square of the samples of the speech frames, full scale = 1.'),
    energy_std: atLeast0.describe('Standard deviation of the root mean square of the frames, full scale = 1.'),
    energy_max: atLeast0.describe('Root mean square of the loudest 30 ms, full scale = 1.'),
    duration: atLeast0.describe('Length of the utterance, seconds.'),
    pause_before_ms: z
      .number()
      .int()
      .min(0)
      .describe('Silence between the end of whatever was said last, by anyone, and this utterance; 0 for overlap.'),
    spectral_centroid: atLeast0.describe('Hz.'),
    spectral_std: atLeast0.describe('Spread around the centroid, Hz.'),
    zcr: unit.describe('Zero crossings per sample, 0..1.'),
    pause_ratio: unit.describe('Silent share of the utterance, 0..1.'),
    pitch_z: z.number().describe("Pitch against the speaker's own baseline, in shrunken standard deviations."),
    energy_z: z.number().describe("Energy against the speaker's own baseline, in shrunken standard deviations."),
    commitment_markers: CommitmentMarkersSchema.nullable().describe(UNHEARD),
    passion_markers: PassionMarkersSchema.nullable().describe(UNHEARD),

    voiced_ratio: unit.describe('Voiced share of the speech frames.'),
    intensity_db: z
      .number()
      .describe('Mean intensity of the speech frames, dB re full scale (a full-scale square wave is 0).'),
    hnr_db: z.number().describe('Harmonics-to-noise ratio, dB.'),
    jitter: atLeast0.describe('Local jitter, share of the period.'),
    shimmer: atLeast0.describe('Local shimmer, share of the amplitude.'),
    speech_rate: atLeast0.describe('Syllables a second over the whole utterance (De Jong & Wempe 2009).'),
    articulation_rate: atLeast0.describe('Syllables a second of phonation.'),
    rate_z: z.number().describe("Speech rate against the speaker's own baseline, in shrunken standard deviations."),
    pause_count: z.number().int().min(0).describe('Silences of at least 150 ms inside the utterance.'),
    pause_mean_ms: atLeast0,
    final_contour: z
      .enum(['rising', 'falling', 'level', 'unknown'])
      .describe('Direction of pitch over the last 200 ms of voice.'),
    final_slope_st: z.number().describe('Change of pitch over the last 200 ms of voice, semitones.'),
    alpha_ratio_db: z.number().describe('Energy 50-1000 Hz over 1-5 kHz, dB.'),
    confidence: unit.describe('How far the acoustic measures of this utterance can be trusted, 0..1.'),
    confidence_reason: z.string().optional().describe('Why the confidence is low, when it is.'),
  })
  .meta({
    id: 'Prosody',
    description:
      'Acoustic measures of one utterance. A measure that could not be taken is 0, and `confidence` says how far the block can be trusted.',
  });
export type Prosody = z.infer<typeof ProsodySchema>;

export const SourceReadingSchema = z
  .object({
    emotion: EmotionMapSchema,
    scores: PadSchema,
    confidence: unit.describe('How far it was trusted here: not the probability of its largest class.'),
  })
  .meta({
    id: 'SourceReading',
    description: 'What the words, or the voice, say of the affect of an utterance by themselves.',
  });
export type SourceReading = z.infer<typeof SourceReadingSchema>;

export const EmotionResultSchema = z
  .object({
    utterance_id: z.string(),
    speaker_id: z.string(),
    emotion: EmotionMapSchema.describe('Words and voice together.'),
    scores: PadSchema.describe('Words and voice together.'),
    confidence: unit.describe('Share of the dominant class, lowered where it is that of words that were hardly heard.'),
    stability: StabilitySchema,
    words: SourceReadingSchema.describe('The words alone.'),
    voice: SourceReadingSchema.nullable().describe(
      'The voice alone, all classes equally likely beforehand; null where it was not read.',
    ),
    decided_by: z
      .enum(['words', 'voice'])
      .describe('`voice` where the largest class of both together is another than that of the words.'),
  })
  .meta({
    id: 'EmotionResult',
    description: 'Emotion of one utterance: `emotion` of a timeline entry, and the event of that name.',
  });
export type EmotionResult = z.infer<typeof EmotionResultSchema>;

export const CognitiveResultSchema = z
  .object({
    utterance_id: z.string(),
    signals: CognitiveSignalsSchema,
    engagement: unit,
    load_level: LevelSchema.describe('Cognitive load, by stumbling, pauses and pace.'),
    confidence: unit.describe('An amount of evidence, not a probability.'),
    stability: StabilitySchema,
  })
  .meta({ id: 'CognitiveResult' });
export type CognitiveResult = z.infer<typeof CognitiveResultSchema>;

export const AcousticSchema = z
  .object({
    commitment_level: LevelSchema.nullable(),
    commitment_score: unit.nullable(),
    passion_level: PassionLevelSchema.nullable(),
    passion_score: unit.nullable(),
    conviction_level: ConvictionLevelSchema.nullable(),
    acoustic_insights: z.array(z.string()),
    delivery_style: z.string().nullable(),
    factuality_markers: z
      .array(z.string())
      .nullable()
      .describe('Words by which the speaker vouches or doubts, quoted; null when there are none.'),
    hesitation_patterns: z.array(z.string()),
    emphasis_points: z.array(z.string()).describe('Words on which pitch and loudness stand out together.'),
  })
  .meta({
    id: 'Acoustic',
    description:
      "The voice's own share of the readings; the words' where the sound could not be measured or does not count. What is read of affect is null where it is not to be read.",
  });
export type Acoustic = z.infer<typeof AcousticSchema>;

/** Spec: TimelineEntry with every "further field observed", always present (decisions: Shapes). */
export const TimelineEntrySchema = z
  .object({
    utterance_id: z.string().describe('`<conversation_id>_utt_<n>`.'),
    speaker: z.string().describe('`Speaker_<n>`, in order of first speech.'),
    t_start: atLeast0.describe('Seconds from the start of the recording.'),
    t_end: atLeast0.describe('Seconds from the start of the recording.'),
    text: z.string(),
    asr_confidence: unit.describe('exp(mean token log-probability) of the recogniser; good at the ends, flat between.'),
    heard_by: z.string().optional().describe('Who heard the words, where it was another recogniser than was asked.'),
    prosody: z
      .union([ProsodySchema, z.strictObject({})])
      .describe('Empty when the sound could not be measured, which is no error.'),
    prosody_desc: z.string().describe('The prosody in a sentence.'),
    emotion: EmotionResultSchema.nullable(),
    sentiment: SentimentSchema.nullable(),
    polarity: z.number().min(-1).max(1).nullable().describe('-1 negative .. 1 positive.'),
    subjectivity: unit.nullable(),
    cognitive: CognitiveResultSchema.nullable(),
    commitment_score: unit.nullable(),
    commitment_level: LevelSchema.nullable(),
    passion_score: unit.nullable(),
    passion_level: PassionLevelSchema.nullable(),
    conviction_score: unit.nullable(),
    lexical_markers: LexicalMarkersSchema,
    acoustic_reasoning: z.string().nullable().describe('The delivery in words, quoting only what was measured.'),
    confidence: unit.nullable().describe('Mean of the confidences of emotion, sentiment and cognitive state.'),
    emotions: EmotionMapSchema.nullable(),
    dominant_emotion: EmotionSchema.nullable(),
    cognitive_signals: CognitiveSignalsSchema.nullable(),
    engagement: unit.nullable(),
    load_level: LevelSchema.nullable(),
    pad_scores: PadSchema.nullable(),
    conviction_level: ConvictionLevelSchema.nullable(),
    acoustic: AcousticSchema,
    acoustic_insights: z.array(z.string()),
    delivery_style: z.string().nullable(),
    words: z.array(WordSchema),
    speaker_confidence: unit.describe('How sure the speaker label is.'),
    overlap_ratio: unit.describe('Share of the utterance in which somebody else speaks too.'),
  })
  .meta({
    id: 'TimelineEntry',
    description:
      'One utterance: who, when, what and how. What is read of affect is null where it is not to be read (`affect`: `none`).',
  });
export type TimelineEntry = z.infer<typeof TimelineEntrySchema>;
