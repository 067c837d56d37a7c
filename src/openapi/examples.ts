import analysis from './example-analysis.json' with { type: 'json' };

// Example requests and responses of all routes, in one file because they quote one another. A test validates each
// against its schema.

export const ID = analysis.conversation_id;
export const AT = '2026-11-22T12:00:00.000Z';
const LATER = '2026-11-23T12:00:00.000Z';
export const SESSION = 'b1f0c4a2d3e45f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8';

/** The analysis of the service's own sample recording. Most lists are shortened to their first entries. */
export const ANALYSIS: unknown = analysis;

export const EVENTS = [
  'id: 0\nevent: status\ndata: {"phase":"starting","progress":0}\n',
  'id: 4\nevent: final_transcript\ndata: {"utterance_id":"u_utt_0","speaker":"Speaker_0","t_start":0.448,"t_end":3.752,"text":"Good morning."}\n',
  `id: 31\nevent: done\ndata: {"conversation_id":"${ID}"}\n`,
].join('\n');

export const SEGMENTATION = { segmentation: analysis.segmentation };

export const JOB = {
  conversation_id: ID,
  status: 'running',
  phase: 'processing',
  progress: 0.4,
  error: null,
  kept_until: null,
  created_at: AT,
  updated_at: AT,
};

export const COURSE = {
  conversation_id: ID,
  window_s: 1,
  duration_s: 36.2,
  notes: [],
  course: [
    {
      t_start: 0,
      t_end: 1,
      speaker: 'Anna',
      speaker_label: 'Speaker_0',
      utterance_ids: [`${ID}_utt_0`],
      speech_s: 0.552,
      overlap_s: 0,
      valence: 0.61,
      arousal: 0.54,
      affect_confidence: 0.48,
      pitch_hz: 208.4,
      pitch_confidence: 0.87,
      level_db: -21.3,
    },
  ],
};

export const ENTRY = {
  conversation_id: ID,
  status: 'completed',
  mode: 'batch',
  title: 'call.wav',
  filename: 'call.wav',
  goal: '',
  labels: ['sales'],
  created_at: AT,
  recorded_at: AT,
  recorded_at_source: 'given' as const,
  ended_at: AT,
  expires_at: null,
  reviewed_at: null,
  on_hold: false,
  error: null,
  kept_until: null,
  stored_bytes: 912_480,
  result: {
    duration_s: 36.2,
    utterances: analysis.utterances,
    speakers: [
      { name: 'Anna', talk_ratio: 0.51 },
      { name: 'Speaker_1', talk_ratio: 0.49 },
    ],
    moments: { objection: 1, cta_offered: 2, cta_accepted: 1 },
    unanswered_offers: 1,
    sentiment: { mean: 0.14, trend: 'positive', label: 'positive' },
    quality: 'good',
    overview: analysis.summary.overview,
    course: Array.from({ length: 60 }, (_, i) => (i % 9 === 8 ? null : 0.5)),
    warnings: 0,
  },
};

export const PERSON = {
  id: 'person_5b1f20c94e7a8d36',
  name: 'Bo Lund',
  role: 'agent',
  external_id: 'u-1042',
  conversations: 12,
  pending: 0,
  created_at: AT,
  updated_at: AT,
};

export const PROPOSALS = {
  conversation_id: ID,
  names: [
    {
      speaker: 'Speaker_1',
      name: 'Bo Lund',
      from: 'introduction',
      sure: true,
      utterance_id: `${ID}_utt_1`,
      t_start: 2.4,
      quote: 'Hello, my name is Bo Lund.',
      person_id: 'person_5b1f20c94e7a8d36',
    },
  ],
  roles: [
    { speaker: 'Speaker_0', role: 'customer', confidence: 0.98 },
    { speaker: 'Speaker_1', role: 'agent', confidence: 0.98 },
  ],
};

export const RECORD = {
  ...ENTRY,
  names: { Speaker_0: 'Anna' },
  roles: {},
  hidden_affect: [],
  people: { Speaker_1: { id: 'person_5b1f20c94e7a8d36', name: 'Bo Lund', role: 'agent' } },
  edits: [{ speakers: { Speaker_0: 'Anna' }, people: { Speaker_1: 'person_5b1f20c94e7a8d36' } }],
  retention_days: null,
  feedback: [{ kind: 'line', on: 'They agree.', text: 'They agree.', thumb: 'up', comment: '', at: AT }],
  comments: [
    {
      comment_id: '5e0c9b1a-7f8e-4c6e-9d3f-0a1b2c3d4e5f',
      at: 12.5,
      text: 'Ask for the date here.',
      key: 'acme_8fk2m1q0',
      created_at: AT,
      changed_at: null,
    },
  ],
  reanalysis: null,
};

