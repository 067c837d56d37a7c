// Written by `npm run wire:types` out of src/contract; do not edit.

/** The voice's own share of the readings; the words' where the sound could not be measured. */
export interface Acoustic {
  commitment_level: Level;
  commitment_score: number;
  passion_level: PassionLevel;
  passion_score: number;
  conviction_level: ConvictionLevel;
  acoustic_insights: string[];
  delivery_style: string;
  /** Words by which the speaker vouches or doubts, quoted; null when there are none. */
  factuality_markers: string[] | null;
  hesitation_patterns: string[];
  /** Words on which pitch and loudness stand out together. */
  emphasis_points: string[];
}

export type AffectState = 'calm' | 'content' | 'engaged' | 'enthusiastic' | 'tense' | 'frustrated' | 'anxious' | 'sad' | 'disengaged' | 'surprised';

/** The raw readings of one utterance. */
export interface AgentResult {
  utterance_id: string;
  emotion: EmotionResult;
  sentiment: {
    positive: number;
    negative: number;
    neutral: number;
    polarity: number;
    subjectivity: number;
  };
  cognitive: CognitiveResult;
  /** What the utterance took, milliseconds. */
  latency_ms: number;
}

/** A whole analysis. */
export interface AnalysisResponse {
  conversation_id: string;
  /** Their number. */
  utterances: number;
  /** The utterances in order of time. */
  timeline: TimelineEntry[];
  summary: ConversationSummary;
  insights: Insights;
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  segmentation: ConversationSegmentation;
  agent_results: AgentResult[];
  /** Where everything of the conversation is stored. */
  artifact_dir: string;
  upload_path: string;
  agent_outputs_path: string;
  /** The request's `goal`; '' without. */
  goal: string;
  media: MediaInfo;
  speakers: SpeakerCount;
  /** Faults that were survived. */
  warnings: string[];
}

export interface ChunkAccepted {
  /** Bytes of the session up to and with this chunk. */
  received_bytes: number;
  next_chunk_seq: number;
}

export interface CognitiveEvent {
  utterance_id: string;
  speaker_id: string;
  signals: CognitiveSignals;
  engagement: number;
  cognitive_load: Level;
}

export interface CognitiveResult {
  utterance_id: string;
  signals: CognitiveSignals;
  engagement: number;
  /** Cognitive load, by stumbling, pauses and pace. */
  load_level: Level;
  /** An amount of evidence, not a probability. */
  confidence: number;
  stability: Stability;
}

export type CognitiveSignal = 'focused' | 'confused' | 'engaged' | 'disengaged' | 'thoughtful' | 'uncertain';

/** Six signals of how a speaker follows, each 0..1; they do not sum to 1. */
export interface CognitiveSignals {
  focused: number;
  confused: number;
  engaged: number;
  disengaged: number;
  thoughtful: number;
  uncertain: number;
}

/** Indices of delivery against the speaker's own baseline: 0.5 as usual. Not of truth. */
export interface CommitmentMarkers {
  /** Little deviation of pitch. */
  pitch_stability: number;
  /** 0 rising, 0.5 level or not measured, 1 falling. */
  pitch_contour: number;
  /** Intensity. */
  energy_strength: number;
  /** Little deviation of intensity. */
  energy_consistency: number;
  /** Pace without pauses. */
  duration_confidence: number;
  commitment_score: number;
  commitment_level: Level;
}

export interface ControlAnswer {
  status: LiveStatus;
  detail: string;
  /** When the session ends unless a chunk or a keepalive comes before. */
  expires_at: string;
}

export interface ControlRequest {
  action: 'finalize' | 'cancel' | 'keepalive';
  reason?: string;
}

export interface ConversationMetrics {
  speakers: Record<string, SpeakerMetrics>;
  /** Speaker switches a minute on Gong's 0..10 scale. */
  interactivity: number;
  speaker_switches: number;
  overlaps: number;
  overlap_time_s: number;
  /** Share of the conversation in which nobody speaks, 0..1. */
  silence_share: number;
  questions: number;
}

