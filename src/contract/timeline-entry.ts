import * as z from 'zod';
import {
  CognitiveSignalsSchema,
  EmotionMapSchema,
  EmotionSchema,
  LevelSchema,
  LexicalMarkersSchema,
  LiveIdsSchema,
  PadSchema,
  SentimentSchema,
  StabilitySchema,
  UnreadSchema,
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
    pitch_stability: unit.describe('Steadiness of pitch.'),
    pitch_contour: unit.describe('Final pitch: 0 rising, 0.5 level or not measured, 1 falling.'),
    energy_strength: unit.describe('Intensity.'),
    energy_consistency: unit.describe('Steadiness of intensity.'),
    duration_confidence: unit.describe('Pace without pauses.'),
    commitment_score: unit,
    commitment_level: LevelSchema,
  })
  .meta({
    id: 'CommitmentMarkers',
    description:
      "Indices of delivery relative to the speaker's own baseline, where 0.5 is typical. They do not measure truth.",
  });
export type CommitmentMarkers = z.infer<typeof CommitmentMarkersSchema>;

export const PassionMarkersSchema = z
  .object({
    pitch_dynamism: unit.describe('The highest tenth of pitch.'),
    pitch_variation: unit.describe('Variation of pitch.'),
    energy_level: unit.describe('Intensity.'),
    energy_dynamics: unit.describe('Variation of intensity.'),
    spectral_richness: unit.describe('Energy above 1 kHz.'),
    spectral_variation: unit.describe('Variation of the spectral centroid.'),
    passion_score: unit,
    passion_level: PassionLevelSchema,
    conviction_score: unit,
    conviction_level: ConvictionLevelSchema,
  })
  .meta({
    id: 'PassionMarkers',
    description: "Indices of delivery relative to the speaker's own baseline, where 0.5 is typical.",
  });
export type PassionMarkers = z.infer<typeof PassionMarkersSchema>;

const NO_VOICE_AFFECT = 'Null if affect is not measured from the voice.';

/** The first block has the specification's keys. The second block is an extension. */
export const ProsodySchema = z
  .object({
    pitch_hz: atLeast0.describe('Median fundamental frequency of the voiced frames in Hz; 0 if nothing is voiced.'),
    pitch_std: atLeast0.describe('Standard deviation of the fundamental frequency in Hz.'),
    pitch_range: atLeast0.describe('95th minus 5th percentile of the fundamental frequency in Hz.'),
    energy_rms: atLeast0.describe('Root mean square of the samples of the speech frames, full scale = 1.'),
    energy_std: atLeast0.describe('Standard deviation of the root mean square of the frames, full scale = 1.'),
    energy_max: atLeast0.describe('Root mean square of the loudest 30 ms, full scale = 1.'),
    duration: atLeast0.describe('Length of the utterance in seconds.'),
    pause_before_ms: z
      .number()
      .int()
      .min(0)
      .describe('Silence before this utterance in ms, regardless of who spoke last; 0 for overlap.'),
    spectral_centroid: atLeast0.describe('Centre of gravity of the spectrum in Hz.'),
    spectral_std: atLeast0.describe('Spread of the spectrum around the centroid in Hz.'),
    zcr: unit.describe('Zero crossings per sample, 0..1.'),
    pause_ratio: unit.describe('Silent share of the utterance, 0..1.'),
    pitch_z: z.number().describe("Pitch relative to the speaker's own baseline, in shrunken standard deviations."),
    energy_z: z.number().describe("Energy relative to the speaker's own baseline, in shrunken standard deviations."),
    commitment_markers: CommitmentMarkersSchema.nullable().describe(NO_VOICE_AFFECT),
    passion_markers: PassionMarkersSchema.nullable().describe(NO_VOICE_AFFECT),

    voiced_ratio: unit.describe('Voiced share of the speech frames.'),
    intensity_db: z
      .number()
      .describe('Mean intensity of the speech frames in dB re full scale (a full-scale square wave is 0).'),
    hnr_db: z.number().describe('Harmonics-to-noise ratio in dB.'),
    jitter: atLeast0.describe('Local jitter as a share of the period.'),
    shimmer: atLeast0.describe('Local shimmer as a share of the amplitude.'),
    speech_rate: atLeast0.describe('Syllables per second over the whole utterance (De Jong & Wempe 2009).'),
    articulation_rate: atLeast0.describe('Syllables per second of phonation.'),
    rate_z: z.number().describe("Speech rate relative to the speaker's own baseline, in shrunken standard deviations."),
    pause_count: z.number().int().min(0).describe('Silences of at least 150 ms inside the utterance.'),
    pause_mean_ms: atLeast0,
    final_contour: z
      .enum(['rising', 'falling', 'level', 'unknown'])
      .describe('Direction of pitch over the last 200 ms of voiced speech.'),
    final_slope_st: z.number().describe('Change of pitch over the last 200 ms of voiced speech in semitones.'),
    alpha_ratio_db: z.number().describe('Ratio of the energy in 50-1000 Hz to that in 1-5 kHz, in dB.'),
    confidence: unit.describe('Reliability of the acoustic measures of this utterance, 0..1.'),
    confidence_reason: z.string().optional().describe('The reason for a low confidence.'),
  })
  .meta({
    id: 'Prosody',
    description:
      'Acoustic measures of one utterance. A measure that could not be taken is 0; `confidence` is the reliability of all of them.',
  });
