// Generated from src/contract by `npm run generate -- wire-types`; do not edit.

/** `analyzed`: the response to a new recording shows its result. `listed`: a list or a search shows words or summaries of conversations. `unredacted`: somebody read or heard what a redaction removed. `refused`: the key or token had no permission for the request. */
export type AccessAct = 'analyzed' | 'opened' | 'listed' | 'recording_requested' | 'exported' | 'edited' | 'reanalyzed' | 'redacted' | 'unredacted' | 'shared' | 'deleted' | 'refused';

/** Access to a stored conversation with a key or a browser token. */
export interface AccessEntry {
  id: string;
  /** The first of the requests. */
  at: string;
  /** The last of them. */
  until: string;
  /** Equal requests within ten minutes are one entry. */
  requests: number;
  /** `operator ...` for the operator. */
  key_id: string;
  /** Null if the key no longer exists. */
  key_label: string | null;
  /** Whether a browser token of the key was used, for example a shared link. */
  by_token: boolean;
  /** The client's network address at the first request; '' if it is unknown. */
  address: string;
  act: AccessAct;
  /** The route of the last request, for example `GET /conversations/:conversation_id/media`. */
  route: string;
  /** The share whose link was used; null if none was. */
  share_id: string | null;
  /** Null for lists and exports of several conversations. */
  conversation_id: string | null;
  /** The current title; null if the conversation was deleted or has none. */
  title: string | null;
  /** Start of the requested part of the recording, s, estimated from the bytes; null for other acts. */
  from_s: number | null;
  /** End of that part, s. A browser requests more than it plays, and often everything up to the end. */
  to_s: number | null;
}

export interface AccessLog {
  entries: AccessEntry[];
  next_cursor: string | null;
}

/** The results from the voice, or from the words if the sound could not be measured or is not used. Affect fields are null if affect is switched off. */
export interface Acoustic {
  commitment_level: Level | null;
  commitment_score: number | null;
  passion_level: PassionLevel | null;
  passion_score: number | null;
  conviction_level: ConvictionLevel | null;
  acoustic_insights: string[];
  delivery_style: string | null;
  /** Quoted words that express certainty or doubt; null if there are none. */
  factuality_markers: string[] | null;
  hesitation_patterns: string[];
  /** Words that stand out in both pitch and loudness. */
  emphasis_points: string[];
}

/** How affect is measured: one mode for everybody, or a mode for each speaker label or role (`role:agent`), with `*` for the others. While the role of a speaker is not known, whichever of the modes for roles and for the others measures less applies. Labels are provisional while a live session is running. */
export type Affect = AffectMode | Record<string, AffectMode>;

/** How affect is measured: `full` from words and voice, `words` from the words only, `none` not at all (its fields are null). */
export type AffectMode = 'full' | 'words' | 'none';

export type AffectState = 'calm' | 'content' | 'engaged' | 'enthusiastic' | 'tense' | 'frustrated' | 'anxious' | 'sad' | 'disengaged' | 'surprised';

/** The raw results for one utterance; null where affect is switched off for its speaker. */
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
  /** Processing time of the utterance in milliseconds. */
  latency_ms: number;
}

export interface AnalysisOptionsInput {
  /** The purpose of the analysis, such as a question it should answer. */
  goal?: string;
  /** The number of speakers, if known. */
  speakers?: number;
  /** The id of the recogniser; absent: the pipeline's default. */
  recogniser?: string;
  /** The effort spent on transcription. Absent: `best` for files, `fast` while a live session is running. */
  quality?: Quality;
  /** Names and terms that may be spoken, in their correct spelling. They become easier to recognise, but only where something similar was said. */
  words?: string[];
  /** The spoken language (BCP 47), if known; for multilingual recognisers. */
  language?: string;
  /** The role of the person on each channel, such as `["agent", "customer"]`; null: unknown. They apply only if each channel carries one person. */
  roles?: (RoleInput | null)[];
  /** The kinds of personal data that are removed from words and sound before anything is concluded. Their place is taken by labels such as `[card]`. */
  redact?: RedactionKind[];
  /** How affect is measured, for all speakers or for each speaker label. Default: `full`. */
  affect?: Affect;
  /** When the recording began. Absent: when it reached the service. Dates that were said count from it. */
  recorded_at?: string;
  /** The time zone of the recording (IANA), such as Europe/London. Absent: UTC. Dates that were said are days in it. */
  time_zone?: string;
}

/** A complete analysis. */
export interface AnalysisResponse {
  conversation_id: string;
  /** Distinguishes a result from a `Job`. Results stored by 0.3.0 lack it. */
  status: 'completed';
  /** The number of utterances. */
  utterances: number;
  /** The utterances in chronological order. */
  timeline: TimelineEntry[];
  summary: ConversationSummary;
  insights: Insights;
  transitions: TransitionEvent[];
  moments: MomentEvent[];
  segmentation: ConversationSegmentation;
  /** The commitments of the speakers, in spoken order. Absent from results of earlier versions. */
  commitments?: Commitment[];
  /** Questions left unanswered. Absent from results of earlier versions. */
  open_questions?: OpenQuestion[];
  agent_results: AgentResult[];
  /** The folder in which everything about the conversation is stored. */
  artifact_dir: string;
  upload_path: string;
  agent_outputs_path: string;
  /** The request's `goal`; '' if there was none. */
  goal: string;
  options: AnswerOptions;
  media: MediaInfo;
  speakers: SpeakerCount;
  /** Speaker label -> the role of the channel. Absent if no roles were given, or if channels are not people. */
  roles?: Record<string, string>;
  setting?: Setting;
  /** The language of the words (BCP 47); `unknown`: the speech was not understood; null: there is too little speech to tell. Absent from results of earlier versions. */
  language?: string | null;
  /** The redaction; absent if none was requested. */
  redaction?: Redaction;
  /** Problems that did not stop the analysis. */
  warnings: string[];
  /** Every sentence of the summary, insights, moments and phases that names or quotes a speaker, as a list of spans. Joined, the spans give the text of the sentence. */
  sentences?: SentenceSpan[][];
}

export interface AnnouncementAnswer {
  /** When to announce it again, seconds. */
  again_in_s: number;
}

export interface AnnouncementRequest {
  /** The address at which the service reaches the pipeline: scheme, host and port. */
  url: string;
  /** `draining`: it takes nothing new. `ended`: it leaves the pool. */
  status: 'ok' | 'draining' | 'ended';
}

/** The options with which the recording was analysed. */
export interface AnswerOptions {
  goal: string;
  speakers: number | null;
  /** The id of the requested recogniser. */
  recogniser: string | null;
  /** The recognisers that transcribed: recogniser id -> number of utterances. */
  heard_by: Record<string, number>;
  quality: Quality;
  /** The number of names and terms in the list. */
  words: number;
  language: string | null;
  /** By channel; absent if none were given. */
  roles?: (string | null)[];
  affect: Affect;
  /** The kinds that were redacted; absent: none. */
  redact?: RedactionKind[];
  /** Absent from results of earlier versions. */
  recorded_at?: string | null;
  /** Absent from results of earlier versions. */
  time_zone?: string | null;
}

/** One action of an administrator, or a hold that a key set or lifted. */
export interface AuditEntry {
  id: string;
  at: string;
  /** `operator`, with the e-mail address when signed in through Cloudflare Access, or `key <id>`. */
  who: string;
  /** The client's network address; '' if it is unknown. */
  address: string;
  request_id: string;
  /** `key.issued`, `tenant.changed`, `hold.set`, ... */
  act: string;
  /** The id of the key, tenant or other object that was changed. */
  subject: string;
  /** The changes that were requested. */
  changes: Record<string, never>;
}

export interface AuditList {
  entries: AuditEntry[];
  next_cursor: string | null;
}

export interface BackupAnswer {
  /** Tenants whose rows were written in this step. */
  tenants: number;
  /** Objects that were copied. */
  objects: number;
  /** Their bytes. */
  bytes: number;
  /** Objects of the backup that were removed, because what they belong to was erased. */
  removed: number;
  next_cursor: string | null;
}

export interface BatchItem {
  conversation_id: string;
  /** `unchanged`: there was nothing to change. To undo, request the opposite for those that are `done`. */
  outcome: 'done' | 'unchanged' | 'failed';
  /** Why it failed, for example `ON_HOLD` or `NOT_FOUND`; null otherwise. */
  error: {
    code: ErrorCode;
    message: string;
  } | null;
}

/** One act on several conversations. */
export interface BatchRequest {
  /** Ids of conversations. */
  ids?: string[];
  /** Instead of `ids`: every conversation that matches. One that matches more than 200 is refused. */
  filter?: ConversationFilterInput;
  /** Adds and removes labels; the others stay. */
  labels?: {
    add?: string[];
    remove?: string[];
  };
  /** Whether they are reviewed. */
  reviewed?: boolean;
  export?: ExportFormat;
  /** Deletes them with everything stored for them. */
  delete?: true;
}

/** The outcome of an act on several conversations. */
export interface BatchResult {
  done: number;
  unchanged: number;
  failed: number;
  /** One for each conversation, in the order of `ids`, or oldest first. */
  items: BatchItem[];
  /** With `delete`: one receipt for all. Null if none was deleted. */
  receipt: Receipt | null;
}

/** A rule of Amazon Transcribe Call Analytics; times are in milliseconds. */
export interface CallAnalyticsRuleInput {
  TranscriptFilter?: {
    TranscriptFilterType: 'EXACT';
    Targets: string[];
    ParticipantRole?: 'AGENT' | 'CUSTOMER';
    Negate?: boolean;
    AbsoluteTimeRange?: {
      StartTime?: number;
      EndTime?: number;
      First?: number;
      Last?: number;
    };
    RelativeTimeRange?: {
      StartPercentage?: number;
      EndPercentage?: number;
      First?: number;
      Last?: number;
    };
  };
  InterruptionFilter?: {
    Threshold?: number;
    ParticipantRole?: 'AGENT' | 'CUSTOMER';
    Negate?: boolean;
    AbsoluteTimeRange?: {
      StartTime?: number;
      EndTime?: number;
      First?: number;
      Last?: number;
    };
    RelativeTimeRange?: {
      StartPercentage?: number;
      EndPercentage?: number;
      First?: number;
      Last?: number;
    };
  };
  NonTalkTimeFilter?: {
    Threshold?: number;
    Negate?: boolean;
    AbsoluteTimeRange?: {
      StartTime?: number;
      EndTime?: number;
      First?: number;
      Last?: number;
    };
    RelativeTimeRange?: {
      StartPercentage?: number;
      EndPercentage?: number;
      First?: number;
      Last?: number;
    };
  };
  SentimentFilter?: {
    Sentiments: ('POSITIVE' | 'NEGATIVE' | 'NEUTRAL' | 'MIXED')[];
    ParticipantRole?: 'AGENT' | 'CUSTOMER';
    Negate?: boolean;
    AbsoluteTimeRange?: {
      StartTime?: number;
      EndTime?: number;
      First?: number;
      Last?: number;
    };
    RelativeTimeRange?: {
      StartPercentage?: number;
      EndPercentage?: number;
      First?: number;
      Last?: number;
    };
  };
}

export interface ChunkAccepted {
  /** Bytes of the session so far, including this chunk. */
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
  /** Cognitive load, from disfluencies, pauses and pace. */
  load_level: Level;
  /** The amount of evidence, not a probability. */
  confidence: number;
  stability: Stability;
}

export type CognitiveSignal = 'focused' | 'confused' | 'engaged' | 'disengaged' | 'thoughtful' | 'uncertain';

/** Six signals of a speaker's attention and understanding, each 0..1; they do not sum to 1. */
export interface CognitiveSignals {
  focused: number;
  confused: number;
  engaged: number;
  disengaged: number;
  thoughtful: number;
  uncertain: number;
}

/** A comment on a second of a conversation. */
export interface Comment {
  comment_id: string;
  /** Seconds from the start of the recording. */
  at: number;
  text: string;
  /** The id of the key that wrote it. */
  key: string;
  created_at: string;
  changed_at: string | null;
}

export interface CommentList {
  /** By their place in the recording. */
  comments: Comment[];
}

export interface CommentPatchRequest {
  text: string;
}

/** Something that one speaker owes another, by what was said. */
export interface Commitment {
  commitment_id: string;
  /** The speaker who owes it; null if that was not said. */
  owner: string | null;
  /** The speaker to whom it is owed; null if that was not said. */
  to: string | null;
  /** The deed in the words of the speaker, without those of the date. */
  deed: string;
  /** When it is due; null if no day was said, or none that is surely its own. */
  due: Due | null;
  /** Words about time that do not surely name its day: "soon", "at noon", or a day that is named nearby. Null without them, and where `due` is given. */
  vague_due: string | null;
  state: CommitmentState;
  quote: string;
  /** The speaker of the quote: who asked, if another one owes it. Absent from results of earlier versions. */
  speaker?: string;
  utterance_id: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** The utterance that accepted it, declined it, or said that it is done. */
  answer_utterance_id: string | null;
  confidence: number;
}

/** A commitment in the list over all conversations. */
export interface CommitmentEntry {
  commitment_id: string;
  /** The speaker who owes it; null if that was not said. */
  owner: string | null;
  /** The speaker to whom it is owed; null if that was not said. */
  to: string | null;
  /** The deed in the words of the speaker, without those of the date. */
  deed: string;
  /** When it is due; null if no day was said, or none that is surely its own. */
  due: Due | null;
  /** Words about time that do not surely name its day: "soon", "at noon", or a day that is named nearby. Null without them, and where `due` is given. */
  vague_due: string | null;
  state: CommitmentState;
  quote: string;
  /** The speaker of the quote: who asked, if another one owes it. Absent from results of earlier versions. */
  speaker?: string;
  utterance_id: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** The utterance that accepted it, declined it, or said that it is done. */
  answer_utterance_id: string | null;
  confidence: number;
  conversation_id: string;
  /** The title of the conversation. */
  title: string;
  /** When the conversation reached the service. */
  created_at: string;
  /** When the recording began; without that, when it reached the service. */
  recorded_at: string;
  /** `given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service. */
  recorded_at_source: 'given' | 'assumed';
  /** The state that somebody set, else the `state` by the words. */
  status: CommitmentState;
  status_source: 'words' | 'person';
}

export interface CommitmentList {
  /** By the day on which they are due; those without a day last. */
  commitments: CommitmentEntry[];
  /** Numbers of commitments. */
  counts: {
    /** For each status; with the filters of the request except `status`. */
    statuses: Record<CommitmentState, number>;
    /** Those without a day, with the filters of the request. */
    undated: number;
    /** For each owner, by name; with the filters of the request except `person`. */
    owners: ({
      owner: string | null;
      count: number;
    })[];
    /** Questions left unanswered; with the filter `person`, which is then who asked. */
    open_questions: number;
  };
  /** Questions left unanswered, newest conversation first: at most 100. Empty on later pages. */
  open_questions: OpenQuestionEntry[];
  next_cursor: string | null;
}

