import * as z from 'zod';

// The field tables of the service specification, copied from it and not from `src/contract`: a field that is renamed
// there does not pass here. Further fields are allowed everywhere but in `Health` and `Segmented`.

const text = z.string();
const texts = z.array(text);
const number = z.number();
const share = z.number().min(0).max(1);
const whole = z.int();
/** Integer milliseconds. */
const milliseconds = z.int().min(0);
const object = z.looseObject({});

const SEVEN = ['joy', 'sadness', 'anger', 'fear', 'surprise', 'disgust', 'neutral'] as const;
const SIGNALS = ['focused', 'confused', 'engaged', 'disengaged', 'thoughtful', 'uncertain'] as const;
const CATEGORIES = ['objection', 'cta_offered', 'cta_accepted', 'cta_rejected', 'topic_shift'] as const;

const numbersOf = (names: readonly string[]) => z.looseObject(Object.fromEntries(names.map((name) => [name, number])));
const Pad = z.looseObject({ valence: share, arousal: share, dominance: share });

const Prosody = z.looseObject({
  ...numbersOf(['pitch_hz', 'pitch_std', 'pitch_range', 'energy_rms', 'energy_std', 'energy_max', 'duration']).shape,
  ...numbersOf(['pause_before_ms', 'spectral_centroid', 'spectral_std', 'zcr', 'pause_ratio', 'pitch_z', 'energy_z'])
    .shape,
  commitment_markers: z.looseObject({
    pitch_stability: z.unknown(),
    pitch_contour: z.unknown(),
    energy_strength: z.unknown(),
    energy_consistency: z.unknown(),
    duration_confidence: z.unknown(),
    commitment_score: number,
    commitment_level: text,
  }),
  passion_markers: z.looseObject({
    pitch_dynamism: z.unknown(),
    pitch_variation: z.unknown(),
    energy_level: z.unknown(),
    energy_dynamics: z.unknown(),
    spectral_richness: z.unknown(),
    spectral_variation: z.unknown(),
    passion_score: number,
    passion_level: text,
    conviction_score: number,
    conviction_level: text,
  }),
});

export const EmotionResult = z.looseObject({
  utterance_id: text,
  speaker_id: text,
  emotion: numbersOf(SEVEN),
  scores: Pad,
  confidence: share,
  stability: text,
});

const CognitiveResult = z.looseObject({
  utterance_id: text,
  signals: numbersOf(SIGNALS),
  engagement: share,
  load_level: text,
  confidence: number,
  stability: text,
});

const Acoustic = z.looseObject({
  commitment_level: text,
  commitment_score: number,
  passion_level: text,
  passion_score: number,
  conviction_level: text,
  acoustic_insights: texts,
  delivery_style: text,
  factuality_markers: z.unknown(),
  hesitation_patterns: z.array(z.unknown()),
  emphasis_points: z.array(z.unknown()),
});

const TimelineEntry = z.looseObject({
  utterance_id: text.regex(/^.+_utt_\d+$/),
  speaker: text.regex(/^Speaker_\d+$/),
  t_start: number,
  t_end: number,
  text,
  asr_confidence: number,
  prosody: Prosody,
  prosody_desc: text,
  emotion: EmotionResult,
  sentiment: numbersOf(['positive', 'negative', 'neutral']),
  polarity: number,
  subjectivity: number,
  cognitive: CognitiveResult,
  commitment_score: number,
  commitment_level: text,
  passion_score: number,
  passion_level: text,
  conviction_score: number,
  lexical_markers: z.looseObject({
    hedge_density: number,
    disfluency_rate: number,
    is_question: z.boolean(),
    self_repair: z.boolean(),
    reasoning: text,
  }),
  acoustic_reasoning: text,
  confidence: number,
  emotions: numbersOf(SEVEN),
  dominant_emotion: z.enum(SEVEN),
  cognitive_signals: numbersOf(SIGNALS),
  engagement: number,
  load_level: text,
  pad_scores: Pad,
  conviction_level: text,
  acoustic: Acoustic,
  acoustic_insights: texts,
  delivery_style: text,
});

export const ConversationSummary = z.looseObject({
  overview: text,
  key_insights: texts,
  notable_patterns: texts,
  recommendations: texts,
  what_went_well: texts.nullable(),
  what_went_wrong: texts.nullable(),
  speaker_dynamics: object.nullable(),
  conversation_quality: text,
});

export const TransitionEvent = z.looseObject({
  transition_id: text,
  at_ms: milliseconds,
  from_state: z.union([object, text]),
  to_state: z.union([object, text]),
  evidence_utterance_ids: texts,
  drivers: object,
  confidence: share,
  stability: text,
});

