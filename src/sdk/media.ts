/** A recording: a file of a form, a file opened by `fs.openAsBlob`, or its bytes. */
export type Media = Blob | BufferSource;

export interface AnalyzeOptions {
  /** Its name, of which the extension counts: mp4, mov, webm, mp3, wav, m4a or aac. A `File` has one. */
  filename?: string;
  /** What the analysis is for, at most 4,000 characters. */
  goal?: string | undefined;
  /** How many people speak, 1..8, when it is known. */
  speakers?: number | undefined;
  signal?: AbortSignal | undefined;
}

/** The form of an upload, made anew for each attempt. @throws TypeError when nothing names the recording */
export function uploadForm(media: Media, { filename, goal, speakers }: AnalyzeOptions): () => FormData {
  const blob = media instanceof Blob ? media : new Blob([media]);
  const name = filename ?? (media instanceof File ? media.name : undefined);
  if (name === undefined) throw new TypeError('filename is missing: its extension says how the recording is coded');
  return () => {
    const form = new FormData();
    if (goal !== undefined) form.set('goal', goal);
    if (speakers !== undefined) form.set('speakers', String(speakers));
    form.set('file', blob, name);
    return form;
  };
}
