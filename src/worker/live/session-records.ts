import type { ServiceEvent } from '../../contract/events.ts';
import type { LiveSessionBody } from '../../contract/live.ts';
import { AnalysisOptionsSchema } from '../../contract/options.ts';
import { type RecordedRunKeys, runKeys } from '../storage/keys.ts';
import type { AnalysisOutcome } from '../tenant/jobs/job-table.ts';
import type { SessionOptions } from './log.ts';
import type { LiveState } from './state.ts';

// A session as it appears to its client, the store and the catalogue.

/** Keys of the session's objects. */
export const keysOf = ({ tenant, conversationId, suffix }: SessionOptions): RecordedRunKeys =>
  runKeys(tenant, conversationId, suffix);

/** The conversation of a session, as it is listed from the start. */
export const conversationOfSession = ({
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

/** The outcome that a terminal event represents. */
export function outcomeOf(ending: ServiceEvent & { event: 'done' | 'error' }): AnalysisOutcome {
  if (ending.event === 'done') return { status: 'completed' };
  const { code, message } = ending.data;
  return code === 'STREAM_FAILURE' ? { status: 'cancelled' } : { status: 'failed', code, message };
}

/**
 * The response to the start of a session.
 * @param chunkMs how much audio a chunk should contain, ms
 */
export const sessionBody = (options: SessionOptions, state: LiveState, chunkMs: number): LiveSessionBody => ({
  session_id: options.sessionId,
  conversation_id: options.conversationId,
  chunk_endpoint: `/analyze/live/${options.sessionId}/chunk`,
  events_endpoint: `/analyze/live/${options.sessionId}/events`,
  control_endpoint: `/analyze/live/${options.sessionId}/control`,
  next_chunk_seq: state.nextChunkSeq,
  expires_at: new Date(state.expiresAt).toISOString(),
  status: state.status,
  chunk_ms: chunkMs,
});