/** Indices of delivery relative to the speaker's own baseline, where 0.5 is typical. They do not measure truth. */
export interface CommitmentMarkers {
  /** Steadiness of pitch. */
  pitch_stability: number;
  /** Final pitch: 0 rising, 0.5 level or not measured, 1 falling. */
  pitch_contour: number;
  /** Intensity. */
  energy_strength: number;
  /** Steadiness of intensity. */
  energy_consistency: number;
  /** Pace without pauses. */
  duration_confidence: number;
  commitment_score: number;
  commitment_level: Level;
}

export interface CommitmentPatchRequest {
  /** Null restores the state by the words. */
  status: CommitmentState | null;
}

export interface CommitmentQueryInput {
  /** Recordings that began at this time or later. */
  from?: string | string;
  /** Recordings that began before this time. */
  to?: string | string;
  /** Time zone (IANA) of days. Default: `UTC`. */
  tz?: string;
  /** Conversations with this label. */
  label?: string;
  /** Conversations in this language (BCP 47); `en` includes `en-GB`. */
  language?: string;
  /** Conversations that this enabled rule matches. */
  rule?: string;
  /** Conversations in which all these words occur. */
  q?: string;
  /** Who owes it: the name of a speaker, or the id of a person. */
  person?: string;
  /** Only those that are due before this day. */
  due_before?: string;
  /** One status, or several with commas between: `open,accepted`. */
  status?: string;
  /** `next_cursor` of the previous page. */
  cursor?: string;
  /** Entries per page. Default: `100`. */
  limit?: number;
}

/** The state of a commitment. `offered`: offered, and nobody answered; `open`: promised; `accepted`: the other side agreed to it; `declined`: the other side refused it; `done`: its owner said later that it is done. */
export type CommitmentState = 'offered' | 'open' | 'accepted' | 'declined' | 'done';

export interface ControlAnswer {
  status: LiveStatus;
  detail: string;
  /** The session ends at this time unless a chunk or a keepalive arrives first. */
  expires_at: string;
}

export interface ControlRequest {
  action: 'finalize' | 'cancel' | 'keepalive';
  reason?: string;
}

export interface ConversationAccess {
  entries: ConversationAccessEntry[];
  next_cursor: string | null;
}

/** Access to one conversation with a key or a browser token. */
export interface ConversationAccessEntry {
  id: string;
  /** The first of the requests. */
  at: string;
  /** The last of them. */
  until: string;
  /** Equal requests within ten minutes are one entry. */
  requests: number;
  /** `operator ...` for the operator. */
  key_id: string;
  /** Null if the key no longer exists. */
  key_label: string | null;
  /** Whether a browser token of the key was used, for example a shared link. */
  by_token: boolean;
  act: AccessAct;
  /** The route of the last request, for example `GET /conversations/:conversation_id/media`. */
  route: string;
  /** The share whose link was used; null if none was. */
  share_id: string | null;
  /** Start of the requested part of the recording, s, estimated from the bytes; null for other acts. */
  from_s: number | null;
  /** End of that part, s. A browser requests more than it plays, and often everything up to the end. */
  to_s: number | null;
  /** The first part of the client's network address, such as `203.0.113.0/24`; '' if it is unknown. */
  address_prefix: string;
}

/** The short form of a result in a list. */
export interface ConversationCard {
  /** Seconds. */
  duration_s: number;
  utterances: number;
  /** Names, or labels of speakers without a name, in the order in which they first speak. */
  speakers: ({
    name: string;
    talk_ratio: number | null;
  })[];
  /** Number of moments by category; categories without moments are absent. */
  moments: Partial<Record<MomentCategory, number>>;
  /** The number of those `moments` whose confidence is below .5. Absent without any. */
  unsure_moments?: Partial<Record<MomentCategory, number>>;
  /** The number of offers that no moment answers. Absent from results of earlier versions. */
  unanswered_offers?: number;
  sentiment: {
    mean: number;
    trend: 'positive' | 'negative' | 'stable';
    label: SentimentLabel;
  } | null;
  /** `fair` unless three independent measures support another rating and none contradicts it. */
  quality: 'poor' | 'fair' | 'good' | 'excellent';
  overview: string;
  /** Mean valence 0..1 in each of 60 equal parts; null where nobody speaks. */
  course: (number | null)[];
  /** Number of `warnings` in the result. */
  warnings: number;
}

/** A conversation in a list. */
export interface ConversationEntry {
  conversation_id: string;
  status: JobStatus;
  mode: ConversationMode;
  title: string;
  filename: string;
  goal: string;
  labels: string[];
  created_at: string;
  /** When the recording began; without that, when it reached the service. */
  recorded_at: string;
  /** `given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service. */
  recorded_at_source: 'given' | 'assumed';
  ended_at: string | null;
  /** When it is removed automatically. */
  expires_at: string | null;
  /** When somebody marked it as reviewed; null: to review. */
  reviewed_at: string | null;
  /** Whether a hold keeps it from being deleted. */
  on_hold: boolean;
  /** Why it failed. */
  error: {
    code: ErrorCode;
    message: string;
  } | null;
  /** Until when the recording of a failed analysis is kept; null: it is not. */
  kept_until: string | null;
  /** Total bytes stored for it. */
  stored_bytes: number;
  /** Null until there is a result, or if it was lost. */
  result: ConversationCard | null;
  /** Its commitments. Absent without any, and from records. */
  commitments?: {
    count: number;
    /** The number of those whose confidence is below .5. */
    unsure: number;
  };
  /** With `q`: the first matching utterances; empty if only the title or a name matches. With `moment` alone: the words of its first sure moments of that category, without hits. */
  matches?: Match[];
}

/** A conversation must match all filters, as in `GET /conversations`. */
export interface ConversationFilterInput {
  q?: string;
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
  reviewed?: 'true' | 'false';
  on_hold?: 'true' | 'false';
  /** Recordings that began at this time or later. */
  from?: string | string;
  /** Recordings that began before this time. */
  to?: string | string;
  /** Time zone (IANA) of days. Default: `UTC`. */
  tz?: string;
  /** Conversations in this language (BCP 47); `en` includes `en-GB`. */
  language?: string;
  /** Conversations in which this person speaks: the id of a person, or the name of a speaker. */
  person?: string;
  /** Conversations that this enabled rule matches. */
  rule?: string;
}

export interface ConversationHoldRequest {
  /** Why it is kept, in your own words. */
  reason: string;
  /** When the hold ends by itself; null: never. */
  until?: string | null;
}

export interface ConversationHolds {
  /** Its own hold, and those over filters that it matched. */
  holds: Hold[];
}

export interface ConversationList {
  conversations: ConversationEntry[];
  /** With `totals=true`, on the first page. */
  totals?: ConversationTotals;
  next_cursor: string | null;
}

export interface ConversationMetrics {
  speakers: Record<string, SpeakerMetrics>;
  /** Speaker switches per minute on Gong's 0..10 scale. */
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
  /** Null restores the file name. */
  title?: string | null;
  /** All labels; they replace the previous ones. */
  labels?: string[];
  /** Speaker label -> name; null removes the name. */
  speakers?: Record<string, string | null>;
  /** Speaker label -> id of a person, whose name is then shown; null removes the person. */
  people?: Record<string, string | null>;
  /** Speaker label -> role, which takes precedence over that of the channel and of the person; null removes it. */
  roles?: Record<string, RoleInput | null>;
  /** Proposals that are wrong: each a speaker with a name or a role. They are not proposed again. */
  dismiss?: {
    speaker: string;
    name?: string;
    role?: RoleInput;
  }[];
  /** Pairs of speakers; the first of each pair becomes the second. */
  merge?: string[][];
  /** Moves utterances to another speaker of the conversation, or to a new one: the first unused label. */
  move?: {
    utterance_id: string;
    speaker: string;
  }[];
  /** Corrected texts of utterances, each replacing the whole text. Quotes, conclusions, search and exports follow; prosody and affect stay as measured. */
  correct?: {
    utterance_id: string;
    text: string;
  }[];
  /** Speaker label -> whether their affect is hidden: the result, its conclusions, exports and events leave it out. */
  hide_affect?: Record<string, boolean>;
  /** Days from the start of the conversation; null: the tenant's retention. */
  retention_days?: number | null;
  /** Whether somebody has reviewed the conversation. */
  reviewed?: boolean;
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
  /** Null if affect was switched off for everybody. */
  emotional_tone: string | null;
  key_moments: string[];
  /** How the phase began; null for the first. */
  transition_signal: string | null;
}

/** A conversation must match all filters. Times are ISO 8601 with a time zone, durations are in seconds. */
export interface ConversationQueryInput {
  q?: string;
  cursor?: string;
  /** Default: `50`. */
  limit?: number;
  status?: JobStatus;
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
  reviewed?: 'true' | 'false';
  on_hold?: 'true' | 'false';
  /** Recordings that began at this time or later. */
  from?: string | string;
  /** Recordings that began before this time. */
  to?: string | string;
  /** Time zone (IANA) of days. Default: `UTC`. */
  tz?: string;
  /** Conversations in this language (BCP 47); `en` includes `en-GB`. */
  language?: string;
  /** Conversations in which this person speaks: the id of a person, or the name of a speaker. */
  person?: string;
  /** Conversations that this enabled rule matches. */
  rule?: string;
  /** Default: `newest`. */
  sort?: ConversationSort;
  /** Whether the first page has sums over all pages. Default: `false`. */
  totals?: 'true' | 'false';
}

/** Everything about a conversation except its result. */
export interface ConversationRecord {
  conversation_id: string;
  status: JobStatus;
  mode: ConversationMode;
  title: string;
  filename: string;
  goal: string;
  labels: string[];
  created_at: string;
  /** When the recording began; without that, when it reached the service. */
  recorded_at: string;
  /** `given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service. */
  recorded_at_source: 'given' | 'assumed';
  ended_at: string | null;
  /** When it is removed automatically. */
  expires_at: string | null;
  /** When somebody marked it as reviewed; null: to review. */
  reviewed_at: string | null;
  /** Whether a hold keeps it from being deleted. */
  on_hold: boolean;
  /** Why it failed. */
  error: {
    code: ErrorCode;
    message: string;
  } | null;
  /** Until when the recording of a failed analysis is kept; null: it is not. */
  kept_until: string | null;
  /** Total bytes stored for it. */
  stored_bytes: number;
  /** Null until there is a result, or if it was lost. */
  result: ConversationCard | null;
  /** Speaker label -> name, also of people. */
  names: Record<string, string>;
  /** Speaker label -> the person who speaks. */
  people: Record<string, SpeakerPerson>;
  /** Speaker label -> role that somebody set. Roles of channels are in the result, those of people in `people`. */
  roles: Record<string, string>;
  /** Labels of the speakers whose affect is hidden. */
  hidden_affect: string[];
  /** Oldest first; undo reverts the last one. */
  edits: EditInput[];
  /** Null: the tenant's retention. */
  retention_days: number | null;
  feedback: ({
    kind: 'moment' | 'utterance' | 'line';
    /** The id of the moment or utterance, or the line itself. */
    on: string;
    /** The words of the moment, utterance or line. */
    text: string;
    thumb: 'up' | 'down';
    comment: string;
    at: string;
  })[];
  /** By their place in the recording. */
  comments: Comment[];
  /** The enabled rules that match, or may match; absent if there are none. */
  rules?: ConversationRule[];
  /** The status of the last reanalysis; null if there was none. */
  reanalysis: Job | null;
}

/** An enabled rule that matches a conversation, or may match it. */
export interface ConversationRule {
  rule_id: string;
  name: string;
  version: number;
  /** `unknown`: nobody can say, for example because affect was withheld or nobody is known to have the role. */
  outcome: 'matched' | 'unknown';
  /** The first fifty, in order. Empty if only an absence or a total matches. */
  hits: RuleHit[];
  /** The number of all hits. */
  hit_count: number;
}

export interface ConversationSegmentation {
  phases: ConversationPhase[];
  total_phases: number;
  segmentation_rationale: string;
  narrative_arc: string;
  key_transitions: KeyTransition[];
}

/** Order of a list. `newest` and `oldest` go by `recorded_at`; `longest` and `shortest` have conversations without a result last. */
export type ConversationSort = 'newest' | 'oldest' | 'longest' | 'shortest';

export interface ConversationSummary {
  overview: string;
  /** The answer to the `goal`; null if none is sure enough. Absent without a `goal`. */
  answer?: GoalSentences | null;
  /** The best possible answer where `answer` is null, unsure. Absent if nothing comes near enough. */
  nearest?: GoalSentences;
  key_insights: string[];
  notable_patterns: string[];
  recommendations: string[];
  what_went_well: string[] | null;
  what_went_wrong: string[] | null;
  speaker_dynamics: Record<string, unknown> | null;
  /** `fair` unless three independent measures support another rating and none contradicts it. */
  conversation_quality: 'poor' | 'fair' | 'good' | 'excellent';
  /** The evidence of each line: the sentences of the overview, then the lists above in their order, then the quality reasons. */
  evidence: SummaryEvidence[];
  /** The measures that support `conversation_quality`; empty where it is `fair`. */
  quality_reasons: string[];
  /** Words that a language model takes to be misheard, with its suggestions. The transcript is unchanged. Present only if there are any. */
  mishearings?: Mishearing[];
  /** The author of the summary; `built_in_fallback` if a language model failed. */
  source: 'built_in' | 'language_model' | 'built_in_fallback';
}

/** Sums over all conversations that match. */
export interface ConversationTotals {
  /** Number of conversations. */
  count: number;
  /** How long their recordings last together, seconds. */
  duration_s: number;
}

export type ConvictionLevel = 'weak' | 'moderate' | 'strong';

/** Affect, pitch and level over time. */
export interface Course {
  conversation_id: string;
  /** Length of a window; the last one may be shorter. */
  window_s: number;
  /** Length of the recording. */
  duration_s: number;
  /** What is missing here, and why. */
  notes: string[];
  /** By time. A speaker has an entry only in windows in which they speak. */
  course: CourseEntry[];
}

/** One speaker in one window. Affect and pitch are measured for an utterance as a whole, so windows within one utterance repeat its values; several utterances are averaged by their seconds in the window. The level is measured for the window itself. */
export interface CourseEntry {
  /** Start of the window, seconds from the start of the recording. */
  t_start: number;
  /** End of the window, seconds from the start of the recording. */
  t_end: number;
  speaker: string;
  /** As in the timeline. */
  speaker_label?: string;
  /** The speaker's utterances in the window, which the values describe. */
  utterance_ids: string[];
  /** Seconds of the window that these utterances cover. */
  speech_s: number;
  /** Seconds of these utterances in which somebody else also speaks. */
  overlap_s: number;
  /** 0 (unpleasant) to 1 (pleasant), 0.5 is neutral. Null without affect: `notes` say why. */
  valence: number | null;
  /** 0 (calm) to 1 (excited), 0.5 is neutral. Null without affect: `notes` say why. */
  arousal: number | null;
  /** `emotion.confidence` of the utterances. */
  affect_confidence: number | null;
  /** Median pitch in Hz. Null if nothing is voiced, or not measured. */
  pitch_hz: number | null;
  /** `prosody.confidence` of the utterances: reliability of the pitch. */
  pitch_confidence: number | null;
  /** Level of the recording while the speaker speaks, dB re full scale; -60 means -60 or less. Null if no levels are stored. */
  level_db: number | null;
}