export interface ConversationPhase {
  phase_id: string;
  phase_name: string;
  /** Seconds from the start of the recording. */
  start_timestamp: number;
  /** Seconds from the start of the recording. */
  end_timestamp: number;
  start_utterance_id: string;
  end_utterance_id: string;
  utterance_count: number;
  theme: string;
  summary: string;
  emotional_tone: string;
  key_moments: string[];
  /** What led into the phase; null for the first. */
  transition_signal: string | null;
}

export interface ConversationSegmentation {
  phases: ConversationPhase[];
  total_phases: number;
  segmentation_rationale: string;
  narrative_arc: string;
  key_transitions: KeyTransition[];
}

export interface ConversationSummary {
  overview: string;
  key_insights: string[];
  notable_patterns: string[];
  recommendations: string[];
  what_went_well: string[] | null;
  what_went_wrong: string[] | null;
  speaker_dynamics: Record<string, unknown> | null;
  conversation_quality: 'poor' | 'fair' | 'good' | 'excellent';
  /** For each line of the summary, by its text, what it rests on. */
  evidence: Record<string, SummaryEvidence>;
  /** Why the quality is what it is. */
  quality_reasons: string[];
  /** Who wrote it; `built_in_fallback` after a language model failed. */
  source: 'built_in' | 'language_model' | 'built_in_fallback';
}

export type ConvictionLevel = 'weak' | 'moderate' | 'strong';

/** Everything was told; the last event. */
export interface DoneEvent {
  conversation_id: string;
}

/** What moved, by how much; what did not move is absent. */
export interface Drivers {
  valence_drop?: number;
  valence_rise?: number;
  arousal_drop?: number;
  arousal_rise?: number;
  engagement_delta?: number;
}

export type Emotion = 'joy' | 'sadness' | 'anger' | 'fear' | 'surprise' | 'disgust' | 'neutral';

/** Seven shares, each 0..1, that sum to 1 (± 1e-6). */
export interface EmotionMap {
  joy: number;
  sadness: number;
  anger: number;
  fear: number;
  surprise: number;
  disgust: number;
  neutral: number;
}

/** Emotion of one utterance: `emotion` of a timeline entry, and the event of that name. */
export interface EmotionResult {
  utterance_id: string;
  speaker_id: string;
  emotion: EmotionMap;
  scores: Pad;
  /** Share of the dominant class, lowered where the words were hardly heard. */
  confidence: number;
  stability: Stability;
}

export interface ErrorBody {
  /** What is wrong, for a person. */
  detail: string;
  code: ErrorCode;
  /** Name it when something went wrong; also in the header `X-Request-Id`. */
  request_id: string;
}

export type ErrorCode = 'INVALID_KEY' | 'FORBIDDEN' | 'INVALID_REQUEST' | 'UNSUPPORTED_MEDIA' | 'INVALID_MEDIA' | 'FILE_TOO_LARGE' | 'NO_UTTERANCES' | 'UPLOAD_STALLED' | 'EMPTY_CHUNK' | 'NOT_FOUND' | 'UNKNOWN_SESSION' | 'KEYS_DISABLED' | 'LIVE_DISABLED' | 'METHOD_NOT_ALLOWED' | 'WRONG_CHUNK_SEQ' | 'SESSION_FINALIZED' | 'CONSUMER_ATTACHED' | 'RATE_LIMITED' | 'ANALYSIS_FAILURE' | 'LIVE_ASR_FAILURE' | 'STREAM_FAILURE' | 'MISCONFIGURED' | 'OVERLOADED';

/** The stream failed; the last event. */
export interface ErrorEvent {
  code: ErrorCode;
  message: string;
}

/** A quoted span of one utterance. Seconds from the start of the recording. */
export interface Evidence {
  utterance_id: string;
  quote: string;
  t_start: number;
  t_end: number;
}

export interface FinalTranscript {
  utterance_id: string;
  speaker: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  text: string;
  /** The partial this final replaces, in live capture. */
  partial_id?: string;
}

