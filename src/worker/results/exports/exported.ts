import type { AnalysisResponse } from '../../../contract/analysis.ts';
import type { TimelineEntry } from '../../../contract/timeline-entry.ts';

/** One utterance in an export. Seconds; the measures are those of the timeline, null when not measured. */
export type ExportedUtterance = Pick<
  TimelineEntry,
  'utterance_id' | 'speaker' | 't_start' | 't_end' | 'text' | 'words'
> & {
  [Measure in (typeof MEASURES)[number]]: TimelineEntry[Measure] | null;
};

/** Measures of an utterance that an export may contain, by their names in the timeline. */
export const MEASURES = [
  'asr_confidence',
  'dominant_emotion',
  'polarity',
  'engagement',
  'load_level',
  'commitment_level',
] as const;

/** The input of an export: a stored analysis with the names and title that people gave. */
export interface Exported {
  conversationId: string;
  /** '' when there is neither a title nor a file name. */
  title: string;
  labels: readonly string[];
  /** ISO 8601. */
  createdAt: string;
  goal: string;
  /** Seconds. */
  duration: number;
  /** By start. */
  timeline: readonly ExportedUtterance[];
  summary: AnalysisResponse['summary'];
  moments: AnalysisResponse['moments'];
  segmentation: AnalysisResponse['segmentation'];
  metrics: AnalysisResponse['insights']['metrics'];
}

/** A format of `GET /conversations/{id}/export`: one file in this folder, and one line in `formats.ts`. */
export interface ExportFormat {
  /** Includes the dot. */
  extension: string;
  contentType: string;
  /** The file in pieces, of text that is linear in the conversation. Absent: the stored result unchanged. */
  write?: (conversation: Exported) => Iterable<string>;
}

/** A file name in characters that every system accepts. */
export function exportName({ title, conversationId }: Pick<Exported, 'title' | 'conversationId'>): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ._-]/g, '')
    .slice(0, 80)
    .trim();
  return /[A-Za-z0-9]/.test(plain) ? plain.replaceAll(' ', '-') : conversationId;
}