export interface CreatedWebhook {
  id: string;
  url: string;
  events: WebhookEvent[];
  /** False once the receiver has responded with 410; it then receives no more events. */
  is_enabled: boolean;
  created_at: string;
  /** The signing secret, `whsec_<base64>`. It is shown only once. */
  secret: string;
}

/** The key of the request. */
export interface CurrentKey {
  id: string;
  tenant: string;
  label: string;
  scopes: Scope[];
  /** `settings`: configured in API_KEYS or DEMO_API_KEY, and only changeable there. `sign_in`: the session of a person. */
  source: 'issued' | 'settings' | 'sign_in';
  created_at: string | null;
  expires_at: string | null;
}

/** The usage of a key on one day (UTC). */
export interface DayUsage {
  day: string;
  requests: number;
  audio_minutes: number;
  refusals: number;
}

/** An analysis that the service gave up, and whose recording it keeps. */
export interface DeadLetter {
  tenant: string;
  conversation_id: string;
  code: ErrorCode;
  /** The error's message. */
  reason: string;
  /** When the analysis was requested. */
  started_at?: string;
  failed_at: string;
  /** How long the recording is kept for another analysis. */
  kept_until: string;
}

/** What was deleted. */
export interface DeletionReceipt {
  conversation_id: string;
  deleted_at: string;
  /** The deleted objects, by their storage keys. */
  objects: {
    key: string;
    bytes: number;
  }[];
  bytes: number;
  /** The kinds of index rows that were deleted. */
  index: ('record' | 'labels' | 'moments' | 'text' | 'job' | 'rules' | 'people' | 'commitments' | 'playlists' | 'shares')[];
  /** The same receipt with its `tenant` and `deleted_by`, as a compact JWS (RFC 7515) signed with Ed25519. `GET /receipts/keys` has the public key. */
  signed: string;
}

/** One message to one webhook. */
export interface Delivery {
  /** The `webhook-id` header, which is the same in every attempt. */
  id: string;
  event: 'analysis.completed' | 'analysis.failed' | 'analysis.cancelled' | 'rule.matched' | 'view.matched' | 'commitment.made' | 'webhook.test';
  /** Null for `webhook.test`. */
  conversation_id: string | null;
  status: 'pending' | 'delivered' | 'failed';
  attempts: number;
  /** The HTTP status of the last attempt; null if the receiver did not respond. */
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

/** The last event of a complete analysis. */
export interface DoneEvent {
  conversation_id: string;
}

/** How far each dimension moved; dimensions that did not move are absent. */
export interface Drivers {
  valence_drop?: number;
  valence_rise?: number;
  arousal_drop?: number;
  arousal_rise?: number;
  engagement_delta?: number;
}

/** When a commitment is due, worked out from the day of the recording. */
export interface Due {
  /** The day by which it is to be done. The last day, if several were said ("next week"). */
  date: string;
  /** The first day, if several were said. */
  from: string | null;
  /** The time of that day, if it was said. */
  time: string | null;
  /** The words of the date. */
  said: string;
  /** The time zone in which the day of the recording was taken (IANA). */
  time_zone: string;
  /** `given`: with the option `time_zone`; `assumed`: UTC, because the option was absent. */
  time_zone_source: 'given' | 'assumed';
}

export interface EditInput {
  /** Null restores the file name. */
  title?: string | null;
  /** All labels; they replace the previous ones. */
  labels?: string[];
  /** Speaker label -> name; null removes the name. */
  speakers?: Record<string, string | null>;
  /** Speaker label -> id of a person, whose name is then shown; null removes the person. */
  people?: Record<string, string | null>;
  /** Speaker label -> role, which takes precedence over that of the channel and of the person; null removes it. */
  roles?: Record<string, RoleInput | null>;
  /** Proposals that are wrong: each a speaker with a name or a role. They are not proposed again. */
  dismiss?: {
    speaker: string;
    name?: string;
    role?: RoleInput;
  }[];
  /** Pairs of speakers; the first of each pair becomes the second. */
  merge?: string[][];
  /** Moves utterances to another speaker of the conversation, or to a new one: the first unused label. */
  move?: {
    utterance_id: string;
    speaker: string;
  }[];
  /** Corrected texts of utterances, each replacing the whole text. Quotes, conclusions, search and exports follow; prosody and affect stay as measured. */
  correct?: {
    utterance_id: string;
    text: string;
  }[];
  /** Speaker label -> whether their affect is hidden: the result, its conclusions, exports and events leave it out. */
  hide_affect?: Record<string, boolean>;
}

export type Emotion = 'joy' | 'sadness' | 'anger' | 'fear' | 'surprise' | 'disgust' | 'neutral';

/** Seven shares, each 0..1, which sum to 1 (± 1e-6). */
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
  /** From words and voice together. */
  emotion: EmotionMap;
  /** From words and voice together. */
  scores: Pad;
  /** Share of the dominant class, lowered if it comes from words that were recognised with low confidence. */
  confidence: number;
  stability: Stability;
  /** From the words only. */
  words: SourceReading;
  /** From the voice only, with equal priors for all classes; null if it was not measured. */
  voice: SourceReading | null;
  /** `voice` if the dominant class differs from that of the words only. */
  decided_by: 'words' | 'voice';
}

export interface ErrorBody {
  /** What is wrong, in plain words. */
  detail: string;
  code: ErrorCode;
  /** Quote it when you report a problem; also in the header `X-Request-Id`. */
  request_id: string;
  /** The analysis failed through no fault of the recording and the upload is kept: send this id as JSON to POST /analyze to try again. Or a live session expired: its recording is analysed under this id. */
  conversation_id?: string;
}

export type ErrorCode = 'INVALID_KEY' | 'FORBIDDEN' | 'INVALID_REQUEST' | 'UNSUPPORTED_MEDIA' | 'INVALID_MEDIA' | 'FILE_TOO_LARGE' | 'NO_UTTERANCES' | 'UPLOAD_STALLED' | 'SOURCE_FAILED' | 'EMPTY_CHUNK' | 'NOT_FOUND' | 'UNKNOWN_SESSION' | 'KEYS_DISABLED' | 'LIVE_DISABLED' | 'METHOD_NOT_ALLOWED' | 'WRONG_CHUNK_SEQ' | 'SESSION_FINALIZED' | 'CONSUMER_ATTACHED' | 'NOT_COMPLETED' | 'NOTHING_TO_UNDO' | 'ON_HOLD' | 'LAST_MANAGER' | 'CANCELLED' | 'PRECONDITION_FAILED' | 'RANGE_NOT_SATISFIABLE' | 'WRONG_HOST' | 'KEY_REUSED' | 'RATE_LIMITED' | 'ANALYSIS_FAILURE' | 'LIVE_ASR_FAILURE' | 'STREAM_FAILURE' | 'MISCONFIGURED' | 'OVERLOADED' | 'STORAGE_FULL';

/** The last event of a stream that failed. */
export interface ErrorEvent {
  code: ErrorCode;
  message: string;
  /** The same text as `message`, under the name used in HTTP errors. */
  detail: string;
  /** The analysis failed through no fault of the recording and the upload is kept: send this id as JSON to POST /analyze to try again. Or a live session expired: its recording is analysed under this id. */
  conversation_id?: string;
}

/** A value with its interval of 95 %. */
export interface Estimate {
  value: number;
  from: number;
  to: number;
}

/** A quoted span of one utterance. Times are in seconds from the start of the recording. */
export interface Evidence {
  utterance_id: string;
  quote: string;
  t_start: number;
  t_end: number;
}

/** The formats of an export. */
export type ExportFormat = 'json' | 'txt' | 'md' | 'srt' | 'vtt' | 'csv' | 'html';

/** A conversation in an export of several. */
export interface ExportedFile {
  conversation_id: string;
  filename: string | null;
  /** The text of the file; null if it failed. */
  content: string | null;
  error: {
    code: ErrorCode;
    message: string;
  } | null;
}

/** The analyses that failed with one error code. */
export interface Failure {
  code: ErrorCode;
  /** Whether the service is at fault, not the media. */
  is_ours: boolean;
  count: number;
  last_at: string;
  /** The most recent failed requests. */
  requests: {
    request_id: string;
    conversation_id: string;
    tenant: string;
    at?: string;
    /** When the analysis was requested. */
    started_at?: string;
    /** The error's message. */
    reason?: string;
    /** Whether its recording is kept, so that `POST /tenants/{id}/conversations/{id}/retry` can analyse it again. */
    can_retry?: boolean;
  }[];
}

/** A thumb on one moment, utterance or line of the summary. */
export interface FeedbackRequest {
  moment_id?: string;
  utterance_id?: string;
  /** A line of the summary, word for word. */
  line?: string;
  /** Null removes the thumb. */
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
  /** Live capture: the partial transcript that this one replaces. */
  partial_id?: string;
}

export interface FixedOptions {
  /** The id of the recogniser; absent: the pipeline's default. */
  recogniser?: string;
  /** The effort spent on transcription. Absent: `best` for files, `fast` while a live session is running. */
  quality?: Quality;
  /** The spoken language (BCP 47), if known; for multilingual recognisers. */
  language?: string;
  /** The role of the person on each channel, such as `["agent", "customer"]`; null: unknown. They apply only if each channel carries one person. */
  roles?: (RoleInput | null)[];
  /** The kinds of personal data that are removed from words and sound before anything is concluded. Their place is taken by labels such as `[card]`. */
  redact?: RedactionKind[];
  affect?: Affect;
}

/** The moment that followed another. */
export interface FollowingMoment {
  moment_id: string;
  category: MomentCategory;
  /** Seconds from the start of the moment to the start of this one. */
  after_s: number;
  /** Seconds from the start of the recording. */
  t_start: number;
  confidence: number;
}

/** Utterances that answer the `goal`, or may do so. */
export interface GoalSentences {
  utterance_ids: string[];
  /** The probability that a reader would call these utterances an answer. Of a moment or a commitment: its confidence. */
  score: number;
}

export interface Health {
  status: 'ok';
}

/** The conversation of a moment or a line. */
export interface HitConversation {
  title: string;
  /** When the recording began; without that, when it reached the service. */
  recorded_at: string;
  /** `given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service. */
  recorded_at_source: 'given' | 'assumed';
  labels: string[];
  /** BCP 47; null if it is not known. */
  language: string | null;
}

/** Keeps conversations from being deleted until it ends or is lifted. */
export interface Hold {
  id: string;
  /** The conversation on hold; null for a hold over a filter. */
  conversation_id: string | null;
  /** Null for a hold on one conversation. */
  filter: {
    label?: string;
    person?: string;
    created_after?: string;
    created_before?: string;
  } | null;
  reason: string;
  until: string | null;
  /** The id of the key that set it. */
  set_by: string;
  set_at: string;
  /** How many conversations it keeps. One that has matched the filter stays on hold, also when it is edited. */
  conversations: number;
}

/** A conversation must match all filters, as in `GET /conversations`. Times are ISO 8601 with a time zone. */
export interface HoldFilterInput {
  label?: string;
  /** The id of a person who speaks. */
  person?: string;
  created_after?: string;
  created_before?: string;
}

export interface HoldList {
  holds: Hold[];
  next_cursor: string | null;
}

export interface Hotspot {
  /** Seconds from the start of the recording. */
  t: number;
  type: string;
  description: string;
  score: number;
}

/** Findings about the whole conversation. Affect fields cover only the speakers whose affect was measured, and are null if there are none. */
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
    /** Transitions per minute. */
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
  /** `settings`: configured in API_KEYS or DEMO_API_KEY, and only changeable there. `sign_in`: the session of a person. */
  source: 'issued' | 'settings' | 'sign_in';
  status: 'active' | 'expired' | 'revoked';
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Accurate to a few seconds. */
  last_used_at: string | null;
  /** The key that replaced it in a rotation. */
  replaced_by: string | null;
  /** The secret, shown only once. */
  key: string;
}

/** A running analysis, or how it ended. */
export interface Job {
  conversation_id: string;
  status: JobStatus;
  /** The phase of the last `status` event; null before the first. */
  phase: string | null;
  /** Completed share of the phase, 0..1. */
  progress: number;
  /** If it failed: the error that a waiting request would have received. */
  error: {
    code: ErrorCode;
    message: string;
  } | null;
  /** If the service failed: how long the upload is kept, so that the analysis can be requested again. */
  kept_until: string | null;
  /** While it waits for a pipeline. */
  queue?: {
    /** Its place in the queue; 1 is next. */
    position: number;
    /** How long it is expected to wait, s. */
    eta_seconds: number;
  };
  created_at: string;
  updated_at: string;
}

export interface JobStarted {
  conversation_id: string;
  status: JobStatus;
}

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled';

export interface KeptUploadRequest {
  /** The `conversation_id` of the error. */
  conversation_id: string;
}

/** A key without its secret, which is shown once when the key is issued and stored nowhere. */
export interface Key {
  id: string;
  tenant: string;
  label: string;
  scopes: Scope[];
  limits: UsageLimits;
  /** `settings`: configured in API_KEYS or DEMO_API_KEY, and only changeable there. `sign_in`: the session of a person. */
  source: 'issued' | 'settings' | 'sign_in';
  status: 'active' | 'expired' | 'revoked';
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Accurate to a few seconds. */
  last_used_at: string | null;
  /** The key that replaced it in a rotation. */
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

/** Absent members stay unchanged; `limits` replaces all previous limits. */
export interface KeyPatchRequest {
  label?: string;
  scopes?: Scope[];
  expires_at?: string | null;
  limits?: UsageLimits;
}

/** A change from one phase to the next. Times are in seconds from the start of the recording. */
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
  /** Levels per second. */
  rate: number;
  /** One byte per level: 0 for -60 dB re full scale and below, 255 for full scale, linear in dB between. */
  channels: string[];
}

export interface LexicalMarkers {
  /** Hedge phrases / words, 0..1. */
  hedge_density: number;
  /** (Fillers + repeats + repairs) / words, 0..1. */
  disfluency_rate: number;
  is_question: boolean;
  /** Whether words were restarted or cut off. */
  self_repair: boolean;
  /** The counts and words behind these numbers. */
  reasoning: string;
}