export interface Health {
  status: 'ok';
}

export interface Hotspot {
  /** Seconds from the start of the recording. */
  t: number;
  type: string;
  description: string;
  score: number;
}

/** What holds over the whole conversation. */
export interface Insights {
  overall_sentiment: {
    mean: number;
    std: number;
    trend: 'positive' | 'negative' | 'stable';
  };
  dominant_emotions: Emotion[];
  engagement_pattern: Trend;
  key_moments: KeyMoment[];
  speaker_profiles: Record<string, SpeakerProfile>;
  conversation_dynamics: {
    /** Seconds. */
    total_duration: number;
    utterance_count: number;
    transition_count: number;
    /** Seconds. */
    avg_utterance_duration: number;
    /** Transitions a minute. */
    transition_rate: number;
  };
  cognitive_profile: {
    dominant_states: CognitiveSignal[];
    load_level: Level;
    trend: Trend;
    hotspots: Hotspot[];
    tips: string[];
    averages: Record<CognitiveSignal, number>;
  };
  metrics: ConversationMetrics;
}

export interface KeyMoment {
  type: string;
  /** Seconds from the start of the recording. */
  t: number;
  speaker: string;
  description: string;
}

/** From one phase to the next. Seconds from the start of the recording. */
export interface KeyTransition {
  timestamp: number;
  from_phase: string;
  to_phase: string;
  trigger: string;
}

export type Level = 'low' | 'moderate' | 'high';

export interface LexicalMarkers {
  /** Hedge phrases / words, 0..1. */
  hedge_density: number;
  /** (Fillers + repeats + repairs) / words, 0..1. */
  disfluency_rate: number;
  is_question: boolean;
  /** A stretch was begun again or cut off. */
  self_repair: boolean;
  /** The counts and words behind these numbers. */
  reasoning: string;
}

/** A session as it was opened; its endpoints are paths. */
export interface LiveSession {
  session_id: string;
  conversation_id: string;
  chunk_endpoint: string;
  events_endpoint: string;
  control_endpoint: string;
  next_chunk_seq: number;
  /** When the session ends unless a chunk or a keepalive comes before. */
  expires_at: string;
  status: LiveStatus;
}

export interface LiveStartRequest {
  /** What the analysis is for. */
  goal?: string;
  /** Their number, when it is known. */
  speakers?: number;
  /** The speech recogniser, by its id; the pipeline's own choice when absent. */
  recogniser?: string;
  /** Names the extension when `suffix` does not. */
  filename?: string;
  suffix?: MediaExtension;
  /** How long the session stays open without a chunk or a keepalive. */
  ttl_seconds?: number;
}

export type LiveStatus = 'waiting_media' | 'ingesting' | 'processing' | 'completed' | 'aborted';

/** How a byte stream is coded; `.pcm` is s16le 16 kHz mono. */
export type MediaExtension = '.mp4' | '.mov' | '.webm' | '.mp3' | '.wav' | '.m4a' | '.aac' | '.ogg' | '.opus' | '.pcm';

/** What the decoder found in the media. */
export interface MediaInfo {
  /** Seconds. */
  duration_s: number;
  channels: number;
  /** Hz. */
  sample_rate?: number;
  codec?: string;
  /** Each channel carries one person, and speakers were labelled by channel. */
  speaker_per_channel: boolean;
}

export interface Metrics {
  version: string;
  /** Event -> how often it was told. */
  events: Record<string, number>;
  /** Scope -> mean latency, milliseconds. */
  agent_latency_ms: Record<string, number>;
}

/** An objection, an offer (`cta_offered`), the answer to one, or a change of subject. */
export type MomentCategory = 'objection' | 'cta_offered' | 'cta_accepted' | 'cta_rejected' | 'topic_shift';

