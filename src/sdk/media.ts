import type { AnalysisOptionsInput } from './wire.ts';

/** A recording: a file of a form, a file opened by `fs.openAsBlob`, or its bytes; or where the service can fetch it. */
export type Media = Blob | BufferSource | RemoteMedia;

export interface RemoteMedia {
  /** http or https, on the public network. */
  url: string | URL;
}

export interface MediaOptions extends AnalysisOptionsInput {
  /** Its name, of which the extension counts: mp4, mov, webm, mp3, wav, m4a or aac. A `File` has one, and an address. */
  filename?: string | undefined;
  signal?: AbortSignal | undefined;
}

export interface AnalysisProgress {
  /** `uploading`, then what the service says it is at. */
  phase: string;
  /** How much of the phase is done, 0..1. */
  progress: number;
}

export interface AnalyzeOptions extends MediaOptions {
  onProgress?: ((progress: AnalysisProgress) => void) | undefined;
}

export interface NamedBlob {
  blob: Blob;
  name: string;
}

export const isRemote = (media: Media): media is RemoteMedia => 'url' in media;

/** @throws TypeError when nothing names the recording */
export function namedBlob(media: Exclude<Media, RemoteMedia>, filename: string | undefined): NamedBlob {
  const blob = media instanceof Blob ? media : new Blob([media]);
  const name = filename ?? (media instanceof File ? media.name : undefined);
  if (name === undefined) throw new TypeError('filename is missing: its extension says how the recording is coded');
  return { blob, name };
}

/** What of a call's options is the service's to know. */
export function analysisOptions(options: AnalysisOptionsInput): AnalysisOptionsInput {
  const { goal, speakers, recogniser, quality, words, language, affect } = options;
  return { goal, speakers, recogniser, quality, words, language, affect };
}

/** The form of an upload, made anew for each attempt. */
export const uploadForm =
  ({ blob, name }: NamedBlob, options: AnalysisOptionsInput): (() => FormData) =>
  () => {
    const form = new FormData();
    for (const [option, value] of Object.entries(analysisOptions(options)))
      if (value !== undefined) form.set(option, typeof value === 'object' ? JSON.stringify(value) : String(value));
    form.set('file', blob, name);
    return form;
  };