/** A line of one of all conversations. */
export interface LineHit {
  /** The line; of a long one, the part around the first word that was found. */
  text: string;
  /** Start and end in `text` of each word that was found. */
  spans: number[][];
  /** The recogniser's confidence in the words, to two decimals; null if it is not known. */
  confidence: number | null;
  conversation_id: string;
  utterance_id: string;
  /** The name of the speaker, or the label of one without a name. */
  speaker: string;
  /** The id of the person who speaks; null if it is not known. */
  person: string | null;
  /** The role of the speaker; null if it is not known. */
  role: string | null;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** Path of the recording, with these seconds as a media fragment. */
  media: string;
  /** Path of the page that shows these seconds. */
  page: string;
  /** Null at the start of the conversation. */
  before: NearbyLine | null;
  /** Null at the end of the conversation. */
  after: NearbyLine | null;
  /** Who speaks when, from 5 s before the hit to 5 s after it. */
  around: NearbySpeech[];
  conversation: HitConversation;
}

export interface LineList {
  /** Newest conversation first, then in order of time. */
  lines: LineHit[];
  next_cursor: string | null;
}

/** A line must match all filters. */
export interface LineQueryInput {
  /** Recordings that began at this time or later. */
  from?: string | string;
  /** Recordings that began before this time. */
  to?: string | string;
  /** Time zone (IANA) of days. Default: `UTC`. */
  tz?: string;
  /** Conversations with this label. */
  label?: string;
  /** Conversations in this language (BCP 47); `en` includes `en-GB`. */
  language?: string;
  /** Conversations in which this person speaks: the id of a person, or the name of a speaker. */
  person?: string;
  /** Conversations that this enabled rule matches. */
  rule?: string;
  /** Words that must all occur in the line; `"..."` is a phrase, `wat*` any ending. */
  q: string;
  /** Said by this speaker: the id of a person, or the name or label of a speaker. */
  speaker?: string;
  /** Said by a speaker in this role. */
  role?: RoleInput;
  /** Only the first line of each conversation is listed. */
  one_per?: 'conversation';
  /** `next_cursor` of the previous page. */
  cursor?: string;
  /** Entries per page. Default: `20`. */
  limit?: number;
}

/** The format of a live byte stream; `.pcm` is s16le 16 kHz mono. */
export type LiveExtension = '.mp4' | '.mov' | '.webm' | '.mp3' | '.wav' | '.m4a' | '.aac' | '.ogg' | '.opus' | '.pcm';

/** An open session; its endpoints are paths. */
export interface LiveSession {
  session_id: string;
  conversation_id: string;
  chunk_endpoint: string;
  events_endpoint: string;
  control_endpoint: string;
  next_chunk_seq: number;
  /** The session ends at this time unless a chunk or a keepalive arrives first. */
  expires_at: string;
  status: LiveStatus;
  /** Recommended length of a chunk, ms. Shorter and longer chunks are also accepted. */
  chunk_ms?: number;
}

export interface LiveStartRequest {
  /** The purpose of the analysis, such as a question it should answer. */
  goal?: string;
  /** The number of speakers, if known. */
  speakers?: number;
  /** The id of the recogniser; absent: the pipeline's default. */
  recogniser?: string;
  /** The effort spent on transcription. Absent: `best` for files, `fast` while a live session is running. */
  quality?: Quality;
  /** Names and terms that may be spoken, in their correct spelling. They become easier to recognise, but only where something similar was said. */
  words?: string[];
  /** The spoken language (BCP 47), if known; for multilingual recognisers. */
  language?: string;
  /** The role of the person on each channel, such as `["agent", "customer"]`; null: unknown. They apply only if each channel carries one person. */
  roles?: (RoleInput | null)[];
  /** The kinds of personal data that are removed from words and sound before anything is concluded. Their place is taken by labels such as `[card]`. */
  redact?: RedactionKind[];
  /** How affect is measured, for all speakers or for each speaker label. Default: `full`. */
  affect?: Affect;
  /** When the recording began. Absent: when it reached the service. Dates that were said count from it. */
  recorded_at?: string;
  /** The time zone of the recording (IANA), such as Europe/London. Absent: UTC. Dates that were said are days in it. */
  time_zone?: string;
  /** Its extension determines the format if `suffix` is absent. */
  filename?: string;
  suffix?: LiveExtension;
  /** How long the session stays open without a chunk or a keepalive. Default: `900`. */
  ttl_seconds?: number;
}

export type LiveStatus = 'waiting_media' | 'ingesting' | 'processing' | 'completed' | 'aborted';

export interface MadeShare {
  id: string;
  /** Null for a share of a playlist. */
  conversation_id: string | null;
  /** Null for a share of a conversation. */
  playlist_id: string | null;
  /** The current title or name of what is shared; null: it has none. */
  title: string | null;
  label: string | null;
  /** An active share also stops working when its key does. */
  status: 'active' | 'expired' | 'revoked';
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  /** The key that made it. */
  key_id: string;
  /** How often it was opened. Openings within ten minutes are one. */
  opens: number;
  last_opened_at: string | null;
  /** The secret, shown only once. It reads what is shared as a browser token does. */
  token: string;
  /** The address of the page for those who have the token, without the host. */
  path: string;
}

/** An utterance that matches a search or a filter. */
export interface Match {
  utterance_id: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  text: string;
  /** Start and end of each hit in `text`. */
  hits: number[][];
}

export interface MatchedRule {
  id: string;
  name: string;
  version: number;
  /** The first three. */
  hits: ({
    /** Empty for silence. */
    utterance_ids: string[];
    /** The speaker of the first utterance; null for silence. */
    speaker: string | null;
    /** Seconds from the start of the recording. */
    t_start: number;
    /** Seconds from the start of the recording. */
    t_end: number;
    /** The first utterance, cut around what matched if it is long. */
    quote: string;
    /** Start and end in `quote` of each phrase that matched. */
    spans: number[][];
    /** True if it rests on moments or transitions with a confidence below 0.5; absent if not. */
    is_unsure?: boolean;
  })[];
}

export interface MatchedView {
  id: string;
  name: string;
  /** The first three. */
  moments: {
    moment_id: string;
    category: MomentCategory;
    confidence: number;
    /** At most 300 characters. */
    quote: string;
    /** The name of the speaker, or the label of one without a name. */
    speaker: string;
    /** Seconds from the start of the recording. */
    t_start: number;
    /** Seconds from the start of the recording. */
    t_end: number;
    /** Path of the page that shows these seconds. */
    page: string;
  }[];
  /** Moments of the conversation that match. */
  count: number;
}

/** The format of a file or a byte stream; `.pcm` is s16le 16 kHz mono. */
export type MediaExtension = '.mp4' | '.mov' | '.webm' | '.mp3' | '.wav' | '.m4a' | '.aac' | '.flac' | '.ogg' | '.opus' | '.pcm';

/** What the decoder found in the media. */
export interface MediaInfo {
  /** Seconds. */
  duration_s: number;
  channels: number;
  /** Hz. */
  sample_rate?: number;
  codec?: string;
  /** Whether each channel carries one person, in which case speakers are labelled by channel. */
  speaker_per_channel: boolean;
  /** The channel of a stereo recording, 0 or 1, that is silent throughout; absent if there is none. */
  silent_channel?: number;
}

/** A person who may sign in to a tenant. */
export interface Member {
  email: string;
  role: MemberRole;
  added_at: string;
  /** The last sign-in; null: never. */
  signed_in_at: string | null;
}

export interface MemberList {
  members: Member[];
}

export interface MemberRequest {
  role: MemberRole;
}

/** A `viewer` reads. An `analyst` also analyses, edits and captures live. A `manager` also deletes, and manages keys and members. */
export type MemberRole = 'viewer' | 'analyst' | 'manager';

export interface Metrics {
  version: string;
  /** Number of times each event was sent, by event name. */
  events: Record<string, number>;
  /** Mean latency in milliseconds, by scope. */
  agent_latency_ms: Record<string, number>;
}

export interface Mishearing {
  utterance_id: string;
  /** Consecutive words of the utterance. */
  heard: string;
  /** The words that were probably said. */
  meant: string;
}

/** What happens in a moment. `objection`: the speaker raises a concern or doubt about a proposal or product under discussion; `cta_offered`: the speaker makes a concrete proposal or offer that the other side can accept or decline, put as a question or not; `cta_accepted`: the speaker accepts an offer that somebody else made; `cta_rejected`: the speaker declines an offer that somebody else made; `topic_shift`: the speaker opens a new topic. */
export type MomentCategory = 'objection' | 'cta_offered' | 'cta_accepted' | 'cta_rejected' | 'topic_shift';

/** A key moment of the conversation, with its words as evidence. */
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
  /** The ids under which the events of a live session named this before its final analysis; absent for a file. Empty if the session had nothing of the kind. */
  heard_as?: string[];
  /** The `moment_id` of the offer that this moment accepts or rejects. */
  answers?: string;
  /** Present if the language model that the operator switched on proposed the moment. The service checks its quote and its link; its `confidence` is the model's own. */
  source?: 'language_model';
}

/** A moment of one of all conversations. */
export interface MomentHit {
  moment_id: string;
  category: MomentCategory;
  confidence: number;
  /** At most 300 characters. */
  quote: string;
  conversation_id: string;
  utterance_id: string;
  /** The name of the speaker, or the label of one without a name. */
  speaker: string;
  /** The id of the person who speaks; null if it is not known. */
  person: string | null;
  /** The role of the speaker; null if it is not known. */
  role: string | null;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** Path of the recording, with these seconds as a media fragment. */
  media: string;
  /** Path of the page that shows these seconds. */
  page: string;
  /** Null at the start of the conversation. */
  before: NearbyLine | null;
  /** Null at the end of the conversation. */
  after: NearbyLine | null;
  /** Who speaks when, from 5 s before the hit to 5 s after it. */
  around: NearbySpeech[];
  conversation: HitConversation;
  /** See `MomentOutcome`. Null: nothing followed. */
  followed_by: FollowingMoment | null;
  /** The rating that somebody gave it; absent without one. */
  thumb?: 'up' | 'down';
}

export interface MomentList {
  /** Newest conversation first, then in order of time. */
  moments: MomentHit[];
  /** Null on later pages. */
  totals: MomentTotals | null;
  next_cursor: string | null;
}

/** The outcome of a moment. Of an offer: its first answer, which is the moment that `answers` it. Of another moment: the first answer within 60 s. Without one, the first objection within 60 s; otherwise `nothing`. */
export type MomentOutcome = 'cta_accepted' | 'cta_rejected' | 'objection' | 'nothing';

/** A moment must match all filters. */
export interface MomentQueryInput {
  /** Recordings that began at this time or later. */
  from?: string | string;
  /** Recordings that began before this time. */
  to?: string | string;
  /** Time zone (IANA) of days. Default: `UTC`. */
  tz?: string;
  /** Conversations with this label. */
  label?: string;
  /** Conversations in this language (BCP 47); `en` includes `en-GB`. */
  language?: string;
  /** Conversations in which this person speaks: the id of a person, or the name of a speaker. */
  person?: string;
  /** Conversations that this enabled rule matches. */
  rule?: string;
  /** Conversations in which all these words occur. */
  q?: string;
  /** One category of moments, or several with commas between. */
  category?: string;
  /** At least this confidence. */
  min_confidence?: number;
  /** Said by this speaker: the id of a person, or the name or label of a speaker. */
  speaker?: string;
  /** Said by a speaker in this role. */
  role?: RoleInput;
  outcome?: MomentOutcome;
  /** Only the surest moment of each conversation is listed; the sums still count all. */
  one_per?: 'conversation';
  /** `next_cursor` of the previous page. */
  cursor?: string;
  /** Entries per page. Default: `20`. */
  limit?: number;
}

/** Sums over all moments that match. */
export interface MomentTotals {
  count: number;
  /** How many of them have a confidence below 0.5. */
  unsure: number;
  /** Number of conversations with such a moment. */
  conversations: number;
  /** Number of conversations that match the filters, with such a moment or without. */
  searched: number;
  categories: Partial<Record<MomentCategory, {
    count: number;
    /** How many of them have a confidence below 0.5. */
    unsure: number;
  }>>;
  /** Moments by their outcome. */
  outcomes: Partial<Record<MomentOutcome, {
    count: number;
    /** How many of these outcomes are themselves unsure. */
    unsure: number;
  }>>;
}

/** A name that was heard for a speaker. */
export interface NameProposal {
  /** The label of the speaker. */
  speaker: string;
  name: string;
  /** `introduction`: the speaker says the name. `address`: the other speaker does. */
  from: 'introduction' | 'address';
  /** Whether the words leave no doubt, and nothing contradicts them. */
  sure: boolean;
  utterance_id: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  quote: string;
  /** The only person of the tenant with this name; null: there is none. */
  person_id: string | null;
}

/** The line before or after a hit. */
export interface NearbyLine {
  utterance_id: string;
  speaker: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** At most 300 characters. */
  text: string;
}

/** A line that is said during a hit, or shortly before or after it. */
export interface NearbySpeech {
  speaker: string;
  t_start: number;
  t_end: number;
}

export interface NewCommentRequest {
  /** Seconds from the start of the recording. */
  at: number;
  text: string;
}

export interface NewHoldRequest {
  filter: HoldFilterInput;
  /** Why it is kept, in your own words. */
  reason: string;
  /** When the hold ends by itself; null: never. */
  until?: string | null;
}

export interface NewKeyRequest {
  label: string;
  /** Only the operator may name one; otherwise the tenant of the calling key. */
  tenant?: string;
  /** Absent: all except `admin` and `unredacted`. Only the operator may give `unredacted`. */
  scopes?: Scope[];
  expires_at?: string | null;
  /** Only the operator may set limits. */
  limits?: UsageLimits;
}

export interface NewPersonRequest {
  /** The name that is shown for the speaker. */
  name: string;
  role?: RoleInput | null;
  /** The id of the person in another system, such as a directory. No two people have the same. */
  external_id?: string | null;
}

export interface NewPlaylistItemRequest {
  conversation_id: string;
  /** Seconds from the start of the recording. */
  from: number;
  /** Seconds from the start of the recording. */
  to: number;
  /** Your own words about the piece; empty if there are none. */
  note?: string;
  /** The place in the list, counted from 0. Later items move back; a number past the end is the end. */
  position?: number;
}

export interface NewPlaylistRequest {
  name: string;
}

export interface NewPlaylistShareRequest {
  /** Days after which the share ends by itself. Default: `7`. */
  days?: number;
  /** Whom it is for, in your own words. */
  label?: string | null;
  /** Leaves out the names of speakers and the titles of conversations. Names that are said remain. Default: `true`. */
  hide_names?: boolean;
}

export interface NewRedactionRequest {
  filter: ConversationFilterInput;
  /** Kinds of values to remove from words, sound and texts. */
  kinds: RedactionKind[];
}