export const UPLOAD = {
  id: ID,
  filename: 'meeting.mp4',
  bytes: 40_000_000,
  part_bytes: 16_777_216,
  part_count: 3,
  parts: [{ number: 1, bytes: 16_777_216 }],
  expires_at: LATER,
};

export const WEBHOOK = {
  id: 'wh_4f1c9a',
  url: 'https://example.com/undertone',
  events: ['analysis.completed'],
  is_enabled: true,
  created_at: AT,
};

export const DELIVERY = {
  id: 'msg_2b7e15',
  event: 'analysis.completed',
  conversation_id: ID,
  status: 'delivered',
  attempts: 1,
  last_status: 204,
  last_error: null,
  created_at: AT,
  last_attempt_at: AT,
  next_attempt_at: null,
};

const WHEN = {
  within: {
    seconds: 60,
    all: [
      { moment: { categories: ['cta_offered'] } },
      { said: { phrases: ['too expensive', 'price'], who: { role: 'customer' } } },
    ],
  },
};

export const COMMITMENT = {
  commitment_id: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e_utt_4_commitment_0',
  owner: 'Anna',
  to: 'Speaker_1',
  deed: 'send you the contract',
  due: {
    date: '2026-11-27',
    from: null,
    time: null,
    said: 'Friday',
    time_zone: 'Europe/London',
    time_zone_source: 'given' as const,
  },
  vague_due: null,
  state: 'accepted' as const,
  quote: "I'll send you the contract by Friday.",
  speaker: 'Anna',
  utterance_id: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e_utt_4',
  t_start: 12.5,
  t_end: 15,
  answer_utterance_id: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e_utt_5',
  confidence: 0.95,
  conversation_id: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e',
  title: 'call',
  created_at: AT,
  recorded_at: AT,
  recorded_at_source: 'given' as const,
  status: 'accepted' as const,
  status_source: 'words' as const,
};