/** Something that happened in the conversation, with the words it was heard in. */
export interface MomentEvent {
  moment_id: string;
  category: MomentCategory;
  speaker_id: string;
  /** Milliseconds from the start of the recording. */
  start_ms: number;
  /** Milliseconds from the start of the recording. */
  end_ms: number;
  utterance_ids: string[];
  summary: string;
  labels: string[];
  evidence: Evidence[];
  confidence: number;
  /** The moment_id of the offer that this acceptance or rejection settles. */
  answers?: string;
}

/** Valence, arousal and dominance, each 0..1 with 0.5 the middle. */
export interface Pad {
  valence: number;
  arousal: number;
  dominance: number;
}

/** Interim text of speech that goes on; live capture only. */
export interface PartialTranscript {
  partial_id: string;
  /** What is heard so far; empty when it turned out to be nothing. */
  text: string;
  is_final: boolean;
  /** The leading part of `text` that two partials agreed on (LocalAgreement-2). */
  stable_text: string;
}

export type PassionLevel = 'reserved' | 'mildly_passionate' | 'moderately_passionate' | 'highly_passionate';

/** Indices of delivery against the speaker's own baseline: 0.5 as usual. */
export interface PassionMarkers {
  /** The higher tenth of pitch. */
  pitch_dynamism: number;
  /** Deviation of pitch. */
  pitch_variation: number;
  /** Intensity. */
  energy_level: number;
  /** Deviation of intensity. */
  energy_dynamics: number;
  /** Energy above 1 kHz. */
  spectral_richness: number;
  /** Deviation of the spectral centroid. */
  spectral_variation: number;
  passion_score: number;
  passion_level: PassionLevel;
  conviction_score: number;
  conviction_level: ConvictionLevel;
}

/** Acoustic measures of one utterance. A measure that could not be taken is 0, and `confidence` says how far the block can be trusted. */
export interface Prosody {
  /** Median fundamental frequency of the voiced frames, Hz; 0 when nothing is voiced. */
  pitch_hz: number;
  /** Standard deviation of the fundamental frequency, Hz. */
  pitch_std: number;
  /** 95th minus 5th percentile of the fundamental frequency, Hz. */
  pitch_range: number;
  /** Root mean square of the samples of the speech frames, full scale = 1. */
  energy_rms: number;
  /** Standard deviation of the root mean square of the frames, full scale = 1. */
  energy_std: number;
  /** Root mean square of the loudest 30 ms, full scale = 1. */
  energy_max: number;
  /** Length of the utterance, seconds. */
  duration: number;
  /** Silence between the end of whatever was said last, by anyone, and this utterance; 0 for overlap. */
  pause_before_ms: number;
  /** Hz. */
  spectral_centroid: number;
  /** Spread around the centroid, Hz. */
  spectral_std: number;
  /** Zero crossings per sample, 0..1. */
  zcr: number;
  /** Silent share of the utterance, 0..1. */
  pause_ratio: number;
  /** Pitch against the speaker's own baseline, in shrunken standard deviations. */
  pitch_z: number;
  /** Energy against the speaker's own baseline, in shrunken standard deviations. */
  energy_z: number;
  commitment_markers: CommitmentMarkers;
  passion_markers: PassionMarkers;
  /** Voiced share of the speech frames. */
  voiced_ratio: number;
  /** Mean intensity of the speech frames, dB re full scale (a full-scale square wave is 0). */
  intensity_db: number;
  /** Harmonics-to-noise ratio, dB. */
  hnr_db: number;
  /** Local jitter, share of the period. */
  jitter: number;
  /** Local shimmer, share of the amplitude. */
  shimmer: number;
  /** Syllables a second over the whole utterance (De Jong & Wempe 2009). */
  speech_rate: number;
  /** Syllables a second of phonation. */
  articulation_rate: number;
  /** Speech rate against the speaker's own baseline, in shrunken standard deviations. */
  rate_z: number;
  /** Silences of at least 150 ms inside the utterance. */
  pause_count: number;
  pause_mean_ms: number;
  /** Direction of pitch over the last 200 ms of voice. */
  final_contour: 'rising' | 'falling' | 'level' | 'unknown';
  /** Change of pitch over the last 200 ms of voice, semitones. */
  final_slope_st: number;
  /** Energy 50-1000 Hz over 1-5 kHz, dB. */
  alpha_ratio_db: number;
  /** How far the acoustic measures of this utterance can be trusted, 0..1. */
  confidence: number;
  /** Why the confidence is low, when it is. */
  confidence_reason?: string;
}