export interface NewRuleRequest {
  name?: string;
  /** Instead of `name`. */
  CategoryName?: string;
  when?: RuleConditionInput;
  /** Instead of `when`: the rules of a category of Amazon Transcribe Call Analytics. All of them must match. */
  Rules?: CallAnalyticsRuleInput[];
  /** Whether the webhook `rule.matched` and the live event `rule_match` report matches. Default: `true`. */
  alert?: boolean;
  /** Whether the rule applies to everything stored and to every new result. Default: `false`. */
  is_enabled?: boolean;
  /** Ignored: rules apply to files and live sessions. */
  InputType?: 'POST_CALL' | 'REAL_TIME';
  /** Ignored. */
  Tags?: unknown[];
}

export interface NewRuleTrialRequest {
  when?: RuleConditionInput;
  /** Instead of `when`: the rules of a category of Amazon Transcribe Call Analytics. All of them must match. */
  Rules?: CallAnalyticsRuleInput[];
  created_after?: string;
  created_before?: string;
  /** Number of conversations to show, newest first. Default: `100`. */
  limit?: number;
}

export interface NewShareRequest {
  conversation_id: string;
  /** Days after which the share ends by itself. Default: `7`. */
  days?: number;
  /** Whom it is for, in your own words. */
  label?: string | null;
}

export interface NewTenantRequest {
  name: string;
}

export interface NewTokenRequest {
  /** One live session (`new`, or the id of an open one), one new upload, or one conversation to read. */
  for: {
    session?: string;
    upload?: 'new';
    conversation?: string;
  };
  /** Default: `600`. */
  ttl_seconds?: number;
  /** For a `new` session or upload: options that replace those of the page. The page can only redact more. */
  options?: FixedOptions;
}

export interface NewUploadRequest {
  filename: string;
  /** The size of the file. */
  bytes: number;
  /** The purpose of the analysis, such as a question it should answer. */
  goal?: string;
  /** The number of speakers, if known. */
  speakers?: number;
  /** The id of the recogniser; absent: the pipeline's default. */
  recogniser?: string;
  /** The effort spent on transcription. Absent: `best` for files, `fast` while a live session is running. */
  quality?: Quality;
  /** Names and terms that may be spoken, in their correct spelling. They become easier to recognise, but only where something similar was said. */
  words?: string[];
  /** The spoken language (BCP 47), if known; for multilingual recognisers. */
  language?: string;
  /** The role of the person on each channel, such as `["agent", "customer"]`; null: unknown. They apply only if each channel carries one person. */
  roles?: (RoleInput | null)[];
  /** The kinds of personal data that are removed from words and sound before anything is concluded. Their place is taken by labels such as `[card]`. */
  redact?: RedactionKind[];
  /** How affect is measured, for all speakers or for each speaker label. Default: `full`. */
  affect?: Affect;
  /** When the recording began. Absent: when it reached the service. Dates that were said count from it. */
  recorded_at?: string;
  /** The time zone of the recording (IANA), such as Europe/London. Absent: UTC. Dates that were said are days in it. */
  time_zone?: string;
  /** Whether the parts are sent directly to the object store, with presigned URLs. Default: `false`. */
  presigned?: boolean;
}

export interface NewViewRequest {
  /** The name of the view. No two views of a page have the same. */
  name: string;
  /** The page of the dashboard. */
  page: 'conversations' | 'patterns' | 'commitments';
  /** The filters of the page, as in its address: `category=objection`. */
  query: string;
  /** Whether the webhook `view.matched` reports new conversations with moments that match. Only views of `patterns` have it. Default: `false`. */
  tell?: boolean;
}

export interface NewWebhookRequest {
  /** An https URL on the public internet. */
  url: string;
  /** The events to send. Absent: all. */
  events?: WebhookEvent[];
}

/** A question that was left unanswered. */
export interface OpenQuestion {
  question_id: string;
  /** The speaker who asked. */
  speaker: string;
  /** The speaker who replied. */
  to: string;
  quote: string;
  utterance_id: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** The reply that leaves it open, such as "I don't know". */
  reply: {
    utterance_id: string;
    quote: string;
  };
  confidence: number;
}

/** An open question of one of all conversations. */
export interface OpenQuestionEntry {
  question_id: string;
  /** The speaker who asked. */
  speaker: string;
  /** The speaker who replied. */
  to: string;
  quote: string;
  utterance_id: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** The reply that leaves it open, such as "I don't know". */
  reply: {
    utterance_id: string;
    quote: string;
  };
  confidence: number;
  conversation_id: string;
  /** The title of the conversation. */
  title: string;
  /** When the conversation reached the service. */
  created_at: string;
  /** When the recording began; without that, when it reached the service. */
  recorded_at: string;
  /** `given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service. */
  recorded_at_source: 'given' | 'assumed';
}

/** The activity of the service, for the operator. */
export interface Operations {
  version: string;
  since: string;
  checked_at: string;
  /** Analyses by the hour in which they ended; hours without any are absent. */
  hours: {
    at: string;
    completed: number;
    failed: number;
    cancelled: number;
  }[];
  /** Duration of completed analyses of files, to two digits; null if there were none. */
  duration_ms: {
    median: number;
    p95: number;
  } | null;
  /** Slots for analyses of files, and how many analyses hold or wait for one now. */
  queue?: {
    slots: number;
    running: number;
    waiting: number;
  };
  /** Pipelines, and how many of them respond now. A container sleeps until an analysis starts it. */
  pipelines?: {
    total: number;
    ready: number;
  };
  /** The pipelines that run, as they last reported. */
  pool?: {
    instances: PoolInstance[];
    /** Live sessions that wait for a pipeline. */
    waiting_live: number;
  };
  /** The container application that gets no new work: its pipelines that respond, and the analyses and live sessions that still run there. Absent where there are no containers. */
  idle_application?: {
    ready: number;
    work: number;
  };
  /** From the end of speech in live sessions to its final transcript, since the first deployment; estimated from the histogram of `/metrics`. */
  live_final_ms?: {
    median: number;
    p95: number;
  } | null;
  failures: Failure[];
  /** The newest analyses that the service gave up and whose recordings it keeps. `POST /tenants/{id}/conversations/{id}/retry` starts one again. */
  dead_letters?: DeadLetter[];
  /** The newest webhook messages whose attempts were used up in the requested hours. `POST /tenants/{id}/webhooks/{id}/deliveries/{id}/redeliver` sends one again. */
  undelivered?: Undelivered[];
  tenants: {
    queued: number;
    running: number;
    /** Open live sessions. */
    live_sessions: number;
    stored_bytes: number;
    /** The used share of its database of 10 GB, from 0 to 1. From 0.9 on, new recordings get 507 `STORAGE_FULL`. */
    database_share?: number;
    /** Webhook deliveries in the requested hours. */
    deliveries: {
      pending: number;
      delivered: number;
      failed: number;
    };
    id: string;
    name: string;
  }[];
  /** False if there are more tenants than the overview covers. */
  is_whole: boolean;
  /** Number of times each event was sent since the first deployment, by event name. */
  events: Record<string, number>;
  /** Whether transcripts leave the service for a language model that the operator configured. */
  has_language_model: boolean;
  has_live: boolean;
}

export interface OperatorSession {
  /** `operator`, with the e-mail address when signed in through Cloudflare Access. */
  operator: string;
  /** Null if the service never ends the session by itself. */
  expires_at: string | null;
}

/** Valence, arousal and dominance, each 0..1, where 0.5 is neutral. */
export interface Pad {
  valence: number;
  arousal: number;
  dominance: number;
}

/** Interim text of ongoing speech; live capture only. */
export interface PartialTranscript {
  partial_id: string;
  /** The text recognised so far; empty if there was no speech after all. */
  text: string;
  is_final: boolean;
  /** The leading part of `text` that two partials agreed on (LocalAgreement-2). */
  stable_text: string;
}

export type PassionLevel = 'reserved' | 'mildly_passionate' | 'moderately_passionate' | 'highly_passionate';

/** Indices of delivery relative to the speaker's own baseline, where 0.5 is typical. */
export interface PassionMarkers {
  /** The highest tenth of pitch. */
  pitch_dynamism: number;
  /** Variation of pitch. */
  pitch_variation: number;
  /** Intensity. */
  energy_level: number;
  /** Variation of intensity. */
  energy_dynamics: number;
  /** Energy above 1 kHz. */
  spectral_richness: number;
  /** Variation of the spectral centroid. */
  spectral_variation: number;
  passion_score: number;
  passion_level: PassionLevel;
  conviction_score: number;
  conviction_level: ConvictionLevel;
}

/** Somebody who may be a speaker in any conversation of the tenant. */
export interface Person {
  id: string;
  name: string;
  role: string | null;
  external_id: string | null;
  /** Number of conversations in which the person is a speaker. */
  conversations: number;
  /** Number of those that have yet to show the last change. */
  pending: number;
  created_at: string;
  updated_at: string;
}

export interface PersonList {
  /** By name. */
  people: Person[];
}

export interface PersonPatchRequest {
  name?: string;
  role?: RoleInput | null;
  /** The id of the person in another system, such as a directory. No two people have the same. */
  external_id?: string | null;
}

/** A speaker without a name who may be a person. */
export interface PersonProposal {
  /** The label of the speaker. */
  speaker: string;
  name: string;
  /** `introduction`: the speaker says the name. `address`: the other speaker does. */
  from: 'introduction' | 'address';
  /** Whether the words leave no doubt, and nothing contradicts them. */
  sure: boolean;
  utterance_id: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  quote: string;
  conversation_id: string;
  title: string;
  created_at: string;
  /** When the recording began; without that, when it reached the service. */
  recorded_at: string;
  /** `given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service. */
  recorded_at_source: 'given' | 'assumed';
}

export interface PersonProposals {
  /** Newest conversations first. */
  proposals: PersonProposal[];
  /** Older conversations in which the name is said are left to look at; a page may have no proposals. */
  next_cursor: string | null;
}

/** The person no longer exists. */
export interface PersonRemoval {
  id: string;
  deleted_at: string;
  /** Number of conversations that named the person. */
  conversations: number;
  /** Number of those that are still being written without the name. It takes seconds. */
  pending: number;
}

/** A named list of pieces of conversations to hear one after another. */
export interface Playlist {
  id: string;
  name: string;
  /** Number of items. */
  items: number;
  /** How long all items last together. */
  seconds: number;
  created_at: string;
  updated_at: string;
}

export interface PlaylistDetail {
  id: string;
  name: string;
  /** Number of items. */
  items: number;
  /** How long all items last together. */
  seconds: number;
  created_at: string;
  updated_at: string;
  /** The items in their order. */
  list: PlaylistItem[];
}

/** A piece of a conversation in a playlist. */
export interface PlaylistItem {
  id: string;
  conversation_id: string;
  conversation: HitConversation;
  /** Seconds from the start of the recording. */
  from: number;
  /** Seconds from the start of the recording. */
  to: number;
  note: string;
  /** Who speaks first in the piece; null if nobody does. */
  speaker: string | null;
  /** The first line in the piece, as it is shown now; null if there is none. */
  quote: string | null;
  /** Path of the recording, with these seconds as a media fragment. */
  media: string;
  /** Path of the page that shows these seconds. */
  page: string;
  added_at: string;
}

export interface PlaylistItemPatchRequest {
  from?: number;
  to?: number;
  /** Your own words about the piece; empty if there are none. */
  note?: string;
  /** The place in the list, counted from 0. Later items move back; a number past the end is the end. */
  position?: number;
}

export interface PlaylistList {
  /** By name. */
  playlists: Playlist[];
}

export interface PlaylistPatchRequest {
  name: string;
}

/** A pipeline of the pool. */
export interface PoolInstance {
  /** The address of a process, or the application and the number of a container. */
  name: string;
  /** `draining` takes no new work; `silent` did not answer, and takes none until it does. */
  state: 'starting' | 'ready' | 'draining' | 'silent';
  /** Live sessions. */
  live: {
    slots: number;
    used: number;
  };
  /** Analyses of files and of finished live sessions. */
  files: {
    slots: number;
    used: number;
  };
  /** Share of its processor cores in use. */
  busy: number;
  /** How far its live sessions are behind the audio that it has: the 95th percentile. */
  lag_ms: number;
  /** Resident memory; null if it does not report it. */
  memory_bytes: number | null;
  reported_at: string;
}

/** Names and roles that may be those of speakers. None is applied by itself. */
export interface Proposals {
  conversation_id: string;
  /** For speakers without a name, the surest first. */
  names: NameProposal[];
  /** For a conversation of two, unless it is not clear who has which role. Empty otherwise. */
  roles: RoleProposal[];
}

/** Acoustic measures of one utterance. A measure that could not be taken is 0; `confidence` is the reliability of all of them. */
export interface Prosody {
  /** Median fundamental frequency of the voiced frames in Hz; 0 if nothing is voiced. */
  pitch_hz: number;
  /** Standard deviation of the fundamental frequency in Hz. */
  pitch_std: number;
  /** 95th minus 5th percentile of the fundamental frequency in Hz. */
  pitch_range: number;
  /** Root mean square of the samples of the speech frames, full scale = 1. */
  energy_rms: number;
  /** Standard deviation of the root mean square of the frames, full scale = 1. */
  energy_std: number;
  /** Root mean square of the loudest 30 ms, full scale = 1. */
  energy_max: number;
  /** Length of the utterance in seconds. */
  duration: number;
  /** Silence before this utterance in ms, regardless of who spoke last; 0 for overlap. */
  pause_before_ms: number;
  /** Centre of gravity of the spectrum in Hz. */
  spectral_centroid: number;
  /** Spread of the spectrum around the centroid in Hz. */
  spectral_std: number;
  /** Zero crossings per sample, 0..1. */
  zcr: number;
  /** Silent share of the utterance, 0..1. */
  pause_ratio: number;
  /** Pitch relative to the speaker's own baseline, in shrunken standard deviations. */
  pitch_z: number;
  /** Energy relative to the speaker's own baseline, in shrunken standard deviations. */
  energy_z: number;
  /** Null if affect is not measured from the voice. */
  commitment_markers: CommitmentMarkers | null;
  /** Null if affect is not measured from the voice. */
  passion_markers: PassionMarkers | null;
  /** Voiced share of the speech frames. */
  voiced_ratio: number;
  /** Mean intensity of the speech frames in dB re full scale (a full-scale square wave is 0). */
  intensity_db: number;
  /** Harmonics-to-noise ratio in dB. */
  hnr_db: number;
  /** Local jitter as a share of the period. */
  jitter: number;
  /** Local shimmer as a share of the amplitude. */
  shimmer: number;
  /** Syllables per second over the whole utterance (De Jong & Wempe 2009). */
  speech_rate: number;
  /** Syllables per second of phonation. */
  articulation_rate: number;
  /** Speech rate relative to the speaker's own baseline, in shrunken standard deviations. */
  rate_z: number;
  /** Silences of at least 150 ms inside the utterance. */
  pause_count: number;
  pause_mean_ms: number;
  /** Direction of pitch over the last 200 ms of voiced speech. */
  final_contour: 'rising' | 'falling' | 'level' | 'unknown';
  /** Change of pitch over the last 200 ms of voiced speech in semitones. */
  final_slope_st: number;
  /** Ratio of the energy in 50-1000 Hz to that in 1-5 kHz, in dB. */
  alpha_ratio_db: number;
  /** Reliability of the acoustic measures of this utterance, 0..1. */
  confidence: number;
  /** The reason for a low confidence. */
  confidence_reason?: string;
}

