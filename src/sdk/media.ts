import type { Affect } from './wire.ts';

/** A recording: a file of a form, a file opened by `fs.openAsBlob`, or its bytes. */
export type Media = Blob | BufferSource;

export interface AnalyzeOptions {
  /** Its name, of which the extension counts: mp4, mov, webm, mp3, wav, m4a or aac. A `File` has one. */
  filename?: string;
  /** What the analysis is for, at most 4,000 characters. */
  goal?: string | undefined;
  /** How many people speak, 1..8, when it is known. */
  speakers?: number | undefined;
  /** The speech recogniser, by its id. */
  recogniser?: string | undefined;
  /** How affect is read: of everybody, or by speaker label with `*` for the others. */
  affect?: Affect | undefined;
  signal?: AbortSignal | undefined;
}

/** The form of an upload, made anew for each attempt. @throws TypeError when nothing names the recording */
export function uploadForm(
  media: Media,
  { filename, goal, speakers, recogniser, affect }: AnalyzeOptions,
): () => FormData {
  const blob = media instanceof Blob ? media : new Blob([media]);
  const name = filename ?? (media instanceof File ? media.name : undefined);
  if (name === undefined) throw new TypeError('filename is missing: its extension says how the recording is coded');
  return () => {
    const form = new FormData();
    if (goal !== undefined) form.set('goal', goal);
    if (speakers !== undefined) form.set('speakers', String(speakers));
    if (recogniser !== undefined) form.set('recogniser', recogniser);
    if (affect !== undefined) form.set('affect', typeof affect === 'string' ? affect : JSON.stringify(affect));
    form.set('file', blob, name);
    return form;
  };
}
