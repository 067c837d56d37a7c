import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import type { ExportName } from '../../../src/contract/queries.ts';
import type { Exported } from '../../../src/worker/results/exports/exported.ts';
import { EXPORTS } from '../../../src/worker/results/exports/formats.ts';

/** A result as an export receives it. */
export const exportedOf = (result: AnalysisResponse, given: Partial<Exported> = {}): Exported => ({
  conversationId: result.conversation_id,
  title: 'A call',
  labels: [],
  createdAt: '2026-11-22T17:04:00.000Z',
  goal: result.goal,
  duration: result.media.duration_s,
  ...(result.roles && { roles: result.roles }),
  timeline: result.timeline,
  summary: result.summary,
  moments: result.moments,
  segmentation: result.segmentation,
  metrics: result.insights.metrics,
  ...given,
});

/** The file of a format. */
export const written = (format: Exclude<ExportName, 'json'>, exported: Exported): string =>
  [...EXPORTS[format].write!(exported)].join('');