/** The effort spent on transcription: `best`, or `fast`, which takes half the time and makes more errors. */
export type Quality = 'best' | 'fast';

export interface Ready {
  status: 'ready';
  /** The available recognisers, default first. */
  recognisers: RecogniserOffer[];
}

/** The options to change; absent options keep their previous values. */
export interface ReanalysisRequest {
  goal?: string;
  /** The number of speakers, if known. */
  speakers?: number;
  /** The id of the recogniser; absent: the pipeline's default. */
  recogniser?: string;
  /** The effort spent on transcription. Absent: `best` for files, `fast` while a live session is running. */
  quality?: Quality;
  /** Names and terms that may be spoken, in their correct spelling. They become easier to recognise, but only where something similar was said. */
  words?: string[];
  /** The spoken language (BCP 47), if known; for multilingual recognisers. */
  language?: string;
  /** The role of the person on each channel, such as `["agent", "customer"]`; null: unknown. They apply only if each channel carries one person. */
  roles?: (RoleInput | null)[];
  /** The kinds of personal data that are removed from words and sound before anything is concluded. Their place is taken by labels such as `[card]`. */
  redact?: RedactionKind[];
  affect?: Affect;
  /** When the recording began. Absent: when it reached the service. Dates that were said count from it. */
  recorded_at?: string;
  /** The time zone of the recording (IANA), such as Europe/London. Absent: UTC. Dates that were said are days in it. */
  time_zone?: string;
}

/** A record of what was removed or redacted, when and by whom, without its words. */
export interface Receipt {
  receipt_id: string;
  kind: ReceiptKind;
  at: string;
  /** `key <id>`, `person <address>`, `retention`, or the operator as the audit names it. */
  by: string;
  /** Null for several. */
  conversation_id: string | null;
  /** The conversations of `deletions`. */
  conversation_ids?: string[];
  /** The redaction over a filter that it belongs to; null if there is none. */
  redaction_id: string | null;
  /** The objects that were removed, by their storage keys. */
  removed: {
    key: string;
    bytes: number;
  }[];
  /** The objects that replaced them. */
  rewritten: {
    key: string;
    bytes: number;
  }[];
  /** The kinds of index rows that a deletion removed. */
  index: ('record' | 'labels' | 'moments' | 'text' | 'job' | 'rules' | 'people' | 'commitments' | 'playlists' | 'shares')[];
  /** Null for a deletion. */
  redaction: RedactionDeed | null;
  /** For a redaction over a filter: how many conversations ended how. Null otherwise. */
  conversations: {
    redacted: number;
    on_hold: number;
    failed: number;
    gone: number;
    verified: number;
  } | null;
  /** The same receipt with its `tenant`, as a compact JWS (RFC 7515) signed with Ed25519. */
  signed: string;
}

/** The public keys of signed receipts. */
export interface ReceiptKeys {
  keys: {
    kty: 'OKP';
    crv: 'Ed25519';
    /** The public key, base64url. */
    x: string;
    /** The key's thumbprint (RFC 7638), which the header of a receipt names. */
    kid: string;
    alg: 'EdDSA';
    use: 'sig';
  }[];
}

/** `deletion`: somebody deleted a conversation. `deletions`: somebody deleted several in one request, each of which also has a receipt of its own. `retention`: its retention ended. `redaction`: a stored conversation was redacted. `redactions`: a redaction of all conversations that matched a filter has ended. */
export type ReceiptKind = 'deletion' | 'deletions' | 'retention' | 'redaction' | 'redactions';

export interface ReceiptList {
  receipts: Receipt[];
  next_cursor: string | null;
}

export interface RecogniserOffer {
  /** The id with which an analysis selects it. */
  id: string;
  name: string;
  kind: 'built_in' | 'profile' | 'endpoint';
  /** The languages it recognises (BCP 47). */
  languages: string[];
}

export interface RedactedSpan {
  kind: RedactionKind;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
}

/** The result of a redaction. It never contains the redacted words. */
export interface Redaction {
  /** The kinds that were looked for. */
  kinds: RedactionKind[];
  /** Kind -> number of spans. */
  counts: Partial<Record<RedactionKind, number>>;
  /** The labels in the text, in order. */
  spans: RedactedSpan[];
  /** Where a tone stands in the recording: the spans with a margin of 0.25 s, merged. */
  muted: {
    t_start: number;
    t_end: number;
  }[];
  /** Whether the recording, transcribed again where it has a tone, and everything concluded from it were searched and nothing that was redacted was found. */
  verified: boolean;
  /** Why it is not verified, or what was muted as a whole. */
  notes: string[];
}

export interface RedactionDeed {
  /** The kinds that were looked for. */
  kinds: RedactionKind[];
  /** Kind -> number of spans in the recording. */
  counts: Partial<Record<RedactionKind, number>>;
  /** The result's `redaction.verified`. */
  verified: boolean;
  /** How many texts that people wrote were changed, by place. `notes` are those in playlists. */
  texts: {
    title: number;
    labels: number;
    comments: number;
    notes: number;
    filename: number;
    goal: number;
  };
  /** How many edits, ratings, statuses of commitments, people and webhook messages were removed with the earlier result. */
  removed: {
    edits: number;
    ratings: number;
    commitments: number;
    people: number;
    messages: number;
  };
}

/** A redaction of all conversations that matched a filter. */
export interface RedactionJob {
  redaction_id: string;
  status: 'running' | 'completed';
  kinds: RedactionKind[];
  /** `key <id>`, or `person <address>`. */
  by: string;
  created_at: string;
  ended_at: string | null;
  /** How many conversations matched when it began. */
  total: number;
  /** Those that wait or are being redacted. */
  waiting: number;
  redacted: number;
  /** Those that a hold keeps. They were left as they are. */
  on_hold: number;
  /** Those whose analysis failed. They are as they were. */
  failed: number;
  /** Those that were deleted in the meantime. */
  gone: number;
  /** Its receipt, once it has ended. */
  receipt_id: string | null;
}

/** A kind of personal data: card (also its security code and expiry date), iban, ssn (also UK National Insurance numbers), email, phone, dob (date of birth), password (also PINs and one-time codes), account (bank accounts, sort codes, policies, memberships), postcode, address, name, and digits (any run of four and more). */
export type RedactionKind = 'card' | 'iban' | 'ssn' | 'email' | 'phone' | 'dob' | 'password' | 'account' | 'postcode' | 'address' | 'name' | 'digits';

export interface RedactionRequest {
  /** Kinds of values to remove from words, sound and texts. */
  kinds: RedactionKind[];
}

export interface ReindexAnswer {
  conversations: number;
  next_cursor: string | null;
}

export interface RemoteFileRequest {
  /** An http or https URL on the public internet. */
  url: string;
  /** Its extension determines the format if neither the URL nor the server does. */
  filename?: string;
  /** The purpose of the analysis, such as a question it should answer. */
  goal?: string;
  /** The number of speakers, if known. */
  speakers?: number;
  /** The id of the recogniser; absent: the pipeline's default. */
  recogniser?: string;
  /** The effort spent on transcription. Absent: `best` for files, `fast` while a live session is running. */
  quality?: Quality;
  /** Names and terms that may be spoken, in their correct spelling. They become easier to recognise, but only where something similar was said. */
  words?: string[];
  /** The spoken language (BCP 47), if known; for multilingual recognisers. */
  language?: string;
  /** The role of the person on each channel, such as `["agent", "customer"]`; null: unknown. They apply only if each channel carries one person. */
  roles?: (RoleInput | null)[];
  /** The kinds of personal data that are removed from words and sound before anything is concluded. Their place is taken by labels such as `[card]`. */
  redact?: RedactionKind[];
  /** How affect is measured, for all speakers or for each speaker label. Default: `full`. */
  affect?: Affect;
  /** When the recording began. Absent: when it reached the service. Dates that were said count from it. */
  recorded_at?: string;
  /** The time zone of the recording (IANA), such as Europe/London. Absent: UTC. Dates that were said are days in it. */
  time_zone?: string;
}

/** A role, such as `agent`, `customer` or `host`. It is kept in lower case. */
export type RoleInput = string;

/** A role that the words of both speakers show. */
export interface RoleProposal {
  /** The label of the speaker. */
  speaker: string;
  role: 'agent' | 'customer' | 'doctor' | 'patient';
  confidence: number;
}

export interface RotatedKey {
  id: string;
  tenant: string;
  label: string;
  scopes: Scope[];
  limits: UsageLimits;
  /** `settings`: configured in API_KEYS or DEMO_API_KEY, and only changeable there. `sign_in`: the session of a person. */
  source: 'issued' | 'settings' | 'sign_in';
  status: 'active' | 'expired' | 'revoked';
  created_at: string | null;
  expires_at: string | null;
  revoked_at: string | null;
  /** Accurate to a few seconds. */
  last_used_at: string | null;
  /** The key that replaced it in a rotation. */
  replaced_by: string | null;
  /** The secret, shown only once. */
  key: string;
  replaces: Key;
}

export interface RotationRequest {
  /** How long the old key stays valid. Default: `86400`. */
  overlap_seconds?: number;
}

export interface Rule {
  id: string;
  name: string;
  /** Counted from 1; a changed condition is a new version. */
  version: number;
  when: RuleConditionInput;
  /** Whether the webhook `rule.matched` and the live event `rule_match` report matches. */
  alert: boolean;
  /** Whether the rule applies to everything stored and to every new result. */
  is_enabled: boolean;
  /** The number of stored conversations to which the rule has yet to be applied; 0 if it is not enabled. */
  pending: number;
  created_at: string;
  updated_at: string;
}

/** A condition of a rule, which has exactly one member. */
export interface RuleConditionInput {
  /** Every condition holds. */
  all?: RuleConditionInput[];
  /** At least one condition holds. */
  any?: RuleConditionInput[];
  /** The condition does not hold. */
  not?: RuleConditionInput;
  /** All conditions hold within this time, in seconds from the start of the first of them; those in `not` do not. */
  within?: {
    seconds: number;
    /** Conditions with a place in the conversation, or `not` with one. The first condition is not a `not`. */
    all: RuleConditionInput[];
  };
  said?: {
    /** One of these must be said. */
    phrases: string[];
    /** `any_form`: "cancel" also finds "cancelled" and "cancelling". `exact`: word for word, in any case. `loose`: any form, with up to two other words between two of a phrase: "too expensive" also finds "too bloody expensive". Default: `any_form`. */
    words?: 'any_form' | 'exact' | 'loose';
    who?: RuleSpeaker;
    where?: RulePlaceInput;
  };
  moment?: {
    categories: MomentCategory[];
    /** Default: `0`. */
    min_confidence?: number;
    who?: RuleSpeaker;
    where?: RulePlaceInput;
  };
  /** A lasting change of emotional state. `{}` finds any. */
  transition?: {
    from?: AffectState[];
    to?: AffectState[];
    min_confidence?: number;
    who?: RuleSpeaker;
    where?: RulePlaceInput;
  };
  sentiment?: {
    is: RuleSentiment[];
    who?: RuleSpeaker;
    where?: RulePlaceInput;
  };
  silence?: {
    /** Nobody speaks for this long, in seconds. */
    min_seconds: number;
    where?: RulePlaceInput;
  };
  /** `{}` finds any interruption. */
  interruption?: {
    /** Total overlap of the interruptions, in seconds. Default: `0`. */
    min_seconds?: number;
    /** Default: `1`. */
    min_count?: number;
    /** The speaker who interrupts. */
    who?: RuleSpeaker;
    where?: RulePlaceInput;
  };
  /** The speaker's share of all speech, 0..1. */
  talk_share?: {
    who: RuleSpeaker;
    min?: number;
    max?: number;
  };
  /** Length of the recording, in seconds. */
  length?: {
    min?: number;
    max?: number;
  };
  language?: {
    /** Languages (BCP 47); `en` also finds `en-GB`. */
    is: string[];
  };
}

export interface RuleFeedbackRequest {
  /** The first utterance of the hit. */
  utterance_id: string;
  conversation_id: string;
  /** Null removes the judgement. */
  thumb: 'up' | 'down' | null;
}

/** A rule with its versions. */
export interface RuleHistory {
  id: string;
  name: string;
  /** Counted from 1; a changed condition is a new version. */
  version: number;
  when: RuleConditionInput;
  /** Whether the webhook `rule.matched` and the live event `rule_match` report matches. */
  alert: boolean;
  /** Whether the rule applies to everything stored and to every new result. */
  is_enabled: boolean;
  /** The number of stored conversations to which the rule has yet to be applied; 0 if it is not enabled. */
  pending: number;
  created_at: string;
  updated_at: string;
  /** Newest first; the last fifty are kept. */
  versions: {
    version: number;
    when: RuleConditionInput;
    created_at: string;
  }[];
}

/** A place where a rule matches. */
export interface RuleHit {
  /** Empty for silence. */
  utterance_ids: string[];
  /** The speaker of the first utterance; null for silence. */
  speaker: string | null;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** The first utterance, cut around what matched if it is long. */
  quote: string;
  /** Start and end in `quote` of each phrase that matched. */
  spans: number[][];
  /** True if it rests on moments or transitions with a confidence below 0.5; absent if not. */
  is_unsure?: boolean;
  /** The judgement that was given on this hit. */
  thumb?: 'up' | 'down';
}

/** Hits that a rule misses by one step, and the wider rule that finds them. */
export interface RuleLeftOut {
  /** The path of the value that is wider, such as `when.all.0.moment.min_confidence`; a `who`, `where` or `not` is removed. */
  path: string;
  /** The rule, wider by this one step. */
  when: RuleConditionInput;
  /** Number of conversations with something that the rule leaves out. */
  matched: number;
  /** The number of hits that the rule leaves out. */
  hit_count: number;
  /** The newest conversations, with 10 hits in all, none of which is a hit of the rule. */
  matches: RuleMatch[];
}

export interface RuleList {
  rules: Rule[];
}

/** A conversation that a rule matches, or may match. */
export interface RuleMatch {
  conversation_id: string;
  title: string;
  created_at: string;
  /** When the recording began; without that, when it reached the service. */
  recorded_at: string;
  /** `given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service. */
  recorded_at_source: 'given' | 'assumed';
  /** `unknown`: nobody can say, for example because affect was withheld or nobody is known to have the role. */
  outcome: 'matched' | 'unknown';
  /** The first fifty, in order. Empty if only an absence or a total matches. */
  hits: RuleHit[];
  /** The number of all hits. */
  hit_count: number;
}

