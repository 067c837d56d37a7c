import type { AnalysisResponse } from '../../../contract/analysis.ts';
import type { TimelineEntry } from '../../../contract/timeline-entry.ts';

/** One utterance as an export tells it. Seconds; the measures are those of the timeline, null where none was taken. */
export type ExportedUtterance = Pick<
  TimelineEntry,
  'utterance_id' | 'speaker' | 't_start' | 't_end' | 'text' | 'words'
> & {
  [Measure in (typeof MEASURES)[number]]: TimelineEntry[Measure] | null;
};

/** Measures of an utterance that an export may tell, as the timeline names them. */
export const MEASURES = [
  'asr_confidence',
  'dominant_emotion',
  'polarity',
  'engagement',
  'load_level',
  'commitment_level',
] as const;

/** What an export is made of: a stored analysis under the names that people gave, and what they call it. */
export interface Exported {
  conversationId: string;
  /** '' when nobody gave one and no file has a name. */
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

/** A format of `GET /conversations/{id}/export`: one file of this folder, and one line in `formats.ts`. */
export interface ExportFormat {
  /** With its dot. */
  extension: string;
  contentType: string;
  /** The file in pieces, of text that is linear in the conversation. Absent: the stored result as it is. */
  write?: (conversation: Exported) => Iterable<string>;
}

/** Its file's name, of letters that every system takes. */
export function exportName({ title, conversationId }: Pick<Exported, 'title' | 'conversationId'>): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ._-]/g, '')
    .slice(0, 80)
    .trim();
  return /[A-Za-z0-9]/.test(plain) ? plain.replaceAll(' ', '-') : conversationId;
}
