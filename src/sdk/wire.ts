// Written by `npm run generate -- wire-types` out of src/contract; do not edit.

/** The voice's own share of the readings; the words' where the sound could not be measured or does not count. What is read of affect is null where it is not to be read. */
export interface Acoustic {
  commitment_level: Level | null;
  commitment_score: number | null;
  passion_level: PassionLevel | null;
  passion_score: number | null;
  conviction_level: ConvictionLevel | null;
  acoustic_insights: string[];
  delivery_style: string | null;
  /** Words by which the speaker vouches or doubts, quoted; null when there are none. */
  factuality_markers: string[] | null;
  hesitation_patterns: string[];
  /** Words on which pitch and loudness stand out together. */
  emphasis_points: string[];
}

/** How affect is read: of everybody, or by speaker label with `*` for the others. While a live session goes on, labels are provisional. */
export type Affect = AffectMode | Record<string, AffectMode>;

/** How affect is read: `full` from words and voice, `words` from the words alone, `none` not at all; its fields are null then. */
export type AffectMode = 'full' | 'words' | 'none';

export type AffectState = 'calm' | 'content' | 'engaged' | 'enthusiastic' | 'tense' | 'frustrated' | 'anxious' | 'sad' | 'disengaged' | 'surprised';

/** The raw readings of one utterance; null where its affect is not to be read. */
export interface AgentResult {
  utterance_id: string;
  emotion: EmotionResult | null;
  sentiment: {
    positive: number;
    negative: number;
    neutral: number;
    polarity: number;
    subjectivity: number;
  } | null;
  cognitive: CognitiveResult | null;
  /** What the utterance took, milliseconds. */
  latency_ms: number;
}

export interface AnalysisOptionsInput {
  /** What the analysis is for. */
  goal?: string;
  /** Their number, when it is known. */
  speakers?: number;
  /** The speech recogniser, by its id; the pipeline's own choice when absent. */
  recogniser?: string;
  /** How much is done to hear the words: `best` when absent, while a live session goes on `fast`. */
  quality?: Quality;
  /** Names and terms that may be said, as they are written: they are recognised more easily, and never where nothing like them was said. */
  words?: string[];
  /** What is spoken (BCP 47), where it is known: for recognisers that understand several. */
  language?: string;
  /** How affect is read, of everybody or by speaker label. */
  affect?: Affect;
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
  options: AnswerOptions;
  media: MediaInfo;
  speakers: SpeakerCount;
  /** Faults that were survived. */
  warnings: string[];
}

/** How the recording was analysed. */
export interface AnswerOptions {
  goal: string;
  speakers: number | null;
  /** Who was to hear the words. */
  recogniser: string | null;
  /** Who heard them: utterances by the id of a recogniser. */
  heard_by: Record<string, number>;
  quality: Quality;
  /** How many names and terms were listed. */
  words: number;
  language: string | null;
  affect: Affect;
}

export interface AskAgain {
  /** As the error named it. */
  conversation_id: string;
}

/** One act of an administrator. */
export interface AuditEntry {
  id: string;
  at: string;
  /** `operator`, with the address of who signed in through Cloudflare Access, or `key <id>`. */
  who: string;
  /** The client's network address; '' where nobody in front of the service tells it. */
  address: string;
  request_id: string;
  /** `key.issued`, `tenant.changed`, … */
  act: string;
  /** The id of what it was done to. */
  subject: string;
  /** What was asked for. */
  changes: Record<string, never>;
}