/** A rule matches in a live session. */
export interface RuleMatchEvent {
  rule_id: string;
  name: string;
  version: number;
  /** Empty for silence. */
  utterance_ids: string[];
  /** The speaker of the first utterance; null for silence. */
  speaker: string | null;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** The first utterance, cut around what matched if it is long. */
  quote: string;
  /** Start and end in `quote` of each phrase that matched. */
  spans: number[][];
  /** True if it rests on moments or transitions with a confidence below 0.5; absent if not. */
  is_unsure?: boolean;
}

export interface RuleMatchList {
  version: number;
  /** Number of conversations that match, under the filters. */
  matched: number;
  /** Number of conversations whose outcome is unknown, under the filters. */
  unknown: number;
  /** Newest conversation first. */
  matches: RuleMatch[];
  /** With `followed_by=true`, on the first page: what followed the hits within 60 s, in all conversations that match the filters. The first fifty hits of each count. */
  followed_by?: Partial<Record<MomentOutcome, {
    count: number;
    /** How many of these outcomes are themselves unsure. */
    unsure: number;
  }>>;
  next_cursor: string | null;
}

export interface RuleMatchesQueryInput {
  /** Recordings that began at this time or later. */
  from?: string | string;
  /** Recordings that began before this time. */
  to?: string | string;
  /** Time zone (IANA) of days. Default: `UTC`. */
  tz?: string;
  /** Conversations with this label. */
  label?: string;
  /** Conversations in this language (BCP 47); `en` includes `en-GB`. */
  language?: string;
  /** Conversations in which this person speaks: the id of a person, or the name of a speaker. */
  person?: string;
  /** Conversations in which all these words occur. */
  q?: string;
  cursor?: string;
  /** Default: `50`. */
  limit?: number;
  /** `unknown`: nobody can say, for example because affect was withheld or nobody is known to have the role. */
  outcome?: 'matched' | 'unknown';
  /** Whether the first page says what followed the hits. Default: `false`. */
  followed_by?: 'true' | 'false';
}

export interface RulePatchRequest {
  name?: string;
  when?: RuleConditionInput;
  /** Instead of `when`: the rules of a category of Amazon Transcribe Call Analytics. All of them must match. */
  Rules?: CallAnalyticsRuleInput[];
  /** Whether the webhook `rule.matched` and the live event `rule_match` report matches. */
  alert?: boolean;
  /** Whether the rule applies to everything stored and to every new result. */
  is_enabled?: boolean;
}

/** The number of hits in which a phrase of a rule is said. */
export interface RulePhraseHits {
  /** The phrase in the rule, such as `when.all.0.said.phrases.2`. */
  path: string;
  phrase: string;
  /** The number of hits of the rule in which it is said. */
  hit_count: number;
}

/** The part of a conversation that a condition is about. An utterance is in it if it starts in it. All members must hold. */
export interface RulePlaceInput {
  /** The beginning of the recording, in seconds. */
  first_seconds?: number;
  /** The end of the recording, in seconds. */
  last_seconds?: number;
  /** Start and end, in seconds from the start of the recording. */
  between_seconds?: number[];
  /** The first share of the recording, 0..1. */
  first_share?: number;
  /** The last share of the recording, 0..1. */
  last_share?: number;
  /** Start and end, as shares of the recording, 0..1. */
  between_share?: number[];
  /** True: only utterances that ask; false: only others. */
  in_question?: boolean;
  /** Only after a moment of these categories. */
  after?: {
    categories: MomentCategory[];
    /** Time after the start of the moment, in seconds. Default: `60`. */
    within_seconds?: number;
    /** Default: `0`. */
    min_confidence?: number;
  };
}

/** The share of judged hits that are right, with its interval of 95 % (Wilson 1927). */
export interface RulePrecision {
  right: number;
  judged: number;
  share: number;
  from: number;
  to: number;
}

/** The sentiment with the largest share of an utterance; `mixed` if both the positive and the negative share are at least 0.25. */
export type RuleSentiment = 'positive' | 'negative' | 'neutral' | 'mixed';

/** The speaker that a condition is about. */
export interface RuleSpeaker {
  /** The role of the speaker, in any case, such as `agent`: of the person who speaks, or the name that the speaker was given. In a conversation without that role, it is not known who has it. */
  role?: string;
  /** The label (`Speaker_0`) or name of the speaker, in any case. */
  speaker?: string;
}

export interface RuleTrialRequest {
  /** Default: the newest. */
  version?: number;
  created_after?: string;
  created_before?: string;
  /** Number of conversations to show, newest first. Default: `100`. */
  limit?: number;
}

/** The outcome of a rule over everything stored. */
export interface RuleTryResult {
  /** Null for a condition that is not stored. */
  version: number | null;
  /** Number of conversations that were read. */
  conversations: number;
  matched: number;
  unknown: number;
  hit_count: number;
  /** How many of the hits rest on moments or transitions with a confidence below 0.5. */
  unsure: number;
  /** By the judgements on these hits; null if there are none. */
  precision: RulePrecision | null;
  /** Conditions and phrases, times utterances. */
  cost: {
    nodes: number;
    utterances: number;
    steps: number;
    limit: number;
  };
  matches: RuleMatch[];
  /** Every phrase of the rule, but for those in a `not`. */
  phrases: RulePhraseHits[];
  /** Hits that the rule misses by one step. A step widens one of its values: another form of the words, a lower confidence, a shorter silence, any speaker, any place, or one `not` less. The first 12 values are tried; steps that add no hit are absent. */
  left_out: RuleLeftOut[];
}

export type Scope = 'analyze' | 'read' | 'delete' | 'live' | 'admin' | 'unredacted';

/** A timeline to segment, or a complete analysis. */
export interface SegmentRequest {
  timeline: UtteranceInput[];
  /** The purpose of the segmentation. */
  context?: string;
  /** The moments of the analysis, if known. */
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
  /** The transitions of the analysis. If absent, they are detected again. */
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
}

/** A piece of a sentence that the service wrote. */
export type SentenceSpan = {
  /** Text that the service wrote. */
  text: string;
} | {
  /** A speaker, as the timeline names them. */
  speaker: string;
} | {
  /** Words quoted from a speaker. */
  quote: string;
  utterance_id: string;
};

/** Three shares, each 0..1, which sum to 1. */
export interface Sentiment {
  positive: number;
  negative: number;
  neutral: number;
}

export type SentimentLabel = 'positive' | 'neutral' | 'negative';

/** One event of a stream. The last event is `done` or `error`, and it occurs once. */
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
  event: 'rule_match';
  data: RuleMatchEvent;
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

/** Who is in the recording. `conversation`: two or more people. `single_voice`: one person, as in a dictation. `one_sided`: one side of a conversation; the other is not recorded. `answering_machine`: a machine answers, and somebody may leave a message. `announcement`: only recorded announcements. `unknown`: one voice could be distinguished, and there may be more. Offers, answers, objections and promises are reported only for a `conversation`. */
export type Setting = 'conversation' | 'single_voice' | 'one_sided' | 'answering_machine' | 'announcement' | 'unknown';

/** A link to one conversation or playlist that works for days without a key. */
export interface Share {
  id: string;
  /** Null for a share of a playlist. */
  conversation_id: string | null;
  /** Null for a share of a conversation. */
  playlist_id: string | null;
  /** The current title or name of what is shared; null: it has none. */
  title: string | null;
  label: string | null;
  /** An active share also stops working when its key does. */
  status: 'active' | 'expired' | 'revoked';
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
  /** The key that made it. */
  key_id: string;
  /** How often it was opened. Openings within ten minutes are one. */
  opens: number;
  last_opened_at: string | null;
}

export interface ShareList {
  shares: Share[];
  next_cursor: string | null;
}

/** A use of a share. */
export interface ShareOpen {
  id: string;
  /** The first of the requests. */
  at: string;
  /** The last of them. */
  until: string;
  /** Equal requests within ten minutes are one entry. */
  requests: number;
  act: AccessAct;
  /** Start of the requested part of the recording, s, estimated from the bytes; null for other acts. */
  from_s: number | null;
  /** End of that part, s. A browser requests more than it plays, and often everything up to the end. */
  to_s: number | null;
  /** The first part of the client's network address, such as `203.0.113.0/24`; '' if it is unknown. */
  address_prefix: string;
}

export interface ShareOpens {
  opens: ShareOpen[];
  next_cursor: string | null;
}

/** A piece of a conversation, without anything around it. */
export interface SharedPiece {
  id: string;
  /** Number of its conversation among those of the pieces, in the order of their first piece. */
  conversation: number;
  /** How long the piece lasts. */
  seconds: number;
  note: string;
  /** The title of the conversation; null where names are hidden. */
  title: string | null;
  /** When the recording began; without that, when it reached the service. */
  recorded_at: string;
  /** `given`: by the option `recorded_at` or a live session; `assumed`: when it reached the service. */
  recorded_at_source: 'given' | 'assumed';
  /** The first speaker; a label such as `Speaker_0` where names are hidden. */
  speaker: string | null;
  /** The first line in the piece, which ends where the piece does. */
  quote: string | null;
  /** Path of the sound of the piece. */
  media: string;
}

/** A playlist as a share shows it. */
export interface SharedPlaylist {
  id: string;
  name: string;
  hide_names: boolean;
  /** When the share ends; null for a key. */
  expires_at: string | null;
  /** The pieces in their order. */
  pieces: SharedPiece[];
}

export interface SignInRequest {
  /** The admin token. */
  token: string;
}

/** The affect of an utterance by its words only, or by its voice only. */
export interface SourceReading {
  emotion: EmotionMap;
  scores: Pad;
  /** The weight of this source here; not the probability of its largest class. */
  confidence: number;
}

/** The number of speakers, and its confidence. */
export interface SpeakerCount {
  count: number;
  confidence: number;
  /** How the count was determined. */
  source: 'given' | 'channels' | 'estimated';
  /** A human-readable note if the confidence is low. */
  note?: string;
}

/** Conversation metrics of one speaker, as Gong defines them. */
export interface SpeakerMetrics {
  /** The speaker's share of all speech, 0..1; null where one label may stand for several people. */
  talk_ratio: number | null;
  talk_time_s: number;
  /** Seconds; null where one label may stand for several people. */
  longest_monologue_s: number | null;
  /** How often this speaker cut another off. */
  interruptions: number;
  questions: number;
  /** Words per minute of the speaker's own speech. */
  words_per_minute: number;
  words: number;
  /** Median gap in ms before the speaker's turns (positive floor transfer offset); null if there was none. */
  response_latency_ms: number | null;
  /** Median silence in seconds between another speaker's turn and this speaker's; null if there was none. */
  patience_s: number | null;
}

export interface SpeakerPerson {
  id: string;
  name: string;
  role: string | null;
}

/** Affect fields are null if no affect was measured. */
export interface SpeakerProfile {
  utterance_count: number;
  /** Seconds. */
  total_duration: number;
  /** Number of utterances that each emotion dominates. */
  emotions: Partial<Record<Emotion, number>> | null;
  avg_engagement: number | null;
  avg_polarity: number | null;
  dominant_emotion: Emotion | null;
}

/** `provisional` while a live session is running, `final` once the whole recording has been analysed. */
export type Stability = 'provisional' | 'final';

export interface StatusEvent {
  /** `expired`: a live session got neither a chunk nor a keepalive in time; `error` follows. `waiting_capacity`: a live session lost its pipeline and waits for another one; its chunks are stored, and `ingesting` or `processing` follows. */
  phase: 'starting' | 'waiting_media' | 'ingesting' | 'processing' | 'completed' | 'expired' | 'waiting_capacity';
  /** Completed share of the phase, 0..1. */
  progress: number;
  /** Once after `finalize`, with `processing`: estimated time to `done` on an idle machine, s. It takes longer while the service is busy. */
  expected_s?: number;
  /** With `expired`: the recording so far is kept, and analysed like a file. */
  retained?: boolean;
}

export interface StoredPartRequest {
  etag: string;
}

/** A line of the summary, with the utterances and measures that support it. */
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
  /** The limit on the affect mode of every analysis of the tenant; an analysis can ask for less. */
  affect: AffectMode;
  /** Days until conversations are removed; null: they are kept until somebody deletes them. */
  retention_days: number | null;
  /** Days for which the access log is kept. */
  access_log_days: number;
  /** The kinds that every analysis of the tenant redacts; an analysis can only add to them. */
  redact: RedactionKind[];
  /** Whether the recording before its redaction, and the words that it removed, are kept apart, readable only with the scope `unredacted`. */
  keep_original: boolean;
  /** The tenant's names and terms, added to the list of each of its analyses. */
  words: unknown;
  /** The roles of the channels in every analysis of the tenant that gives none; null: none. */
  roles: (RoleInput | null)[] | null;
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
  /** Open live sessions. */
  live_sessions: number;
  stored_bytes: number;
  /** The used share of its database of 10 GB, from 0 to 1. From 0.9 on, new recordings get 507 `STORAGE_FULL`. */
  database_share?: number;
  /** Webhook deliveries in the requested hours. */
  deliveries: {
    pending: number;
    delivered: number;
    failed: number;
  };
}

export interface TenantPatchRequest {
  name?: string;
  limits?: UsageLimits;
  /** The limit on the affect mode of every analysis of the tenant; an analysis can ask for less. */
  affect?: AffectMode;
  /** Days until conversations are removed; null: they are kept until somebody deletes them. */
  retention_days?: number | null;
  /** Days for which the access log is kept. */
  access_log_days?: number;
  /** The kinds that every analysis of the tenant redacts; an analysis can only add to them. */
  redact?: RedactionKind[];
  /** Whether the recording before its redaction, and the words that it removed, are kept apart, readable only with the scope `unredacted`. */
  keep_original?: boolean;
  /** The tenant's names and terms, added to the list of each of its analyses. */
  words?: string[];
  /** The roles of the channels in every analysis of the tenant that gives none; null: none. */
  roles?: (RoleInput | null)[] | null;
}

export interface TenantReceipt {
  id: string;
  deleted_at: string;
  /** Number of deleted objects. */
  objects: number;
  /** Deleted bytes. */
  bytes: number;
  /** The same receipt with its `tenant` and `deleted_by`, as a compact JWS (RFC 7515) signed with Ed25519. `GET /receipts/keys` has the public key. */
  signed: string;
}