/** A timeline to be segmented, or a whole analysis as it is. */
export interface SegmentRequest {
  timeline: UtteranceInput[];
  /** What the segmentation is for. */
  context?: string;
  /** Those of the analysis, when they are known. */
  moments?: {
    category: MomentCategory;
    speaker_id: string;
    start_ms: number;
    utterance_ids: string[];
    summary: string;
    labels?: string[];
    confidence: number;
    answers?: string;
  }[];
  /** Those of the analysis; else they are found again. */
  transitions?: {
    at_ms: number;
    from_state: AffectState;
    to_state: AffectState;
    evidence_utterance_ids: string[];
    confidence: number;
    stability: Stability;
    speaker_id?: string;
  }[];
}

export interface SegmentResponse {
  segmentation: ConversationSegmentation;
  /** What of the request was not taken as it came. */
  notes?: string[];
}

/** Three shares, each 0..1, that sum to 1. */
export interface Sentiment {
  positive: number;
  negative: number;
  neutral: number;
}

/** One event of a stream. The last one, once, is `done` or `error`. */
export type ServiceEvent = {
  event: 'status';
  data: StatusEvent;
} | {
  event: 'partial_transcript';
  data: PartialTranscript;
} | {
  event: 'final_transcript';
  data: FinalTranscript;
} | {
  event: 'emotion';
  data: EmotionResult;
} | {
  event: 'cognitive';
  data: CognitiveEvent;
} | {
  event: 'transition';
  data: TransitionEvent;
} | {
  event: 'moment';
  data: MomentEvent;
} | {
  event: 'summary_update';
  data: ConversationSummary;
} | {
  event: 'error';
  data: ErrorEvent;
} | {
  event: 'done';
  data: DoneEvent;
};

/** How many people speak, and how sure that is. */
export interface SpeakerCount {
  count: number;
  confidence: number;
  /** Where the count comes from. */
  source: 'given' | 'channels' | 'estimated';
  /** Said aloud when the confidence is low. */
  note?: string;
}

/** Conversation metrics of one speaker, after Gong's published definitions. */
export interface SpeakerMetrics {
  /** Own speech / all speech, 0..1. */
  talk_ratio: number;
  talk_time_s: number;
  longest_monologue_s: number;
  /** Times this speaker cut another off. */
  interruptions: number;
  questions: number;
  /** Words a minute of own speech. */
  words_per_minute: number;
  words: number;
  /** Median positive floor transfer offset before own turns, ms; null when there was none. */
  response_latency_ms: number | null;
  /** Median silence left after the other side before speaking, seconds; null when there was none. */
  patience_s: number | null;
}

export interface SpeakerProfile {
  utterance_count: number;
  /** Seconds. */
  total_duration: number;
  /** Emotion -> utterances in which it dominates. */
  emotions: Partial<Record<Emotion, number>>;
  avg_engagement: number;
  avg_polarity: number;
  dominant_emotion: Emotion;
}

/** Whether the whole recording was heard; while a live session goes on, results are provisional. */
export type Stability = 'provisional' | 'final';

export interface StatusEvent {
  phase: 'starting' | 'waiting_media' | 'ingesting' | 'processing' | 'completed';
  /** How much of the phase is done, 0..1. */
  progress: number;
}

/** Utterances and named measures that a line of the summary rests on. */
export interface SummaryEvidence {
  utterance_ids: string[];
  measures: Record<string, number | string>;
}