export interface AuditList {
  entries: AuditEntry[];
  next_cursor: string | null;
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

/** What a list tells of a result. */
export interface ConversationCard {
  /** Seconds. */
  duration_s: number;
  utterances: number;
  /** As they are called, in order of first speech. */
  speakers: {
    name: string;
    talk_ratio: number;
  }[];
  /** How many there are of each category that there is. */
  moments: Partial<Record<MomentCategory, number>>;
  sentiment: {
    mean: number;
    trend: 'positive' | 'negative' | 'stable';
    label: SentimentLabel;
  } | null;
  quality: 'poor' | 'fair' | 'good' | 'excellent';
  overview: string;
  /** Mean valence 0..1 of each of 60 equal parts; null where nobody speaks. */
  course: (number | null)[];
  /** How many `warnings` the result has. */
  warnings: number;
}

/** A conversation as a list tells it. */
export interface ConversationEntry {
  conversation_id: string;
  status: ConversationStatus;
  mode: ConversationMode;
  title: string;
  filename: string;
  goal: string;
  labels: string[];
  created_at: string;
  ended_at: string | null;
  /** When it is removed by itself. */
  expires_at: string | null;
  /** Why it failed. */
  error: {
    code: ErrorCode;
    message: string;
  } | null;
  /** Bytes of all that is stored of it. */
  stored_bytes: number;
  /** Null until there is a result, and where it was lost. */
  result: ConversationCard | null;
  /** With `q`: the first places. Empty where only title or names match. */
  matches?: Match[];
}

export interface ConversationList {
  conversations: ConversationEntry[];
  next_cursor: string | null;
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

export type ConversationMode = 'batch' | 'replay' | 'live';

export interface ConversationPatchRequest {
  /** Null: the name of its file again. */
  title?: string | null;
  /** All of them: those of before are replaced. */
  labels?: string[];
  /** Label -> name; null takes a name away. */
  speakers?: Record<string, string | null>;
  /** The first of each pair becomes the second. */
  merge?: string[][];
  /** To a speaker of the conversation, or to one who was not told apart: the first label that is not in use. */
  move?: {
    utterance_id: string;
    speaker: string;
  }[];
  /** Days from its beginning on; null: as long as what the tenant stores. */
  retention_days?: number | null;
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
  /** Null where affect of nobody was to be read. */
  emotional_tone: string | null;
  key_moments: string[];
  /** What led into the phase; null for the first. */
  transition_signal: string | null;
}

/** Filters are all met at once; a time is ISO 8601 with its zone, a length in seconds. */
export interface ConversationQueryInput {
  q?: string;
  cursor?: string;
  limit?: number;
  status?: ConversationStatus;
  mode?: ConversationMode;
  created_after?: string;
  created_before?: string;
  min_speakers?: number;
  max_speakers?: number;
  min_duration?: number;
  max_duration?: number;
  moment?: MomentCategory;
  sentiment?: SentimentLabel;
  label?: string;
}

/** What is known of a conversation beside its result. */
export interface ConversationRecord {
  conversation_id: string;
  status: ConversationStatus;
  mode: ConversationMode;
  title: string;
  filename: string;
  goal: string;
  labels: string[];
  created_at: string;
  ended_at: string | null;
  /** When it is removed by itself. */
  expires_at: string | null;
  /** Why it failed. */
  error: {
    code: ErrorCode;
    message: string;
  } | null;
  /** Bytes of all that is stored of it. */
  stored_bytes: number;
  /** Null until there is a result, and where it was lost. */
  result: ConversationCard | null;
  /** Label that was measured -> name. */
  names: Record<string, string>;
  /** Oldest first; an undo takes the last one back. */
  edits: EditInput[];
  /** Null: as long as what the tenant stores. */
  retention_days: number | null;
  feedback: ({
    kind: 'moment' | 'utterance' | 'line';
    /** An id, or the line. */
    on: string;
    /** What was said or told there. */
    text: string;
    thumb: 'up' | 'down';
    comment: string;
    at: string;
  })[];
  /** How the last analysis anew stands; null where there was none. */
  reanalysis: Job | null;
}

export interface ConversationSegmentation {
  phases: ConversationPhase[];
  total_phases: number;
  segmentation_rationale: string;
  narrative_arc: string;
  key_transitions: KeyTransition[];
}

export type ConversationStatus = 'processing' | 'completed' | 'failed' | 'cancelled';

export interface ConversationSummary {
  overview: string;
  key_insights: string[];
  notable_patterns: string[];
  recommendations: string[];
  what_went_well: string[] | null;
  what_went_wrong: string[] | null;
  speaker_dynamics: Record<string, unknown> | null;
  conversation_quality: 'poor' | 'fair' | 'good' | 'excellent';
  /** What each line rests on: the sentences of the overview, then the lists above as they stand, then the reasons of the quality. */
  evidence: SummaryEvidence[];
  /** Why the quality is what it is. */
  quality_reasons: string[];
  /** Who wrote it; `built_in_fallback` after a language model failed. */
  source: 'built_in' | 'language_model' | 'built_in_fallback';
}

export type ConvictionLevel = 'weak' | 'moderate' | 'strong';

export interface CreatedWebhook {
  id: string;
  url: string;
  events: WebhookEvent[];
  /** False once the receiver answered 410: it is told nothing any more. */
  is_enabled: boolean;
  created_at: string;
  /** Signs what is told: `whsec_<base64>`. Shown this once. */
  secret: string;
}

/** What a key did on one day (UTC). */
export interface DayUsage {
  day: string;
  requests: number;
  audio_minutes: number;
  refusals: number;
}

/** What there was, and is no more. */
export interface DeletionReceipt {
  conversation_id: string;
  deleted_at: string;
  /** Of the store, by their keys. */
  objects: {
    key: string;
    bytes: number;
  }[];
  bytes: number;
  /** Rows of the index. */
  index: ('record' | 'labels' | 'moments' | 'text' | 'job')[];
}

/** One message to one webhook. */
export interface Delivery {
  /** The header `webhook-id`, the same whenever it is sent again. */
  id: string;
  event: WebhookEvent;
  conversation_id: string;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** What the receiver answered last; null when it did not answer. */
  last_status: number | null;
  /** Why the last attempt failed. */
  last_error: string | null;
  created_at: string;
  last_attempt_at: string | null;
  next_attempt_at: string | null;
}

export interface DeliveryList {
  deliveries: Delivery[];
}

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

export interface EditInput {
  /** Null: the name of its file again. */
  title?: string | null;
  /** All of them: those of before are replaced. */
  labels?: string[];
  /** Label -> name; null takes a name away. */
  speakers?: Record<string, string | null>;
  /** The first of each pair becomes the second. */
  merge?: string[][];
  /** To a speaker of the conversation, or to one who was not told apart: the first label that is not in use. */
  move?: {
    utterance_id: string;
    speaker: string;
  }[];
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
  /** Words and voice together. */
  emotion: EmotionMap;
  /** Words and voice together. */
  scores: Pad;
  /** Share of the dominant class, lowered where it is that of words that were hardly heard. */
  confidence: number;
  stability: Stability;
  /** The words alone. */
  words: SourceReading;
  /** The voice alone, all classes equally likely beforehand; null where it was not read. */
  voice: SourceReading | null;
  /** `voice` where the largest class of both together is another than that of the words. */
  decided_by: 'words' | 'voice';
}

export interface ErrorBody {
  /** What is wrong, for a person. */
  detail: string;
  code: ErrorCode;
  /** Name it when something went wrong; also in the header `X-Request-Id`. */
  request_id: string;
  /** A machine failed and the upload is kept: send this id as JSON to POST /analyze to have it analysed again. */
  conversation_id?: string;
}

export type ErrorCode = 'INVALID_KEY' | 'FORBIDDEN' | 'INVALID_REQUEST' | 'UNSUPPORTED_MEDIA' | 'INVALID_MEDIA' | 'FILE_TOO_LARGE' | 'NO_UTTERANCES' | 'UPLOAD_STALLED' | 'SOURCE_FAILED' | 'EMPTY_CHUNK' | 'NOT_FOUND' | 'UNKNOWN_SESSION' | 'KEYS_DISABLED' | 'LIVE_DISABLED' | 'METHOD_NOT_ALLOWED' | 'WRONG_CHUNK_SEQ' | 'SESSION_FINALIZED' | 'CONSUMER_ATTACHED' | 'NOT_COMPLETED' | 'NOTHING_TO_UNDO' | 'CANCELLED' | 'PRECONDITION_FAILED' | 'RANGE_NOT_SATISFIABLE' | 'KEY_REUSED' | 'RATE_LIMITED' | 'ANALYSIS_FAILURE' | 'LIVE_ASR_FAILURE' | 'STREAM_FAILURE' | 'MISCONFIGURED' | 'OVERLOADED';

/** The stream failed; the last event. */
export interface ErrorEvent {
  code: ErrorCode;
  message: string;
  /** A machine failed and the upload is kept: send this id as JSON to POST /analyze to have it analysed again. */
  conversation_id?: string;
}

/** A quoted span of one utterance. Seconds from the start of the recording. */
export interface Evidence {
  utterance_id: string;
  quote: string;
  t_start: number;
  t_end: number;
}

/** What a conversation may be written as. */
export type ExportFormat = 'json' | 'txt' | 'md' | 'srt' | 'vtt' | 'csv' | 'html';

/** Analyses that ended with one code. */
export interface Failure {
  code: ErrorCode;
  /** Whether it is the service's fault, and not the media's. */
  is_ours: boolean;
  count: number;
  last_at: string;
  /** The newest of them. */
  requests: {
    request_id: string;
    conversation_id: string;
    tenant: string;
  }[];
}

/** A thumb on a moment, an utterance, or a line of the summary: one of the three. */
export interface FeedbackRequest {
  moment_id?: string;
  utterance_id?: string;
  /** As the summary tells it. */
  line?: string;
  /** Null takes it back. */
  thumb: 'up' | 'down' | null;
  comment?: string;
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
  /** Who hears the words; the first where an analysis does not choose. Absent while no pipeline answers. */
  recognisers?: RecogniserOffer[];
}

export interface Hotspot {
  /** Seconds from the start of the recording. */
  t: number;
  type: string;
  description: string;
  score: number;
}

/** What holds over the whole conversation. Of affect it speaks of those of whom it was read; null where that is nobody. */
export interface Insights {
  overall_sentiment: {
    mean: number;
    std: number;
    trend: 'positive' | 'negative' | 'stable';
  } | null;
  dominant_emotions: Emotion[];
  engagement_pattern: Trend | null;
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
    load_level: Level | null;
    trend: Trend | null;
    hotspots: Hotspot[];
    tips: string[];
    averages: Record<CognitiveSignal, number> | null;
  };
  metrics: ConversationMetrics;
}

export interface IssuedKey {
  id: string;
  tenant: string;
  label: string;
  scopes: Scope[];
  limits: UsageLimits;
  /** `settings`: of API_KEYS or DEMO_API_KEY, and changed there alone. */
  source: 'issued' | 'settings';
  status: 'active' | 'expired' | 'revoked';
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Right to some seconds. */
  last_used_at: string | null;
  /** The key that a rotation made in its place. */
  replaced_by: string | null;
  /** Shown this once. */
  key: string;
}

/** An analysis under way, or how it ended. */
export interface Job {
  conversation_id: string;
  status: JobStatus;
  /** Of the last `status` event; null before the first. */
  phase: string | null;
  /** How much of the phase is done, 0..1. */
  progress: number;
  /** Of one that failed: what a request would have been answered. */
  error: {
    code: ErrorCode;
    message: string;
  } | null;
  /** Of one that a machine failed: until when its upload stays, so that it can be asked for again. */
  kept_until: string | null;
  created_at: string;
  updated_at: string;
}

export interface JobStarted {
  conversation_id: string;
  status: JobStatus;
}

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

/** A key as it is told; itself it is shown once, when it is made, and kept nowhere. */
export interface Key {
  id: string;
  tenant: string;
  label: string;
  scopes: Scope[];
  limits: UsageLimits;
  /** `settings`: of API_KEYS or DEMO_API_KEY, and changed there alone. */
  source: 'issued' | 'settings';
  status: 'active' | 'expired' | 'revoked';
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Right to some seconds. */
  last_used_at: string | null;
  /** The key that a rotation made in its place. */
  replaced_by: string | null;
}

export interface KeyList {
  keys: Key[];
  next_cursor: string | null;
}

export interface KeyMoment {
  type: string;
  /** Seconds from the start of the recording. */
  t: number;
  speaker: string;
  description: string;
}

/** What is absent stays; limits that are named replace all of before. */
export interface KeyPatchRequest {
  label?: string;
  scopes?: Scope[];
  expires_at?: string | null;
  limits?: UsageLimits;
}

/** From one phase to the next. Seconds from the start of the recording. */
export interface KeyTransition {
  timestamp: number;
  from_phase: string;
  to_phase: string;
  trigger: string;
}

export interface KeyUsage {
  id: string;
  days: DayUsage[];
}

export type Level = 'low' | 'moderate' | 'high';

export interface Levels {
  /** Levels a second. */
  rate: number;
  /** A byte a level: 0 at 60 dB below full scale and under it, 255 at full scale, even in dB between. */
  channels: string[];
}

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
  /** How much is done to hear the words: `best` when absent, while a live session goes on `fast`. */
  quality?: Quality;
  /** Names and terms that may be said, as they are written: they are recognised more easily, and never where nothing like them was said. */
  words?: string[];
  /** What is spoken (BCP 47), where it is known: for recognisers that understand several. */
  language?: string;
  /** How affect is read, of everybody or by speaker label. */
  affect?: Affect;
  /** Names the extension when `suffix` does not. */
  filename?: string;
  suffix?: MediaExtension;
  /** How long the session stays open without a chunk or a keepalive. */
  ttl_seconds?: number;
}