/** One utterance: who said what, when and how. Affect fields are null if affect is switched off (`affect`: `none`). */
export interface TimelineEntry {
  /** `<conversation_id>_utt_<n>`; while a session is live `<conversation_id>_live_utt_<n>`. */
  utterance_id: string;
  /** `Speaker_<n>`, in order of first speech, or the name that the speaker was given. */
  speaker: string;
  /** `Speaker_<n>`, whatever name the speaker was given; absent from results of earlier versions. */
  speaker_label?: string;
  /** The ids under which the events of a live session named this before its final analysis; absent for a file. Empty if the session had nothing of the kind. */
  heard_as?: string[];
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  text: string;
  /** exp(mean token log-probability) of the recogniser; informative near 0 and 1, flat in between. */
  asr_confidence: number;
  /** The recogniser that transcribed the utterance, if it was not the requested one. */
  heard_by?: string;
  unread?: Unread;
  /** Empty if the sound could not be measured, which is not an error. */
  prosody: Prosody | Record<string, never>;
  /** The prosody in one sentence. */
  prosody_desc: string;
  emotion: EmotionResult | null;
  sentiment: Sentiment | null;
  /** From -1 (negative) to 1 (positive). */
  polarity: number | null;
  subjectivity: number | null;
  cognitive: CognitiveResult | null;
  commitment_score: number | null;
  commitment_level: Level | null;
  passion_score: number | null;
  passion_level: PassionLevel | null;
  conviction_score: number | null;
  lexical_markers: LexicalMarkers;
  /** A description of the delivery, from measured values only. */
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
  /** Confidence of the speaker label. */
  speaker_confidence: number;
  /** Share of the utterance during which somebody else speaks too. */
  overlap_ratio: number;
}

export interface Token {
  token: string;
  expires_at: string;
  /** The id of the object that the token is bound to. */
  for: {
    session?: string;
    upload?: string;
    conversation?: string;
  };
  /** For a `new` session or upload: the conversation that the token creates and can read. */
  conversation_id?: string;
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
  /** The speaker whose state changed. */
  speaker_id?: string;
  /** The ids under which the events of a live session named this before its final analysis; absent for a file. Empty if the session had nothing of the kind. */
  heard_as?: string[];
}

export type Trend = 'increasing' | 'decreasing' | 'stable';

export interface TrendCell {
  /** The value of each group: the day, the Monday of the week or the first day of the month; a label, a category, an outcome; a language or a role, null if it is not known; the id of a rule or a person. */
  group: Partial<Record<TrendGroup, string | null>>;
  /** Conversations that have the measure. */
  n: number;
  /** Conversations without it, for example because affect was withheld, or because a person speaks too little for `questions`. */
  n_unknown: number;
  /** Sum over these conversations; null for a ratio. */
  sum: number | null;
  /** Moments with a confidence below 0.5; for other measures, seconds of speech whose words are less sure. */
  unsure: number;
  /** Their share of all moments, or of all speech; null with fewer than 8 conversations, and without any. */
  unsure_share: number | null;
  /** Mean of the conversations, each counted once; null with fewer than 8 conversations. */
  mean: Estimate | null;
  /** For a ratio: all numerators divided by all denominators, so that long conversations count more; null with fewer than 8 conversations. */
  pooled: Estimate | null;
  /** Lower quartile, median and upper quartile; null with fewer than 8 conversations. */
  quartiles: number[] | null;
  /** The conversations themselves, oldest first, where they are fewer than 8; otherwise null. */
  values: {
    conversation_id: string;
    value: number;
  }[] | null;
  marks?: TrendMark[];
}

export type TrendGroup = 'day' | 'week' | 'month' | 'label' | 'language' | 'rule' | 'role' | 'person' | 'category' | 'outcome';

export interface TrendList {
  measure: TrendMeasure;
  unit: string;
  by: TrendGroup[];
  tz: string;
  /** Conversations that match the filters and have a result. */
  n: number;
  /** Conversations of the period whose result is not counted yet. */
  pending: number;
  /** In the order of their groups. Cells without a conversation are absent. */
  cells: TrendCell[];
  /** With the group `person`: the persons by name. */
  people?: TrendPerson[];
}

/** A moment of a cell. */
export interface TrendMark {
  moment_id: string;
  conversation_id: string;
  /** Seconds from the start of the recording. */
  t: number;
  /** Confidence. */
  p: number;
  /** The rating that somebody gave it; absent without one. */
  thumb?: 'up' | 'down';
}

/** `moments.count`: moments in a conversation; `moments.per_hour`: moments in an hour of recording; `duration`: length of the recording; `silence`: share of the recording in which nobody speaks; `tone`: mean valence by time, of the speakers whose affect is measured and who are not staff; `talk_share`: share of all speech that the chosen speakers have; `longest_turn`: longest turn of the chosen speakers; `patience`: median silence before a chosen speaker's turns, mean of these speakers; `questions`: questions in an hour of the chosen speakers' speech; `pace`: words in a minute of the chosen speakers' speech. */
export type TrendMeasure = 'moments.count' | 'moments.per_hour' | 'duration' | 'silence' | 'tone' | 'talk_share' | 'longest_turn' | 'patience' | 'questions' | 'pace';

/** A person with their own median, to which their cells are compared. */
export interface TrendPerson {
  person: string;
  name: string;
  /** Conversations of the person that have the measure. */
  n: number;
  /** Lower quartile, median and upper quartile of the person's own conversations; null without any. */
  quartiles: number[] | null;
}

/** A conversation must match all filters. */
export interface TrendQueryInput {
  measure: TrendMeasure;
  /** One or two of `day`, `week`, `month`, `label`, `language`, `rule`, `role`, `person`, `category`, `outcome`, with a comma between. Default: `week`. */
  by?: string;
  /** Recordings that began at this time or later. */
  from?: string | string;
  /** Recordings that began before this time. */
  to?: string | string;
  /** Time zone (IANA) of days. Default: `UTC`. */
  tz?: string;
  /** Conversations with this label. */
  label?: string;
  /** Conversations in this language (BCP 47); `en` includes `en-GB`. */
  language?: string;
  /** Conversations in which this person speaks: the id of a person, or the name of a speaker. */
  person?: string;
  /** Conversations that this enabled rule matches. */
  rule?: string;
  /** Conversations in which all these words occur. */
  q?: string;
  /** One category of moments, or several with commas between. */
  category?: string;
  /** At least this confidence. */
  min_confidence?: number;
  /** Said by this speaker: the id of a person, or the name or label of a speaker. */
  speaker?: string;
  /** Said by a speaker in this role. */
  role?: RoleInput;
  outcome?: MomentOutcome;
  /** Whether each cell has its first 60 moments, sure ones first. Default: `false`. */
  marks?: 'true' | 'false';
}

/** A webhook message whose attempts are used up. */
export interface Undelivered {
  /** The delivery. */
  id: string;
  tenant: string;
  webhook_id: string;
  url: string;
  event: WebhookEvent;
  conversation_id: string;
  attempts: number;
  /** The HTTP status of the last attempt; null if there was none. */
  last_status: number | null;
  last_error: string | null;
  last_attempt_at: string | null;
}

/** An analysis that is running or ended without a result. */
export interface UnfinishedJob {
  conversation_id: string;
  status: 'queued' | 'running' | 'failed' | 'cancelled';
  /** The phase of the last `status` event; null before the first. */
  phase: string | null;
  /** Completed share of the phase, 0..1. */
  progress: number;
  /** If it failed: the error that a waiting request would have received. */
  error: {
    code: ErrorCode;
    message: string;
  } | null;
  /** If the service failed: how long the upload is kept, so that the analysis can be requested again. */
  kept_until: string | null;
  /** While it waits for a pipeline. */
  queue?: {
    /** Its place in the queue; 1 is next. */
    position: number;
    /** How long it is expected to wait, s. */
    eta_seconds: number;
  };
  created_at: string;
  updated_at: string;
}

/** Why nothing was concluded from the words of an utterance: the recogniser did not understand them, or the analysis does not support their language. */
export type Unread = 'not_understood' | 'language';

/** The recording and the words before a conversation was redacted. */
export interface Unredacted {
  conversation_id: string;
  /** The utterances in which something was redacted. */
  utterances: UnredactedUtterance[];
  /** Whether the recording before its redaction is kept. */
  has_recording: boolean;
}

export interface UnredactedUtterance {
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  /** The whole utterance before its redaction. */
  text: string;
}

export interface Upload {
  /** The id of the upload, and of the conversation that it becomes. */
  id: string;
  filename: string;
  bytes: number;
  /** The size of every part except the last, which may be smaller. */
  part_bytes: number;
  part_count: number;
  /** The parts that were received, in order. */
  parts: UploadPart[];
  /** The upload is discarded at this time unless another part arrives first. */
  expires_at: string;
  /** Where to PUT the missing parts, for a `presigned` upload. */
  part_urls?: {
    number: number;
    url: string;
  }[];
}

/** A part that was received. */
export interface UploadPart {
  number: number;
  bytes: number;
}

/** Limits of a key, or of all keys of a tenant together. The deployment's limit applies if one is absent. */
export interface UsageLimits {
  requests_per_minute?: number;
  live_sessions?: number;
  running_analyses?: number;
  audio_minutes_per_day?: number;
  stored_gigabytes?: number;
  file_megabytes?: number;
}

/** An utterance of a timeline to segment: any entry of an analysis, which may be edited or shortened. Only id, speaker, times and text are required; unknown members are ignored. */
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
    pitch_hz?: number | null;
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
    /** Whether words were restarted or cut off. */
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
  unread?: Unread;
}

/** Filters of a page under a name, for everybody with a key of the tenant. */
export interface View {
  id: string;
  name: string;
  /** The page of the dashboard. */
  page: 'conversations' | 'patterns' | 'commitments';
  query: string;
  /** Whether the webhook `view.matched` reports new conversations with moments that match. Only views of `patterns` have it. */
  tell: boolean;
  created_at: string;
  updated_at: string;
}

export interface ViewList {
  /** By name. */
  views: View[];
}

export interface ViewPatchRequest {
  /** The name of the view. No two views of a page have the same. */
  name?: string;
  /** The filters of the page, as in its address: `category=objection`. */
  query?: string;
  /** Whether the webhook `view.matched` reports new conversations with moments that match. Only views of `patterns` have it. */
  tell?: boolean;
}

export interface Webhook {
  id: string;
  url: string;
  events: WebhookEvent[];
  /** False once the receiver has responded with 410; it then receives no more events. */
  is_enabled: boolean;
  created_at: string;
}

export type WebhookEvent = 'analysis.completed' | 'analysis.failed' | 'analysis.cancelled' | 'rule.matched' | 'view.matched' | 'commitment.made';

export interface WebhookList {
  webhooks: Webhook[];
}

export type WebhookMessage = {
  type: WebhookEvent;
  timestamp: string;
  data: {
    conversation_id: string;
    /** If the analysis failed: the error that a waiting request would have received. */
    error?: {
      code: string;
      message: string;
    };
    /** With `rule.matched`: the rule. */
    rule?: MatchedRule;
    /** With `view.matched`: the saved view. */
    view?: MatchedView;
    /** With `commitment.made`: the first commitments of the conversation. */
    commitments?: Commitment[];
  };
} | {
  type: 'webhook.test';
  timestamp: string;
  data: {
    webhook_id: string;
  };
};

export interface WebhookPatchRequest {
  /** An https URL on the public internet. Waiting messages go to it, too, and a disabled webhook is enabled again. */
  url?: string;
  /** The events to send from now on. */
  events?: WebhookEvent[];
}

/** The facts that a page needs before anyone signs in. */
export interface Welcome {
  /** The public key for trying the service; null if there is none. */
  demo_key: string | null;
  /** The operator signed in with this browser; null if nobody is. */
  operator: string | null;
  /** Whether people can sign in with OpenID Connect. */
  has_sign_in: boolean;
  /** The person signed in with this browser; null if nobody is. */
  person: {
    email: string;
    tenant: string;
    role: MemberRole;
  } | null;
}

export interface Word {
  word: string;
  /** Seconds from the start of the recording. */
  t_start: number;
  /** Seconds from the start of the recording. */
  t_end: number;
  confidence: number;
}

/** A category of moments, for people. */
export interface MomentCategoryInfo {
  /** The name in results and queries. */
  name: MomentCategory;
  label: string;
  /** Describes such a moment in a clause with the speaker as its subject. */
  description: string;
  /** One character, for terminals. */
  mark: string;
  /** SVG paths in a box of 16 by 16. Ink has the colour of the text, and ground the colour of the surface behind it. */
  icon: readonly {
    path: string;
    fill?: 'ink' | 'ground';
    stroke?: 'ink' | 'ground';
    strokeWidth?: number;
    roundCap?: true;
    roundJoin?: true;
  }[];
  /** The category that such a moment answers. */
  answers?: MomentCategory;
}

/** The categories of moments. */
export const MOMENT_CATEGORIES: readonly MomentCategoryInfo[] = [
  {
    "name": "objection",
    "label": "Objection",
    "description": "the speaker raises a concern or doubt about a proposal or product under discussion",
    "mark": "!",
    "icon": [
      {
        "path": "M8 1.6 14.4 8 8 14.4 1.6 8Z",
        "fill": "ink"
      }
    ]
  },
  {
    "name": "cta_offered",
    "label": "Offer",
    "description": "the speaker makes a concrete proposal or offer that the other side can accept or decline, put as a question or not",
    "mark": "?",
    "icon": [
      {
        "path": "M8 2.4a5.6 5.6 0 1 0 0 11.2a5.6 5.6 0 1 0 0-11.2Z",
        "fill": "ground",
        "stroke": "ink",
        "strokeWidth": 1.8
      },
      {
        "path": "M8 5.2v5.6M5.2 8h5.6",
        "stroke": "ink",
        "strokeWidth": 1.6
      }
    ]
  },
  {
    "name": "cta_accepted",
    "label": "Accepted",
    "description": "the speaker accepts an offer that somebody else made",
    "mark": "✓",
    "icon": [
      {
        "path": "M8 1.6a6.4 6.4 0 1 0 0 12.8a6.4 6.4 0 1 0 0-12.8Z",
        "fill": "ink"
      },
      {
        "path": "m5 8.2 2.1 2.1L11.2 6",
        "stroke": "ground",
        "strokeWidth": 1.7,
        "roundCap": true
      }
    ],
    "answers": "cta_offered"
  },
  {
    "name": "cta_rejected",
    "label": "Declined",
    "description": "the speaker declines an offer that somebody else made",
    "mark": "✗",
    "icon": [
      {
        "path": "M5.2 2.2h5.6a3 3 0 0 1 3 3v5.6a3 3 0 0 1-3 3h-5.6a3 3 0 0 1-3-3v-5.6a3 3 0 0 1 3-3Z",
        "fill": "ink"
      },
      {
        "path": "M5.6 5.6l4.8 4.8m0-4.8-4.8 4.8",
        "stroke": "ground",
        "strokeWidth": 1.6,
        "roundCap": true
      }
    ],
    "answers": "cta_offered"
  },
  {
    "name": "topic_shift",
    "label": "Change of subject",
    "description": "the speaker opens a new topic",
    "mark": "»",
    "icon": [
      {
        "path": "M2.5 4.5h6l3 3.5-3 3.5h-6",
        "stroke": "ink",
        "strokeWidth": 1.8,
        "roundJoin": true
      },
      {
        "path": "M13.5 2.5v11",
        "stroke": "ink",
        "strokeWidth": 1.8
      }
    ]
  },
];

