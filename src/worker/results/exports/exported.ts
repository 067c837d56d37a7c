import type { AnalysisResponse } from '../../../contract/analysis.ts';
import type { TimelineEntry } from '../../../contract/timeline-entry.ts';

/**
 * One utterance in an export. Times are in seconds. The measures are those of the timeline, and null when they were not
 * measured.
 */
export type ExportedUtterance = Pick<
  TimelineEntry,
  'utterance_id' | 'speaker' | 'speaker_label' | 't_start' | 't_end' | 'text' | 'words'
> & {
  [Measure in (typeof MEASURES)[number]]: TimelineEntry[Measure] | null;
};

/** Measures of an utterance that an export can contain, by their names in the timeline. */
export const MEASURES = [
  'asr_confidence',
  'dominant_emotion',
  'polarity',
  'engagement',
  'load_level',
  'commitment_level',
] as const;

/** The input of an export: a stored analysis with the names and the title that users have set. */
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
  /** Label of a speaker -> role, of the channel or of the person. */
  roles?: Readonly<Record<string, string>>;
  /** Ordered by start. */
  timeline: readonly ExportedUtterance[];
  summary: AnalysisResponse['summary'];
  moments: AnalysisResponse['moments'];
  segmentation: AnalysisResponse['segmentation'];
  metrics: AnalysisResponse['insights']['metrics'];
}

/**
 * A format of `GET /conversations/{id}/export`. Each format is one file in this folder and one line in `formats.ts`.
 */
export interface ExportFormat {
  /** File extension, including the dot. */
  extension: string;
  contentType: string;
  /**
   * Yields the file in pieces whose total length is linear in the length of the conversation. If absent, the stored
   * result is sent unchanged.
   */
  write?: (conversation: Exported) => Iterable<string>;
}

/** The role of a speaker of an utterance; undefined if it is not known. */
export const roleOf = (
  { roles = {} }: Pick<Exported, 'roles'>,
  { speaker, speaker_label = speaker }: Pick<ExportedUtterance, 'speaker' | 'speaker_label'>,
): string | undefined => (Object.hasOwn(roles, speaker_label) ? roles[speaker_label] : undefined);

/** A file name made of characters that every system accepts. */
export function exportName({ title, conversationId }: Pick<Exported, 'title' | 'conversationId'>): string {
  const plain = title
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9 ._-]/g, '')
    .slice(0, 80)
    .trim();
  return /[A-Za-z0-9]/.test(plain) ? plain.replaceAll(' ', '-') : conversationId;
}
