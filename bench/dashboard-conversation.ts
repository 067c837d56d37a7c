import { readFileSync } from 'node:fs';
import type { AnalysisResponse, ConversationRecord, Levels } from '../src/sdk/wire.ts';

/** A real analysis of a short call, from which a long conversation is made. */
const SHORT = JSON.parse(
  readFileSync(new URL('../src/openapi/example-analysis.json', import.meta.url), 'utf8'),
) as AnalysisResponse;
/** Duration of one utterance and the silence after it, s, so that 2,000 utterances take two hours. */
const TURN_S = 3.6;
const LEVELS_A_SECOND = 20;

/** The utterances, moments and phases of a short call, repeated. */
export function longConversation(utterances: number): {
  result: AnalysisResponse;
  record: ConversationRecord;
  levels: Levels;
} {
  const id = 'long';
  const count = SHORT.timeline.length;
  const timeline = Array.from({ length: utterances }, (_, n): AnalysisResponse['timeline'][number] => {
    const entry = SHORT.timeline[n % count]!;
    const start = n * TURN_S;
    const end = start + TURN_S * 0.8;
    const stretch = (t: number): number =>
      start + ((t - entry.t_start) / Math.max(0.1, entry.t_end - entry.t_start)) * (end - start);
    const words = entry.words.map((word) => ({ ...word, t_start: stretch(word.t_start), t_end: stretch(word.t_end) }));
    return { ...entry, utterance_id: `${id}_utt_${n}`, t_start: start, t_end: end, words };
  });
  const rounds = Math.floor(utterances / count);
  const placed = (utteranceId: string, round: number): string =>
    `${id}_utt_${round * count + SHORT.timeline.findIndex(({ utterance_id }) => utterance_id === utteranceId)}`;
  const moments = Array.from({ length: rounds }, (_, round) =>
    SHORT.moments.map((moment) => ({
      ...moment,
      moment_id: `${moment.moment_id}_${round}`,
      answers: moment.answers && `${moment.answers}_${round}`,
      utterance_ids: moment.utterance_ids.map((utterance) => placed(utterance, round)),
      start_ms: moment.start_ms + round * count * TURN_S * 1000,
      end_ms: moment.end_ms + round * count * TURN_S * 1000,
    })),
  ).flat();
  const phases = Array.from({ length: Math.min(rounds, 40) }, (_, i) => {
    const first = Math.floor((i * utterances) / Math.min(rounds, 40));
    const next = Math.floor(((i + 1) * utterances) / Math.min(rounds, 40));
    return {
      ...SHORT.segmentation.phases[i % SHORT.segmentation.phases.length]!,
      start_timestamp: first * TURN_S,
      end_timestamp: next * TURN_S,
      start_utterance_id: `${id}_utt_${first}`,
    };
  });
  const duration = utterances * TURN_S;
  const result: AnalysisResponse = {
    ...SHORT,
    conversation_id: id,
    utterances,
    timeline,
    moments,
    segmentation: { ...SHORT.segmentation, phases, total_phases: phases.length },
    media: { ...SHORT.media, duration_s: duration },
  };
  const channel = Buffer.from(Uint8Array.from({ length: duration * LEVELS_A_SECOND }, (_, i) => (i * 37) % 256));
  const createdAt = '2026-11-01T09:00:00.000Z';
  const record: ConversationRecord = {
    ...{ conversation_id: id, status: 'completed', mode: 'batch', title: 'Two hours', filename: 'long.wav', goal: '' },
    ...{
      labels: [],
      created_at: createdAt,
      recorded_at: createdAt,
      recorded_at_source: 'assumed',
      ended_at: createdAt,
      expires_at: null,
      reviewed_at: null,
      on_hold: false,
      error: null,
      kept_until: null,
      stored_bytes: 0,
    },
    ...{
      result: null,
      names: {},
      people: {},
      roles: {},
      hidden_affect: [],
      edits: [],
      retention_days: null,
      feedback: [],
      comments: [],
      reanalysis: null,
    },
  };
  return { result, record, levels: { rate: LEVELS_A_SECOND, channels: [channel.toString('base64')] } };
}
