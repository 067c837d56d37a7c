import type { AnalysisOptionsInput } from './wire.ts';

/** A recording: a file of a form, a file opened by `fs.openAsBlob`, or its bytes. */
export type Media = Blob | BufferSource;

export interface AnalyzeOptions extends AnalysisOptionsInput {
  /** Its name, of which the extension counts: mp4, mov, webm, mp3, wav, m4a or aac. A `File` has one. */
  filename?: string;
  signal?: AbortSignal | undefined;
}

/** The form of an upload, made anew for each attempt. @throws TypeError when nothing names the recording */
export function uploadForm(media: Media, { filename, signal: _, ...analysis }: AnalyzeOptions): () => FormData {
  const blob = media instanceof Blob ? media : new Blob([media]);
  const name = filename ?? (media instanceof File ? media.name : undefined);
  if (name === undefined) throw new TypeError('filename is missing: its extension says how the recording is coded');
  return () => {
    const form = new FormData();
    for (const [option, value] of Object.entries(analysis))
      if (value !== undefined) form.set(option, typeof value === 'object' ? JSON.stringify(value) : String(value));
    form.set('file', blob, name);
    return form;
  };
}