/** One utterance: who, when, what and how. */
export interface TimelineEntry {
  /** `<conversation_id>_utt_<n>`. */
  utterance_id: string;
  /** `Speaker_<n>`, in order of first speech. */
  speaker: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  text: string;
  /** exp(mean token log-probability) of the recogniser; good at the ends, flat between. */
  asr_confidence: number;
  /** Empty when the sound could not be measured, which is no error. */
  prosody: Prosody | Record<string, never>;
  /** The prosody in a sentence. */
  prosody_desc: string;
  emotion: EmotionResult;
  sentiment: Sentiment;
  /** -1 negative .. 1 positive. */
  polarity: number;
  subjectivity: number;
  cognitive: CognitiveResult;
  commitment_score: number;
  commitment_level: Level;
  passion_score: number;
  passion_level: PassionLevel;
  conviction_score: number;
  lexical_markers: LexicalMarkers;
  /** The delivery in words, quoting only what was measured. */
  acoustic_reasoning: string;
  /** Mean of the confidences of emotion, sentiment and cognitive state. */
  confidence: number;
  emotions: EmotionMap;
  dominant_emotion: Emotion;
  cognitive_signals: CognitiveSignals;
  engagement: number;
  load_level: Level;
  pad_scores: Pad;
  conviction_level: ConvictionLevel;
  acoustic: Acoustic;
  acoustic_insights: string[];
  delivery_style: string;
  words: Word[];
  /** How sure the speaker label is. */
  speaker_confidence: number;
  /** Share of the utterance in which somebody else speaks too. */
  overlap_ratio: number;
}

/** A change of a speaker's affective state. */
export interface TransitionEvent {
  transition_id: string;
  /** Milliseconds from the start of the recording. */
  at_ms: number;
  from_state: AffectState;
  to_state: AffectState;
  evidence_utterance_ids: string[];
  drivers: Drivers;
  confidence: number;
  stability: Stability;
  /** Whose state moved. */
  speaker_id?: string;
}

export type Trend = 'increasing' | 'decreasing' | 'stable';

/** An utterance of a timeline to be segmented: any entry of an analysis, edited or stripped. Only who, when and what are required; other members are passed over. */
export interface UtteranceInput {
  utterance_id: string;
  speaker: string;
  t_start: number;
  t_end: number;
  text: string;
  asr_confidence?: number;
  prosody?: {
    pause_before_ms?: number;
    duration?: number;
    pause_ratio?: number;
    energy_z?: number;
    pitch_z?: number;
    speech_rate?: number;
    final_contour?: string;
    confidence?: number;
  };
  emotions?: {
    joy?: number;
    sadness?: number;
    anger?: number;
    fear?: number;
    surprise?: number;
    disgust?: number;
    neutral?: number;
  };
  dominant_emotion?: Emotion;
  pad_scores?: Pad;
  emotion?: {
    confidence?: number;
    scores?: Pad;
  };
  sentiment?: {
    positive?: number;
    negative?: number;
    neutral?: number;
  };
  polarity?: number;
  subjectivity?: number;
  cognitive_signals?: {
    focused?: number;
    confused?: number;
    engaged?: number;
    disengaged?: number;
    thoughtful?: number;
    uncertain?: number;
  };
  engagement?: number;
  load_level?: Level;
  commitment_score?: number;
  commitment_level?: Level;
  passion_score?: number;
  conviction_score?: number;
  lexical_markers?: {
    /** Hedge phrases / words, 0..1. */
    hedge_density?: number;
    /** (Fillers + repeats + repairs) / words, 0..1. */
    disfluency_rate?: number;
    is_question?: boolean;
    /** A stretch was begun again or cut off. */
    self_repair?: boolean;
    /** The counts and words behind these numbers. */
    reasoning?: string;
  };
  confidence?: number;
  words?: {
    word: string;
    /** Seconds from the start of the recording. */
    t_start?: number;
    /** Seconds from the start of the recording. */
    t_end?: number;
    confidence: number;
  }[];
  speaker_confidence?: number;
  overlap_ratio?: number;
}

export interface Word {
  word: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  confidence: number;
}

