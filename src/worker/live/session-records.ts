import type { ServiceEvent } from '../../contract/events.ts';
import type { LiveSessionBody } from '../../contract/live.ts';
import { AnalysisOptionsSchema } from '../../contract/options.ts';
import { type RecordedRunKeys, runKeys } from '../storage/keys.ts';
import type { AnalysisOutcome } from '../tenant/jobs/job-table.ts';
import type { SessionOptions } from './log.ts';
import type { LiveState } from './state.ts';

// What a session is to others: to its client, to the store, to the catalogue.

/** Where its artifacts lie. */
export const keysOf = ({ tenant, conversationId, suffix }: SessionOptions): RecordedRunKeys =>
  runKeys(tenant, conversationId, suffix);

/** What is listed of a session from its start on. */
export const begunBy = ({
  conversationId,
  caller,
  requestId = '',
  filename = '',
  suffix,
  ...options
}: SessionOptions) => ({
  id: conversationId,
  mode: 'live' as const,
  key: caller?.keyId ?? '',
  requestId,
  filename,
  suffix,
  options: AnalysisOptionsSchema.parse(options),
});

/** How it ended, by its last event. */
export function outcomeOf(ending: ServiceEvent & { event: 'done' | 'error' }): AnalysisOutcome {
  if (ending.event === 'done') return { status: 'completed' };
  const { code, message } = ending.data;
  return code === 'STREAM_FAILURE' ? { status: 'cancelled' } : { status: 'failed', code, message };
}

/** As its start answers it. */
export const sessionBody = (options: SessionOptions, state: LiveState): LiveSessionBody => ({
  session_id: options.sessionId,
  conversation_id: options.conversationId,
  chunk_endpoint: `/analyze/live/${options.sessionId}/chunk`,
  events_endpoint: `/analyze/live/${options.sessionId}/events`,
  control_endpoint: `/analyze/live/${options.sessionId}/control`,
  next_chunk_seq: state.nextChunkSeq,
  expires_at: new Date(state.expiresAt).toISOString(),
  status: state.status,
});
