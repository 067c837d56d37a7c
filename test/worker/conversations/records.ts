import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import { type Indexed, indexOf } from '../../../src/worker/conversations/card.ts';
import type { ConversationRecord } from '../../../src/worker/conversations/record.ts';

export const record = (id: string, createdAt: number, more: Partial<ConversationRecord> = {}): ConversationRecord => ({
  id,
  mode: 'batch',
  status: 'completed',
  createdAt,
  endedAt: createdAt + 5,
  expiresAt: null,
  error: null,
  key: 'key-1',
  requestId: 'r',
  filename: `${id}.wav`,
  suffix: '.wav',
  goal: '',
  shown: null,
  edits: [],
  feedback: [],
  ...more,
});

export const indexed = (result: AnalysisResponse): Indexed => indexOf(result);