export type LiveStatus = 'waiting_media' | 'ingesting' | 'processing' | 'completed' | 'aborted';

/** Where the words that were looked for were said. */
export interface Match {
  utterance_id: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  text: string;
  /** Where in `text` a hit begins, and where it ends. */
  hits: number[][];
}

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
  /** There where the language model that the operator switched on proposed it: its words and links are checked, its `confidence` is its own. */
  source?: 'language_model';
}

export interface NewKeyRequest {
  label: string;
  /** An operator's to give; else that of the key that makes it. */
  tenant?: string;
  /** All but `admin` when absent. */
  scopes?: Scope[];
  expires_at?: string | null;
  /** An operator's to give. */
  limits?: UsageLimits;
}

export interface NewTenantRequest {
  name: string;
}

export interface NewTokenRequest {
  /** One live session (`new`, or one that is open), one upload, or one conversation to read. */
  for: {
    session?: string;
    upload?: 'new';
    conversation?: string;
  };
  ttl_seconds?: number;
}

export interface NewUploadRequest {
  filename: string;
  /** Its size. */
  bytes: number;
  /** What the analysis is for. */
  goal?: string;
  /** Their number, when it is known. */
  speakers?: number;
  /** The speech recogniser, by its id; the pipeline's own choice when absent. */
  recogniser?: string;
  /** How much is done to hear the words: `best` when absent, while a live session goes on `fast`. */
  quality?: Quality;
  /** Names and terms that may be said, as they are written: they are recognised more easily, and never where nothing like them was said. */
  words?: string[];
  /** What is spoken (BCP 47), where it is known: for recognisers that understand several. */
  language?: string;
  /** How affect is read, of everybody or by speaker label. */
  affect?: Affect;
  /** Whether the parts are to go straight to the store, to addresses that are signed for them. */
  presigned?: boolean;
}

