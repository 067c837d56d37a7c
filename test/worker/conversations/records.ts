import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import { type Indexed, indexOf } from '../../../src/worker/results/card.ts';
import { editedBy } from '../../../src/worker/results/edits/edited.ts';
import type { StoredRecord } from '../../../src/worker/results/record.ts';

export const record = (id: string, createdAt: number, more: Partial<StoredRecord> = {}): StoredRecord => ({
  id,
  mode: 'batch',
  status: 'completed',
  createdAt,
  endedAt: createdAt + 5,
  error: null,
  key: 'key-1',
  requestId: 'r',
  filename: `${id}.wav`,
  suffix: '.wav',
  options: { goal: '', affect: 'full' },
  run: id,
  lastRun: id,
  pending: null,
  shown: null,
  bytes: 1000,
  retentionDays: null,
  edits: [],
  feedback: [],
  ...more,
});

export const indexed = (result: AnalysisResponse): Indexed => indexOf(result, editedBy([]));