export type Prosody = z.infer<typeof ProsodySchema>;

export const SourceReadingSchema = z
  .object({
    emotion: EmotionMapSchema,
    scores: PadSchema,
    confidence: unit.describe('The weight of this source here; not the probability of its largest class.'),
  })
  .meta({
    id: 'SourceReading',
    description: 'The affect of an utterance by its words only, or by its voice only.',
  });
export type SourceReading = z.infer<typeof SourceReadingSchema>;

export const EmotionResultSchema = z
  .object({
    utterance_id: z.string(),
    speaker_id: z.string(),
    emotion: EmotionMapSchema.describe('From words and voice together.'),
    scores: PadSchema.describe('From words and voice together.'),
    confidence: unit.describe(
      'Share of the dominant class, lowered if it comes from words that were recognised with low confidence.',
    ),
    stability: StabilitySchema,
    words: SourceReadingSchema.describe('From the words only.'),
    voice: SourceReadingSchema.nullable().describe(
      'From the voice only, with equal priors for all classes; null if it was not measured.',
    ),
    decided_by: z
      .enum(['words', 'voice'])
      .describe('`voice` if the dominant class differs from that of the words only.'),
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
    load_level: LevelSchema.describe('Cognitive load, from disfluencies, pauses and pace.'),
    confidence: unit.describe('The amount of evidence, not a probability.'),
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
      .describe('Quoted words that express certainty or doubt; null if there are none.'),
    hesitation_patterns: z.array(z.string()),
    emphasis_points: z.array(z.string()).describe('Words that stand out in both pitch and loudness.'),
  })
  .meta({
    id: 'Acoustic',
    description:
      'The results from the voice, or from the words if the sound could not be measured or is not used. Affect fields are null if affect is switched off.',
  });
export type Acoustic = z.infer<typeof AcousticSchema>;

/** Spec: TimelineEntry with every "further field observed", always present (decisions: Shapes). */
export const TimelineEntrySchema = z
  .object({
    utterance_id: z
      .string()
      .describe('`<conversation_id>_utt_<n>`; while a session is live `<conversation_id>_live_utt_<n>`.'),
    speaker: z.string().describe('`Speaker_<n>`, in order of first speech, or the name that the speaker was given.'),
    speaker_label: z
      .string()
      .optional()
      .describe('`Speaker_<n>`, whatever name the speaker was given; absent from results of earlier versions.'),
    heard_as: LiveIdsSchema,
    t_start: atLeast0.describe('Seconds from the start of the recording.'),
    t_end: atLeast0.describe('Seconds from the start of the recording.'),
    text: z.string(),
    asr_confidence: unit.describe(
      'exp(mean token log-probability) of the recogniser; informative near 0 and 1, flat in between.',
    ),
    heard_by: z
      .string()
      .optional()
      .describe('The recogniser that transcribed the utterance, if it was not the requested one.'),
    unread: UnreadSchema.optional(),
    prosody: z
      .union([ProsodySchema, z.strictObject({})])
      .describe('Empty if the sound could not be measured, which is not an error.'),
    prosody_desc: z.string().describe('The prosody in one sentence.'),
    emotion: EmotionResultSchema.nullable(),
    sentiment: SentimentSchema.nullable(),
    polarity: z.number().min(-1).max(1).nullable().describe('From -1 (negative) to 1 (positive).'),
    subjectivity: unit.nullable(),
    cognitive: CognitiveResultSchema.nullable(),
    commitment_score: unit.nullable(),
    commitment_level: LevelSchema.nullable(),
    passion_score: unit.nullable(),
    passion_level: PassionLevelSchema.nullable(),
    conviction_score: unit.nullable(),
    lexical_markers: LexicalMarkersSchema,
    acoustic_reasoning: z.string().nullable().describe('A description of the delivery, from measured values only.'),
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
    speaker_confidence: unit.describe('Confidence of the speaker label.'),
    overlap_ratio: unit.describe('Share of the utterance during which somebody else speaks too.'),
  })
  .meta({
    id: 'TimelineEntry',
    description:
      'One utterance: who said what, when and how. Affect fields are null if affect is switched off (`affect`: `none`).',
  });
export type TimelineEntry = z.infer<typeof TimelineEntrySchema>;