export interface NewWebhookRequest {
  /** https, at an address of the public network. */
  url: string;
  /** Which events are told; all when absent. */
  events?: WebhookEvent[];
}

/** What the service did and does, for the operator. */
export interface Operations {
  version: string;
  since: string;
  checked_at: string;
  /** Analyses by the hour in which they ended; without those in which none did. */
  hours: {
    at: string;
    completed: number;
    failed: number;
    cancelled: number;
  }[];
  /** From the beginning of an analysis to its good end; null when there was none. */
  duration_ms: {
    median: number;
    p95: number;
  } | null;
  failures: Failure[];
  tenants: {
    queued: number;
    running: number;
    /** That are open. */
    live_sessions: number;
    stored_bytes: number;
    /** Of webhooks, in that time. */
    deliveries: {
      pending: number;
      delivered: number;
      failed: number;
    };
    id: string;
    name: string;
  }[];
  /** False when there are more tenants than are looked at. */
  is_whole: boolean;
  /** Event -> how often it was told, since the deployment began. */
  events: Record<string, number>;
  /** Whether transcripts leave the service, for one that an operator set. */
  has_language_model: boolean;
  has_live: boolean;
}

export interface OperatorSession {
  /** `operator`, with the address of who came through Cloudflare Access. */
  operator: string;
  /** Null where nothing of the service ends it. */
  expires_at: string | null;
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
  /** Null where the voice is not to be read for affect. */
  commitment_markers: CommitmentMarkers | null;
  /** Null where the voice is not to be read for affect. */
  passion_markers: PassionMarkers | null;
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

/** How much is done to hear the words: `best`, or `fast` in half the time with more errors. */
export type Quality = 'best' | 'fast';

/** What is to be another than it was. */
export interface ReanalysisRequest {
  goal?: string;
  /** Their number, when it is known. */
  speakers?: number;
  /** The speech recogniser, by its id; the pipeline's own choice when absent. */
  recogniser?: string;
  /** How much is done to hear the words: `best` when absent, while a live session goes on `fast`. */
  quality?: Quality;
  /** Names and terms that may be said, as they are written: they are recognised more easily, and never where nothing like them was said. */
  words?: string[];
  /** What is spoken (BCP 47), where it is known: for recognisers that understand several. */
  language?: string;
  affect?: Affect;
}

export interface RecogniserOffer {
  /** What an analysis chooses it by. */
  id: string;
  name: string;
  kind: 'built_in' | 'profile' | 'endpoint';
  /** That it understands (BCP 47). */
  languages: string[];
}

export interface ReindexAnswer {
  conversations: number;
  next_cursor: string | null;
}

export interface RemoteFileRequest {
  /** http or https, at an address of the public network. */
  url: string;
  /** Its extension says what it is, where neither the address nor its server does. */
  filename?: string;
  /** What the analysis is for. */
  goal?: string;
  /** Their number, when it is known. */
  speakers?: number;
  /** The speech recogniser, by its id; the pipeline's own choice when absent. */
  recogniser?: string;
  /** How much is done to hear the words: `best` when absent, while a live session goes on `fast`. */
  quality?: Quality;
  /** Names and terms that may be said, as they are written: they are recognised more easily, and never where nothing like them was said. */
  words?: string[];
  /** What is spoken (BCP 47), where it is known: for recognisers that understand several. */
  language?: string;
  /** How affect is read, of everybody or by speaker label. */
  affect?: Affect;
}

export interface RotatedKey {
  id: string;
  tenant: string;
  label: string;
  scopes: Scope[];
  limits: UsageLimits;
  /** `settings`: of API_KEYS or DEMO_API_KEY, and changed there alone. */
  source: 'issued' | 'settings';
  status: 'active' | 'expired' | 'revoked';
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Right to some seconds. */
  last_used_at: string | null;
  /** The key that a rotation made in its place. */
  replaced_by: string | null;
  /** Shown this once. */
  key: string;
  replaces: Key;
}

export interface RotationRequest {
  /** How long the old key still stands. */
  overlap_seconds?: number;
}

export type Scope = 'analyze' | 'read' | 'delete' | 'live' | 'admin';

/** A timeline to be segmented, or a whole analysis as it is. */
export interface SegmentRequest {
  timeline: UtteranceInput[];
  /** What the segmentation is for. */
  context?: string;
  /** Those of the analysis, when they are known. */
  moments?: {
    moment_id?: string;
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

export type SentimentLabel = 'positive' | 'neutral' | 'negative';

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

export interface SignInRequest {
  /** The admin token. */
  token: string;
}

/** What the words, or the voice, say of the affect of an utterance by themselves. */
export interface SourceReading {
  emotion: EmotionMap;
  scores: Pad;
  /** How far it was trusted here: not the probability of its largest class. */
  confidence: number;
}

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

/** What is read of affect is null where nothing of it was read. */
export interface SpeakerProfile {
  utterance_count: number;
  /** Seconds. */
  total_duration: number;
  /** Emotion -> utterances in which it dominates. */
  emotions: Partial<Record<Emotion, number>> | null;
  avg_engagement: number | null;
  avg_polarity: number | null;
  dominant_emotion: Emotion | null;
}

/** Whether the whole recording was heard; while a live session goes on, results are provisional. */
export type Stability = 'provisional' | 'final';

export interface StatusEvent {
  phase: 'starting' | 'waiting_media' | 'ingesting' | 'processing' | 'completed';
  /** How much of the phase is done, 0..1. */
  progress: number;
}

export interface StoredPartRequest {
  etag: string;
}

/** A line of the summary with the utterances and named measures that it rests on. */
export interface SummaryEvidence {
  text: string;
  utterance_ids: string[];
  measures: Record<string, number | string>;
}

export interface Tenant {
  id: string;
  name: string;
  created_at: string;
  limits: UsageLimits;
  /** The most that any analysis of the tenant reads of affect: one may read less, and none more. */
  affect: AffectMode;
  /** How long what is stored stays; null: until it is deleted. */
  retention_days: number | null;
  /** Names and terms of the tenant, listed with those of each of its analyses. */
  words: unknown;
}

export interface TenantList {
  tenants: {
    id: string;
    name: string;
    created_at: string;
  }[];
  next_cursor: string | null;
}

export interface TenantOverview {
  queued: number;
  running: number;
  /** That are open. */
  live_sessions: number;
  stored_bytes: number;
  /** Of webhooks, in that time. */
  deliveries: {
    pending: number;
    delivered: number;
    failed: number;
  };
}

export interface TenantPatchRequest {
  name?: string;
  limits?: UsageLimits;
  /** The most that any analysis of the tenant reads of affect: one may read less, and none more. */
  affect?: AffectMode;
  /** How long what is stored stays; null: until it is deleted. */
  retention_days?: number | null;
  /** Names and terms of the tenant, listed with those of each of its analyses. */
  words?: string[];
}

export interface TenantReceipt {
  id: string;
  deleted_at: string;
  /** How many objects of the store. */
  objects: number;
  /** Their bytes. */
  bytes: number;
}

/** One utterance: who, when, what and how. What is read of affect is null where it is not to be read (`affect`: `none`). */
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
  /** Who heard the words, where it was another recogniser than was asked. */
  heard_by?: string;
  /** Empty when the sound could not be measured, which is no error. */
  prosody: Prosody | Record<string, never>;
  /** The prosody in a sentence. */
  prosody_desc: string;
  emotion: EmotionResult | null;
  sentiment: Sentiment | null;
  /** -1 negative .. 1 positive. */
  polarity: number | null;
  subjectivity: number | null;
  cognitive: CognitiveResult | null;
  commitment_score: number | null;
  commitment_level: Level | null;
  passion_score: number | null;
  passion_level: PassionLevel | null;
  conviction_score: number | null;
  lexical_markers: LexicalMarkers;
  /** The delivery in words, quoting only what was measured. */
  acoustic_reasoning: string | null;
  /** Mean of the confidences of emotion, sentiment and cognitive state. */
  confidence: number | null;
  emotions: EmotionMap | null;
  dominant_emotion: Emotion | null;
  cognitive_signals: CognitiveSignals | null;
  engagement: number | null;
  load_level: Level | null;
  pad_scores: Pad | null;
  conviction_level: ConvictionLevel | null;
  acoustic: Acoustic;
  acoustic_insights: string[];
  delivery_style: string | null;
  words: Word[];
  /** How sure the speaker label is. */
  speaker_confidence: number;
  /** Share of the utterance in which somebody else speaks too. */
  overlap_ratio: number;
}

export interface Token {
  token: string;
  expires_at: string;
  /** What the token is bound to, by its id. */
  for: {
    session?: string;
    upload?: string;
    conversation?: string;
  };
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

export interface Upload {
  /** Of the upload, and of the conversation that comes of it. */
  id: string;
  filename: string;
  bytes: number;
  /** Every part has this many bytes but the last, which has what is left. */
  part_bytes: number;
  part_count: number;
  /** Those that arrived, in order. */
  parts: UploadPart[];
  /** An upload that brings no part until then is given up. */
  expires_at: string;
  /** Where the parts that are missing are to be PUT, for an upload that is `presigned`. */
  part_urls?: {
    number: number;
    url: string;
  }[];
}

/** A part that arrived. */
export interface UploadPart {
  number: number;
  bytes: number;
}

/** What may be limited for a key, and for all keys of a tenant together; a limit that is absent is the deployment's. */
export interface UsageLimits {
  requests_per_minute?: number;
  live_sessions?: number;
  running_analyses?: number;
  audio_minutes_per_day?: number;
  stored_gigabytes?: number;
  file_megabytes?: number;
}

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
  } | null;
  dominant_emotion?: Emotion | null;
  pad_scores?: Pad | null;
  emotion?: {
    confidence?: number;
    scores?: Pad;
  } | null;
  sentiment?: {
    positive?: number;
    negative?: number;
    neutral?: number;
  } | null;
  polarity?: number | null;
  subjectivity?: number | null;
  cognitive_signals?: {
    focused?: number;
    confused?: number;
    engaged?: number;
    disengaged?: number;
    thoughtful?: number;
    uncertain?: number;
  } | null;
  engagement?: number | null;
  load_level?: Level | null;
  commitment_score?: number | null;
  commitment_level?: Level | null;
  passion_score?: number | null;
  conviction_score?: number | null;
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
  confidence?: number | null;
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

export interface Webhook {
  id: string;
  url: string;
  events: WebhookEvent[];
  /** False once the receiver answered 410: it is told nothing any more. */
  is_enabled: boolean;
  created_at: string;
}

export type WebhookEvent = 'analysis.completed' | 'analysis.failed' | 'analysis.cancelled';

export interface WebhookList {
  webhooks: Webhook[];
}

export interface WebhookMessage {
  type: WebhookEvent;
  timestamp: string;
  data: {
    conversation_id: string;
    /** Of an analysis that failed: what a request would have been answered. */
    error?: {
      code: string;
      message: string;
    };
  };
}

/** What a page has to know before anybody signs in. */
export interface Welcome {
  /** The key that anybody may try the service with; null where there is none. */
  demo_key: string | null;
  /** Who is signed in as the operator in this browser; null when nobody is. */
  operator: string | null;
}

export interface Word {
  word: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  confidence: number;
}