const moment = {
  moment_id: text,
  category: z.enum(CATEGORIES),
  speaker_id: text,
  start_ms: milliseconds,
  end_ms: milliseconds,
  utterance_ids: texts,
  summary: text,
  confidence: share,
};
const MomentEvent = z.looseObject({ ...moment, labels: texts });

const Insights = z.looseObject({
  overall_sentiment: z.looseObject({ mean: number, std: number, trend: text }),
  dominant_emotions: texts.max(3),
  engagement_pattern: z.enum(['increasing', 'decreasing', 'stable']),
  key_moments: z.array(z.looseObject({ type: text, t: number, speaker: text, description: text })),
  speaker_profiles: z.record(
    text,
    z.looseObject({
      utterance_count: whole,
      total_duration: number,
      emotions: z.record(text, whole),
      avg_engagement: number,
      avg_polarity: number,
      dominant_emotion: text,
    }),
  ),
  conversation_dynamics: z.looseObject({
    total_duration: number,
    utterance_count: whole,
    transition_count: whole,
    avg_utterance_duration: number,
    transition_rate: number,
  }),
  cognitive_profile: z.looseObject({
    dominant_states: texts,
    load_level: text,
    trend: text,
    hotspots: z.array(z.looseObject({ t: number, type: text, description: text, score: number })),
    tips: z.array(z.unknown()),
    averages: numbersOf(SIGNALS),
  }),
});

const ConversationPhase = z.looseObject({
  phase_id: text,
  phase_name: text,
  start_timestamp: number,
  end_timestamp: number,
  start_utterance_id: text,
  end_utterance_id: text,
  utterance_count: whole,
  theme: text,
  summary: text,
  emotional_tone: text,
  key_moments: z.array(z.union([text, MomentEvent])),
  transition_signal: z.union([TransitionEvent, text]).nullable(),
});

const ConversationSegmentation = z.looseObject({
  phases: z.array(ConversationPhase),
  total_phases: whole,
  segmentation_rationale: text,
  narrative_arc: text,
  key_transitions: z.array(
    z.union([TransitionEvent, z.looseObject({ timestamp: number, from_phase: text, to_phase: text, trigger: text })]),
  ),
});

export const AnalysisResponse = z.looseObject({
  conversation_id: text,
  utterances: whole,
  timeline: z.array(TimelineEntry),
  summary: ConversationSummary,
  insights: Insights,
  transitions: z.array(TransitionEvent),
  moments: z.array(MomentEvent),
  segmentation: ConversationSegmentation,
  agent_results: z.array(object),
  artifact_dir: text,
  upload_path: text,
  agent_outputs_path: text,
  goal: text,
});

export const LiveSession = z.looseObject({
  session_id: text,
  conversation_id: text,
  chunk_endpoint: text,
  events_endpoint: text,
  control_endpoint: text,
  next_chunk_seq: z.literal(0),
  expires_at: z.iso.datetime({ offset: true }),
  status: z.literal('waiting_media'),
});

export const ChunkAccepted = z.looseObject({ received_bytes: whole, next_chunk_seq: whole });
export const ControlAnswer = z.looseObject({
  status: text,
  detail: text,
  expires_at: z.iso.datetime({ offset: true }),
});
export const Segmented = z.strictObject({ segmentation: ConversationSegmentation });
export const Health = z.strictObject({ status: z.literal('ok') });
export const Metrics = z.looseObject({ events: z.record(text, whole), agent_latency_ms: z.record(text, number) });

/** The catalogue of events. `error` carries a code of the specification. */
export const EVENTS: Readonly<Record<string, z.ZodType>> = {
  status: z.looseObject({
    phase: z.enum(['starting', 'ingesting', 'processing', 'waiting_media', 'completed']),
    progress: share,
  }),
  partial_transcript: z.looseObject({ partial_id: text, text, is_final: z.boolean() }),
  final_transcript: z.looseObject({ utterance_id: text, speaker: text, t_start: number, t_end: number, text }),
  emotion: EmotionResult,
  cognitive: z.looseObject({
    utterance_id: text,
    speaker_id: text,
    signals: object,
    engagement: share,
    cognitive_load: text,
  }),
  transition: TransitionEvent.omit({ stability: true }),
  moment: z.looseObject({ ...moment, evidence: z.array(z.unknown()) }),
  summary_update: ConversationSummary,
  error: z.looseObject({ code: text, message: text }),
  done: z.looseObject({ conversation_id: text }),
};