export const OPEN_QUESTION = {
  question_id: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e_utt_7_question',
  speaker: 'Speaker_1',
  to: 'Anna',
  quote: 'When can the training start?',
  utterance_id: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e_utt_7',
  t_start: 31.2,
  t_end: 33,
  reply: { utterance_id: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e_utt_8', quote: "I don't know that yet." },
  confidence: 0.8,
  conversation_id: COMMITMENT.conversation_id,
  title: COMMITMENT.title,
  created_at: AT,
  recorded_at: AT,
  recorded_at_source: 'given' as const,
};

const PLACE = {
  conversation_id: ID,
  utterance_id: `${ID}_utt_4`,
  speaker: 'Anna',
  person: null,
  role: 'customer',
  t_start: 12.5,
  t_end: 15,
  media: `/conversations/${ID}/media#t=12.5,15`,
  page: `/app/conversations/${ID}?t=12.5`,
  before: { utterance_id: `${ID}_utt_3`, speaker: 'Bo Lund', t_start: 9.1, text: 'It is 40 pounds a month.' },
  after: null,
  around: [
    { speaker: 'Bo Lund', t_start: 9.1, t_end: 11.8 },
    { speaker: 'Anna', t_start: 12.5, t_end: 15 },
  ],
  conversation: {
    title: 'call',
    recorded_at: AT,
    recorded_at_source: 'given' as const,
    labels: ['renewal'],
    language: 'en',
  },
};

export const MOMENT_HIT = {
  moment_id: `${ID}_moment_2`,
  category: 'objection' as const,
  confidence: 0.84,
  quote: 'That is too expensive for us.',
  ...PLACE,
  followed_by: {
    moment_id: `${ID}_moment_3`,
    category: 'cta_accepted' as const,
    after_s: 31.2,
    t_start: 43.7,
    confidence: 0.71,
  },
};

export const LINE_HIT = {
  text: 'That is too expensive for us.',
  spans: [[12, 21]],
  confidence: 0.93,
  ...PLACE,
};

export const TRENDS = {
  measure: 'moments.count' as const,
  unit: 'moments',
  by: ['week' as const],
  tz: 'Europe/London',
  n: 45,
  pending: 1,
  cells: [
    {
      group: { week: '2026-11-16' },
      n: 2,
      n_unknown: 0,
      sum: 3,
      unsure: 1,
      unsure_share: null,
      mean: null,
      pooled: null,
      quartiles: null,
      values: [
        { conversation_id: ID, value: 2 },
        { conversation_id: 'b1f9c1de-2f0e-4a52-9a55-3a4a5a0f0f5e', value: 1 },
      ],
    },
    {
      group: { week: '2026-11-23' },
      n: 43,
      n_unknown: 0,
      sum: 96,
      unsure: 24,
      unsure_share: 0.25,
      mean: { value: 2.23, from: 1.87, to: 2.59 },
      pooled: null,
      quartiles: [1, 2, 3],
      values: null,
    },
  ],
};

export const NEW_RULE = { name: 'Price after an offer', when: WHEN };

export const RULE = {
  id: 'rule_7d20c5',
  name: 'Price after an offer',
  version: 1,
  when: WHEN,
  alert: true,
  is_enabled: true,
  pending: 0,
  created_at: AT,
  updated_at: AT,
};

export const RULE_MATCH = {
  conversation_id: ID,
  title: 'call',
  created_at: AT,
  recorded_at: AT,
  recorded_at_source: 'given' as const,
  outcome: 'matched',
  hits: [
    {
      utterance_ids: [`${ID}_utt_4`, `${ID}_utt_5`],
      speaker: 'Agent',
      t_start: 12.4,
      t_end: 19.1,
      quote: 'We could offer you the yearly plan.',
      spans: [],
    },
  ],
  hit_count: 1,
};

export const RULE_TRY = {
  version: 1,
  conversations: 244,
  matched: 39,
  unknown: 6,
  hit_count: 41,
  unsure: 8,
  precision: { right: 18, judged: 24, share: 0.75, from: 0.551, to: 0.88 },
  cost: { nodes: 5, utterances: 8799, steps: 43_995, limit: 20_000_000 },
  matches: [RULE_MATCH],
  phrases: [
    { path: 'when.within.all.1.said.phrases.0', phrase: 'too expensive', hit_count: 12 },
    { path: 'when.within.all.1.said.phrases.1', phrase: 'price', hit_count: 29 },
  ],
  left_out: [
    {
      path: 'when.within.seconds',
      when: { within: { ...WHEN.within, seconds: 75 } },
      matched: 1,
      hit_count: 1,
      matches: [RULE_MATCH],
    },
  ],
};

export const MESSAGE = { type: 'analysis.completed', timestamp: AT, data: { conversation_id: ID } };

export const KEY = {
  id: 'acme_8fk2m1q0',
  tenant: 'acme',
  label: 'call centre',
  scopes: ['analyze', 'read'],
  limits: { requests_per_minute: 600 },
  source: 'issued',
  status: 'active',
  created_at: AT,
  expires_at: null,
  revoked_at: null,
  last_used_at: AT,
  replaced_by: null,
};
export const ISSUED = { ...KEY, id: 'acme_c3r9x7d5', key: 'ut_acme_c3r9x7d5_shown-this-once', last_used_at: null };

export const TENANT = {
  id: 'acme',
  name: 'Acme',
  created_at: AT,
  limits: { live_sessions: 50 },
  affect: 'full',
  access_log_days: 400,
  keep_original: false,
  retention_days: 90,
  redact: ['card' as const],
  roles: ['agent', 'customer'],
  words: ['Zorblax'],
};

export const ACCESS = {
  id: '412',
  at: AT,
  until: AT,
  requests: 3,
  key_id: KEY.id,
  key_label: KEY.label,
  by_token: false,
  address: '203.0.113.7',
  act: 'recording_requested' as const,
  route: 'GET /conversations/:conversation_id/media',
  share_id: null,
  conversation_id: ID,
  title: 'Service appointment',
  from_s: 41.2,
  to_s: 82,
};

export const PLAYLIST = {
  id: 'playlist_5b1f20c94e7a8d36',
  name: 'Money, answered well',
  items: 1,
  seconds: 15.6,
  created_at: AT,
  updated_at: AT,
};

export const VIEW = {
  id: 'view_5b1f20c94e7a8d36',
  name: 'Price objections',
  page: 'patterns' as const,
  query: 'category=objection&q=price',
  tell: false,
  created_at: AT,
  updated_at: AT,
};

export const PLAYLIST_ITEM = {
  id: 'item_0a1b2c3d4e5f6071',
  conversation_id: ID,
  conversation: {
    title: 'Service appointment',
    recorded_at: AT,
    recorded_at_source: 'given' as const,
    labels: ['service'],
    language: 'en',
  },
  from: 4.2,
  to: 19.8,
  note: 'Listen to the pause',
  speaker: 'Anna',
  quote: 'The price is too high for us.',
  media: `/conversations/${ID}/media#t=4.2,19.8`,
  page: `/app/conversations/${ID}?t=4.2`,
  added_at: AT,
};

export const RECEIPT_KEY = {
  kty: 'OKP' as const,
  crv: 'Ed25519' as const,
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  alg: 'EdDSA' as const,
  use: 'sig' as const,
};
/** A signed receipt, shortened. */
export const SIGNED = 'eyJhbGciOiJFZERTQSIsInR5cCI6IC4uLg.eyJjb252ZXJzYXRpb25faWQiOiAuLi4.q7mXfE3h2Q';

export const RECEIPT = {
  receipt_id: 'receipt_5b1f20c94e7a8d36',
  kind: 'redaction' as const,
  at: AT,
  by: `key ${KEY.id}`,
  conversation_id: ID,
  redaction_id: null,
  removed: [{ key: `acme/${ID}/result.json`, bytes: 48_211 }],
  rewritten: [{ key: `acme/${ID}_1/result.json`, bytes: 47_903 }],
  index: [],
  redaction: {
    kinds: ['card' as const, 'phone' as const],
    counts: { card: 2 },
    verified: true,
    texts: { title: 0, labels: 0, comments: 1, notes: 0, filename: 0, goal: 0 },
    removed: { edits: 1, ratings: 2, commitments: 0, people: 0, messages: 0 },
  },
  conversations: null,
  signed: SIGNED,
};

export const UNREDACTED = {
  conversation_id: ID,
  utterances: [{ t_start: 12.4, t_end: 15.1, text: 'My card is 4242 4242 4242 4242.' }],
  has_recording: true,
};

export const REDACTION_JOB = {
  redaction_id: 'redaction_0a1b2c3d4e5f6071',
  status: 'running' as const,
  kinds: ['card' as const, 'phone' as const],
  by: `key ${KEY.id}`,
  created_at: AT,
  ended_at: null,
  ...{ total: 12, waiting: 9, redacted: 2, on_hold: 1, failed: 0, gone: 0 },
  receipt_id: null,
};

export const HOLD = {
  id: 'hold_5b1f20c94e7a8d36',
  conversation_id: ID,
  filter: null,
  reason: 'Complaint 2025-117',
  until: null,
  set_by: KEY.id,
  set_at: AT,
  conversations: 1,
};

export const SHARE_TOKEN = 'us_acme_8fk2m1q0AbCd_Q3v0kPz7mJ1xYtR5cW9eBn4sLh2dGf6uKa8oTi0pVqX';

export const SHARE = {
  id: 'share_8fk2m1q0AbCd',
  conversation_id: ID,
  playlist_id: null,
  title: 'Service appointment',
  label: 'For the training on Friday',
  status: 'active' as const,
  created_at: AT,
  expires_at: '2025-11-29T12:00:00.000Z',
  revoked_at: null,
  key_id: KEY.id,
  opens: 2,
  last_opened_at: AT,
};

export const SHARED_PLAYLIST = {
  id: PLAYLIST.id,
  name: PLAYLIST.name,
  hide_names: true,
  expires_at: '2025-11-29T12:00:00.000Z',
  pieces: [
    {
      id: PLAYLIST_ITEM.id,
      conversation: 1,
      seconds: 15.6,
      note: PLAYLIST_ITEM.note,
      title: null,
      recorded_at: AT,
      recorded_at_source: 'given' as const,
      speaker: 'Speaker 2',
      quote: PLAYLIST_ITEM.quote,
      media: `/playlists/${PLAYLIST.id}/items/${PLAYLIST_ITEM.id}/media`,
    },
  ],
};

export const SHARE_OPEN = {
  id: '413',
  at: AT,
  until: AT,
  requests: 3,
  act: 'recording_requested' as const,
  from_s: 41.2,
  to_s: 82,
  address_prefix: '203.0.113.0/24',
};

export const AUDIT = {
  id: '1763812800000',
  at: AT,
  who: 'operator',
  address: '203.0.113.7',
  request_id: '0d3b7c1e-52f4-4a86-9c0d-7e8f1a2b3c4d',
  act: 'key.issued',
  subject: KEY.id,
  changes: { label: KEY.label },
};
